import { expect, login, test } from './portal'
import { startOwn, stopAll } from './process'

/*
 * A broker with only the 63 required operations: the main pages in a browser, with JavaScript and without, and one request for money.
 * Only `npm test -- --long` runs it. tests/portal/only-required.test.ts checks every page and file without a browser.
 */

const PORT = 3170
const STYLES = ['404', '501', 'html']
const PAGES = [
	'/dashboard',
	'/reports/ledger',
	'/reports/holding',
	'/reports/profitnloss',
	'/reports/income-tax',
	'/reports/contractnbill',
	'/myaccount',
	'/myaccount/requests',
	'/funds',
	'/funds/withdraw',
	'/funds/e-mandate',
	'/dpprocess',
	'/dpprocess/pledge',
	'/connect/ipo',
	'/connect/mtf',
]
/** Text that no page may show for a part that the broker does not have. */
const FALSE_WORDS = /could not be loaded|does not offer|You have no mandate|You have not asked|Nothing was funded/

test.use({ baseURL: `http://127.0.0.1:${PORT}` })
test.describe.configure({ mode: 'serial', timeout: 240_000 })

for (const style of STYLES)
	test.describe(`optional operations answered with ${style}`, () => {
		test.beforeAll(async () => void (await startOwn({ portal: PORT, sandbox: PORT + 1000 }, { SANDBOX_ONLY_REQUIRED: style })))
		test.afterAll(stopAll)

		for (const javaScriptEnabled of [true, false])
			test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
				test.use({ javaScriptEnabled })

				test('the main pages are complete, and a payout shows the broker’s answer to its request', async ({ page }) => {
					await login(page, 'DEMO01')
					for (const path of PAGES) {
						expect([path, (await page.goto(path))?.status()]).toEqual([path, 200])
						await expect(page.locator('h1').first()).toBeVisible()
						expect([path, FALSE_WORDS.exec(await page.locator('body').innerText())?.[0]]).toEqual([path, undefined])
					}
					// A second payout is refused while the first waits, so each browser has its own client.
					const client = javaScriptEnabled ? 'DEMO01' : 'CASH01'
					if (client !== 'DEMO01') {
						await page.context().clearCookies()
						await login(page, client)
					}
					await page.goto('/funds/withdraw')
					await page.getByRole('checkbox', { name: 'Equity' }).check()
					await page.getByLabel('Amount').fill('5')
					await page.getByRole('button', { name: 'Withdraw' }).click()
					await expect(page).toHaveURL(/\/funds\/payout\?ref=/)
					await expect(page.locator('body')).toContainText('₹ 5.00')
				})
			})
	})

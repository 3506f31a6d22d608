import { type Page } from '@playwright/test'
import { breakBroker, expect, FAILING, login, test } from './portal'

/*
 * A click is never lost, also in a browser that is too busy to draw, and while a search is under way. When the broker loses its reply, the
 * page shows what was done.
 */

test.use({ baseURL: FAILING.portal })
const client = 'DEMO01'

/** Remix stores its router on the window. */
type WithRouter = { __remixRouter: { state: { navigation: { state: string } } } }

const problem = (page: Page) => page.getByRole('alert').filter({ hasText: 'There is a problem' })

test('a form works again when the reply arrives before the browser has drawn the sending state', async ({ page }) => {
	// React posts messages to itself to draw. The test holds them back, as in a browser that has no time to draw.
	await page.addInitScript(() => {
		const held: (() => void)[] = []
		let isHeld = false
		const post = MessagePort.prototype.postMessage as (this: MessagePort, message: unknown) => void
		MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
			if (isHeld) held.push(() => post.call(this, message))
			else post.call(this, message)
		}
		Object.assign(window, {
			holdDrawing: () => (isHeld = true),
			drawAgain: () => {
				isHeld = false
				for (const each of held.splice(0)) each()
			},
		})
	})
	await login(page, client, '/dpprocess')
	const verify = page.getByRole('button', { name: 'Verify', exact: true })
	await verify.click()
	await expect(problem(page)).toContainText('Select at least one security')
	await page.getByRole('table', { name: 'Holdings' }).getByRole('checkbox').first().check()
	await page.getByRole('table', { name: 'Holdings' }).getByRole('textbox').first().fill('x')
	const call = (name: string) => page.evaluate((at) => (window as unknown as Record<string, () => void>)[at]?.(), name)
	const replied = page.waitForResponse((answer) => answer.request().method() === 'POST')
	await call('holdDrawing')
	await verify.click()
	await replied
	// The router has read the reply. React has not yet drawn the sending state or the reply.
	await page.waitForFunction(() => {
		const { __remixRouter: router } = window as unknown as WithRouter
		return router.state.navigation.state === 'idle'
	})
	await call('drawAgain')
	await expect(problem(page)).toContainText('must be a whole number')

	await page.getByLabel('Search').fill('no such share')
	await page.getByRole('button', { name: 'Apply' }).click()
	await expect(page.getByText('No entries match “no such share”.')).toBeVisible()
	await expect(page).toHaveURL(/q=no\+such\+share/)
})

test('a search replaces the one that is under way', async ({ page }) => {
	await login(page, client, '/dpprocess')
	await breakBroker({ operation: 'getEdisHoldings', kind: 'slow', ms: 1000, client }, FAILING.sandbox)
	const search = page.getByLabel('Search')
	const apply = page.getByRole('button', { name: 'Apply' })
	await search.fill('first')
	await apply.click()
	await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeAttached()
	await search.fill('second')
	await apply.click()
	await expect(page).toHaveURL(/q=second/)
	await expect(search).toHaveValue('second')
})

test('a page whose change was done, but not answered, says that it does not know, and shows what the broker says now', async ({ page }) => {
	await login(page, client, '/funds/withdraw', true)
	await page.getByRole('checkbox', { name: 'Equity' }).check()
	await page.getByLabel('Amount').fill('101.25')
	await page.getByRole('button', { name: 'Withdraw' }).click()
	await expect(page.getByText('₹ 101.25 is on its way')).toBeVisible()
	await breakBroker({ operation: 'cancelPayout', kind: 'reset', client, count: 1 }, FAILING.sandbox)
	await page.getByRole('button', { name: 'Cancel payout' }).click()
	await expect(problem(page)).toBeVisible()
	await expect(page.getByText('You cancelled this payout.')).toBeVisible()
	await expect(page.getByText('is on its way')).toHaveCount(0)
})

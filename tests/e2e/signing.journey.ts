import { expect, type Page } from '@playwright/test'
import { login, test as base } from './portal'
import { type Program, startOwn } from './process'

/* A client with a waiting closure cannot be used by other tests, so this test has its own portal and sandbox. */
const ports = (hasScripts: boolean) => (hasScripts ? { portal: 3163, sandbox: 4163 } : { portal: 3164, sandbox: 4164 })

const test = base.extend<{ sandbox: string }>({
	baseURL: async ({ javaScriptEnabled }, use) => use(`http://127.0.0.1:${ports(javaScriptEnabled ?? true).portal}`),
	sandbox: async ({ javaScriptEnabled }, use) => use(`http://127.0.0.1:${ports(javaScriptEnabled ?? true).sandbox}`),
})

let program: Program | undefined
test.beforeAll(async ({ browserName: _ }, { project }) => {
	test.setTimeout(200_000)
	program = await startOwn(ports(project.use.javaScriptEnabled ?? true))
})
test.afterAll(() => program?.stop())

async function expectHeading(page: Page, heading: string) {
	await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
}

test('the confirm page shows what will be signed, and an unknown signing leads nowhere', async ({ page, baseURL, sandbox }) => {
	await login(page, 'NEW001', '/myaccount/closure')
	await page.goto('/esign')
	await expectHeading(page, 'Nothing to sign')
	await page.goto('/myaccount/closure')
	await page.getByLabel('Reason', { exact: true }).selectOption('Moving to another broker')
	await page.getByRole('radio', { name: 'Trading and Demat', exact: true }).check()
	await page.getByRole('radio', { name: 'Close the account' }).check()
	await page.getByRole('button', { name: 'Continue' }).click()
	await page.getByRole('button', { name: 'Proceed to e-sign' }).click()
	await page.waitForURL(`${sandbox}/esign?**`)
	await page.goto('/esign')
	await expectHeading(page, 'You are about to sign')
	await expect(page.getByText('Account closure', { exact: true })).toBeVisible()
	await page.getByRole('button', { name: 'Proceed to e-sign' }).click()
	await page.waitForURL(`${sandbox}/esign?**`)
	await page.getByRole('button', { name: 'Fail' }).click()
	await page.waitForURL(`${baseURL}/esign/return?**`)
	await expectHeading(page, 'Not signed')
	await page.goto('/myaccount/closure')
	await page.getByRole('button', { name: 'Withdraw request' }).click()
	await expect(page.getByText('awaits your e-sign')).toHaveCount(0)
})

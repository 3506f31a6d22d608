import { type Page } from '@playwright/test'
import { expect, login, test } from './portal'

/* A page that was opened before an upgrade, at a server of the next version. */

/** The page asks for the routes of other pages with its version, and the server finds that it has another. */
async function becomeOlder(page: Page): Promise<void> {
	await page.route('**/__manifest?*', async (route) => {
		const asked = new URL(route.request().url())
		asked.searchParams.set('version', 'before')
		await route.continue({ url: asked.href })
	})
}

test('a link opens its page with its query as a document, the second and third time in a tab too', async ({ page }) => {
	await login(page, 'DEMO01')
	await becomeOlder(page)
	const menu = page.getByRole('navigation', { name: 'Main' })
	for (const [link, heading] of [
		['Holding', 'Holding'],
		['Ledger', 'Ledger'],
		['Profit & Loss', 'Profit & Loss'],
	] as const) {
		await page.evaluate(() => document.documentElement.setAttribute('data-before', ''))
		await menu.getByRole('link', { name: link, exact: true }).click()
		await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
		await expect(page.locator('html[data-before]')).toHaveCount(0)
	}
	await page.goto('/funds/withdraw')
	const bill = page.getByRole('link', { name: /bill/i }).and(page.locator('[href*="q="]')).first()
	const href = (await bill.getAttribute('href')) ?? ''
	await bill.click()
	await expect(page.getByRole('heading', { level: 1, name: 'Ledger' })).toBeVisible()
	expect(page.url()).toContain(href)
})

test('a payout that was asked for opens with its reference', async ({ page }) => {
	await login(page, 'BULK01', '/funds/withdraw')
	await becomeOlder(page)
	await page.getByRole('checkbox', { name: 'Equity' }).check()
	await page.getByLabel('Amount').fill('1')
	await page.getByRole('button', { name: 'Withdraw' }).click()
	await expect(page.getByRole('heading', { level: 1, name: 'Payout' })).toBeVisible()
	await expect(page.getByText('₹ 1.00 is on its way')).toBeVisible()
	expect(new URL(page.url()).searchParams.get('ref')).toMatch(/^PO/)
})

test('what was sent is sent, by a form of the page and by the dialog of the password', async ({ page }) => {
	await login(page, 'BULK01', '/funds/withdraw')
	await becomeOlder(page)
	await page.getByRole('button', { name: 'Dark' }).first().click()
	await expect(page.locator('html[data-theme=dark]')).toHaveCount(1)
	expect(new URL(page.url()).pathname).toBe('/funds/withdraw')
	await page.goto('/funds/withdraw?dialog=change-password')
	await page.getByLabel('Current password', { exact: true }).fill('Wrong@1234')
	await page.getByLabel('New password', { exact: true }).fill('Another@1234')
	await page.getByLabel('Confirm password', { exact: true }).fill('Another@1234')
	await page.getByRole('dialog').getByRole('button', { name: 'Change Password' }).click()
	await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toBeVisible()
})

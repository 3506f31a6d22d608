import { type Page, type Route } from '@playwright/test'
import { breakBroker, expect, FAILING, login, test, listInBothPalettes } from './portal'

/* The Change Password dialog with JavaScript. No test here changes a password. */

async function openDialog(page: Page) {
	await page
		.getByRole('banner')
		.getByRole('button', { name: /[A-Z][a-z]+ / })
		.click()
	await page.getByRole('link', { name: 'Change Password' }).click()
	await expect(page.getByLabel('Current password')).toBeFocused()
}

test('keeps the focus inside, closes with Escape, and returns the focus to the menu', async ({ page }) => {
	await login(page)
	await openDialog(page)
	const dialog = page.getByRole('dialog', { name: 'Change Password' })
	for (const key of ['Tab', 'Shift+Tab']) {
		const seen = new Set<string>()
		for (let stop = 0; stop < 20; stop++) {
			await page.keyboard.press(key)
			await expect(dialog.locator(':focus')).toHaveCount(1)
			seen.add(
				await dialog.locator(':focus').evaluate((element) => `${element.id}${element.textContent}${element.getAttribute('aria-controls')}`),
			)
		}
		// Three fields, three show buttons, the submit button and the close link.
		expect(seen.size).toBe(8)
	}
	await page.keyboard.press('Escape')
	await expect(dialog).toHaveCount(0)
	await expect(page).toHaveURL(/\/dashboard$/)
	await expect(page.getByRole('banner').getByRole('button', { name: /Aarav/ })).toBeFocused()
	await page.goBack()
	await expect(dialog).toBeVisible()
	await page.getByRole('button', { name: 'Close' }).click()
	await expect(page.getByRole('banner').getByRole('button', { name: /Aarav/ })).toBeFocused()
})

test('leaves the page usable while its script is on its way, and opens as a document when that fails', async ({ page }) => {
	await login(page, 'CASH01', '/funds/withdraw')
	let fail = () => {}
	const asked = new Promise<void>((isAsked) => {
		const hold = async (route: Route) => {
			isAsked()
			await new Promise<void>((resolve) => (fail = resolve))
			await route.abort()
		}
		// The document that follows may load it.
		void page.route('**/assets/change-password-dialog-*.js', hold, { times: 1 })
	})
	await page
		.getByRole('banner')
		.getByRole('button', { name: /[A-Z][a-z]+ / })
		.click()
	await page.getByRole('link', { name: 'Change Password' }).click()
	await asked
	await page.getByLabel('Amount').fill('100')
	await expect(page.locator('[inert]')).toHaveCount(0)
	fail()
	await expect(page).toHaveURL(/\/funds\/withdraw\?dialog=change-password$/)
	await expect(page.getByRole('dialog', { name: 'Change Password' })).toBeVisible()
})

test('marks a field as required only after it was left empty', async ({ page }) => {
	await login(page)
	await openDialog(page)
	await expect(page.getByText('is required')).toHaveCount(0)
	await page.getByLabel('New password').focus()
	await expect(page.getByText('Current Password is required')).toBeVisible()
	await expect(page.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true')
	await expect(page.getByText('New Password is required')).toHaveCount(0)
	await page.getByLabel('Current password').fill('x')
	await expect(page.getByText('Current Password is required')).toHaveCount(0)
	await expect(page.getByText('New Password is required')).toBeVisible()
	await expect(page.getByText('Confirm Password is required')).toHaveCount(0)
})

test('marks the fields that the Tab key leaves empty, before the next field is reached', async ({ page }) => {
	await login(page)
	await openDialog(page)
	// Each field is followed by its own `Show password`.
	for (const name of ['Current', 'New', 'Confirm']) {
		await expect(page.getByLabel(`${name} password`, { exact: true })).toBeFocused()
		await expect(page.getByText(`${name} Password is required`)).toHaveCount(0)
		await page.keyboard.press('Tab')
		await expect(page.getByText(`${name} Password is required`)).toBeVisible()
		await page.keyboard.press('Tab')
	}
	await expect(page.getByRole('dialog').getByRole('button', { name: 'Change Password' })).toBeFocused()
})

test('shows and hides each password separately', async ({ page }) => {
	await login(page)
	await openDialog(page)
	const fields = ['Current password', 'New password', 'Confirm password'].map((label) => page.getByLabel(label, { exact: true }))
	const toggles = page.getByRole('dialog').getByRole('button', { name: 'Show password' })
	await expect(toggles).toHaveCount(3)
	await toggles.nth(1).click()
	for (const [at, type] of ['password', 'text', 'password'].entries())
		await expect(fields[at] as (typeof fields)[0]).toHaveAttribute('type', type)
	await page.getByRole('button', { name: 'Hide password' }).click()
	await expect(toggles).toHaveCount(3)
})

test.describe('while the broker is slow', () => {
	test.use({ baseURL: FAILING.portal })
	test('shows a spinner, sends once, and keeps the page behind it after a refusal', async ({ page }) => {
		await login(page, 'NEW001', '/reports/ledger?q=DP')
		await openDialog(page)
		await breakBroker({ operation: 'updatePassword', kind: 'slow', client: 'NEW001', ms: 1000 }, FAILING.sandbox)
		let posts = 0
		page.on('request', (request) => (posts += request.method() === 'POST' && request.url().includes('/change-password') ? 1 : 0))
		await page.getByLabel('Current password').fill('not mine')
		await page.getByLabel('New password').fill('Whatever#12')
		await page.getByLabel('Confirm password').fill('Whatever#12')
		const button = page.getByRole('dialog').getByRole('button', { name: 'Change Password' })
		await button.click()
		await expect(button).toHaveAttribute('aria-busy', 'true')
		await expect(button.locator('.spinner')).toBeVisible()
		// A second click, which Playwright would hold back until the first is done.
		await button.dispatchEvent('click')
		await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText('Current password is incorrect')
		await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toBeFocused()
		await expect(page.locator('.toast')).toContainText('Current password is incorrect')
		await expect(page).toHaveURL(/\/reports\/ledger\?q=DP&dialog=change-password$/)
		for (const label of ['Current password', 'New password', 'Confirm password'])
			await expect(page.getByLabel(label, { exact: true })).toHaveValue('')
		expect(posts).toBe(1)
	})
})

test('is accessible and fits on a desktop and on a phone, in both palettes', async ({ page }) => {
	const dialog = page.getByRole('dialog')
	const button = page.getByRole('button', { name: 'Change Password' })
	const look = async () => {
		for (const width of [1280, 390]) {
			await page.setViewportSize({ width, height: 844 })
			const box = await dialog.boundingBox()
			if (width < 400) expect(box).toEqual({ x: 0, y: 0, width, height: 844 })
			else expect(box?.width).toBeLessThan(500)
			expect(await listInBothPalettes(page)).toEqual([])
		}
	}
	await login(page)
	await page.goto('/dashboard?dialog=change-password')
	await expect(page.locator('.dialog-backdrop')).toHaveCSS('backdrop-filter', /blur/)
	await expect(page.locator('.dialog-backdrop')).toHaveCSS('z-index', '1100')
	await look()
	await button.click()
	await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toBeVisible()
	await expect(button).not.toHaveAttribute('aria-disabled')
	await look()
})

import { expect, login, test } from './portal'

test.use({ locale: 'en-US' })

test('dates are typed and shown day first in any browser language, and a calendar fills them in', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/contractnbill')
	const from = page.getByLabel('From')
	await expect(from).toHaveAttribute('inputmode', 'numeric')
	// The number pad of a phone has no slash.
	await from.fill('01042025')
	await page.getByLabel('To').fill('30/06/2025')
	await expect(from).toHaveValue('01/04/2025')
	await page.getByRole('button', { name: 'Apply' }).click()
	await expect(page.getByText('01/04/2025 to 30/06/2025')).toBeVisible()
	await expect(from).toHaveValue('01/04/2025')
	await expect(page.getByRole('button', { name: 'Calendar: From' })).toBeVisible()
	await page.locator('span', { has: from }).locator('input[type=date]').fill('2025-05-09', { force: true })
	await expect(from).toHaveValue('09/05/2025')
	// 1 November or 11 January: the field leaves the text, and the server refuses it.
	await from.fill('1112025')
	await page.getByLabel('To').focus()
	await expect(from).toHaveValue('1112025')
	await from.fill('31/02/2026')
	await page.getByRole('button', { name: 'Apply' }).click()
	await expect(page.getByRole('alert')).toContainText('From date must be a real date, like 31/03/2025')
	await expect(from).toHaveValue('31/02/2026')
	await page.getByRole('link', { name: 'Last month' }).click()
	await expect(page.getByRole('link', { name: 'Last month' })).toHaveAttribute('aria-current', 'true')
	await expect(from).toHaveValue(/^01\/\d\d\/\d{4}$/)
})

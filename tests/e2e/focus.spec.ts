import { type Page } from '@playwright/test'
import { expect, login, test } from './portal'

/* The focus stays where a person works when the page changes around it. */

/** Waits until React has drawn the page of this address. */
const untilAt = async (page: Page, address: RegExp) => {
	await expect(page).toHaveURL(address)
	await expect(page.locator('main[aria-busy]')).toHaveCount(0)
}

test('the financial year keeps the focus, and follows the back button', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/ledger?year=2026-2027')
	const year = page.getByLabel('Financial year')
	await year.focus()
	await year.selectOption('2025-2026')
	await untilAt(page, /year=2025-2026/)
	await expect(year).toBeFocused()
	await page.goBack()
	await untilAt(page, /year=2026-2027/)
	await expect(year).toHaveValue('2026-2027')
})

test('the search keeps the focus, says how many rows it found, and follows the back button', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/ledger?year=2025-2026')
	const search = page.getByRole('searchbox', { name: 'Search' })
	const found = page.getByText(/ rows? found$/)
	await search.fill('no such words')
	await search.press('Enter')
	await untilAt(page, /q=no/)
	await expect(search).toBeFocused()
	await expect(found).toHaveText('No rows found')
	await page.goBack()
	await expect(search).toHaveValue('')
	await expect(found).toHaveCount(0)
})

test('a date keeps the focus', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/ledger?year=2025-2026')
	const from = page.getByRole('textbox', { name: 'From' })
	await from.fill('1/5/2025')
	await from.press('Enter')
	await untilAt(page, /from=2025-05-01/)
	await expect(from).toBeFocused()
	await expect(from).toHaveValue('01/05/2025')
})

test('a new bid gets the focus, and a removal leaves it at the button that adds one', async ({ page }) => {
	await login(page, 'DEMO01', '/connect/ipo/KONKANLOG')
	const add = page.getByRole('button', { name: 'Add bid' })
	for (const number of [2, 3]) {
		await add.click()
		await expect(page.getByRole('group', { name: `Bid ${number}` }).getByLabel('Quantity')).toBeFocused()
	}
	await expect(add).toHaveCount(0)
	await page.getByRole('button', { name: 'Remove bid 2' }).click()
	await expect(add).toBeFocused()
})

test('a new nominee gets the focus, and a removal leaves it at the button that adds one', async ({ page }) => {
	await login(page, 'NEW001', '/myaccount/nominee')
	const add = page.getByRole('button', { name: 'Add nominee' })
	await add.click()
	await expect(page.getByRole('group', { name: 'Nominee 2' }).getByLabel('Name', { exact: true })).toBeFocused()
	await page.getByRole('button', { name: 'Remove nominee 1' }).click()
	await expect(add).toBeFocused()
})

test('closing the confirmation of a bid gives the focus back to the button that opened it', async ({ page }) => {
	await login(page, 'DEMO01', '/connect/ipo/KONKANLOG')
	const review = page.getByRole('button', { name: 'Review bid' })
	await page.getByLabel('Category').selectOption({ index: 1 })
	await page.getByLabel('Quantity').fill('500')
	await page.getByLabel('UPI ID').fill('aarav@okaxis')
	await review.click()
	await expect(page.getByRole('dialog', { name: 'Confirm bid' })).toBeVisible()
	await page.keyboard.press('Escape')
	await expect(page.getByRole('dialog')).toHaveCount(0)
	await expect(review).toBeFocused()
})

test('the back button of the review of a pledge finds the quantities', async ({ page }) => {
	await login(page, 'DEMO01', '/dpprocess/pledge')
	const quantity = page.locator('input[name^="qty."]').first()
	await quantity.fill('1')
	await page.getByRole('button', { name: 'Review', exact: true }).click()
	await expect(page).toHaveURL(/\/pledge\/review/)
	await page.goBack()
	await expect(page).toHaveURL(/\/pledge\?/)
	await expect(page.locator('input[name^="qty."]').first()).toHaveValue('1')
})

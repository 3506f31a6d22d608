import { type Page } from '@playwright/test'
import { expect, FAILING, login, test } from './portal'

/* The focus stays where a person works when the page changes around it. */

/** Waits until React has drawn the page of this address. */
const untilAt = async (page: Page, address: RegExp) => {
	await expect(page).toHaveURL(address)
	await expect(page.locator('main[aria-busy]')).toHaveCount(0)
}

/** Waits until the browser has drawn what follows from the last event. */
const untilDrawn = (page: Page) => page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))

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
	// A screen reader begins at the heading, and calls the link that closes it a button.
	await expect(page.getByRole('heading', { name: 'Confirm bid' })).toBeFocused()
	await page.keyboard.press('Escape')
	await expect(page.getByRole('dialog')).toHaveCount(0)
	await expect(review).toBeFocused()
	await review.click()
	await page.getByRole('dialog').getByRole('button', { name: 'Close' }).press('Space')
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

test('each press on an error leads to its field', async ({ page }) => {
	await login(page, 'DEMO01', '/funds/withdraw')
	await page.getByRole('button', { name: 'Withdraw' }).click()
	const error = page.getByRole('alert').getByRole('link', { name: /amount/ })
	await expect(page.getByRole('alert')).toBeFocused()
	for (const _ of [1, 2]) {
		await error.click()
		await untilDrawn(page)
		await expect(page.getByLabel('Amount')).toBeFocused()
		// The address stays: a change of page would drop the errors.
		expect(new URL(page.url()).hash).toBe('')
	}
})

test('the opened menu closes when the Tab key leaves it', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'DEMO01', '/funds/withdraw')
	await page.getByRole('button', { name: 'Open menu' }).click()
	const menu = page.getByRole('navigation', { name: 'Main' })
	await menu.getByRole('button', { name: 'Dark' }).focus()
	await page.keyboard.press('Tab')
	await expect(menu.getByRole('button', { name: 'System' })).toBeFocused()
	await page.keyboard.press('Tab')
	await expect(menu).toBeHidden()
	await expect(page.locator(':focus')).toBeInViewport()
})

test('the next page of a table gives the focus to the heading, and says which rows it shows', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/ledger?year=2025-2026')
	const rows = page.locator('[aria-live]', { hasText: 'of 191' })
	await expect(rows).toContainText('1–100 of 191')
	await page.getByRole('link', { name: 'Next', exact: true }).click()
	await expect(rows).toContainText('101–191 of 191')
	await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test.describe('at the end of the tries', () => {
	test.use({ baseURL: FAILING.portal })
	test('the page says that no code can complete the change any more', async ({ page }) => {
		await login(page, 'NEW001', '/myaccount/email', true)
		await page.getByLabel('New e-mail').fill('asha.new@example.com')
		await page.getByRole('button', { name: 'Send OTP' }).click()
		await expect(page).toHaveURL(/otp$/)
		// After each reply the page loads again, here slowly. What is typed in the meantime must stay.
		await page.route('**/*.data*', async (route) => {
			const wait = route.request().method() === 'GET' ? 1000 : 0
			setTimeout(() => void route.continue(), wait)
		})
		const code = page.getByLabel('OTP', { exact: true })
		await code.fill('000000')
		for (const left of [4, 3, 2, 1]) {
			await page.getByRole('button', { name: 'Verify OTP' }).click()
			await expect(page.getByRole('alert')).toContainText(`${left} attempt`)
			await expect(code).toHaveValue('')
			await code.fill(`00000${left}`)
			await expect(page.locator('main[aria-busy]')).toHaveCount(0)
			await expect(code).toHaveValue(`00000${left}`)
		}
		await page.getByRole('button', { name: 'Verify OTP' }).click()
		await expect(page.getByRole('link', { name: 'Start again' })).toBeVisible()
		await expect(page.getByRole('alert')).toBeFocused()
		await expect(page).toHaveTitle(/^Error: /)
	})
})

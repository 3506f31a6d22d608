import { offers } from './optional-steps'
import { expect, login, PASSWORD, save, test } from './portal'

/*
 * One visit of a client, with JavaScript and without: login, the year's figures, the ledger searched and saved in every format, and
 * logout.
 */
test('signs in, reads and saves the ledger, and leaves nothing behind after logout', async ({ page }) => {
	/** The year before this one. */
	let last = ''
	await page.goto('/reports/ledger')
	await expect(page).toHaveURL(/\/login\?redirectTo=%2Freports%2Fledger$/)
	await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
	await page.goto('/login')

	await test.step('a wrong password keeps the client code and shows the error', async () => {
		await page.getByLabel('Client code').fill('demo01')
		await page.getByLabel('Password', { exact: true }).fill('not this one')
		await page.getByRole('button', { name: 'Login' }).click()
		await expect(page.getByRole('alert')).toContainText('There is a problem')
		await expect(page.getByRole('alert')).toContainText('Invalid username or password')
		await expect(page).toHaveTitle(/^Error: Login · /)
		await expect(page.getByLabel('Client code')).toHaveValue(/demo01/i)
		await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
	})

	await test.step('the right password leads to the dashboard', async () => {
		await page.getByLabel('Client code').fill('demo01')
		await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
		await page.getByRole('button', { name: 'Login' }).click()
		await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
		await expect(page.getByText('CLIENT', { exact: true })).toBeVisible()
		for (const card of ['Ledger', 'Deducted ledger', 'Total holding']) {
			await expect(page.getByRole('region', { name: card, exact: true })).toContainText(/₹ [\d,]+\.\d\d/)
		}
	})

	await test.step('another year shows other figures, and stays selected', async () => {
		const holding = page.getByRole('region', { name: 'Total holding' })
		const before = await holding.innerText()
		const years = page.getByLabel('Financial year')
		last = (await years.locator('option').allInnerTexts())[1] ?? ''
		await years.selectOption(last)
		const show = page.getByRole('button', { name: 'Show', exact: true })
		if (await show.isVisible()) await show.click()
		await expect(page).toHaveURL(new RegExp(`year=${last}`))
		await expect(holding).not.toHaveText(before)
		await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ledger', exact: true }).click()
		await expect(page.getByRole('heading', { level: 1, name: 'Ledger' })).toBeVisible()
		await expect(page.getByLabel('Financial year')).toHaveValue(last)
	})

	await test.step('searches, sorts and pages the ledger by address', async () => {
		const table = page.getByRole('table', { name: 'Ledger' })
		await expect(table.getByText('Opening balance', { exact: true })).toBeVisible()
		await expect(page.getByText(/Opening .* = closing/)).toBeVisible()
		await page.getByRole('link', { name: 'Next' }).click()
		await expect(page).toHaveURL(/page=2/)
		await expect(table.locator('tbody tr').first()).toContainText('101')
		await table.getByRole('link', { name: 'Debit' }).click()
		await expect(page).toHaveURL(/sort=debit/)
		await expect(table.getByRole('columnheader', { name: 'Debit' })).toHaveAttribute('aria-sort', 'ascending')
		await page.getByLabel('Segment').selectOption({ label: 'Equity' })
		await page.getByLabel('Search').fill('DP')
		await page.getByRole('button', { name: 'Apply' }).click()
		await expect(page).toHaveURL(/q=DP/)
		await expect(page).toHaveURL(/segment=NSE_CASH/)
		// The address changes before the rows.
		await expect(table.getByText('Opening balance', { exact: true })).toHaveCount(0)
		const rows = await table.locator('tbody tr').allInnerTexts()
		expect(rows.length).toBeGreaterThan(0)
		for (const row of rows) expect(row).toMatch(/DP/i)
	})

	await test.step('saves the filtered rows as CSV, PDF and Excel', async () => {
		const shown = await page.getByRole('table', { name: 'Ledger' }).locator('tbody tr').count()
		const csv = await save(page, /^CSV/)
		expect(csv.name).toBe(`DEMO01_LEDGER_${last}.csv`)
		const text = csv.bytes.toString('utf8')
		expect(text.startsWith('\uFEFF#,Date,Voucher,Type,Segment,Settlement,Narration,Debit,Credit,Balance\r\n')).toBe(true)
		expect(text.trimEnd().split('\r\n')).toHaveLength(shown + 1)

		const pdf = await save(page, /^PDF/)
		expect(pdf.name).toBe(`DEMO01_LEDGER_${last}.pdf`)
		expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
		expect(pdf.bytes.subarray(-8).toString()).toContain('%%EOF')

		const excel = await save(page, /^Excel/)
		expect(excel.name).toBe(`DEMO01_LEDGER_${last}.xlsx`)
		expect(excel.bytes.subarray(0, 2).toString()).toBe('PK')
	})

	await test.step('after logout the back button shows nothing private', async () => {
		await page.goto('/dashboard')
		await page
			.getByRole('banner')
			.getByRole('button', { name: /Aarav|Mehta|DEMO/i })
			.click()
		await page.getByRole('button', { name: 'Logout' }).click()
		await expect(page).toHaveURL(/\/login$/)
		await expect(page.getByText('You have been logged out.')).toBeVisible()
		await page.goBack()
		await expect(page).toHaveURL(/\/login/)
		await expect(page.getByText(/₹/)).toHaveCount(0)
		await page.goto('/reports/ledger')
		await expect(page).toHaveURL(/\/login\?redirectTo/)
	})
})

test('the ledger’s filters show errors and keep what was typed', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/ledger')
	await page.goto('/reports/ledger?from=31/02/2026&to=2026-01-01&filtered=1&q=bill&segment=MCX')
	await expect(page.getByRole('alert')).toContainText('From date must be a real date')
	await expect(page).toHaveTitle(/^Error: /)
	await expect(page.getByLabel('Search')).toHaveValue('bill')
	await expect(page.getByLabel('Segment')).toHaveValue('MCX')
	await page.goto('/reports/ledger?from=2026-05-02&to=2026-05-01')
	await expect(page.getByRole('alert')).toContainText('To date must be the same as or after the From date')
})

test('shows the selected palette from the first paint', async ({ page }) => {
	await page.goto('/login')
	await page.getByRole('button', { name: 'Dark' }).click()
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
	const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
	const dark = await background()
	await page.getByRole('button', { name: 'Light' }).click()
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
	expect(await background()).not.toBe(dark)
	await page.getByRole('button', { name: 'System' }).click()
	await expect(page.locator('html')).not.toHaveAttribute('data-theme')
})

test('the menu is a drawer on a phone', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page)
	const menu = page.getByRole('navigation', { name: 'Main' })
	await expect(menu.getByRole('link', { name: 'Dashboard' })).not.toBeInViewport()
	await page.getByRole('button', { name: 'Open menu' }).click()
	await menu.getByRole('link', { name: 'Ledger', exact: true }).click()
	await expect(page.getByRole('heading', { level: 1, name: 'Ledger' })).toBeVisible()
	await expect(menu.getByRole('link', { name: 'Dashboard' })).not.toBeInViewport()
	const { scrollWidth, clientWidth } = await page.evaluate(() => ({
		scrollWidth: document.documentElement.scrollWidth,
		clientWidth: document.documentElement.clientWidth,
	}))
	expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
})

test('an unknown address is a 404 with a link home', async ({ page }) => {
	const answer = await page.goto('/nothing/here')
	expect(answer?.status()).toBe(404)
	await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
	await expect(page.getByRole('link', { name: 'Go to Dashboard' })).toBeVisible()
})

test('does not offer MCX to a client without it', async ({ page }) => {
	await login(page, 'CASH01')
	await expect(page.getByRole('region', { name: 'Ledger', exact: true })).not.toContainText('Commodity')
	await page.goto('/reports/ledger/MCX')
	await expect(page.getByText('Commodity is not active on your account')).toBeVisible()
	await expect(page.getByRole('link', { name: 'Segments' })).toBeVisible()
})

test('a client without data sees why, and what to do next', async ({ page }) => {
	await login(page, 'NEW001', '/reports/ledger?filtered=1')
	await expect(page.getByText(/No entries between \d\d\/\d\d\/\d{4} and \d\d\/\d\d\/\d{4}\./)).toBeVisible()
	await page.goto('/dashboard')
	const steps = page.getByRole('region', { name: 'First steps' })
	// Other tests of this client may have done a step, which then stays in the list as done.
	for (const step of ['Nominee', 'Add money', 'Sign the DDPI']) await expect(steps.getByText(step).first()).toBeVisible()
	await expect(steps.getByRole('link', { name: 'Add funds' })).toBeVisible()
	for (const card of ['Ledger', 'Deducted ledger', 'Total holding'])
		await expect(page.getByRole('region', { name: card, exact: true })).toContainText(/₹ [\d,]+\.\d\d/)
	await expect(page.locator('body')).not.toContainText(/NaN|undefined|Invalid|null/)
})

test('a dormant client is sent to re-KYC', async ({ page }) => {
	await login(page, 'DORM01')
	await expect(page.getByRole('heading', { level: 1, name: 'Re-KYC required' })).toBeVisible()
	await expect(page.getByText('Last traded')).toHaveCount(offers('why a client is dormant, and the address of re-KYC') ? 1 : 0)
	await page.goto('/dashboard')
	await expect(page).toHaveURL(/\/rekyc$/)
	await page.getByRole('button', { name: 'Logout' }).click()
	await expect(page).toHaveURL(/\/login$/)
})

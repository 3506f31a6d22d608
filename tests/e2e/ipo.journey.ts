import { execFileSync } from 'node:child_process'
import { expect, type Page } from '@playwright/test'
import { offers } from './optional-steps'
import { login, NONSENSE, SANDBOX, save, test, listInBothPalettes } from './portal'

/** Each bid is made once, so each of the two runs has its own client. */
const chooseClient = (javaScriptEnabled: boolean | undefined) => (javaScriptEnabled === false ? 'CLOS01' : 'CASH01')

async function expectPage(page: Page) {
	await expect(page.locator('h1')).toHaveText('IPO')
	await expect(page).toHaveTitle(/^(Error: )?IPO · Khata$/)
	await expect(page.locator('body')).not.toContainText(NONSENSE)
	// No page is wider than its window, also on a phone.
	const { viewport, javaScriptEnabled } = test.info().project.use
	for (const width of [390, viewport?.width ?? 1280]) {
		await page.setViewportSize({ width, height: viewport?.height ?? 720 })
		expect(await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0)
	}
	// axe is a script, so it runs only where scripts run.
	if (javaScriptEnabled !== false) expect(await listInBothPalettes(page)).toEqual([])
}

test('lists upcoming issues; says so for an unknown issue, an issue that is not open, and no bids', async ({ page }) => {
	await login(page, 'NEW001', '/connect/ipo')
	await page.getByRole('link', { name: 'Upcoming' }).click()
	await expect(page.getByRole('table', { name: 'Issues' })).toContainText('Deccan Solar Glass Ltd.')
	await expectPage(page)
	await page.goto('/connect/ipo?condition=past')
	await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText(
		'Something went wrong! Please try again later',
	)
	await expectPage(page)
	await page.goto('/connect/ipo/DECSOLAR')
	await expect(page.getByText(/^Bids open on \d\d\/\d\d\/\d{4}\. See live issues$/)).toBeVisible()
	await expectPage(page)
	await page.goto('/connect/ipo/bids')
	await expect(page.getByText('No bids in this period.')).toBeVisible()
	await expectPage(page)
})

test('finds an issue, bids, confirms, accepts in the UPI app, and refreshes', async ({ page, context, javaScriptEnabled }) => {
	const code = chooseClient(javaScriptEnabled)
	await login(page, code, '/connect/ipo')
	await expectPage(page)
	await page.getByRole('table', { name: 'Issues' }).getByRole('link', { name: 'Konkan Marine Logistics Ltd.' }).click()
	await expect(page.getByLabel('Quantity')).toHaveAttribute('step', '100')
	await expectPage(page)

	await page.getByLabel('Category').selectOption('IND')
	await page.getByLabel('UPI ID').fill('nobank')
	await page.getByLabel('Quantity').fill('150')
	await page.getByRole('button', { name: 'Review bid' }).click()
	const problem = page.getByRole('alert').filter({ hasText: 'There is a problem' })
	await expect(problem).toContainText('Quantity must be a multiple of 100')
	await expect(problem).toContainText('Enter a UPI ID in the correct format, like name@bank')
	await expect(page.getByLabel('UPI ID')).toHaveValue('nobank')
	await expectPage(page)

	await page.getByLabel('UPI ID').fill('me@examplebank')
	await page.getByLabel('Quantity').fill('200')
	await page.getByRole('button', { name: 'Add bid' }).click()
	const second = page.getByRole('group', { name: 'Bid 2' })
	await expect(page.locator('form[aria-busy]')).toHaveCount(0)
	await page.getByRole('button', { name: 'Add bid' }).click()
	await expect(page.getByRole('group', { name: 'Bid 3' })).toBeVisible()
	await expect(page.locator('form[aria-busy]')).toHaveCount(0)
	await page.getByRole('button', { name: 'Remove bid 3' }).click()
	await expect(page.getByRole('group', { name: 'Bid 3' })).toHaveCount(0)
	await expect(page.locator('form[aria-busy]')).toHaveCount(0)
	await expectPage(page)
	await second.getByLabel('Quantity').fill('100')
	await second.getByLabel('Price', { exact: true }).fill('145')
	await page.getByRole('group', { name: 'Bid 1' }).getByLabel('Cut-off price').check()
	await page.getByRole('button', { name: 'Review bid' }).click()

	const dialog = page.getByRole('dialog', { name: 'Confirm bid' })
	await expect(dialog).toContainText('200 shares (2 lots) at cut-off, up to ₹ 150.00')
	await expect(dialog).toContainText('₹ 30,000.00')
	// The errors of the first try are gone, also on the page behind the dialog.
	await expect(problem).toHaveCount(0)
	await expect(page.locator('[aria-invalid=true]')).toHaveCount(0)
	await expectPage(page)
	await page.reload()
	const twin = await context.newPage()
	await twin.goto(page.url())
	// A double click makes no second bid.
	await dialog.getByRole('button', { name: 'Submit bid' }).dblclick()

	const result = page.getByRole('dialog', { name: 'Bid submitted' })
	await expect(result).toContainText('Bid accepted by the exchange')
	await expect(result).toContainText(/Application number\s*KH\d+/)
	await expectPage(page)
	const place = page.url()
	// The other tab still shows the same confirmation: it is the same bid and gets the same response.
	await twin.getByRole('button', { name: 'Submit bid' }).click()
	await twin.waitForURL(place)
	await twin.close()
	await page.goBack()
	await page.goto(place)
	await expect(result).toContainText('BSE')
	await page.reload()
	await expect(result).toContainText('₹ 30,000.00')
	// Printing prints the whole dialog.
	const paper = execFileSync('pdftotext', ['-layout', '-', '-'], { input: await page.pdf(), encoding: 'utf8' })
	expect(paper).toMatch(/^\s*Khata[^]*Bid submitted[^]*100 shares at ₹ 145\.00/)
	expect(paper).not.toContain('Refresh mandate status')
	await result.getByRole('button', { name: 'Close' }).click()
	const rows = page.getByRole('table', { name: 'Bid report' }).locator('tbody tr')
	await expect(rows).toHaveCount(2)
	await expectPage(page)

	const app = await context.newPage()
	await app.goto(`${SANDBOX}/upi`)
	await app.getByRole('row', { name: code }).getByRole('button', { name: 'Approve', exact: true }).click()
	await expect(app.getByRole('row', { name: code })).toHaveCount(0)
	await app.close()
	const hasDays = offers('deadline and allotment day of a bid')
	await expect(rows.first()).toContainText('Pending: Accept in your UPI app')
	await page.getByRole('button', { name: 'Refresh mandate status: BSE' }).click()
	await expect(page.getByText('Mandate status updated')).toBeAttached()
	await expect(rows.first()).toContainText('Approved')
	await expect(rows.first()).toContainText(hasDays ? 'Expected on' : 'Awaited')

	const file = await save(page, /^CSV/)
	expect(file.name).toBe(`${code}_IPO_BIDS.csv`)
	expect(file.bytes.toString().trim().split('\r\n')).toHaveLength(3)
})

test('above five lakh downloads the form for the bank and places no bid', async ({ page, javaScriptEnabled }) => {
	const code = chooseClient(javaScriptEnabled)
	await login(page, code, '/connect/ipo/NOVATEC')
	await page.getByLabel('Category').selectOption('HNI')
	await page.getByLabel('Quantity').fill('1100')
	if (javaScriptEnabled !== false) await expect(page.getByText('₹ 5,50,000.00')).toBeVisible()
	const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Review bid' }).click()])
	expect(download.suggestedFilename()).toBe(`${code}_IPO_NOVATEC.pdf`)
	await expect(page.getByRole('dialog', { name: 'Bid form' })).toContainText('₹ 5,50,000.00')
	const words = execFileSync('pdftotext', ['-layout', await download.path(), '-'], { encoding: 'utf8' })
	expect(words).toMatch(/Rupees five lakh fifty thousand only/)
	expect(words).toMatch(/Application number\s+KH\d+/)
	expect(words).toMatch(/PAN\s+[A-Z]{5}\d{4}[A-Z]/)
	expect(words).not.toContain('no signature is needed')
	await expectPage(page)
	await expect(page.getByRole('button', { name: 'Submit bid' })).toHaveCount(0)
	await page.goto('/connect/ipo/bids?q=NOVATEC')
	await expect(page.getByRole('table', { name: 'Bid report' })).not.toContainText('Novatec')
})

import { execFileSync } from 'node:child_process'
import { expect, login, test } from './portal'

test.use({ viewport: { width: 390, height: 844 } })

const REPORTS = [
	['/reports/holding', 'Holding', ['Symbol', 'Quantity', 'Value (₹)', 'Unrealised (₹)']],
	['/reports/ledger?year=2025-2026', 'Ledger', ['Date', 'Debit (₹)', 'Credit (₹)', 'Balance']],
	['/reports/profitnloss?year=2025-2026', 'Profit & Loss', ['Name', 'Realised (₹)', 'Net (₹)']],
	['/reports/profitnloss?year=2025-2026', 'Segments', ['Segment', 'Realised (₹)', 'Net (₹)']],
	['/reports/income-tax?year=2025-2026', 'Summary', ['Head', 'Net (₹)', 'After set-off (₹)']],
	['/reports/income-tax?year=2025-2026', 'Income Tax', ['Name', 'Sold', 'Gain (₹)']],
	['/reports/position', 'Position', ['Contract', 'Net quantity', 'MTM (₹)']],
	['/reports/contractnbill?year=2025-2026', 'Contract/Bill', ['Date', 'Bill', 'Amount', 'Download']],
	['/reports/global-summary?year=2025-2026', 'Global Summary', ['Name', 'Closing quantity', 'Realised (₹)']],
	['/reports/global-details?year=2025-2026', 'Global Details', ['Date', 'Name', 'Side', 'Net (₹)']],
] as const

test('a report shows on a phone what it is looked at for, and all columns by a link', async ({ page }) => {
	await login(page)
	for (const [path, title, heads] of REPORTS) {
		await page.goto(path)
		const table = page.getByRole('table', { name: title })
		expect(await table.getByRole('columnheader').allInnerTexts(), path).toEqual(heads)
		const frame = page.getByRole('region', { name: `Table: ${title}` })
		expect(await frame.evaluate((element) => element.scrollWidth - element.clientWidth), `${path} is too wide`).toBeLessThanOrEqual(0)
	}
	await page.goto('/reports/holding')
	const isin = page.getByRole('columnheader', { name: 'ISIN' })
	await expect(isin).toBeHidden()
	await page.getByRole('link', { name: 'All columns' }).click()
	await expect(isin).toBeVisible()
	await page.getByRole('link', { name: 'Fewer columns' }).click()
	await expect(isin).toBeHidden()
})

test('paper has all columns, wherever it is printed', async ({ page }) => {
	await login(page)
	await page.goto('/reports/holding')
	const paper = execFileSync('pdftotext', ['-layout', '-', '-'], { input: await page.pdf(), encoding: 'utf8' })
	for (const head of ['Symbol', 'ISIN', 'Pledged', 'Value', 'Unrealised']) expect(paper).toContain(head)
	expect(paper).not.toContain('All columns')
})

import { execFileSync } from 'node:child_process'
import { type Page } from '@playwright/test'
import { expect, login, save, test } from './portal'

/* Downloads contain what the page shows, and other programs can read them. */

test('the PDF is valid, names the client and its balances, and numbers its pages', async ({ page }) => {
	// A past year, because other journeys change the ledger of this one.
	await login(page, 'DEMO01', '/reports/ledger/NSE_CASH?year=2025-2026')
	const proof = await page.locator('main dl').first().innerText()
	const [closing = '', opening = ''] = proof.match(/₹ [\d,]+\.\d\d(?: [CD]r)?/g) ?? []
	expect(opening && closing, proof).toBeTruthy()
	const { path } = await save(page, /^PDF/)
	expect(execFileSync('qpdf', ['--check', path], { encoding: 'utf8' })).toContain('No syntax or stream encoding errors found')
	const text = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' })
	const pages = Number(execFileSync('qpdf', ['--show-npages', path], { encoding: 'utf8' }))
	expect(text).toContain('DEMO01')
	// The first page has the balances side by side under their names.
	expect(text).toMatch(/Opening +Debits +Credits +Closing/)
	expect(text).toMatch(new RegExp(`${escape(opening)} .* ${escape(closing)}`))
	for (let number = 1; number <= pages; number++) expect(text).toMatch(new RegExp(`\\b${number} of ${pages}\\b`))
})

test('the workbook is a valid zip with the ledger in it', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/ledger')
	const { path } = await save(page, /^Excel/)
	expect(execFileSync('unzip', ['-t', path], { encoding: 'utf8' })).toContain('No errors detected')
	const sheet = execFileSync('unzip', ['-p', path, 'xl/worksheets/sheet1.xml'], { encoding: 'utf8', maxBuffer: 1 << 26 })
	expect(sheet).toMatch(/<row[\s\S]*<row[\s\S]*<row/)
	// Amounts are numbers that a spreadsheet can add up.
	expect(sheet).toMatch(/<c(?: s="\d+")?><v>\d+\.\d\d<\/v><\/c>/)
})

for (const query of [
	'?year=2025-2026&filtered=1&opening=Y',
	'?year=2025-2026&filtered=1&opening=Y&sort=-debit',
	'?year=2025-2026&filtered=1&segment=MCX&q=bill',
]) {
	test(`the CSV has the table’s rows of all pages, ${query}`, async ({ page }) => {
		await login(page, 'DEMO01')
		await page.goto(`/reports/ledger${query}`)
		const csv = await save(page, /^CSV/)
		const [head = [], ...lines] = parseCsv(csv.bytes.toString('utf8').replace(/^\uFEFF/, ''))
		const table = page.getByRole('table', { name: 'Ledger' })
		expect(head).toEqual((await table.locator('thead th').allInnerTexts()).map((text) => text.replace('(₹)', '').trim()))
		const [debit, credit] = (await table.locator('tfoot tr > *').allInnerTexts()).slice(7, 9)

		const shown = await rowsOverAllPages(page)
		expect(shown.length).toBeGreaterThan(5)
		expect(lines).toEqual(shown)
		const sum = (column: number) => lines.reduce((paise, line) => paise + Math.round(Number(line[column] || 0) * 100), 0)
		expect([sum(7), sum(8)]).toEqual([readPaise(debit), readPaise(credit)])
	})
}

/** The table's rows as the CSV writes them: plain figures, ISO days, only the broker's words. */
async function rowsOverAllPages(page: Page): Promise<string[][]> {
	const rows: string[][] = []
	for (;;) {
		const cells = await page
			.getByRole('table', { name: 'Ledger' })
			.locator('tbody tr')
			.evaluateAll((lines) =>
				lines.map((line) => [...line.children].map((cell) => (cell.querySelector('summary') ?? cell).textContent.trim())),
			)
		rows.push(...cells.map(plainRow))
		const next = page.getByRole('link', { name: 'Next' })
		if ((await next.count()) === 0) return rows
		await next.click()
		await expect(page.getByRole('table', { name: 'Ledger' }).locator('tbody tr').first().locator('td').first()).toHaveText(
			String(rows.length + 1),
		)
	}
}

function plainRow([
	number = '',
	day = '',
	voucher = '',
	type = '',
	segment = '',
	settlement = '',
	narration = '',
	debit = '',
	credit = '',
	balance = '',
]: string[]): string[] {
	const side = balance.endsWith('Dr') ? '-' : ''
	const plain = (text: string) => text.replaceAll(/[₹,\s]|[CD]r/g, '')
	return [
		number,
		day.split('/').reverse().join('-'),
		voucher,
		type,
		segment,
		settlement === '—' ? '' : settlement,
		narration,
		plain(debit),
		plain(credit),
		side + plain(balance),
	]
}

function readPaise(text = ''): number {
	return Math.round(Number(text.replaceAll(/[₹,\s]/g, '')) * 100)
}

function parseCsv(text: string): string[][] {
	return text
		.trimEnd()
		.split('\r\n')
		.map((line) =>
			[...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? ''),
		)
}

function escape(text: string): string {
	return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

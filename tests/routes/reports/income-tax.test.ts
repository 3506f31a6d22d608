import { beforeAll, beforeEach, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR, BROKERS_YEARS } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { paiseAfter, paiseIn, parsePage, readAll, readColumn, readCsv, readHeading, readTable, readText, sum } from '#tests/support/readers'

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})
beforeEach(() => void (open.asked.length = 0))

const error = (status: number, message: string) => Response.json({ status: 'error', message, data: null }, { status })
const breakCall = (path: string, answer: () => Response) =>
	open.breakBroker((request) => (new URL(request.url).pathname === path ? answer() : undefined))
const REPORT = '/v1/user/report/incometax'
const FACTS = '/v1/ours/tax-facts'
const YEARS = BROKERS_YEARS.map(formatYear)

const downloadCsv = async (query: string) => readCsv(await (await client.send(`/downloads/income-tax/csv${query}`)).text())

test.for(YEARS)('%s: shows five windows, none negative, which add up to each head after set-off', async (year) => {
	const { status, html } = await client.visit(`/reports/income-tax?year=${year}`)
	expect(status).toBe(200)
	const { head: heads, rows: lines } = readTable(html, 'Advance tax')
	expect(heads).toHaveLength(7)
	expect(lines.at(-1)?.[0]).toBe('Dividends')
	for (const [, ...cells] of lines) {
		const figures = cells.map(paiseIn)
		for (const figure of figures) expect(figure).toBeGreaterThanOrEqual(0)
		expect(sum(figures.slice(0, 5))).toBe(figures[5])
	}
	const summary = readTable(html, 'Summary').rows
	for (const line of lines.slice(0, -1)) {
		const head = summary.find(([name = '']) => line[0]?.startsWith(name))
		if (summary.filter(([name]) => name === head?.[0]).length === 1) expect(paiseIn(head?.[6]), line[0]).toBe(paiseIn(line[6]))
	}
	expect(sum(lines.slice(0, -1).map((line) => paiseIn(line[6])))).toBe(
		sum(summary.filter(([name = '']) => lines.some(([line = '']) => line.startsWith(name))).map((row) => paiseIn(row[6]))),
	)
	expect(html).not.toContain('These figures do not agree')
})

test.for(YEARS)('%s: heads add up to the lots, and the CSV equals the table', async (year) => {
	const { html } = await client.visit(`/reports/income-tax?year=${year}`)
	const summary = readTable(html, 'Summary')
	const csv = await downloadCsv(`?year=${year}`)
	expect(csv[0]?.join()).toBe('#,Head,Name,ISIN,Quantity,Bought,Buy amount,Sold,Sell amount,Expenses,Cost used,Gain,Days')
	const gained = sum(readColumn(csv, 'Gain'))
	expect(gained).toBe(paiseIn(summary.foot[5] ?? ''))
	for (const [, , , gains, losses, net] of [...summary.rows, summary.foot].filter((row) => row.length > 1))
		expect(paiseIn(gains) - paiseIn(losses)).toBe(paiseIn(net))

	const lots = readTable(html, 'Income Tax')
	expect(lots.head).toEqual(csv[0])
	expect(readText(html)).toContain(csv.length > 1 ? `of ${new Intl.NumberFormat('en-IN').format(csv.length - 1)}` : 'Nothing was sold')
	if (csv.length === 1) return
	expect(lots.rows).toHaveLength(Math.min(100, csv.length - 1))
	for (const [index, row] of lots.rows.entries()) {
		const line = csv[index + 1] ?? []
		expect([row[0], row[1], row[2], paiseIn(row[11])]).toEqual([line[0], line[1], line[2], paiseIn(line[11])])
	}
	expect(paiseIn(lots.foot[11])).toBe(gained)
})

test.for(YEARS)('%s: a head’s gains minus its steps equal the rest, and every loss is in a step or carried forward', async (year) => {
	const { html } = await client.visit(`/reports/income-tax?year=${year}`)
	const { rows: heads } = readTable(html, 'Summary')
	const steps = readTable(html, 'Set-off of losses').rows
	for (const [name = '', , rate = '', gains, , , after] of heads) {
		const against = /%$/.test(rate) ? `${name} (${rate})` : name
		const taken = sum(steps.filter((row) => row[2] === against).map((row) => paiseIn(row[4])))
		expect([against, taken]).toEqual([against, paiseIn(gains) - paiseIn(after)])
	}
	const left = readTable(html, 'Losses carried forward').rows
	const ofYear = (rows: string[][]) => sum(rows.filter((row) => row[1] === year).map((row) => paiseIn(row.at(-1))))
	expect(ofYear(steps) + ofYear(left)).toBe(sum(heads.map((row) => paiseIn(row[4]))))
	expect(steps.length).toBeGreaterThan(0)
	for (const [, , , section] of steps)
		expect(section).toMatch(Number(year.slice(0, 4)) < 2026 ? /^Section 7[0-4]$/ : /^Section (108|109|111|112|113)$/)
})

test('without set-off from the broker the page shows no set-off, and the year’s losses in lines', async () => {
	const nothing = { TOTAL: 0, windows: [0, 0, 0, 0, 0], rows: [] }
	const data = {
		TAX_YEAR: 'Assessment Year 2025-26',
		ACT: 'Income-tax Act, 1961',
		windows: quarters.map(({ label }) => ({ LABEL: label, FROM: '2024-04-01', TO: '2025-03-31' })),
		heads: [],
		carried: { SHORT: 0, LONG: 0, SPECULATIVE: 0, BUSINESS: 1234.5 },
		exemption: { SECTION: 'Section 112A', LIMIT: 125000, USED: 0 },
		ESTIMATED_TAX: 0,
		dividends: nothing,
		turnover: [],
		TURNOVER_METHOD: '',
		unmatched: [],
		STT_PAID: 0,
	}
	breakCall(FACTS, () => Response.json({ status: 'success', message: '', data }))
	const plain = readText((await client.visit('/reports/income-tax?year=2024-2025&refresh=1')).html)
	expect(plain).toContain('Business loss to carry forward ₹ 1,234.50')
	expect(plain).not.toMatch(/Set-off of losses|Losses carried forward/)
	breakCall(FACTS, () => Response.json({ status: 'success', message: '', data: { ...data, set_off: [], losses: [] } }))
	const told = readText((await client.visit('/reports/income-tax?year=2024-2025&refresh=1')).html)
	expect(told).toContain('No loss was set off in 2024-2025.')
	expect(told).toContain('No loss is left to carry forward from 2024-2025.')
	expect(told).not.toContain('to carry forward ₹')
})

test('names the law, and says once that the figures are not advice', async () => {
	for (const [year, law] of [
		[2024, 'Assessment Year 2025-26 · Income-tax Act, 1961'],
		[2026, 'Tax Year 2026-27 · Income-tax Act, 2025'],
	] as const) {
		for (const breaks of [false, true]) {
			if (breaks) breakCall(FACTS, () => error(404, 'No such call'))
			const { html } = await client.visit(`/reports/income-tax?year=${formatYear(year)}`)
			expect(readText(html)).toContain(law)
			expect(readText(html).match(/Not tax advice\. Check with your Annual Information Statement \(AIS\)/g)).toHaveLength(1)
			expect(readAll(html, 'h1')).toHaveLength(1)
			open.breakBroker(undefined)
		}
	}
})

test('keeps the summary and windows without the optional call; when the call fails, the page says so', async () => {
	breakCall(FACTS, () => error(404, 'No such call'))
	const plain = await client.visit('/reports/income-tax?year=2024-2025')
	expect([readTable(plain.html, 'Summary')].flatMap(({ head, rows }) => [head[0], ...rows.map(([name]) => name)])).toEqual([
		'Head',
		'Short-term gains',
		'Long-term gains',
		'Speculative',
		'Future & Options',
		'Commodity',
		'Dividends',
	])
	// Rates changed in July 2024, so that year has both, and a later year has the new ones alone.
	const namesOf = (html: string) => readTable(html, 'Advance tax').rows.map(([name]) => name)
	const [short15, short20, long10, long12] = [
		'Short-term gains (15 %)',
		'Short-term gains (20 %)',
		'Long-term gains (10 %)',
		'Long-term gains (12.5 %)',
	]
	expect(namesOf(plain.html)).toEqual([short15, short20, long10, long12, 'Speculative', 'Dividends'])
	expect(namesOf((await client.visit('/reports/income-tax?year=2025-2026')).html)).toEqual([short20, long12, 'Speculative', 'Dividends'])
	// The broker's summary has the sum of the year's dividends, and not when they were paid.
	const [name, ...paid] = readTable(plain.html, 'Advance tax').rows.at(-1) ?? []
	const { rows: heads, foot } = readTable(plain.html, 'Summary')
	expect([name, ...paid.slice(0, 5)]).toEqual(['Dividends', '—', '—', '—', '—', '—'])
	expect(paiseIn(paid[5])).toBe(paiseIn(heads.at(-1)?.[1]))
	expect(paiseIn(paid[5])).toBeGreaterThan(0)
	expect(readText(plain.html)).toContain('Gains count on the day of sale. The dates of dividends are not given. Losses are set off')
	// Without the table of set-off the windows are less than the summary, and nothing else says why.
	expect(readText(plain.html)).toContain('in the return. Losses of other heads and of earlier years may be set off too')
	expect([foot[0], paiseIn(foot[1])]).toEqual(['Total', sum(heads.map(([, net]) => paiseIn(net)))])
	// The table has one row for each kind of gain, so no figures above it repeat them.
	const summary = parsePage(plain.html)
		.querySelectorAll('main section')
		.find((section) => section.querySelector('h2')?.text === 'Summary')
	expect(summary?.querySelector('table')).not.toBeNull()
	expect(summary?.querySelector('dl')?.outerHTML).toBeUndefined()
	expect(readText(plain.html)).not.toContain('could not be loaded')

	breakCall(FACTS, () => error(500, 'Oops'))
	const failed = await client.visit('/reports/income-tax?year=2024-2025')
	expect(failed.status).toBe(200)
	expect(readText(failed.html)).toContain('Heads, dividends and turnover could not be loaded.')
	expect(readTable(failed.html, 'Income Tax').rows.length).toBeGreaterThan(0)
})

test.for<[string, () => Response, number]>([
	['500', () => error(500, 'Oops'), 502],
	['503', () => error(503, 'Back office is not reachable'), 503],
	['a refusal', () => error(422, 'Not for that year'), 502],
	['nonsense', () => Response.json({ status: 'success', message: '', data: { rows: [] } }), 502],
])('the report’s own call answering %s keeps the shell and says so', async ([, answer, status]) => {
	breakCall(REPORT, answer)
	// A year that no other test uses: the call of its facts may still run after the page, and a later visit to the year would join it.
	const page = await client.visit(`/reports/income-tax?year=${formatYear(BROKERS_YEAR - 1)}&refresh=1`)
	expect(page.status).toBe(status)
	expect(page.html).toContain('aria-label="Main"')
	expect(readHeading(page.html)).toBe('Income Tax')
	expect(readText(page.html)).toContain('Try again')
})

test('shows a year without a sale as a year without data', async () => {
	open.breakBroker((request) => (/incometax|tax-facts/.test(request.url) ? error(404, 'No Data Found!') : undefined))
	const page = await client.visit(`/reports/income-tax?year=${formatYear(BROKERS_YEAR)}&refresh=1`)
	expect([page.status, readText(page.html)]).toEqual([200, expect.stringContaining(`Nothing was sold in ${formatYear(BROKERS_YEAR)}.`)])
	expect(readText(page.html)).not.toMatch(/NaN|undefined|\[object/)
	// Links to parts without a row would lead to empty sentences.
	expect(page.html).not.toContain('aria-label="On this page"')
})

const lot = {
	SEGMENT: 'NSE_CASH',
	SCRIP_NAME: 'OLD LIMITED',
	ISIN: 'INE000A01011',
	QTY: 10,
	BUY_DATE: '2015-04-01',
	BUY_RATE: 10,
	BUY_AMT: 100,
	SELL_DATE: '2024-08-01',
	SELL_RATE: 100,
	SELL_AMT: 1000,
	EXPENSES: 1,
	FMV_31JAN2018: 50,
	COST: 500,
	GAIN: 499,
	TERM: 'LT',
	DAYS: 3410,
}
const summary = {
	short_term: 0,
	long_term: 499,
	speculative: 0,
	futures_options: 0,
	commodity: 0,
	dividend: 0,
	charges_not_allowed: 1,
	exempt_limit: 125000,
	grandfathered: 400,
}
const quarters = Array.from({ length: 5 }, (_, index) => ({
	label: `Q${index}`,
	short_term_15: index === 2 ? -5 : 0,
	short_term_20: 0,
	long_term_10: 0,
	long_term_12_5: 0,
	speculative: 0,
}))

function answerWith(data: unknown) {
	open.breakBroker((request) => {
		const { pathname } = new URL(request.url)
		if (pathname === REPORT) return Response.json({ status: 'success', message: '', data })
		return pathname === FACTS ? error(404, 'No such call') : undefined
	})
}

test('explains a grandfathered cost, and ignores a negative window from the broker', async () => {
	answerWith({ summary, quarters, rows: [lot] })
	const { html } = await client.visit('/reports/income-tax?year=2024-2025&refresh=1')
	const text = readText(html)
	expect(text).toContain('The law lets ₹ 500.00 stand for the ₹ 100.00 that was paid.')
	expect(text).toContain('Of the cost used, ₹ 400.00 comes from the 31/01/2018 rule')
	for (const [, ...cells] of readTable(html, 'Advance tax').rows) expect(cells.join()).not.toContain('−')
	expect(text).not.toContain('do not agree')
})

test('says that a cost is indexed', async () => {
	const indexed = { ...lot, FMV_31JAN2018: null, SELL_DATE: '2024-07-22' }
	const read = async (rows: object[]) => {
		answerWith({ summary, quarters, rows })
		return readText((await client.visit('/reports/income-tax?year=2024-2025&refresh=1')).html)
	}
	expect(await read([indexed])).toContain('Raised by the cost inflation index: ₹ 500.00 stands for the ₹ 100.00 that was paid.')
	// Indexation ended on 23-07-2024.
	expect(await read([{ ...indexed, SELL_DATE: '2024-07-23' }])).not.toContain('inflation index')
})

test.for(YEARS)('%s: dividends show the deducted tax and the amount paid to the bank', async (year) => {
	const { html } = await client.visit(`/reports/income-tax?year=${year}`)
	const { head, rows, foot } = readTable(html, 'Dividends')
	const [paid = [], deducted = [], received = []] = ['Amount', 'TDS', 'Paid to the bank'].map((name) => readColumn(rows, name, head))
	expect(received).toEqual(paid.map((amount, at) => amount - (deducted[at] ?? 0)))
	const section = Number(year.slice(0, 4)) < 2026 ? 'Section 194' : 'Section 393(1)'
	expect(paiseAfter(readText(html), `Tax deducted at source on dividends \\(${section.replace(/[()]/g, '\\$&')}\\)`)).toBe(sum(deducted))
	expect(sum(deducted)).toBe(paiseIn(foot.at(-2)))
	const [heads = [], ...lines] = readCsv(await (await client.send(`/downloads/income-tax/dividends?year=${year}`)).text())
	expect(heads.slice(1)).toEqual(head.map((name) => name.replace(' (₹)', '')))
	expect(readColumn(lines, 'Paid to the bank', heads)).toEqual(received)
})

test('says so when the lots do not add up to the summary', async () => {
	answerWith({ summary: { ...summary, long_term: 499.01 }, quarters, rows: [lot] })
	const text = readText((await client.visit('/reports/income-tax?year=2024-2025&refresh=1')).html)
	expect(text).toContain('These figures do not agree. Long-term: the lots make ₹ 499.00, the broker states ₹ 499.01.')
})

test('search and sort cover all rows, on screen and in the file', async () => {
	const year = YEARS[1] ?? ''
	const query = `?year=${year}&q=short-term&sort=-gain`
	const { html } = await client.visit(`/reports/income-tax${query}`)
	const csv = (await downloadCsv(query)).slice(1)
	expect(html).toContain('aria-sort="descending"')
	expect(csv.length).toBeGreaterThan(0)
	const gains = csv.map((row) => Number(row.at(-2)))
	expect(gains).toEqual([...gains].sort((a, b) => b - a))
	expect(readTable(html, 'Income Tax').rows[0]?.[2]).toBe(csv[0]?.[2])
})

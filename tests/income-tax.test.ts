import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { currentYear, formatYear, selectableYears } from '~/lib/financial-year'
import { paiseOf } from '~/lib/money'
import { openPortal, Visitor } from './portal'

let open: Awaited<ReturnType<typeof openPortal>>
let client: Visitor
beforeAll(async () => {
	open = await openPortal(['DEMO01', 'NEW001'])
	client = new Visitor(open.portal)
	await client.login('DEMO01')
})
afterAll(() => open.close())
beforeEach(() => void (open.asked.length = 0))
afterEach(() => open.breakBroker(undefined))

const error = (status: number, message: string) => Response.json({ status: 'error', message, data: null }, { status })
const breakCall = (path: string, answer: () => Response) =>
	open.breakBroker((request) => (new URL(request.url).pathname === path ? answer() : undefined))
const REPORT = '/v1/user/report/incometax'
const FACTS = '/v1/ours/tax-facts'
const YEARS = selectableYears().map(formatYear)

const textOf = (html: string) =>
	html
		.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
		.replace(/<[^>]+>/g, ' ')
		.replaceAll('&#x27;', '’')
		.replaceAll('&amp;', '&')
		.replace(/\s+/g, ' ')
		.trim()

/** The cells of one table of the page, heads first; the foot's row is last. */
function tableOf(html: string, caption: string): string[][] {
	const table = html.split('<table').find((part) => part.includes(`>${caption}</caption>`)) ?? ''
	const rows = table.split('</table>')[0]?.split('<tr').slice(1) ?? []
	return rows.map((row) => [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) => textOf(cell)))
}

const paise = (text = '') => paiseOf(Number(text.replaceAll(',', '').replace('−', '-').replace('+', '')))
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

test.for(YEARS)('%s: five windows, none negative, which sum to each head after set-off', async (year) => {
	const { status, html } = await client.visit(`/reports/income-tax?year=${year}`)
	expect(status).toBe(200)
	const [heads = [], ...lines] = tableOf(html, 'Advance tax')
	expect(heads).toHaveLength(7)
	expect(lines.at(-1)?.[0]).toBe('Dividends')
	for (const [, ...cells] of lines) {
		const figures = cells.map(paise)
		for (const figure of figures) expect(figure).toBeGreaterThanOrEqual(0)
		expect(sum(figures.slice(0, 5))).toBe(figures[5])
	}
	const summary = tableOf(html, 'Summary').slice(1, -1)
	for (const line of lines.slice(0, -1)) {
		const head = summary.find(([name = '']) => line[0]?.startsWith(name))
		if (summary.filter(([name]) => name === head?.[0]).length === 1) expect(paise(head?.[6]), line[0]).toBe(paise(line[6]))
	}
	expect(sum(lines.slice(0, -1).map((line) => paise(line[6])))).toBe(
		sum(summary.filter(([name = '']) => lines.some(([line = '']) => line.startsWith(name))).map((row) => paise(row[6]))),
	)
	expect(html).not.toContain('These figures do not agree')
})

test.for(YEARS)('%s: heads sum to the lots, and the CSV is the table', async (year) => {
	const { html } = await client.visit(`/reports/income-tax?year=${year}`)
	const summary = tableOf(html, 'Summary').slice(1)
	const csv = (await (await client.send(`/downloads/income-tax/csv?year=${year}`)).text()).trimEnd().split('\r\n')
	expect(csv[0]).toBe('#,Head,Name,ISIN,Quantity,Bought,Buy amount,Sold,Sell amount,Expenses,Cost used,Gain,Days')
	const gains = csv.slice(1).map((line) => paiseOf(Number(line.split(',').at(-2))))
	expect(sum(gains)).toBe(summary.length > 1 ? paise(summary.at(-1)?.[5]) : 0)
	for (const [, , , gained, lost, net] of summary) expect(paise(gained) - paise(lost)).toBe(paise(net))

	const [heads = [], ...rows] = tableOf(html, 'Income Tax')
	expect(heads.join()).toBe(csv[0])
	expect(textOf(html)).toContain(csv.length > 1 ? `of ${new Intl.NumberFormat('en-IN').format(csv.length - 1)}` : 'Nothing was sold')
	if (csv.length === 1) return
	for (const [index, row] of rows.slice(0, Math.min(100, csv.length - 1)).entries()) {
		const line = csv[index + 1]?.split(',') ?? []
		expect([row[0], row[1], row[2], paise(row[11])]).toEqual([line[0], line[1], line[2], paiseOf(Number(line[11]))])
	}
	expect(paise(rows.at(-1)?.[11])).toBe(sum(gains))
})

test('the law is named, and that this is no advice is said once', async () => {
	for (const [year, law] of [
		[2024, 'Assessment Year 2025-26 · Income-tax Act, 1961'],
		[2026, 'Tax Year 2026-27 · Income-tax Act, 2025'],
	] as const) {
		for (const breaks of [false, true]) {
			if (breaks) breakCall(FACTS, () => error(404, 'No such call'))
			const { html } = await client.visit(`/reports/income-tax?year=${formatYear(year)}`)
			expect(textOf(html)).toContain(law)
			expect(textOf(html).match(/Not tax advice/g)).toHaveLength(1)
			expect(html.match(/<h1/g)).toHaveLength(1)
			open.breakBroker(undefined)
		}
	}
})

test('without our own call the report’s summary and windows stay; when it fails, that part says so', async () => {
	breakCall(FACTS, () => error(404, 'No such call'))
	const plain = await client.visit('/reports/income-tax?year=2024-2025')
	expect(tableOf(plain.html, 'Summary').map(([head]) => head)).toEqual([
		'Head',
		'Short-term gains',
		'Long-term gains',
		'Speculative',
		'Future & Options',
		'Commodity',
		'Dividends',
	])
	expect(tableOf(plain.html, 'Advance tax')).toHaveLength(6)
	expect(textOf(plain.html)).not.toContain('could not be loaded')

	breakCall(FACTS, () => error(500, 'Oops'))
	const failed = await client.visit('/reports/income-tax?year=2024-2025')
	expect(failed.status).toBe(200)
	expect(textOf(failed.html)).toContain('Heads, dividends and turnover could not be loaded.')
	expect(tableOf(failed.html, 'Income Tax').length).toBeGreaterThan(1)
})

test.for<[string, () => Response, number]>([
	['500', () => error(500, 'Oops'), 502],
	['503', () => error(503, 'Back office is not reachable'), 503],
	['a refusal', () => error(422, 'Not for that year'), 502],
	['nonsense', () => Response.json({ status: 'success', message: '', data: { rows: [] } }), 502],
])('the report’s own call answering %s keeps the shell and says so', async ([, answer, status]) => {
	breakCall(REPORT, answer)
	const page = await client.visit('/reports/income-tax')
	expect(page.status).toBe(status)
	expect(page.html).toContain('aria-label="Main"')
	expect(page.html).toMatch(/<h1[^>]*>Income Tax<\/h1>/)
	expect(textOf(page.html)).toContain('Try again')
})

test('no data is a year without a sale', async () => {
	open.breakBroker((request) => (/incometax|tax-facts/.test(request.url) ? error(404, 'No Data Found!') : undefined))
	const page = await client.visit(`/reports/income-tax?year=${formatYear(currentYear())}`)
	expect([page.status, textOf(page.html)]).toEqual([200, expect.stringContaining(`Nothing was sold in ${formatYear(currentYear())}.`)])
	expect(textOf(page.html)).not.toMatch(/NaN|undefined|\[object/)
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

test('a grandfathered cost explains itself, and a broker’s negative window is no figure of the return', async () => {
	answerWith({ summary, quarters, rows: [lot] })
	const { html } = await client.visit('/reports/income-tax?year=2024-2025')
	const text = textOf(html)
	expect(text).toContain('The law lets ₹ 500.00 stand for the ₹ 100.00 that was paid.')
	expect(text).toContain('Of the cost used, ₹ 400.00 is there by the rule of 31/01/2018')
	for (const [, ...cells] of tableOf(html, 'Advance tax').slice(1)) expect(cells.join()).not.toContain('−')
	expect(text).not.toContain('do not agree')
})

test('lots that make another sum than the summary are told', async () => {
	answerWith({ summary: { ...summary, long_term: 499.01 }, quarters, rows: [lot] })
	const text = textOf((await client.visit('/reports/income-tax?year=2024-2025')).html)
	expect(text).toContain('These figures do not agree. Long-term: the lots make ₹ 499.00, the broker states ₹ 499.01.')
})

test('searching and sorting reach over the whole set, on screen and in the file alike', async () => {
	const year = YEARS[1] ?? ''
	const query = `?year=${year}&q=short-term&sort=-gain`
	const { html } = await client.visit(`/reports/income-tax${query}`)
	const csv = (await (await client.send(`/downloads/income-tax/csv${query}`)).text()).trimEnd().split('\r\n').slice(1)
	expect(html).toContain('aria-sort="descending"')
	expect(csv.length).toBeGreaterThan(0)
	const gains = csv.map((line) => Number(line.split(',').at(-2)))
	expect(gains).toEqual([...gains].sort((a, b) => b - a))
	expect(tableOf(html, 'Income Tax')[1]?.[2]).toBe(csv[0]?.split(',')[2])
})

test.for<[string, string, string, RegExp]>([
	['xlsx', 'DEMO01_INCOME_TAX.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', /^PK/],
	['csv', 'DEMO01_INCOME_TAX.csv', 'text/csv; charset=utf-8', /^\uFEFF#,Head/],
	['schedule-112a', 'DEMO01_SCHEDULE_112A.csv', 'text/csv; charset=utf-8', /^\uFEFF#,Share\/Unit acquired/],
])('the file %s is %s', async ([format, name, type, start]) => {
	const answer = await client.send(`/downloads/income-tax/${format}?year=2024-2025`)
	expect(answer.headers.get('content-disposition')).toContain(`filename="${name}"`)
	expect(answer.headers.get('content-type')).toBe(type)
	expect(answer.headers.get('cache-control')).toBe('private, no-store, no-transform')
	expect(Buffer.from(await answer.arrayBuffer()).toString('utf8')).toMatch(start)
})

test('another format is no file, and a failed one leads back', async () => {
	expect((await client.send('/downloads/income-tax/exe')).status).toBe(404)
	breakCall('/v1/excel/download_income_tax', () => error(422, 'Not for that year'))
	const back = await client.send('/downloads/income-tax/xlsx', { headers: { referer: 'https://portal.test/reports/income-tax' } })
	expect([back.status, back.headers.get('location')]).toEqual([303, '/reports/income-tax'])
})

import { beforeAll, describe, expect, test } from 'vitest'
import { readWorkbooks, type Workbook } from '#tests/support/office'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { readCsv, readTable } from '#tests/support/readers'

/* The workbook of income tax for the accountant. The figures of DEMO01 are worked by hand from its trades. */

const open = openPortalForFile()
let client: Visitor
const workbooks = new Map<string, Workbook>()
beforeAll(async () => {
	client = await signedIn(open)
	const bytes = new Map<string, Buffer>()
	for (const code of ['DEMO01', 'NEW001']) {
		const visitor = code === 'DEMO01' ? client : await signedIn(open, code)
		const answer = await visitor.send('/downloads/income-tax/xlsx?year=2025-2026')
		bytes.set(`${code}.xlsx`, Buffer.from(await answer.arrayBuffer()))
	}
	for (const [name, workbook] of await readWorkbooks(bytes)) workbooks.set(name.replace('.xlsx', ''), workbook)
}, 60_000)

const rowsOf = (name: string, code = 'DEMO01') => workbooks.get(code)?.find(({ sheet }) => sheet === name)?.rows ?? []
/** The rows of a sheet that begin with `start`, without empty cells. */
const find = (name: string, start: string) => rowsOf(name).flatMap((row) => (row[0]?.startsWith(start) ? [row.filter(Boolean)] : []))

describe('the turnover', () => {
	// Each trade's profit or loss before charges, without its sign. Intraday: 336.00 + 518.00 + 290.00 + 526.50 + 155.00 + 19.50.
	const INTRADAY = '1,845.00'
	// One future: 88,552.50 - 88,050.00.
	const CURRENCY = '502.50'
	// 3,200 + 15,200 + 4,030 + 700 + 12,010 + 6,970 + 2,920.
	const COMMODITY = '45,030.00'
	/*
	 * 18,281.25 + 38,152.50 + 34,327.50 + 1,571.25 + 2,283.75 + 7,935.00 + 21,262.50 + 7,548.75 + 20,925.00 + 5,362.50 + 8,426.25 +
	 * 3,082.50 + 6,870.50 + 5,599.75 + 21,453.25 + 4,260.75.
	 */
	const DERIVATIVES = '2,07,343.00'
	const ALL = '2,54,720.50'

	test('of each kind stands below its trades, with the total', () => {
		expect(find('Intraday', 'Turnover')).toEqual([
			['Turnover, Intraday (6 trades)', INTRADAY],
			['Turnover, all kinds', ALL],
		])
		expect(find('F&O and commodity', 'Turnover')).toEqual([
			['Turnover, Future & Options (16 trades)', DERIVATIVES],
			['Turnover, Currency (1 trade)', CURRENCY],
			['Turnover, Commodity (7 trades)', COMMODITY],
			['Turnover, all kinds', ALL],
		])
		for (const sheet of ['Intraday', 'F&O and commodity']) expect(find(sheet, 'Absolute turnover')).toHaveLength(1)
	})

	test('is that of the page', async () => {
		const { rows, foot } = readTable((await client.visit('/reports/income-tax?year=2025-2026')).html, 'Turnover')
		expect(rows.map((row) => row.at(-1))).toEqual([INTRADAY, DERIVATIVES, CURRENCY, COMMODITY])
		expect(foot.at(-1)).toBe(ALL)
	})

	test('is not explained where nothing was traded', () => {
		for (const sheet of ['Intraday', 'F&O and commodity']) expect(JSON.stringify(rowsOf(sheet, 'NEW001'))).not.toContain('urnover')
	})
})

test('the open lots have their gain at the price of the year’s end, and the term of a sale on that day', () => {
	const heads = rowsOf('Open lots')[0] ?? []
	const lots = rowsOf('Open lots').map((row) => ['ISIN', 'Acquired', 'Unrealised', 'Term'].map((head) => row[heads.indexOf(head)]))
	const lotsOf = (isin: string) => lots.flatMap(([id, ...lot]) => (id === isin ? [lot] : []))
	expect(lotsOf('INE467B01029')).toEqual([
		// 7 × 2,255.15 - 25,328.10.
		['14/10/2024', '-9,542.05', 'Long term'],
		// 10 × 2,255.15 - 34,709.00. Twelve months are over on 8 April 2026 only.
		['08/04/2025', '-12,157.50', 'Short term'],
	])
	// A bonus costs nothing: 50 × 756.75.
	expect(lotsOf('INE040A01034').at(-1)).toEqual(['26/08/2025', '37,837.50', 'Short term'])
	expect(lotsOf('INE129A01019')).toEqual([['16/03/2020', '', 'Long term']])
})

test('a buyback that is taxed as a dividend has the same words in the workbook and in the CSV', async () => {
	const [heads = [], ...rows] = rowsOf('Dividends')
	const kinds = new Set(rows.slice(0, -1).map((row) => row[heads.indexOf('Kind')]))
	expect(kinds).toEqual(new Set(['Dividend', 'Buyback, taxed as a dividend']))
	const [names = [], ...lines] = readCsv(await (await client.send('/downloads/income-tax/dividends?year=2025-2026')).text())
	expect(new Set(lines.map((line) => line[names.indexOf('Kind')]))).toEqual(kinds)
})

import { beforeAll, describe, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { type Paise } from '#contract/values/money'
import { isLong } from '#sandbox/testing/runs'
import { BROKERS_YEAR, BROKERS_YEARS } from '#tests/support/brokers-day'
import { createFigures } from '#tests/support/figures'
import { readPdf, readWorkbooks, type Workbook } from '#tests/support/office'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { readColumn, paiseAfter, paiseIn, readCsv, type ReadTable, sum, readTable, readText } from '#tests/support/readers'

/*
 * Finds each named figure on every page and in every file that shows it, in every second year (in the long form, in every year). It must
 * be the same, to the paisa.
 */

const CURRENT = formatYear(BROKERS_YEAR)
const YEARS = BROKERS_YEARS.filter((_, at) => isLong || at % 2 === 0).map(formatYear)
const SEGMENTS = ['NSE_CASH', 'NSE_FNO', 'CD_NSE', 'MCX']
const LEDGERS = ['NSE_CASH', 'MCX']
const LEDGER_NAMES = { '': '', NSE_CASH: 'Equity', MCX: 'Commodity' }

const open = openPortalForFile()
let client: Visitor
let workbooks: Map<string, Workbook>
const pdfs = new Map<string, string>()

beforeAll(async () => {
	client = await signedIn(open)
	const sheets = ['holding/xlsx', ...YEARS.flatMap((year) => listSheets(year))]
	const bytes = new Map<string, Buffer>()
	for (const href of sheets) bytes.set(named(href), await fetchFile(href))
	workbooks = await readWorkbooks(bytes)
	const papers = ['holding/pdf', ...YEARS.flatMap((year) => listPapers(year))]
	for (const href of papers) pdfs.set(href, await readPdf(await fetchFile(href)))
}, 240_000)

const listSheets = (year: string) => [
	...['ledger/xlsx', 'global-details/xlsx', 'income-tax/xlsx'].map((file) => `${file}?year=${year}`),
	...LEDGERS.map((ledger) => `ledger/xlsx?year=${year}&segment=${ledger}`),
	...SEGMENTS.map((segment) => `pnl/xls?year=${year}&segment=${segment}`),
]
const listPapers = (year: string) => [
	...['ledger/pdf', 'global-summary/pdf'].map((file) => `${file}?year=${year}`),
	...SEGMENTS.map((segment) => `pnl/pdf?year=${year}&segment=${segment}`),
]
const named = (href: string) => `${href}.${href.includes('/xls?') ? 'xls' : 'xlsx'}`

async function fetchFile(href: string): Promise<Buffer> {
	const answer = await client.send(`/downloads/${href}`)
	expect(answer.status, href).toBe(200)
	return Buffer.from(await answer.arrayBuffer())
}

const pageAt = async (address: string) => (await client.visit(address)).html
const csvAt = async (address: string) => readCsv((await fetchFile(address)).toString())

function under({ head, foot }: Pick<ReadTable, 'head' | 'foot'>, column: string): Paise {
	if (!head.includes(column)) throw new Error(`There is no column ${column} in ${head.join(', ')}`)
	return paiseIn(foot[head.indexOf(column)] ?? '')
}

/** Heads and foot of a sheet of a workbook. A sheet without rows has no foot. */
function sheet(href: string, name?: string) {
	const found = workbooks.get(named(href))?.find((each) => name === undefined || each.sheet === name)
	if (!found) throw new Error(`There is no sheet ${name ?? ''} in ${href}`)
	return { head: found.rows[0] ?? [], foot: found.rows.find(([first]) => first === 'Total') ?? [], rows: found.rows }
}

/** Figures of the totals line in a PDF, from the left. */
function totals(href: string, start = 'Total'): Paise[] {
	const text = pdfs.get(href) ?? ''
	const line = new RegExp(`(?:^|  )${start} +[−₹\\d].*$`, 'm').exec(text)?.[0]
	if (line === undefined && !text.includes('Nothing in this period.')) throw new Error(`There is no ${start} in ${href}`)
	return [...(line ?? '').matchAll(/−?(?:₹ )?[\d,]+\.\d\d(?: (?:Cr|Dr)\b)?/g)].map(([figure]) => paiseIn(figure))
}

const all = (segments: readonly string[], of: (segment: string) => Paise | undefined) => sum(segments.map((segment) => of(segment) ?? 0))

describe.for(YEARS)('%s', (year) => {
	test('the ledger’s closing balance', async () => {
		const { see, differing } = createFigures()
		const dashboard = readText(await pageAt(`/dashboard?year=${year}`))
		const pnl = readText(await pageAt(`/reports/profitnloss?year=${year}`))
		const cards = {
			'': paiseAfter(dashboard, 'Ledger Total'),
			NSE_CASH: paiseAfter(dashboard, 'Equity'),
			MCX: paiseAfter(dashboard, 'Commodity'),
		}
		const ties = [...pnl.matchAll(/Closing balance on \S+ (₹ [\d,.]+(?: (?:Cr|Dr))?)/g)].map(([, figure]) => paiseIn(figure))
		const tied = { '': sum(ties), NSE_CASH: ties[0] ?? Number.NaN, MCX: ties[1] ?? Number.NaN }
		for (const ledger of ['', 'NSE_CASH', 'MCX'] as const) {
			const query = `?year=${year}${ledger && `&segment=${ledger}`}`
			const page = await pageAt(`/reports/ledger${query}`)
			see(`Ledger ${ledger}`, {
				dashboard: cards[ledger],
				'ledger, proof': paiseAfter(readText(page), 'Closing balance'),
				'ledger, foot': under(readTable(page, 'Ledger'), 'Balance'),
				CSV: paiseIn((await csvAt(`ledger/csv${query}`)).at(-1)?.at(-1)),
				Excel: under(sheet(`ledger/xlsx${query}`), 'Balance'),
				PDF: totals(`ledger/pdf?year=${year}`, LEDGER_NAMES[ledger] || 'Total with opening; balance on \\S+').at(-1) ?? Number.NaN,
				'P&L, bridge': tied[ledger],
			})
		}
		expect(differing()).toEqual([])
	})

	test('the gain, and the cost of trading', async () => {
		const { see, differing } = createFigures()
		const dashboard = readText(await pageAt(`/dashboard?year=${year}`))
		const page = await pageAt(`/reports/profitnloss?year=${year}`)
		const [segments, table, kinds] = ['Segments', 'Profit & Loss', 'Charges by kind'].map((caption) => readTable(page, caption)) as [
			ReadTable,
			ReadTable,
			ReadTable,
		]
		const csv = await csvAt(`pnl/csv?year=${year}`)
		const pnlPlaces = (column: string, fromRight: number) => ({
			'P&L, segments': under(segments, column),
			'P&L, foot': under(table, column),
			'P&L, CSV': sum(readColumn(csv, column)),
			'P&L, Excel': all(SEGMENTS, (segment) => under(sheet(`pnl/xls?year=${year}&segment=${segment}`), column)),
			'P&L, PDF': all(SEGMENTS, (segment) => totals(`pnl/pdf?year=${year}&segment=${segment}`).at(-fromRight)),
		})
		const summary = readTable(await pageAt(`/reports/global-summary?year=${year}`), 'Global Summary')
		const summaryCsv = await csvAt(`global-summary/csv?year=${year}`)
		const summaryPlaces = (column: string, fromRight: number) => ({
			'Global Summary': under(summary, column),
			'Global Summary, CSV': sum(readColumn(summaryCsv, column)),
			'Global Summary, PDF': totals(`global-summary/pdf?year=${year}`).at(-fromRight) ?? Number.NaN,
		})
		const bridge = (label: string) =>
			sum([...readText(page).matchAll(new RegExp(`${label}[^₹]*? ([+−]?₹ [\\d,.]+)`, 'g'))].map(([, figure]) => paiseIn(figure)))

		see('Realised, before charges', {
			dashboard: paiseAfter(dashboard, 'Realised, before charges'),
			...pnlPlaces('Realised', 4),
			...summaryPlaces('Realised', 2),
			'P&L, bridge': bridge('Realised, before charges'),
		})
		see('Unrealised, with open contracts', {
			dashboard: paiseAfter(dashboard, 'Unrealised, with open contracts'),
			...pnlPlaces('Unrealised', 3),
			...summaryPlaces('Unrealised', 1),
		})
		const details = readTable(await pageAt(`/reports/global-details?year=${year}`), 'Global Details')
		const detailsCsv = await csvAt(`global-details/csv?year=${year}`)
		const detailRows = sheet(`global-details/xlsx?year=${year}`).rows
		see('Charges', {
			dashboard: paiseAfter(dashboard, 'Charges'),
			...pnlPlaces('Charges', 2),
			'P&L, kinds': under(kinds, 'All charges'),
			'P&L, bridge': -bridge('Charges Brokerage, taxes and fees'),
			'Global Details': under(details, 'Brokerage') + under(details, 'Charges'),
			'Global Details, CSV': sum([...readColumn(detailsCsv, 'Brokerage'), ...readColumn(detailsCsv, 'Charges')]),
			'Global Details, Excel': sum([...readColumn(detailRows, 'Brokerage'), ...readColumn(detailRows, 'Charges')]),
			'Income Tax, Excel': under(sheet(`income-tax/xlsx?year=${year}`, 'Charges'), 'Total'),
		})
		see('Net, after charges', { dashboard: paiseAfter(dashboard, 'Net, after charges'), ...pnlPlaces('Net', 1) })
		const notes = await csvAt(`contractnbill/csv?year=${year}`)
		see('Contract notes', {
			'Contract/Bill': under(readTable(await pageAt(`/reports/contractnbill?year=${year}`), 'Contract/Bill'), 'Amount'),
			'Contract/Bill, CSV': sum(readColumn(notes, 'Amount')),
			'P&L, bridge': sum(
				[...readText(page).matchAll(/Bills in the ledger (₹ [\d,.]+(?: (?:Cr|Dr))?)/g)].map(([, figure]) => paiseIn(figure)),
			),
		})
		expect(differing()).toEqual([])
	})

	test('the figures of the return', async () => {
		const { see, differing } = createFigures()
		const page = await pageAt(`/reports/income-tax?year=${year}`)
		const text = readText(page)
		const summary = readTable(page, 'Summary')
		const lots = readTable(page, 'Income Tax')
		const csv = await csvAt(`income-tax/csv?year=${year}`)
		const excel = (name: string) => sheet(`income-tax/xlsx?year=${year}`, name)
		const kinds = { 'Short-term': 'Short term', 'Long-term': 'Long term', Speculative: 'Intraday' } as const
		for (const [head, kind] of Object.entries(kinds)) {
			const ofHead = (rows: readonly string[][], at: number) =>
				sum(rows.filter(([name]) => name?.startsWith(head)).map((row) => paiseIn(row[at])))
			see(head, {
				'Income Tax': ofHead(summary.rows, 5),
				CSV: sum(readColumn(csv, 'Gain').filter((_, at) => csv[at + 1]?.[1] === head)),
				Excel: under(excel(kind), 'Gain'),
				'Excel, Summary': ofHead(excel('Summary').rows, 5),
			})
		}
		const gains = ['Short term', 'Long term', 'Intraday', 'F&O and commodity'].map((kind) => under(excel(kind), 'Gain'))
		see('Gain of all lots', {
			'Income Tax, foot': under(lots, 'Gain'),
			'Income Tax, Summary': under(summary, 'Net'),
			CSV: sum(readColumn(csv, 'Gain')),
			Excel: sum(gains),
		})
		const readLast = (rows: readonly string[][], start: string) => paiseIn(rows.find(([first]) => first?.startsWith(start))?.at(-1))
		see('Dividends', {
			dashboard: paiseAfter(readText(await pageAt(`/dashboard?year=${year}`)), 'Dividends, not in net'),
			'Income Tax': text.includes('Ex-date') ? under(readTable(page, 'Dividends'), 'Amount') : 0,
			'Advance tax': readLast(readTable(page, 'Advance tax').rows, 'Dividends'),
			Excel: under(excel('Dividends'), 'Amount'),
			'Excel, Advance tax': readLast(excel('Advance tax').rows, 'Dividends'),
		})
		see('Tax deducted from dividends', {
			'Income Tax': paiseAfter(text, 'Tax deducted at source on dividends \\(Section [^)]+\\)?\\)'),
			'Income Tax, Dividends': text.includes('Ex-date') ? under(readTable(page, 'Dividends'), 'TDS') : 0,
			Excel: readLast(excel('Summary').rows, 'Tax deducted at source'),
			'Excel, Dividends': under(excel('Dividends'), 'TDS'),
		})
		see('Estimated tax', {
			'Income Tax': paiseAfter(text, 'Estimated tax on capital gains'),
			Excel: readLast(excel('Summary').rows, 'Estimated tax'),
		})
		for (const name of ['Set-off of losses', 'Losses carried forward'])
			see(name, { 'Income Tax': under(readTable(page, name), 'Amount'), Excel: under(excel(name), 'Amount') })
		see('Exemption used', { 'Income Tax': paiseAfter(text, 'Exemption used'), Excel: readLast(excel('Summary').rows, 'Exempt long-term') })
		see('Advance tax', {
			'Income Tax': sum(readTable(page, 'Advance tax').rows.map((row) => paiseIn(row.at(-1)))),
			Excel: sum(
				excel('Advance tax')
					.rows.slice(1)
					.map((row) => paiseIn(row.at(-1))),
			),
		})
		expect(differing()).toEqual([])
	})

	test('the holding', async () => {
		const { see, differing } = createFigures()
		const html = await pageAt(`/dashboard?year=${year}`)
		const dashboard = readText(html)
		const [months, sectors] = ['Portfolio value and invested amount by month', 'Allocation by sector'].map(
			(caption) => readTable(html, caption).rows,
		)
		const page = await pageAt(`/reports/holding?year=${year}`)
		const table = readTable(page, 'Holding')
		const csv = await csvAt(`holding/csv?year=${year}`)
		const summary = readTable(await pageAt(`/reports/global-summary?year=${year}&segment=NSE_CASH`), 'Global Summary')
		const pnl = readTable(await pageAt(`/reports/profitnloss?year=${year}&segment=NSE_CASH`), 'Profit & Loss')
		const [invested = 0, value = 0, unrealised = 0] = totals('holding/pdf')
		const files = (column: string, paper: Paise): Record<string, Paise> =>
			year === CURRENT ? { Excel: under(sheet('holding/xlsx'), column), PDF: paper } : {}
		const places = (column: string, paper: Paise) => ({
			Holding: under(table, column),
			CSV: sum(readColumn(csv, column)),
			...files(column, paper),
		})
		see('Holding, value', {
			dashboard: paiseAfter(dashboard, 'Total holding'),
			'dashboard, months': paiseIn(months?.at(-1)?.[1]),
			'dashboard, sectors': sum(sectors?.map((row) => paiseIn(row[1])) ?? []),
			...places('Value', value),
			'Global Summary': under(summary, 'Value'),
		})
		see('Holding, invested', {
			dashboard: paiseAfter(dashboard, 'Invested'),
			'dashboard, months': paiseIn(months?.at(-1)?.[2]),
			...places('Invested', invested),
			'Global Summary': under(summary, 'Closing amount'),
		})
		see('Holding, unrealised', {
			dashboard: paiseAfter(dashboard, 'Unrealised'),
			...places('Unrealised', unrealised),
			'Global Summary': under(summary, 'Unrealised'),
			'P&L': under(pnl, 'Unrealised'),
		})
		see('Day change', { dashboard: paiseAfter(dashboard, 'Day change'), Holding: paiseAfter(readText(page), 'Day change') })
		expect(differing()).toEqual([])
	})
})

test('the deductions from the ledger, and the withdrawable amount, today', async () => {
	const { see, differing } = createFigures()
	const [ledger = '', deducted = ''] = readText(await pageAt(`/dashboard?year=${CURRENT}`)).split('Deducted ledger')
	const page = await pageAt('/reports/ledger/deducted')
	let [total, withdrawable] = [0, 0]
	for (const name of ['Equity', 'Commodity']) {
		const { rows } = readTable(page, `${name}: from ledger to withdrawable`)
		const line = (...starts: string[]) => paiseIn(starts.flatMap((start) => rows.find(([label]) => label?.startsWith(start)) ?? [])[1])
		const left = line('Deducted ledger', 'You can withdraw')
		const less = rows
			.filter(([label, figure]) => figure && /^[+−]/.test(figure) && !label?.startsWith('of which'))
			.map(([, figure]) => paiseIn(figure))
		see(`${name}, ledger`, { dashboard: paiseAfter(ledger, name), bridge: line('Ledger balance') })
		see(`${name}, deducted`, {
			dashboard: paiseAfter(deducted, name),
			bridge: left,
			'its lines': line('Ledger balance') + sum(less),
		})
		see(`${name}, withdrawable`, { bridge: line('You can withdraw'), 'its lines': Math.max(0, left) })
		total += left
		withdrawable += line('You can withdraw')
	}
	const text = readText(page)
	// The page says both sums when they differ, otherwise one.
	const above = paiseAfter(text, text.includes('Deducted ledger, in all') ? 'Deducted ledger, in all' : 'You can withdraw')
	see('Deducted ledger', { dashboard: paiseAfter(deducted, ''), 'above the bridges': above, bridges: total })
	see('You can withdraw', { 'above the bridges': paiseAfter(text, 'You can withdraw'), bridges: withdrawable })
	expect(differing()).toEqual([])
})

import { beforeAll, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEARS } from '#tests/support/brokers-day'
import { readPdf, readWorkbooks, readZip, type Workbook } from '#tests/support/office'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { listAttributes, paiseIn, readColumn, readCsv, readTable, sum } from '#tests/support/readers'

/*
 * Opens every file that the pages offer with the programs that clients use. PDFs are valid and contain text, zips are complete, and a
 * workbook has the same rows as the CSV of the same report.
 */

const SEGMENTS = ['NSE_CASH', 'NSE_FNO', 'CD_NSE', 'MCX']
const PACK_YEAR = '2024-2025'
/** The current year, one in the middle, and the first. */
const YEARS = BROKERS_YEARS.filter((_, at) => at % 2 === 0).map(formatYear)
/** How many notes to open for each year and segment. The year pack contains all notes of one year. */
const NOTES = 1

const open = openPortalForFile()
let client: Visitor
/** By the address in the page. */
const files = new Map<string, Buffer>()
/** By their path in the zip. */
const packed = new Map<string, Buffer>()
let workbooks: Map<string, Workbook>

beforeAll(async () => {
	client = await signedIn(open)
	for (const href of await listFiles()) files.set(href, await fetchFile(href))
	await client.post('/reports/profitnloss', `/reports/profitnloss?year=${PACK_YEAR}`, {})
	for (const zip of ['pnl/zip', 'year-pack']) {
		const bytes = await fetchFile(`/downloads/${zip}?year=${PACK_YEAR}`)
		for (const [name, content] of await readZip(bytes)) packed.set(`${zip}/${name}`, content)
	}
	const sheets = [...files, ...packed].filter(([name]) => isWorkbook(name))
	workbooks = await readWorkbooks(new Map(sheets.map(([name, bytes]) => [nameFile(name), bytes])))
}, 240_000)

const isWorkbook = (name: string) => /\/xlsx?(\?|$)|\.xlsx?$|approved-list/.test(name)
const isPdf = (name: string) => /\/pdf(\?|$)|\.pdf$|\/contract\//.test(name)
/** With the file ending that LibreOffice needs. */
const nameFile = (name: string) => (/\.xlsx?$/.test(name) ? name : `${name}.${name.includes('/xls?') ? 'xls' : 'xlsx'}`)

async function fetchFile(href: string): Promise<Buffer> {
	const answer = await client.send(href)
	expect(answer.status, href).toBe(200)
	return Buffer.from(await answer.arrayBuffer())
}

/** Every file that the pages link to, except the portal's CSV and the year's zips. */
async function listFiles(): Promise<string[]> {
	const found = new Set<string>()
	for (const year of YEARS) {
		const reports = ['downloads', 'ledger', 'ledger/NSE_CASH', 'ledger/MCX', 'holding', 'position', 'global-summary', 'global-details']
		const segments = SEGMENTS.flatMap((segment) => [`profitnloss?segment=${segment}&`, `contractnbill?segment=${segment}&`])
		for (const page of [...reports.map((report) => `${report}?`), 'income-tax?', ...segments]) {
			const { html } = await client.visit(`/reports/${page}year=${year}`)
			const links = listAttributes(html, 'a[href^="/downloads/"]', 'href')
			const notes = links.filter((href) => href.includes('/contract/')).slice(0, NOTES)
			for (const href of [...links.filter((link) => !link.includes('/contract/')), ...notes]) found.add(href)
		}
	}
	return [...found].filter((href) => !/\/(csv|zip|year-pack|schedule-112a|charges|dividends)\b/.test(href))
}

const csvAt = async (address: string) => readCsv((await fetchFile(`/downloads/${address}`)).toString())

/** The value of a cell: days as in the CSV, figures without separators, words in lower case. */
function readValue(cell = ''): string {
	const day = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(cell)
	if (day) return `${day[3]}-${day[2]}-${day[1]}`
	if (/^[-−]?[\d,]+(\.\d+)?$/.test(cell)) return String(Number(cell.replaceAll(',', '').replace('−', '-')))
	return cell === 'Cost not known' ? '' : cell.toLowerCase()
}

/** The rows of a sheet above its total row. An empty sheet has a sentence in place of rows. */
const readBody = (rows: readonly string[][]) =>
	rows
		.slice(1, rows.findIndex(([first]) => first === 'Total') + 1 || undefined)
		.filter(([first]) => first !== 'Total' && first !== 'Nothing in this period.')
const readFoot = (rows: readonly string[][]) => rows.find(([first]) => first === 'Total') ?? []
const readValues = (heads: readonly string[], [names = []]: readonly string[][], rows: readonly string[][]) =>
	rows.map((row) => heads.map((head) => readValue(row[names.indexOf(head)])))

/** Checks for the same heads, the same rows in the same order, and a total row that adds them up. */
function expectSame(
	name: string,
	sheet: readonly string[][],
	csv: readonly string[][],
	summed: readonly string[],
	heads = csv[0]?.slice(1) ?? [],
): void {
	expect(heads.length, name).toBeGreaterThan(5)
	for (const head of heads) expect(sheet[0], name).toContain(head)
	expect(readValues(heads, sheet, readBody(sheet)), name).toEqual(readValues(heads, csv, csv.slice(1)))
	if (csv.length === 1) return
	for (const head of summed)
		expect(paiseIn(readFoot(sheet)[sheet[0]?.indexOf(head) ?? -1]), `${name} ${head}`).toBe(sum(readColumn(csv, head)))
}

const readWorkbook = (name: string) => workbooks.get(nameFile(name)) ?? []
const readSheet = (name: string) => readWorkbook(name)[0]?.rows ?? []
const readQuery = (href: string) => new URL(href, 'https://portal.test').searchParams
const offered = (pattern: RegExp) => [...files.keys()].filter((href) => pattern.test(href))

test('every workbook link returns a workbook, and every workbook is compared with a CSV', () => {
	const known = /ledger\/xlsx|holding\/xlsx|pnl\/xls|global-details\/xlsx|income-tax\/xlsx|approved-list/
	const sheets = [...files.keys()].filter(isWorkbook)
	expect(sheets.filter((href) => !known.test(href))).toEqual([])
	expect(sheets.length).toBeGreaterThan(6 * YEARS.length)
	for (const name of [...files.keys(), ...packed.keys()].filter(isWorkbook)) expect(readSheet(name)[0]?.length, name).toBeGreaterThan(1)
	for (const name of files.keys()) expect(isWorkbook(name) !== isPdf(name), name).toBe(true)
})

test('the ledger workbook equals its CSV row by row, with balances, for one segment and for all', async () => {
	for (const href of offered(/ledger\/xlsx/)) {
		const sheet = readSheet(href)
		const csv = await csvAt(`ledger/csv?${readQuery(href)}`)
		const heads = ['Date', 'Voucher', 'Type', 'Settlement', 'Narration', 'Debit', 'Credit', 'Balance']
		const readRows = (rows: readonly string[][], body: readonly string[][]) => readValues(heads, rows, body).map((row) => row.join(' | '))
		const [ours, theirs] = [readRows(csv, csv.slice(1)), readRows(sheet, readBody(sheet))]
		expect(theirs, href).toEqual(ours)
		expect(ours.length, href).toBeGreaterThan(5)
		expect(paiseIn(readFoot(sheet)[8]), href).toBe(paiseIn(csv.at(-1)?.at(-1)))
	}
})

test('the other workbooks equal their CSV row by row, and their total row adds up', async () => {
	expect(offered(/pnl\/xls/).length).toBeGreaterThan(YEARS.length)
	for (const href of offered(/holding\/xlsx/))
		expectSame(href, readSheet(href), await csvAt(`holding/csv?year=${YEARS[0]}`), ['Invested', 'Value', 'Unrealised'])
	const gains = ['Buy amount', 'Sell amount', 'Realised', 'Unrealised', 'Charges', 'Net']
	for (const href of offered(/pnl\/xls/)) {
		const sheet = readSheet(href)
		// A sentence below the total row is not a row.
		expectSame(href, sheet, await csvAt(`pnl/csv?${readQuery(href)}`), gains)
		// A sheet name of more than 31 letters would be cut.
		expect(readWorkbook(href)[0]?.sheet).toMatch(/^P&L, (Equity|Future & Options|Currency|Commodity)$/)
	}
	for (const href of offered(/global-details\/xlsx/))
		expectSame(href, readSheet(href), await csvAt(`global-details/csv?${readQuery(href)}`), [])
})

test('the income tax workbook has the lots of the CSV and the dividends of the page', async () => {
	for (const href of offered(/income-tax\/xlsx/)) {
		const of = (name: string) => readWorkbook(href).find(({ sheet }) => sheet === name)?.rows ?? []
		const kinds = ['Short term', 'Long term', 'Intraday', 'F&O and commodity'].map(of)
		const csv = await csvAt(`income-tax/csv?${readQuery(href)}`)
		const heads = csv[0]?.slice(2) ?? []
		const lots = kinds.flatMap((rows) => readValues(heads, rows, readBody(rows)))
		const sorted = (rows: string[][]) => rows.map((row) => row.join(' | ')).toSorted()
		expect(sorted(lots), href).toEqual(sorted(readValues(heads, csv, csv.slice(1))))
		const gains = kinds.map((rows) => paiseIn(readFoot(rows)[rows[0]?.indexOf('Gain') ?? -1] ?? ''))
		expect(sum(gains), href).toBe(sum(readColumn(csv, 'Gain')))
		const { html } = await client.visit(`/reports/income-tax?${readQuery(href)}`)
		const dividends = html.includes('>Dividends</caption>') ? readTable(html, 'Dividends') : { head: [], rows: [] }
		for (const head of dividends.head.length > 0 ? ['Amount', 'TDS', 'Paid to the bank'] : [])
			expect(readColumn(readBody(of('Dividends')), head, of('Dividends')[0]), href).toEqual(
				readColumn(dividends.rows, head, dividends.head),
			)
	}
})

test('the year pack and the bundle contain the workbooks that the pages offer one by one', async () => {
	const ofPack = [...packed.keys()].filter((name) => isWorkbook(name) && name.startsWith('year-pack/'))
	expect(ofPack.map((name) => name.replace('year-pack/DEMO01_', '')).toSorted()).toEqual(
		['GLOBAL_DETAILS.xlsx', 'INCOME_TAX.xlsx', 'LEDGER.xlsx', ...SEGMENTS.map((segment) => `PNL_${segment}.xls`)].toSorted(),
	)
	const addresses = { GLOBAL_DETAILS: 'global-details/xlsx?', INCOME_TAX: 'income-tax/xlsx?', LEDGER: 'ledger/xlsx?' }
	for (const name of [...packed.keys()].filter(isWorkbook)) {
		const report = /DEMO01_(\w+)\.xlsx?$/.exec(name)?.[1] ?? ''
		if (report === 'PNL_CHARGES') continue
		const segment = /^PNL_(\w+)$/.exec(report)?.[1]
		const [href = ''] = offered(new RegExp(segment ? `pnl/xls\\?.*${PACK_YEAR}` : (addresses[report as 'LEDGER'] ?? report))).filter(
			(each) => each.includes(PACK_YEAR) && (readQuery(each).get('segment') ?? undefined) === segment,
		)
		// They are made at different times, and their titles say when.
		const readRows = (workbook: Workbook) => workbook.map(({ sheet, rows }) => ({ sheet, rows }))
		expect(readRows(readWorkbook(name)), name).toEqual(readRows(readWorkbook(href)))
		expect(readSheet(name).length, name).toBeGreaterThan(0)
	}
	const charges = readSheet('pnl/zip/DEMO01_PNL_CHARGES.xls')
	const { html } = await client.visit(`/reports/profitnloss?year=${PACK_YEAR}`)
	const shown = readTable(html, 'Charges by kind')
	expect(readBody(charges).map((row) => [row[1], ...row.slice(3).map(paiseIn)])).toEqual(
		shown.rows.map((row) => [row[1], ...row.slice(3).map(paiseIn)]),
	)
	expect(readFoot(charges).slice(3).map(paiseIn)).toEqual(shown.foot.slice(3).map(paiseIn))
})

/** For DEMO01, as in sandbox/reference-data/people.ts; the last character of the GSTIN is the check digit of the others. */
function expectWhatANoteNames(text: string) {
	for (const words of ['BKQPM4821K', 'Link Road, Andheri West', 'Maharashtra (27)', '27AAAAA0000A1Z2', '997152', 'digital signature'])
		expect(text).toContain(words)
	expect(text).not.toContain('no signature is needed')
}

test('every PDF is valid and its text can be copied, including the rupee sign', { timeout: 240_000 }, async () => {
	const pdfs = [...files, ...packed].filter(([name]) => isPdf(name))
	for (const kind of [
		/^\/downloads\/ledger/,
		/holding/,
		/pnl/,
		/global-summary/,
		/client-master/,
		/client-details/,
		/\/contract\//,
		/contract-notes/,
	])
		expect(pdfs.filter(([name]) => kind.test(name)).length, String(kind)).toBeGreaterThan(0)
	for (const [name, bytes] of pdfs) {
		const text = await readPdf(bytes)
		expect(text, name).toMatch(/Client +Aarav Rajesh Mehta[\s\S]+DEMO01/)
		expect(text, name).toMatch(/Page 1 of \d/)
		expect(text, name).toContain('prices are illustrative')
		expect(text, name).not.toMatch(/NaN|undefined|\[object|\uFFFD/)
		if (/ledger|contract/i.test(name)) expect(text, name).toContain('(₹)')
		// A broker's ledger narrations may be long; nothing else is cut.
		if (!/ledger/i.test(name)) expect(text, name).not.toContain('…')
		if (/\/contract\//.test(name)) expectWhatANoteNames(text)
	}
})

import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { z } from 'zod/v4'
import { ApprovedListName, ClientMaster } from '#contract/downloads'
import { addDays, type Day, formatDay } from '#contract/values/dates'
import { formatYear } from '#contract/values/financial-year'
import { type SheetRow } from '#documents/table'
import { streamXlsx } from '#documents/xlsx'
import { describeOperation } from '#sandbox/api/describe-operation'
import { type Period, readToday, yearPeriod } from '#sandbox/api/period-query'
import { sendData, parseQuery } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { readScripPeriods } from '#sandbox/book/read-scrips'
import { readScripCharges, readTrades } from '#sandbox/book/read-trades'
import { taxFetches } from '#sandbox/db/schema'
import { PDF_TYPE, XLSX_TYPE } from '#sandbox/files/ledger-file'
import { streamTableXlsx } from '#sandbox/files/table-xlsx'
import { buildWorkbookTitle } from '#sandbox/files/title-block'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { approvedList } from './approved-list'
import { clientDetailsPdf, clientMasterPdf } from './client-files'
import { readHeld } from './holding-rows'
import { YearQuery } from './scrips'
import { fileHeaders, requireClient, showPeriod, streamStatement } from './statements'
import { detailCells, detailColumns, globalSummaryTable, holdingTable, tellUnknown, tellUnknownHeld } from './tables'
import { readTaxBook } from './tax'
import { taxTables } from './tax-tables'

const HoldingsQuery = Source.extend({ download_type: z.enum(['pdf', 'excel']).default('pdf') })
const ApprovedQuery = Source.extend({ type_name: ApprovedListName })

/** Statements and lists as files. */
export function downloads(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	addDownloadHoldings(routes, parts)
	addDownloadGlobalSummary(routes, parts)
	addDownloadGlobalDetails(routes, parts)
	addDownloadIncomeTax(routes, parts)
	addDownloadClientDetails(routes, parts)
	addDownloadClientMaster(routes, parts)
	addDownloadApprovedList(routes, parts)
	return routes
}

/** Reads the trades of a period month by month, so that a busy year is never completely in memory. */
async function* readDetailRows({ books }: SandboxParts, client: string, { from, to }: Period): AsyncGenerator<SheetRow[]> {
	for (let start: Day = from; start <= to;) {
		const next = `${addDays(`${start.slice(0, 7)}-28`, 4).slice(0, 7)}-01`
		const end = addDays(next, -1)
		const trades = await readTrades(books, client, start, end < to ? end : to)
		if (trades.length > 0) yield trades.map(detailCells)
		start = next
	}
}

function addDownloadHoldings(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books, clock } = parts
	routes.get(
		'/v1/downloads/download-holdings',
		describeOperation({
			id: 'downloadHoldings',
			summary: 'Holdings as PDF or XLSX',
			isOpenToDormant: true,
			query: HoldingsQuery,
			files: [PDF_TYPE, XLSX_TYPE],
		}),
		async (c) => {
			const { download_type } = parseQuery(c, HoldingsQuery)
			const { code } = c.var.client
			const held = await readHeld(books, code, readToday(parts))
			const table = holdingTable(held)
			const client = await requireClient(parts, code)
			const named = { heading: 'Holdings', period: `As on ${formatDay(readToday(parts))}` }
			const note = tellUnknownHeld(held)
			if (download_type === 'excel') {
				const sentences = note === undefined ? [] : [{ cells: [note] }]
				const noted = { ...table, rows: [...table.rows, ...sentences] }
				const workbook = streamTableXlsx([noted], buildWorkbookTitle(parts, client, named), clock.now())
				return c.body(workbook, 200, fileHeaders(XLSX_TYPE, `${code}_HOLDINGS.xlsx`))
			}
			const pdf = streamStatement(parts, client, { ...named, note, tables: [table] })
			return c.body(pdf, 200, fileHeaders(PDF_TYPE, `${code}_HOLDINGS.pdf`))
		},
	)
}

function addDownloadGlobalSummary(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books } = parts
	routes.get(
		'/v1/account_profile/download_global_summary',
		describeOperation({ id: 'downloadGlobalSummary', summary: 'Global summary (PDF)', query: YearQuery, files: [PDF_TYPE] }),
		async (c) => {
			const { from, to } = yearPeriod(parseQuery(c, YearQuery).year, readToday(parts))
			const { code } = c.var.client
			const [client, scrips] = await Promise.all([requireClient(parts, code), readScripPeriods(books, code, from, to)])
			const statement = {
				heading: 'Global summary',
				period: showPeriod(from, to),
				tables: [globalSummaryTable(scrips)],
				closing: tellUnknown(scrips),
			}
			return c.body(streamStatement(parts, client, statement), 200, fileHeaders(PDF_TYPE, `${code}_GLOBAL_SUMMARY.pdf`))
		},
	)
}

function addDownloadGlobalDetails(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { clock } = parts
	routes.get(
		'/v1/excel/download_global_details',
		describeOperation({ id: 'downloadGlobalDetails', summary: 'Global details (XLSX)', query: YearQuery, files: [XLSX_TYPE] }),
		async (c) => {
			const { year } = parseQuery(c, YearQuery)
			const { code } = c.var.client
			const period = yearPeriod(year, readToday(parts))
			const named = { heading: 'Global details', period: showPeriod(period.from, period.to) }
			const title = buildWorkbookTitle(parts, await requireClient(parts, code), named)
			const rows = readDetailRows(parts, code, period)
			const sheet = { name: `Global details ${formatYear(Number(year))}`, title, columns: detailColumns, rows }
			const workbook = Readable.toWeb(streamXlsx([sheet], clock.now())) as ReadableStream
			return c.body(workbook, 200, fileHeaders(XLSX_TYPE, `${code}_GLOBAL_DETAILS.xlsx`))
		},
	)
}

function addDownloadIncomeTax(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books, clock } = parts
	routes.get(
		'/v1/excel/download_income_tax',
		describeOperation({ id: 'downloadIncomeTax', summary: 'Income tax (XLSX)', query: YearQuery, files: [XLSX_TYPE] }),
		async (c) => {
			const { year } = parseQuery(c, YearQuery)
			const { code } = c.var.client
			const { from, to } = yearPeriod(year, readToday(parts))
			const [book, charges, held] = await Promise.all([
				readTaxBook(parts, code, year),
				readScripCharges(books, code, from, to),
				from > to ? [] : readHeld(books, code, to),
			])
			await books.db.insert(taxFetches).values({ client: code, year }).onConflictDoNothing()
			const named = { heading: 'Income tax', period: showPeriod(from, to) }
			const title = buildWorkbookTitle(parts, await requireClient(parts, code), named)
			const tables = taxTables(book, charges, held, to)
			return c.body(streamTableXlsx(tables, title, clock.now()), 200, fileHeaders(XLSX_TYPE, `${code}_INCOME_TAX.xlsx`))
		},
	)
}

function addDownloadClientDetails(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.get(
		'/v1/account_profile/download_client_details',
		describeOperation({ id: 'downloadClientDetails', summary: 'Client details form (PDF)', query: Source, files: [PDF_TYPE] }),
		async (c) => {
			const client = await requireClient(parts, c.var.client.code)
			return c.body(clientDetailsPdf(parts, client), 200, fileHeaders(PDF_TYPE, `${client.code}_CLIENT_DETAILS.pdf`))
		},
	)
}

function addDownloadClientMaster(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.get(
		'/v1/downloads/download-client-master',
		describeOperation({ id: 'downloadClientMaster', summary: 'Client master, base64 PDF in data', query: Source, data: ClientMaster }),
		async (c) => {
			const client = await requireClient(parts, c.var.client.code)
			const pdf = await new Response(clientMasterPdf(parts, client)).arrayBuffer()
			return sendData(c, 'Client master fetched', Buffer.from(pdf).toString('base64'))
		},
	)
}

function addDownloadApprovedList(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books, clock } = parts
	routes.get(
		'/v1/excel/download_approved_list',
		describeOperation({ id: 'downloadApprovedList', summary: 'Approved securities list (XLSX)', query: ApprovedQuery, files: [XLSX_TYPE] }),
		async (c) => {
			const { type_name } = parseQuery(c, ApprovedQuery)
			const table = await approvedList(books, type_name, readToday(parts))
			const named = { heading: `Approved securities, ${type_name}`, period: `As on ${formatDay(readToday(parts))}` }
			const workbook = streamTableXlsx([table], buildWorkbookTitle(parts, undefined, named), clock.now())
			return c.body(workbook, 200, fileHeaders(XLSX_TYPE, `Approved_${type_name}_List.xlsx`))
		},
	)
}

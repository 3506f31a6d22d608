import { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import { z } from 'zod/v4'
import { ClientCode, LedgerCocd } from '#contract/common'
import { DownloadLedgerRequest, LedgerReport } from '#contract/ledger'
import { toIndianDay } from '#contract/values/dates'
import { formatPlainAmount } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { readPeriod, PeriodQuery, yearPeriod } from '#sandbox/api/period-query'
import { parseBody, parseQuery, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { type LedgerPeriod, type LedgerSums, readLedgerJson, readLedgerSums } from '#sandbox/book/read-ledger'
import { findClient, listLedgers } from '#sandbox/clients/clients'
import { type LedgerFile, openingRow, PDF_TYPE, XLSX_TYPE } from '#sandbox/files/ledger-file'
import { streamLedgerPdf } from '#sandbox/files/ledger-pdf'
import { streamLedgerXlsx } from '#sandbox/files/ledger-xlsx'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { fileHeaders } from './statements'

/** Size of the row cache in bytes: twice the longest ledger that the sandbox seeds. */
const KEPT_BYTES = 64 * 1_048_576

const encoder = new TextEncoder()
const YesNo = z.enum(['Y', 'N'])

const LedgerQuery = PeriodQuery.extend({
	cocd: LedgerCocd.optional(),
	margin: YesNo.default('N'),
	with_opening: YesNo.default('Y'),
	client_code: ClientCode.optional(),
})

/** The ledger as a report and as files. */
export function ledger(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	/** The response's rows, cached while nothing is posted. Entries are only added, so their sums and the newest entry identify them. */
	const kept = new LRUCache<string, Uint8Array[]>({ maxSize: KEPT_BYTES, sizeCalculation: (chunks) => measureSize(chunks) })
	addLedgerReport(routes, parts, kept)
	addDownloadLedger(routes, parts)
	return routes
}

async function readSums({ books }: SandboxParts, period: LedgerPeriod): Promise<LedgerSums[]> {
	if (period.from > period.to) return []
	return (await readLedgerSums(books, period)).filter((sums) => sums.hasHistory)
}

async function readRows(
	{ books }: SandboxParts,
	kept: LRUCache<string, Uint8Array[]>,
	{ period, sums, withOpening, isFresh }: { period: LedgerPeriod; sums: LedgerSums; withOpening: boolean; isFresh: boolean },
): Promise<Uint8Array[]> {
	const key = JSON.stringify([period.client, period.from, period.to, period.withMargin, withOpening, sums])
	let chunks = isFresh ? undefined : kept.get(key)
	if (chunks === undefined) {
		chunks = (await readLedgerJson(books, period, sums, withOpening ? sums.opening : 0)).map((text) => encoder.encode(text))
		kept.set(key, chunks)
	}
	return chunks
}

async function listAskedLedgers({ books }: SandboxParts, code: string, asked: LedgerCocd | undefined): Promise<LedgerCocd[]> {
	const client = await findClient(books, code)
	return client === undefined ? [] : listLedgers(client.profile).filter((cocd) => asked === undefined || cocd === asked)
}

function addLedgerReport(routes: Hono<SandboxEnv>, parts: SandboxParts, kept: LRUCache<string, Uint8Array[]>) {
	const { clock } = parts
	routes.get(
		'/v2/service/reports/ledger',
		describeOperation({ id: 'getLedgerReport', summary: 'Ledger report', isOpenToDormant: true, query: LedgerQuery, data: LedgerReport }),
		async (c) => {
			const query = parseQuery(c, LedgerQuery)
			const { code } = c.var.client
			const withMargin = query.margin === 'Y'
			const period = {
				client: code,
				ledgers: await listAskedLedgers(parts, code, query.cocd),
				withMargin,
				...readPeriod(query, toIndianDay(clock.now())),
			}
			const withOpening = query.with_opening === 'Y'
			const isFresh = c.req.header('hard-refresh') === 'true'
			const all = await readSums(parts, period)
			const chunks: Uint8Array[] = []
			for (const sums of all) {
				if (withOpening) chunks.push(encoder.encode(JSON.stringify(openingRow(sums, period.from))))
				chunks.push(...(await readRows(parts, kept, { period, sums, withOpening, isFresh })))
			}
			return new Response(streamReport(chunks, formatTotals(all, withOpening)), { headers: { 'content-type': 'application/json' } })
		},
	)
}

function addDownloadLedger(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books, clock } = parts
	routes.post(
		'/v1/reports/ledger',
		describeOperation({
			id: 'downloadLedger',
			summary: 'Ledger of a year as PDF or XLSX',
			isOpenToDormant: true,
			query: Source,
			body: DownloadLedgerRequest,
			files: [PDF_TYPE, XLSX_TYPE],
		}),
		async (c) => {
			const asked = await parseBody(c, DownloadLedgerRequest)
			if (asked.client_code !== c.var.client.code) throw new Refused(403, 'Client code does not match the session')
			const client = await findClient(books, asked.client_code)
			if (client === undefined) throw new Error('A session without its client')
			const ledgers = listLedgers(client.profile).filter((cocd) => asked.type === 'ALL' || cocd === asked.type)
			const period = { client: client.code, ledgers, withMargin: false, ...yearPeriod(asked.year, toIndianDay(clock.now())) }
			const file: LedgerFile = { parts, client, period, year: Number(asked.year), sums: await readSums(parts, period), madeAt: clock.now() }
			const isPdf = asked.download_type === 'pdf'
			return isPdf
				? c.body(streamLedgerPdf(file), 200, fileHeaders(PDF_TYPE, `${client.code}_LEDGER.pdf`))
				: c.body(streamLedgerXlsx(file), 200, fileHeaders(XLSX_TYPE, `${client.code}_LEDGER.xlsx`))
		},
	)
}

/** The row of totals_df as JSON: debit, credit and their difference, in rupees. */
function formatTotals(sums: LedgerSums[], withOpening: boolean): string {
	let [debit, credit] = [0, 0]
	for (const each of sums) {
		debit += each.debit + (withOpening ? Math.max(0, -each.opening) : 0)
		credit += each.credit + (withOpening ? Math.max(0, each.opening) : 0)
	}
	return `{"DR_AMT":${formatPlainAmount(debit)},"CR_AMT":${formatPlainAmount(credit)},"BALANCE":${formatPlainAmount(credit - debit)}}`
}

const measureSize = (chunks: Uint8Array[]) => chunks.reduce((sum, chunk) => sum + chunk.length, 1)

function streamReport(chunks: Uint8Array[], totals: string): ReadableStream<Uint8Array> {
	const comma = encoder.encode(',')
	function* parts(): Generator<Uint8Array> {
		yield encoder.encode('{"status":"success","message":"Ledger fetched","data":{"filtered_df":[')
		for (const [index, chunk] of chunks.entries()) {
			if (index > 0) yield comma
			yield chunk
		}
		yield encoder.encode(`],"totals_df":[${totals}]}}`)
	}
	const remaining = parts()
	return new ReadableStream({
		pull(controller) {
			const { value, done } = remaining.next()
			if (done) controller.close()
			else controller.enqueue(value)
		},
	})
}

import { Hono } from 'hono'
import { type z } from 'zod/v4'
import { DownloadPnlRequest, Pnl, PnlBundle, PnlBundleRequest, PnlRequest, PnlSegmentRequest, PnlSegments, PnlTie } from '#contract/pnl'
import { toIndianDay } from '#contract/values/dates'
import { describeOperation } from '#sandbox/api/describe-operation'
import { yearPeriod } from '#sandbox/api/period-query'
import { NO_DATA, parseBody, parseQuery, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { readStockMoves } from '#sandbox/book/read-moves'
import { readScripPeriods } from '#sandbox/book/read-scrips'
import { PDF_TYPE } from '#sandbox/files/ledger-file'
import { XLS_TYPE } from '#sandbox/files/xls'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { requireOwn } from './bills'
import { type ResponseCache } from './response-cache'
import { createBundles } from './pnl-bundles'
import { pnlPdf, pnlXls } from './pnl-files'
import { hasProfitAndLoss, pnlReportRows, segmentRows } from './scrip-rows'
import { YearQuery } from './scrips'
import { fileHeaders, requireClient } from './statements'
import { makeTie } from './tie'

const ZIP_TYPE = 'application/zip'

const findPeriod = ({ clock }: SandboxParts, year: string) => yearPeriod(year, toIndianDay(clock.now()))

/** Profit and loss: by segment, by security, as files, and its connection to the ledger. */
export function pnl(parts: SandboxParts, kept: ResponseCache) {
	const routes = new Hono<SandboxEnv>()
	const bundles = createBundles(parts)
	addPnlSegmentReport(routes, parts, bundles, kept)
	addPnlReport(routes, parts, kept)
	addDownloadPnlReport(routes, parts)
	addRequestPnlBundle(routes, bundles)
	addPnlTie(routes, parts, kept)
	return routes
}

async function listScrips(parts: SandboxParts, client: string, year: string, type?: string) {
	const { books } = parts

	const { from, to } = findPeriod(parts, year)
	const scrips = await readScripPeriods(books, client, from, to)
	return scrips.filter((scrip) => (type === undefined || scrip.segment === type) && hasProfitAndLoss(scrip))
}

function addPnlSegmentReport(
	routes: Hono<SandboxEnv>,
	parts: SandboxParts,
	bundles: ReturnType<typeof createBundles>,
	kept: ResponseCache,
) {
	routes.post(
		'/v1/reports/pnl-segment',
		describeOperation({
			id: 'getPnlSegmentReport',
			summary: 'Profit and loss by segment',
			isOpenToLinks: true,
			query: Source,
			body: PnlSegmentRequest,
			data: PnlSegments,
			beside: PnlBundle,
		}),
		async (c) => {
			const { client_code, year } = await parseBody(c, PnlSegmentRequest)
			requireOwn(c.var.client.code, client_code)
			const state = await bundles.readState(client_code, year)
			return await kept.send(c, 'P&L fetched', year, async () => segmentRows(await listScrips(parts, client_code, year)), state)
		},
	)
}

function addPnlReport(routes: Hono<SandboxEnv>, parts: SandboxParts, kept: ResponseCache) {
	routes.post(
		'/v1/user/report/pnl',
		describeOperation({
			id: 'getPnlReport',
			summary: 'Profit and loss by security',
			isOpenToLinks: true,
			query: Source,
			body: PnlRequest,
			data: Pnl,
		}),
		async (c) => {
			const { client_code, year, type } = await parseBody(c, PnlRequest)
			requireOwn(c.var.client.code, client_code)
			return await kept.send(c, 'P&L fetched', [year, type], async () => pnlReportRows(await listScrips(parts, client_code, year, type)))
		},
	)
}

function addDownloadPnlReport(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.post(
		'/v1/reports/pnl',
		describeOperation({
			id: 'downloadPnlReport',
			summary: 'Profit and loss as PDF or XLS',
			isOpenToLinks: true,
			query: Source,
			body: DownloadPnlRequest,
			files: [PDF_TYPE, XLS_TYPE],
		}),
		async (c) => {
			const { client_code, year, type, download_type } = await parseBody(c, DownloadPnlRequest)
			const { code } = c.var.client
			requireOwn(code, client_code)
			const period = findPeriod(parts, year)
			const [client, scrips, moves] = await Promise.all([
				requireClient(parts, code),
				listScrips(parts, code, year, type),
				readStockMoves(parts.books, code, period.from, period.to),
			])
			const contents = { type, scrips, moves }
			if (download_type === 'xls') {
				const workbook = new Uint8Array(pnlXls(parts, client, contents, period))
				return c.body(workbook, 200, fileHeaders(XLS_TYPE, `${code}_PNL.xls`))
			}
			const pdf = pnlPdf(parts, client, contents, period)
			return c.body(pdf, 200, fileHeaders(PDF_TYPE, `${code}_PNL.pdf`))
		},
	)
}

function addRequestPnlBundle(routes: Hono<SandboxEnv>, bundles: ReturnType<typeof createBundles>) {
	routes.post(
		'/v2/service/reports/pnl-summary',
		describeOperation({
			id: 'requestPnlBundle',
			summary: 'P&L ZIP bundle: make a new one, or fetch the last',
			isOpenToLinks: true,
			query: Source,
			body: PnlBundleRequest,
			data: PnlBundle,
			files: ['application/zip'],
		}),
		async (c) => {
			const { client_code, year, process_type } = await parseBody(c, PnlBundleRequest)
			requireOwn(c.var.client.code, client_code)
			if (process_type === 'new') {
				const data = (await bundles.start(client_code, year)) satisfies z.input<typeof PnlBundle>
				return c.json({ status: 'success', message: 'Report generation has started', data }, 202)
			}
			const zip = await bundles.read(client_code, year)
			if (zip === undefined) throw new Refused(404, NO_DATA)
			return c.body(new Uint8Array(zip), 200, fileHeaders(ZIP_TYPE, `${client_code}_PNL.zip`))
		},
	)
}

function addPnlTie(routes: Hono<SandboxEnv>, parts: SandboxParts, kept: ResponseCache) {
	routes.get(
		'/v1/ours/pnl-tie',
		describeOperation({
			id: 'getPnlTie',
			summary: 'How profit and loss ties to the ledger',
			isOpenToLinks: true,
			query: YearQuery,
			data: PnlTie,
		}),
		async (c) => {
			const { year } = parseQuery(c, YearQuery)
			return await kept.send(c, 'Tie fetched', year, async () => await makeTie(parts, c.var.client.code, findPeriod(parts, year)))
		},
	)
}

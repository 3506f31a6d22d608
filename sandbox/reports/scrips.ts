import { Hono } from 'hono'
import { type z } from 'zod/v4'
import { YearStart } from '#contract/common'
import { ScripCharges } from '#contract/pnl'
import { GlobalDetails, GlobalSummary, PositionReport, StockMoves } from '#contract/reports'
import { toRupees } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { type Period, readPeriod, readToday, yearPeriod } from '#sandbox/api/period-query'
import { parseQuery } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { readStockMoves } from '#sandbox/book/read-moves'
import { findIsin, readScripPeriods, countUnits } from '#sandbox/book/read-scrips'
import { readScripCharges, readTrades } from '#sandbox/book/read-trades'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { ReportQuery } from './holding'
import { type ResponseCache } from './response-cache'
import { globalSummaryRows, positionReport } from './scrip-rows'
import { detailRow } from './trade-rows'

export const YearQuery = Source.extend({ year: YearStart })

/** Figures of each security and contract: positions, global summary and details, moves without a trade, charges. */
export function scrips(parts: SandboxParts, kept: ResponseCache) {
	const routes = new Hono<SandboxEnv>()
	addPositionReport(routes, parts, kept)
	addGlobalSummaryReport(routes, parts, kept)
	addGlobalDetailsReport(routes, parts, kept)
	addStockMoves(routes, parts, kept)
	addScripCharges(routes, parts, kept)
	return routes
}

async function listScrips({ books }: SandboxParts, client: string, { from, to }: Period, cocd?: string) {
	return (await readScripPeriods(books, client, from, to)).filter(({ segment }) => cocd === undefined || segment === cocd)
}

function addPositionReport(routes: Hono<SandboxEnv>, parts: SandboxParts, kept: ResponseCache) {
	routes.get(
		'/v2/service/reports/position',
		describeOperation({ id: 'getPositionReport', summary: 'Position report', query: ReportQuery, data: PositionReport }),
		async (c) => {
			const query = parseQuery(c, ReportQuery)
			const period = readPeriod(query, readToday(parts))
			const make = async () => positionReport(await listScrips(parts, c.var.client.code, period, query.cocd))
			return await kept.send(c, 'Positions fetched', [period, query.cocd], make)
		},
	)
}

function addGlobalSummaryReport(routes: Hono<SandboxEnv>, parts: SandboxParts, kept: ResponseCache) {
	routes.get(
		'/v2/service/reports/global-summary',
		describeOperation({ id: 'getGlobalSummaryReport', summary: 'Global summary by security', query: ReportQuery, data: GlobalSummary }),
		async (c) => {
			const query = parseQuery(c, ReportQuery)
			const period = readPeriod(query, readToday(parts))
			const make = async () => globalSummaryRows(await listScrips(parts, c.var.client.code, period, query.cocd))
			return await kept.send(c, 'Global summary fetched', [period, query.cocd], make)
		},
	)
}

function addGlobalDetailsReport(routes: Hono<SandboxEnv>, parts: SandboxParts, kept: ResponseCache) {
	const { books } = parts
	routes.get(
		'/v2/service/reports/global-details',
		describeOperation({ id: 'getGlobalDetailsReport', summary: 'Global details: every trade', query: ReportQuery, data: GlobalDetails }),
		async (c) => {
			const query = parseQuery(c, ReportQuery)
			const period = readPeriod(query, readToday(parts))
			return await kept.send(c, 'Global details fetched', [period, query.cocd], async () =>
				(await readTrades(books, c.var.client.code, period.from, period.to, query.cocd)).map(detailRow),
			)
		},
	)
}

function addStockMoves(routes: Hono<SandboxEnv>, parts: SandboxParts, kept: ResponseCache) {
	const { books } = parts
	routes.get(
		'/v1/ours/stock-moves',
		describeOperation({
			id: 'listStockMoves',
			summary: 'What came or went without a trade',
			isOpenToLinks: true,
			query: YearQuery,
			data: StockMoves,
		}),
		async (c) => {
			const { from, to } = yearPeriod(parseQuery(c, YearQuery).year, readToday(parts))
			return await kept.send(c, 'Moves fetched', from, async () => {
				const moves = await readStockMoves(books, c.var.client.code, from, to)
				return moves.map((move) => ({
					DATE: move.day,
					SCRIP_NAME: move.name,
					ISIN: findIsin(move),
					KIND: move.move,
					SIDE: move.isIn ? 'BUY' : 'SELL',
					QTY: countUnits(move, move.quantity),
					AMOUNT: toRupees(move.amount),
					IS_COST_KNOWN: move.isCostKnown,
				})) satisfies z.input<typeof StockMoves>
			})
		},
	)
}

function addScripCharges(routes: Hono<SandboxEnv>, parts: SandboxParts, kept: ResponseCache) {
	const { books } = parts
	routes.get(
		'/v1/ours/scrip-charges',
		describeOperation({
			id: 'listScripCharges',
			summary: 'Charges by kind and security',
			isOpenToLinks: true,
			query: YearQuery,
			data: ScripCharges,
		}),
		async (c) => {
			const { from, to } = yearPeriod(parseQuery(c, YearQuery).year, readToday(parts))
			return await kept.send(c, 'Charges fetched', from, async () => {
				const charges = await readScripCharges(books, c.var.client.code, from, to)
				return charges.map((scrip) => ({
					SEGMENT: scrip.segment,
					SCRIP_NAME: scrip.name,
					ISIN: findIsin(scrip),
					TURNOVER: toRupees(scrip.turnover),
					BROKERAGE: toRupees(scrip.brokerage),
					EXCHANGE: toRupees(scrip.exchange),
					SEBI: toRupees(scrip.sebi),
					GST: toRupees(scrip.gst),
					STT: toRupees(scrip.stt),
					STAMP: toRupees(scrip.stamp),
					TOTAL: toRupees(scrip.total),
				})) satisfies z.input<typeof ScripCharges>
			})
		},
	)
}

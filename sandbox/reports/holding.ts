import { Hono } from 'hono'
import { z } from 'zod/v4'
import { ClientCode } from '#contract/common'
import { CashFlows, HoldingActions, HoldingFacts, Lots } from '#contract/holding'
import { HoldingReport } from '#contract/reports'
import { Isin, Segment } from '#contract/units'
import { toRupees } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { PeriodQuery, readPeriod, readToday } from '#sandbox/api/period-query'
import { NO_DATA, parseQuery, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { readFmv, readHoldingActions } from '#sandbox/book/read-actions'
import { readFlows } from '#sandbox/book/read-flows'
import { toPrice } from '#sandbox/book/read-scrips'
import { findClient, isInBrokersState } from '#sandbox/clients/clients'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { groupRows, sumBy } from './grouped'
import { holdingFacts, holdingRows, readHeld } from './holding-rows'
import { type ResponseCache } from './response-cache'
import { listLotRows } from './lot-rows'

const YesNo = z.enum(['Y', 'N'])

/** The query of the five service reports. `margin` and `with_opening` are for the ledger; other reports ignore them. */
export const ReportQuery = PeriodQuery.extend({
	cocd: Segment.optional(),
	margin: YesNo.optional(),
	with_opening: YesNo.optional(),
	client_code: ClientCode.optional(),
})
const IsinQuery = Source.extend({ isin: Isin })

/** The holding and its details: lots, corporate actions, cash flows. */
export function holding(parts: SandboxParts, kept: ResponseCache) {
	const routes = new Hono<SandboxEnv>()
	addHoldingReport(routes, parts, kept)
	addHoldingFacts(routes, parts, kept)
	addLots(routes, parts, kept)
	addHoldingActions(routes, parts, kept)
	addCashFlows(routes, parts, kept)
	return routes
}

/** The cash flows of the portfolio, then of each holding. */
async function readCashFlows(parts: SandboxParts, client: string): Promise<z.input<typeof CashFlows>> {
	const { books } = parts

	const day = readToday(parts)
	const [held, all, own] = await Promise.all([
		readHeld(books, client, day),
		readFlows(books, client, day, 'all'),
		readFlows(books, client, day, 'held'),
	])
	const createSet = (ISIN: string | null, VALUE: number, rows: typeof own) => ({
		ISIN,
		IS_COMPLETE: rows.every(({ isKnown }) => isKnown),
		AS_ON: day,
		VALUE: toRupees(VALUE),
		flows: rows.filter(({ amount }) => amount !== 0).map((flow) => ({ DATE: flow.day, AMOUNT: toRupees(flow.amount) })),
	})
	const byInstrument = groupRows(own, ({ instrument }) => instrument)
	const total = sumBy(held, ({ position }) => position.value)
	return [
		createSet(null, total, all),
		...held.map(({ scrip, position }) => createSet(scrip.instrument, position.value, byInstrument.get(scrip.instrument) ?? [])),
	]
}

function addHoldingReport(routes: Hono<SandboxEnv>, parts: SandboxParts, kept: ResponseCache) {
	const { books } = parts
	routes.get(
		'/v2/service/reports/holding',
		describeOperation({ id: 'getHoldingReport', summary: 'Holding report', query: ReportQuery, data: HoldingReport }),
		async (c) => {
			const query = parseQuery(c, ReportQuery)
			const { from, to } = readPeriod(query, readToday(parts))
			return await kept.send(c, 'Holding fetched', [from, to, query.cocd], async () => {
				if (from > to || (query.cocd !== undefined && query.cocd !== 'NSE_CASH')) return []
				return holdingRows(await readHeld(books, c.var.client.code, to), to)
			})
		},
	)
}

function addHoldingFacts(routes: Hono<SandboxEnv>, parts: SandboxParts, kept: ResponseCache) {
	const { books } = parts
	routes.get(
		'/v1/ours/holding-facts',
		describeOperation({ id: 'listHoldingFacts', summary: 'Unknown cost and terms of holdings', query: PeriodQuery, data: HoldingFacts }),
		async (c) => {
			const { from, to } = readPeriod(parseQuery(c, PeriodQuery), readToday(parts))
			return await kept.send(c, 'Holding facts fetched', [from, to], async () =>
				from > to ? [] : holdingFacts(await readHeld(books, c.var.client.code, to)),
			)
		},
	)
}

function addLots(routes: Hono<SandboxEnv>, parts: SandboxParts, kept: ResponseCache) {
	const { books } = parts
	routes.get(
		'/v1/ours/lots',
		describeOperation({ id: 'listLots', summary: 'FIFO lots of a holding', query: IsinQuery, data: Lots }),
		async (c) => {
			const { isin } = parseQuery(c, IsinQuery)
			return await kept.send(c, 'Lots fetched', isin, async () => {
				const held = (await readHeld(books, c.var.client.code, readToday(parts))).find(({ scrip }) => scrip.instrument === isin)
				if (held === undefined) throw new Refused(404, NO_DATA)
				const { scrip } = held
				const [fmv, client] = await Promise.all([readFmv(books, isin), findClient(books, c.var.client.code)])
				return {
					ISIN: isin,
					SYMBOL: scrip.symbol,
					SCRIP_NAME: scrip.name,
					AS_ON: readToday(parts),
					CLOSE_PRICE: toPrice(scrip.close),
					PRICE_DAY: scrip.closeDay,
					FMV_31JAN2018: fmv === null ? null : toPrice(fmv),
					lots: listLotRows(held, { day: readToday(parts), fmv, isIntraState: client !== undefined && isInBrokersState(client) }),
				} satisfies z.input<typeof Lots>
			})
		},
	)
}

function addHoldingActions(routes: Hono<SandboxEnv>, parts: SandboxParts, kept: ResponseCache) {
	const { books } = parts
	routes.get(
		'/v1/ours/holding-actions',
		describeOperation({ id: 'listHoldingActions', summary: 'Corporate actions behind a holding', query: IsinQuery, data: HoldingActions }),
		async (c) => {
			const { isin } = parseQuery(c, IsinQuery)
			return await kept.send(c, 'Corporate actions fetched', isin, async () => {
				const actions = await readHoldingActions(books, c.var.client.code, isin, readToday(parts))
				return actions.map((action) => ({
					EX_DATE: action.day,
					KIND: action.kind,
					ISIN: action.instrument,
					SCRIP_NAME: action.name,
					INTO_ISIN: action.into,
					INTO_NAME: action.intoName,
					RATIO: action.kind === 'DIVIDEND' ? '' : `${action.numerator} for ${action.denominator}`,
					PRICE: action.price === null ? null : toPrice(action.price),
					COST_MOVED_PCT: action.costMovedBps === null ? null : action.costMovedBps / 100,
					QTY: action.quantity,
					AMOUNT: toRupees(action.amount),
					TDS: toRupees(action.tds),
				})) satisfies z.input<typeof HoldingActions>
			})
		},
	)
}

function addCashFlows(routes: Hono<SandboxEnv>, parts: SandboxParts, kept: ResponseCache) {
	routes.get(
		'/v1/ours/cash-flows',
		describeOperation({ id: 'listCashFlows', summary: 'Cash flows for rates of return', query: Source, data: CashFlows }),
		async (c) => await kept.send(c, 'Cash flows fetched', null, async () => await readCashFlows(parts, c.var.client.code)),
	)
}

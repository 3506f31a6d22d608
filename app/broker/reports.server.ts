import { createHash } from 'node:crypto'
import { ContractBills, ContractNote } from '#contract/bills'
import { CashFlows, HoldingActions, HoldingFacts, Lots } from '#contract/holding'
import { Pnl, PnlSegmentAnswer, PnlTie, ScripCharges } from '#contract/pnl'
import { GlobalDetails, GlobalSummary, HoldingReport, PositionReport, StockMoves } from '#contract/reports'
import { IncomeTax, Schedule112a, TaxFacts } from '#contract/tax'
import { withUnread } from '#contract/tolerant'
import { type Segment } from '#contract/units'
import { type Day } from '#contract/values/dates'
import { type FinancialYear, formatYear } from '#contract/values/financial-year'
import { type Broker, orNone, orNoneOffered } from './client.server'
import { toPeriodQuery } from './days.server'
import { type ReadOptions } from './requests.server'

/** Both days are included. A statement of a single day is for the last day. */
export type ReportPeriod = { from: Day; to: Day; segment?: Segment }

function buildQuery(broker: Broker, { from, to, segment }: ReportPeriod) {
	return { ...toPeriodQuery({ from, to }), cocd: segment, client_code: broker.clientCode }
}

const countRows = ({ filtered_df }: { filtered_df: readonly unknown[] }) => filtered_df.length

export function getHoldingReport(broker: Broker, period: ReportPeriod, options: ReadOptions = {}) {
	const call = { query: buildQuery(broker, period), ...options }
	return broker.getKept('/v2/service/reports/holding', HoldingReport, call, ({ length }) => length).catch(orNone([]))
}

export function getPositionReport(broker: Broker, period: ReportPeriod, options: ReadOptions = {}) {
	const none: PositionReport = { filtered_df: [], totals_df: [{ MTM: 0, REALISED: 0 }] }
	return broker
		.getKept('/v2/service/reports/position', PositionReport, { query: buildQuery(broker, period), ...options }, countRows)
		.catch(orNone(none))
}

export function getGlobalSummaryReport(broker: Broker, period: ReportPeriod, options: ReadOptions = {}) {
	const none: GlobalSummary = {
		filtered_df: [],
		totals_df: [{ OPEN_AMT: 0, BUY_AMT: 0, SELL_AMT: 0, CLOSE_AMT: 0, CLOSE_VALUE: 0, REALISED: 0, UNREALISED: 0 }],
	}
	return broker
		.getKept('/v2/service/reports/global-summary', GlobalSummary, { query: buildQuery(broker, period), ...options }, countRows)
		.catch(orNone(none))
}

export function getGlobalDetailsReport(broker: Broker, period: ReportPeriod, options: ReadOptions = {}) {
	const call = { query: buildQuery(broker, period), ...options }
	return broker.getKept('/v2/service/reports/global-details', GlobalDetails, call, ({ length }) => length).catch(orNone([]))
}

/** `mark` tells rows with one number apart: a broker may use a number in each segment, or for a note and its bill. */
export type ContractBill = ContractBills[number] & { mark?: string }

export async function listContractBills(broker: Broker, { from, to, segment }: ReportPeriod, options: ReadOptions = {}) {
	const body = { client_code: broker.clientCode, from_date: from, to_date: to, company_code: segment ?? 'ALL' }
	return markRepeated(await broker.postToRead('/v1/reports/contractbills', ContractBills, { body, ...options }).catch(orNone([])))
}

function markRepeated(bills: ContractBills): ContractBill[] {
	const times = new Map<string, number>()
	for (const { BILL_NO } of bills) times.set(BILL_NO, (times.get(BILL_NO) ?? 0) + 1)
	if (times.size === bills.length) return bills
	const mark = (bill: object) => createHash('sha256').update(JSON.stringify(bill)).digest('hex').slice(0, 12)
	return withUnread(
		bills.map((bill) => ((times.get(bill.BILL_NO) ?? 0) > 1 ? { ...bill, mark: mark(bill) } : bill)),
		bills,
	)
}

/** The state of the bundle is beside the rows in this reply. */
export function getPnlSegmentReport(broker: Broker, year: FinancialYear, options: ReadOptions = {}) {
	const body = { client_code: broker.clientCode, year: String(year) }
	return broker.postToRead('/v1/reports/pnl-segment', PnlSegmentAnswer, { isWhole: true, body, ...options })
}

export function getPnlReport(broker: Broker, year: FinancialYear, type: Segment, options: ReadOptions = {}) {
	const none: Pnl = { filtered_df: [], totals_df: [{ BUY_AMT: 0, SELL_AMT: 0, REALISED: 0, UNREALISED: 0, CHARGES: 0 }] }
	const body = { client_code: broker.clientCode, year: String(year), type }
	return broker.postKept('/v1/user/report/pnl', Pnl, { body, ...options }, countRows).catch(orNone(none))
}

export function getIncomeTaxReport(broker: Broker, year: FinancialYear, options: ReadOptions = {}) {
	const body = { financial_year: formatYear(year), client_code: broker.clientCode }
	return broker.postKept('/v1/user/report/incometax', IncomeTax, { body, ...options }, ({ rows }) => rows.length)
}

/* Ours: when a broker answers 404, only that part of the page is missing. */

export function listHoldingFacts(broker: Broker, period: ReportPeriod) {
	return broker
		.get('/v1/ours/holding-facts', HoldingFacts, { query: { from_date: period.from, to_date: period.to } })
		.catch(orNoneOffered([]))
}

export function listLots(broker: Broker, isin: string) {
	return broker.get('/v1/ours/lots', Lots, { query: { isin } })
}

export function listHoldingActions(broker: Broker, isin: string) {
	return broker.get('/v1/ours/holding-actions', HoldingActions, { query: { isin } }).catch(orNoneOffered([]))
}

export function listCashFlows(broker: Broker) {
	return broker.get('/v1/ours/cash-flows', CashFlows).catch(orNone([]))
}

export function getContractNote(broker: Broker, bill: string) {
	return broker.get('/v1/ours/contract-note', ContractNote, { query: { bill } })
}

export function listStockMoves(broker: Broker, year: FinancialYear) {
	return broker.get('/v1/ours/stock-moves', StockMoves, { query: { year: String(year) } }).catch(orNone([]))
}

export function listScripCharges(broker: Broker, year: FinancialYear) {
	return broker.get('/v1/ours/scrip-charges', ScripCharges, { query: { year: String(year) } }).catch(orNoneOffered([]))
}

export function getPnlTie(broker: Broker, year: FinancialYear) {
	return broker.get('/v1/ours/pnl-tie', PnlTie, { query: { year: String(year) } })
}

export function getTaxFacts(broker: Broker, year: FinancialYear) {
	return broker.get('/v1/ours/tax-facts', TaxFacts, { query: { year: String(year) } })
}

export function listSchedule112a(broker: Broker, year: FinancialYear) {
	return broker
		.getKept('/v1/ours/schedule-112a', Schedule112a, { query: { year: String(year) } }, ({ length }) => length)
		.catch(orNoneOffered([]))
}

import { Dashboard, DashboardLedger, HoldingTotal, QuickLinks, UnknownCost } from '#contract/dashboard'
import { type FinancialYear } from '#contract/values/financial-year'
import { type Broker } from './client.server'
import { type ReadOptions } from './requests.server'

export function getDashboard(broker: Broker, year: FinancialYear, options: ReadOptions = {}) {
	return broker.postToRead('/v1/user/dashboard', Dashboard, { query: { year: String(year) }, body: {}, ...options })
}

export function getDashboardLedger(broker: Broker, year: FinancialYear, options: ReadOptions = {}) {
	return broker.get('/v2/dashboard/ledger', DashboardLedger, { query: { dataYear: String(year) }, ...options })
}

/** For today only: the broker has no deducted ledger of another year. */
export function getDashboardDeductedLedger(broker: Broker, options: ReadOptions = {}) {
	return broker.get('/v2/dashboard/deducted-ledger', DashboardLedger, options)
}

export function getDashboardHolding(broker: Broker, year: FinancialYear, options: ReadOptions = {}) {
	return broker.get('/v2/dashboard/holding', HoldingTotal, { query: { dataYear: String(year) }, ...options })
}

/** Ours: the holdings of unknown cost, which the gain must leave out. */
export function getUnknownCost(broker: Broker, year: FinancialYear, options: ReadOptions = {}) {
	return broker.get('/v1/ours/unknown-cost', UnknownCost, { query: { dataYear: String(year) }, ...options })
}

export function listQuickLinks(broker: Broker) {
	return broker.get('/v1/quick-links', QuickLinks)
}

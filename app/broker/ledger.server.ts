import { type LedgerCocd } from '#contract/common'
import { Deductions, type DownloadLedgerRequest, LedgerReport, NO_DAY, Withdrawable } from '#contract/ledger'
import { withUnread } from '#contract/tolerant'
import { addDays, type Day } from '#contract/values/dates'
import { selectableYears, startOfYear, findFinancialYear } from '#contract/values/financial-year'
import { isContractLedger } from '#contract/values/segments'
import { type Broker, orNone } from './client.server'
import { now } from './clock.server'
import { toPeriodQuery } from './days.server'
import { type ReadOptions } from './requests.server'

export type LedgerQuery = {
	from: Day
	to: Day
	/** Undefined means all ledgers, one after the other. A code that is not in the contract names a ledger that only this broker has. */
	cocd?: string
	withMargin: boolean
	withOpening: boolean
}

/** "No data": no entry and no total. */
const NO_ENTRIES: LedgerReport = { filtered_df: [], totals_df: [] }

const PATH = '/v2/service/reports/ledger'

/**
 * A ledger that is not in the contract cannot be requested alone: picks its rows from the report of all ledgers. It gets no totals,
 * because the broker's totals are for all ledgers together.
 */
function pickLedger(report: LedgerReport, cocd: string | undefined): LedgerReport {
	if (cocd === undefined || isContractLedger(cocd)) return report
	const rows = report.filtered_df.filter(({ COCD }) => COCD === cocd)
	return withUnread({ filtered_df: withUnread(rows, report.filtered_df), totals_df: [] }, report)
}

function buildQuery(broker: Broker, { from, to, cocd, withMargin, withOpening }: LedgerQuery) {
	return {
		...toPeriodQuery({ from, to }),
		cocd: isContractLedger(cocd) ? cocd : undefined,
		margin: withMargin ? 'Y' : 'N',
		with_opening: withOpening ? 'Y' : 'N',
		client_code: broker.clientCode,
	}
}

/** Gives opening rows without a day the first day of the period. Changes the rows, because a report that is kept must stay the same object. */
function dateOpenings(report: LedgerReport, from: Day): LedgerReport {
	for (const row of report.filtered_df) if (row.VOUCHER_DATE === NO_DAY && row.VOUCHER_TYPE === 'OPENING') row.VOUCHER_DATE = from
	return report
}

export async function getLedgerReport(broker: Broker, query: LedgerQuery, options: ReadOptions = {}) {
	const report = await broker
		.getKept(PATH, LedgerReport, { query: buildQuery(broker, query), ...options }, (report) => report.filtered_df.length)
		.catch(orNone(NO_ENTRIES))
	return pickLedger(dateOpenings(report, query.from), query.cocd)
}

/**
 * The rows of getLedgerReport. Several years are fetched a quarter at a time and not cached: five years of 100,000 rows raised the
 * portal's memory by 115 MB in one call, by 90 MB year by year, and by half of that (45 MB) quarter by quarter. Periods before the
 * selectable years are not split, so a century does not become four hundred calls.
 */
export async function* listLedgerParts(broker: Broker, query: LedgerQuery): AsyncGenerator<LedgerReport> {
	// The page shows a period within one year, so its reply may be in the cache.
	if (query.from >= startOfYear(findFinancialYear(query.to))) return yield await getLedgerReport(broker, query)
	const quarters = selectableYears(now()).flatMap((year) => [`${year + 1}-01-01`, `${year}-10-01`, `${year}-07-01`, startOfYear(year)])
	const cuts = quarters.filter((start) => start > query.from && start <= query.to)
	let { from, withOpening } = query
	for (const next of [...cuts.reverse(), undefined]) {
		const to = next ? addDays(next, -1) : query.to
		const asked = await broker
			.get(PATH, LedgerReport, { query: buildQuery(broker, { ...query, from, to, withOpening }) })
			.catch(orNone(NO_ENTRIES))
		const report = pickLedger(dateOpenings(asked, from), query.cocd)
		// A ledger that begins later has no opening row in this quarter. So this quarter is requested again, together with the next one.
		if (withOpening && report.filtered_df.length === 0 && next) continue
		yield report
		from = next ?? from
		withOpening = false
	}
}

export function downloadLedger(broker: Broker, request: Omit<DownloadLedgerRequest, 'client_code'>) {
	return broker.download('POST', '/v1/reports/ledger', request.download_type === 'pdf' ? 'pdf' : 'xlsx', {
		body: { ...request, client_code: broker.clientCode },
	})
}

export function getWithdrawableAmount(broker: Broker, cocd: LedgerCocd) {
	return broker.get('/v2/fund/withdrawable-amount', Withdrawable, { query: { company_code: cocd } })
}

/** Ours. A broker without this call answers 404; then the page shows only the sums. */
export function listDeductions(broker: Broker, cocd: LedgerCocd) {
	return broker.get('/v1/ours/deductions', Deductions, { query: { company_code: cocd } })
}

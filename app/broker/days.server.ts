import { type Day } from '#contract/values/dates'
import { findLastDay, startOfYear, findFinancialYear } from '#contract/values/financial-year'
import { today } from './clock.server'

/**
 * The period as the broker's reports take it, both days included: the start year for a financial year, whole or up to today; else the first
 * and last day.
 */
export function toPeriodQuery({ from, to }: { from: Day; to: Day }): { dataYear: string } | { from_date: Day; to_date: Day } {
	const year = findFinancialYear(from)
	return from === startOfYear(year) && to === findLastDay(year, today()) ? { dataYear: String(year) } : { from_date: from, to_date: to }
}

import { type Day } from '#contract/values/dates'
import { findLastDay, startOfYear, findFinancialYear } from '#contract/values/financial-year'
import { today } from './clock.server'

/**
 * The query parameters for a report's period; both days are included. A financial year, whole or up to today, is sent as its start year.
 * Any other period is sent as its first and last day.
 */
export function toPeriodQuery({ from, to }: { from: Day; to: Day }): { dataYear: string } | { from_date: Day; to_date: Day } {
	const year = findFinancialYear(from)
	return from === startOfYear(year) && to === findLastDay(year, today()) ? { dataYear: String(year) } : { from_date: from, to_date: to }
}

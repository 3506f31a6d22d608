import { type Day } from '#contract/values/dates'
import { findLastDay, startOfYear, findFinancialYear } from '#contract/values/financial-year'
import { today } from './clock.server'

/** Days as the broker's reports take them, both included: a financial year, whole or up to today, by its start year; any other period by its ends. */
export function toPeriodQuery({ from, to }: { from: Day; to: Day }): { dataYear: string } | { from_date: Day; to_date: Day } {
	const year = findFinancialYear(from)
	return from === startOfYear(year) && to === findLastDay(year, today()) ? { dataYear: String(year) } : { from_date: from, to_date: to }
}

import { type Day } from '#contract/values/dates'
import { lastDayOf, startOfYear, yearOf } from '#contract/values/financial-year'
import { today } from './clock.server'

/** Days as the broker's reports take them, both included: a financial year, whole or up to today, by its start year; any other period by its ends. */
export function daysOf({ from, to }: { from: Day; to: Day }): { dataYear: string } | { from_date: Day; to_date: Day } {
	const year = yearOf(from)
	return from === startOfYear(year) && to === lastDayOf(year, today()) ? { dataYear: String(year) } : { from_date: from, to_date: to }
}

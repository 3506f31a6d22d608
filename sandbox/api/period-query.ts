import { type z } from 'zod/v4'
import { Day as DaySchema, YearStart } from '#contract/common'
import { type Day, toIndianDay } from '#contract/values/dates'
import { endOfYear, startOfYear } from '#contract/values/financial-year'
import { type Clock } from '#sandbox/types'
import { invalidField } from './responses'
import { Source } from './source-query'

/** Both days are included. When `from` is after `to`, the period has not started yet. */
export type Period = { from: Day; to: Day }

export const PeriodQuery = Source.extend({
	dataYear: YearStart.optional(),
	from_date: DaySchema.optional(),
	to_date: DaySchema.optional(),
})

/** Today in India, by the sandbox's clock. */
export const readToday = ({ clock }: { clock: Clock }): Day => toIndianDay(clock.now())

/** The requested days: between both given days, or a financial year; never after today. Throws the broker's 422. */
export function readPeriod(query: z.output<typeof PeriodQuery>, now: Day): Period {
	const { dataYear, from_date: from, to_date: to } = query
	if (from !== undefined || to !== undefined) {
		if (from === undefined) throw invalidField('from_date', 'from_date is required with to_date')
		if (to === undefined) throw invalidField('to_date', 'to_date is required with from_date')
		if (from > to) throw invalidField('from_date', 'from_date is after to_date')
		return { from, to: to < now ? to : now }
	}
	if (dataYear === undefined) throw invalidField('dataYear', 'Send dataYear, or from_date and to_date')
	return yearPeriod(dataYear, now)
}

/** The days of the financial year that starts in `year`, up to today. */
export function yearPeriod(year: string, now: Day): Period {
	const end = endOfYear(Number(year))
	return { from: startOfYear(Number(year)), to: end < now ? end : now }
}

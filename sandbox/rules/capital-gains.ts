import { type Day, daysBetween } from '~/lib/days'
import type { FinancialYear } from '~/lib/financial-year'
import type { Paise } from '~/lib/money'
import { valueOf } from './rounding'

export type Term = 'SHORT' | 'LONG'

/** Last day of acquisition that grandfathering covers (s.55(2)(ac)). */
const GRANDFATHERED_UNTIL = '2018-01-31'

/**
 * Long term when sold after the same calendar day one year later: 12-Jan-2024 to 12-Jan-2025 is still short. Bought on 29 February,
 * the year is full on the last day of the next February.
 */
export function findTerm(acquired: Day, sold: Day): Term {
	const anniversary = `${Number(acquired.slice(0, 4)) + 1}${acquired.slice(4)}`
	return sold > (anniversary.endsWith('-02-29') ? anniversary.replace('-29', '-28') : anniversary) ? 'LONG' : 'SHORT'
}

/** Long-term gain free of tax in a year, in paise; FY 2024-25 has one limit for the whole year. */
export function findExemption(year: FinancialYear): Paise {
	return year < 2024 ? 1_00_000_00 : 1_25_000_00
}

/**
 * Cost that counts for a part of a lot bought by 31-Jan-2018: the higher of actual cost and the lower of that day's highest price and the
 * sale value. Never makes a loss. `fmv` is a price in 1/10,000 rupee, already divided by later split ratios; null where not listed.
 */
export function findTaxableCost(part: { acquired_on: Day; quantity: number; cost: Paise; proceeds: Paise }, fmv: number | null): Paise {
	if (part.acquired_on > GRANDFATHERED_UNTIL || fmv === null) return part.cost
	return Math.max(part.cost, Math.min(valueOf(part.quantity, fmv), part.proceeds))
}

/** Days held, as the workbook prints them. */
export function countDaysHeld(acquired: Day, sold: Day): number {
	return daysBetween(acquired, sold)
}

/** Advance-tax window of a day, 1 to 5: to 15 June, 15 September, 15 December, 15 March, 31 March. */
export function findTaxWindow(day: Day): 1 | 2 | 3 | 4 | 5 {
	const monthDay = day.slice(5)
	if (monthDay >= '04-01' && monthDay <= '06-15') return 1
	if (monthDay >= '04-01' && monthDay <= '09-15') return 2
	if (monthDay >= '04-01' && monthDay <= '12-15') return 3
	return monthDay > '03-15' && monthDay <= '03-31' ? 5 : 4
}

import { type Day, daysBetween } from '#contract/values/dates'
import { type FinancialYear, findFinancialYear } from '#contract/values/financial-year'
import { type Paise } from '#contract/values/money'
import { divideHalfUp, computeValue } from './rounding'
import { type InstrumentKind } from './segments'

export type Term = 'SHORT' | 'LONG'

/** Last day of acquisition that grandfathering covers (s.55(2)(ac)). */
const GRANDFATHERED_UNTIL = '2018-01-31'
/** Finance (No. 2) Act 2024: transfers from this day on have new rates and holding periods, and no indexation. */
export const NEW_RATES_FROM = '2024-07-23'
/** Section 50AA: units bought from the first day on and sold before the second. */
const [SPECIFIED_FUNDS_FROM, SPECIFIED_FUNDS_UNTIL] = ['2023-04-01', '2025-04-01']

/** Cost inflation index by financial year from 2001-02 on (CBDT notifications 44/2017 to 44/2024, s.48). */
const costInflation = [
	100, 105, 109, 113, 117, 122, 129, 137, 148, 167, 184, 200, 220, 240, 254, 264, 272, 280, 289, 301, 317, 331, 348, 363,
] as const
const FIRST_INDEXED_YEAR = 2001

/**
 * LONG when sold after the same calendar day this many months later, else SHORT. With twelve months, bought on 12-Jan-2024 and sold on
 * 12-Jan-2025 is still SHORT. For a purchase on 29 February the year ends on the last day of the next February.
 */
export function findTerm(acquired: Day, sold: Day, months: 12 | 24 | 36 = 12): Term {
	const year = Number(acquired.slice(0, 4)) + months / 12
	const anniversary = `${year}${acquired.slice(4)}`
	return sold > (anniversary.endsWith('-02-29') && year % 4 !== 0 ? anniversary.replace('-29', '-28') : anniversary) ? 'LONG' : 'SHORT'
}

/** True for shares and units of equity funds, on whose sale securities transaction tax is paid. */
export function isEquity(kind: InstrumentKind): boolean {
	return kind === 'EQUITY' || kind === 'ETF'
}

/**
 * The term of a sale of a security (Income-tax Act, 1961, s.2(42A) and s.50AA as changed by the Finance (No. 2) Act 2024):
 * - Shares and equity units: long-term after twelve months.
 * - Gold, silver and other units bought from 1-Apr-2023 on and sold before 1-Apr-2025: always short-term.
 * - Other units sold before 23-Jul-2024: long-term after thirty-six months.
 * - Other units sold later: long-term after twelve months when listed, after twenty-four months for an unlisted fund.
 * Units of funds that hold mostly debt stay under s.50AA in law; the book does not distinguish them.
 */
export function findTermOfSale(kind: InstrumentKind, acquired: Day, sold: Day): Term {
	if (isEquity(kind)) return findTerm(acquired, sold)
	if (acquired >= SPECIFIED_FUNDS_FROM && sold < SPECIFIED_FUNDS_UNTIL) return 'SHORT'
	if (sold < NEW_RATES_FROM) return findTerm(acquired, sold, 36)
	return findTerm(acquired, sold, kind === 'FUND' ? 24 : 12)
}

/**
 * First day on which a sale is long-term: the day after the holding period, or an earlier day from which a shorter period applies.
 * Throws RangeError when no such day exists.
 */
export function findLongTermDay(kind: InstrumentKind, acquired: Day): Day {
	const dayAfter = (years: number) => {
		const [year = 0, month = 1, date = 1] = acquired.split('-').map(Number)
		const isLeapDay = month === 2 && date === 29
		return new Date(Date.UTC(year + years, month - 1, (isLeapDay && (year + years) % 4 !== 0 ? 28 : date) + 1)).toISOString().slice(0, 10)
	}
	const days = [dayAfter(1), dayAfter(2), dayAfter(3), NEW_RATES_FROM, SPECIFIED_FUNDS_UNTIL].toSorted()
	const day = days.find((each) => each > acquired && findTermOfSale(kind, acquired, each) === 'LONG')
	if (day === undefined) throw new RangeError(`${kind} of ${acquired} is never long-term`)
	return day
}

/** Long-term gain that is free of tax in a year, in paise. FY 2024-25 has one limit for the whole year. */
export function findExemption(year: FinancialYear): Paise {
	return year < 2024 ? 1_00_000_00 : 1_25_000_00
}

/**
 * The cost for tax of a part of a lot, in paise. For a lot bought by 31-Jan-2018 it is the higher of the actual cost and this: the lower
 * of that day's highest price and the sale value. It never causes a loss. `fmv` is that highest price in 1/10,000 rupee, already divided
 * by later split ratios; null when the share was not listed.
 */
export function findTaxableCost(part: { acquired_on: Day; quantity: number; cost: Paise; proceeds: Paise }, fmv: number | null): Paise {
	if (part.acquired_on > GRANDFATHERED_UNTIL || fmv === null) return part.cost
	return Math.max(part.cost, Math.min(computeValue(part.quantity, fmv), part.proceeds))
}

/**
 * The cost for tax, in paise, of a long-term sale of other units. Before 23-Jul-2024: cost × index of the year of sale ÷ index of the
 * year of purchase (s.48, second proviso). From that day on: the cost itself.
 */
export function indexCost(cost: Paise, acquired: Day, sold: Day): Paise {
	if (sold >= NEW_RATES_FROM) return cost
	const findIndex = (day: Day) => costInflation[Math.max(0, findFinancialYear(day) - FIRST_INDEXED_YEAR)]
	const [bought, now] = [findIndex(acquired), findIndex(sold)]
	if (bought === undefined || now === undefined) throw new RangeError(`No cost inflation index from ${acquired} to ${sold}`)
	return divideHalfUp(cost * now, bought)
}

/** Days from purchase to sale, as the tax workbook shows them. */
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

import { type Day, daysBetween } from '~/lib/days'
import { type FinancialYear, yearOf } from '~/lib/financial-year'
import type { Paise } from '~/lib/money'
import { divideHalfUp, valueOf } from './rounding'

export type Term = 'SHORT' | 'LONG'

/** Rates of the Finance (No. 2) Act 2024 apply to transfers from this day on. */
const NEW_RATES_FROM = '2024-07-23'
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

/** Per cent of tax on a gain with STT paid, by the day of sale: s.111A and 112A, from FY 2026-27 s.196 and 198. */
export function findGainRate(term: Term, sold: Day): '15' | '20' | '10' | '12.5' {
	if (term === 'SHORT') return sold < NEW_RATES_FROM ? '15' : '20'
	return sold < NEW_RATES_FROM ? '10' : '12.5'
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

/** A realised gain for the estimate below: paise, loss negative. */
export interface Gain {
	term: Term
	sold: Day
	gain: Paise
}

/**
 * Tax on one year's gains with 4 % cess, in paise: long-term losses against long-term gains, short-term losses against what is left of
 * both; the exemption is used on the 12.5 % pool first (a choice in the taxpayer's favour). Losses are set off against the
 * dearest rate first, for the same reason.
 */
export function estimateTax(gains: readonly Gain[], year: FinancialYear): Paise {
	const pools = new Map<string, Paise>([
		['20', 0],
		['15', 0],
		['12.5', 0],
		['10', 0],
	])
	const losses: Record<Term, Paise> = { SHORT: 0, LONG: 0 }
	for (const { term, sold, gain } of gains) {
		if (yearOf(sold) !== year) continue
		if (gain < 0) losses[term] -= gain
		else pools.set(findGainRate(term, sold), (pools.get(findGainRate(term, sold)) ?? 0) + gain)
	}
	const absorb = (amount: Paise, rates: readonly string[]) => {
		let left = amount
		for (const rate of rates) {
			const used = Math.min(left, pools.get(rate) ?? 0)
			pools.set(rate, (pools.get(rate) ?? 0) - used)
			left -= used
		}
	}
	absorb(losses.LONG, ['12.5', '10'])
	absorb(losses.SHORT, ['20', '15', '12.5', '10'])
	absorb(findExemption(year), ['12.5', '10'])
	let tax = 0
	for (const [rate, amount] of pools) tax += divideHalfUp(amount * Number(rate) * 10, 1000)
	return divideHalfUp(tax * 104, 100)
}

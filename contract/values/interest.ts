import { type Paise } from './money'

/** Simple interest on an amount for some days, half-up to the paisa; `percent` a year with at most two decimals, 365 days a year. */
export function simpleInterest(amount: Paise, percent: number, days: number): Paise {
	return Math.round((amount * days * Math.round(percent * 100)) / (10_000 * 365))
}

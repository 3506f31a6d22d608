import { type Paise } from './money'

/**
 * Simple interest on an amount in paise, rounded half up to the paisa. `percent` is a yearly rate with at most two decimals; a year has
 * 365 days.
 */
export function simpleInterest(amount: Paise, percent: number, days: number): Paise {
	return Math.round((amount * days * Math.round(percent * 100)) / (10_000 * 365))
}

import { type Paise } from '#contract/values/money'
import { computeValue } from './rounding'

/** What is open of a future: its side, and what it was last marked at, or cost when it was opened since; paise. */
export interface MarkedLot {
	side: 'L' | 'S'
	quantity: number
	stood: Paise
}

/** A contract's mark of one day. Long positive: what it stood at, what it is worth now, and the difference, which is paid in cash. */
export interface Mark {
	quantity: number
	stood: Paise
	value: Paise
	amount: Paise
}

/**
 * Marks what is open of a future to the day's settlement price (market.md 5.5): the difference to the day before, or to the price of a trade
 * since, is the client's to receive (+) or to pay (-). Price in 1/10,000 rupee.
 */
export function findMark(lots: readonly MarkedLot[], price: number, multiplier: number): Mark {
	const mark: Mark = { quantity: 0, stood: 0, value: 0, amount: 0 }
	for (const { side, quantity, stood } of lots) {
		const sign = side === 'L' ? 1 : -1
		mark.quantity += sign * quantity
		mark.stood += sign * stood
		mark.value += sign * computeValue(quantity, price, multiplier)
	}
	mark.amount = mark.value - mark.stood
	return mark
}

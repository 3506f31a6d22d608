import { type Paise } from '#contract/values/money'
import { computeValue } from './rounding'

/** The open part of a future: its side, and its value at the last mark, or its cost when opened since; paise. */
export interface MarkedLot {
	side: 'L' | 'S'
	quantity: number
	stood: Paise
}

/** A contract's mark of one day. Long positive: the previous value, the current value, and the difference, which is paid in cash. */
export interface Mark {
	quantity: number
	stood: Paise
	value: Paise
	amount: Paise
}

/**
 * Marks the open part of a future to the day's settlement price: the client receives (+) or pays (-) the difference to the
 * day before, or to the price of a later trade. Price in 1/10,000 rupee.
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

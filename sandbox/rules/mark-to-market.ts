import { type Paise } from '#contract/values/money'
import { computeValue } from './rounding'

/** The open part of a future. `stood` is its value in paise at the last mark, or its cost when it was opened after that mark. */
export interface MarkedLot {
	side: 'L' | 'S'
	quantity: number
	stood: Paise
}

/**
 * A contract's mark of one day; a long position is positive. `stood` is the previous value, `value` the current one, and `amount` the
 * difference, which is paid in cash. Paise.
 */
export interface Mark {
	quantity: number
	stood: Paise
	value: Paise
	amount: Paise
}

/**
 * Marks the open lots of a future to the day's settlement price. The client receives (+) or pays (-) the difference to the last mark, or
 * to the cost of a lot opened after it. `price` is in 1/10,000 rupee.
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

import { type Paise } from '#contract/values/money'

/** The value of units in paise: quantity × price. Both have at most four decimals, `price` is in rupees. */
export function computeValue(quantity: number, price: number): Paise {
	return Number(multiply(quantity, price))
}

/**
 * The margin of pledged units in paise: their value × (1 − haircut). The value is rounded to the paisa before the haircut, as the broker
 * does. `haircut` is in per cent with at most two decimals.
 */
export function computeMargin(quantity: number, price: number, haircut: number): Paise {
	return Number(divideHalfUp(multiply(quantity, price) * BigInt(10_000 - Math.round(haircut * 100)), 10_000n))
}

const multiply = (quantity: number, price: number) =>
	divideHalfUp(BigInt(Math.round(quantity * 10_000)) * BigInt(Math.round(price * 10_000)), 1_000_000n)

/** For two integers, neither negative. BigInt, because units and prices at their limits exceed the exact range of a number. */
function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
	return (dividend * 2n + divisor) / (divisor * 2n)
}

/** Without commas, or with commas before groups of three digits, or of two before a last group of three. */
const WHOLE = /^(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3})$/

/** A whole number of units as typed (`1,000` too), or undefined. `1,0` may be one, so it is none. */
export function parseUnits(typed: string): number | undefined {
	const text = typed.trim()
	const digits = text.replaceAll(',', '')
	return WHOLE.test(text) && digits.length <= 9 ? Number(digits) : undefined
}

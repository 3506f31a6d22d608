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

/** A whole number of units as typed (`1,000` too), or undefined. */
export function parseUnits(typed: string): number | undefined {
	const digits = typed.trim().replaceAll(',', '')
	return /^[0-9]{1,9}$/.test(digits) ? Number(digits) : undefined
}

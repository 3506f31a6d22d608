import { type Paise } from '#contract/values/money'

/**
 * The margin of pledged units in paise: quantity × price × (1 − haircut). The value is rounded to the paisa before the haircut, as the
 * broker does. `quantity` and `price` have at most four decimals, `price` is in rupees, `haircut` in per cent with at most two.
 */
export function computeMargin(quantity: number, price: number, haircut: number): Paise {
	const value = divideHalfUp(BigInt(Math.round(quantity * 10_000)) * BigInt(Math.round(price * 10_000)), 1_000_000n)
	return Number(divideHalfUp(value * BigInt(10_000 - Math.round(haircut * 100)), 10_000n))
}

/** For two integers, neither negative. BigInt, because units and prices at their limits exceed the exact range of a number. */
function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
	return (dividend * 2n + divisor) / (divisor * 2n)
}

/** A whole number of units as typed (`1,000` too), or undefined. */
export function parseUnits(typed: string): number | undefined {
	const digits = typed.trim().replaceAll(',', '')
	return /^[0-9]{1,9}$/.test(digits) ? Number(digits) : undefined
}

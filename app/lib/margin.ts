import { type Paise } from '#contract/values/money'

/**
 * What units count as margin: quantity × price × (1 − haircut), the value rounded to the paisa before the haircut comes off it, as the broker
 * does. `price` is in rupees with at most four decimals, `haircut` in per cent with at most two.
 */
export function computeMargin(quantity: number, price: number, haircut: number): Paise {
	const value = divideHalfUp(BigInt(quantity) * BigInt(Math.round(price * 10_000)), 100n)
	return Number(divideHalfUp(value * BigInt(10_000 - Math.round(haircut * 100)), 10_000n))
}

/** Of two integers, neither negative. By BigInt: units and prices at their limits are beyond what a number counts exactly. */
function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
	return (dividend * 2n + divisor) / (divisor * 2n)
}

/** A whole number of units as a person types it (`1,000` too), or undefined. */
export function parseUnits(typed: string): number | undefined {
	const digits = typed.trim().replaceAll(',', '')
	return /^[0-9]{1,9}$/.test(digits) ? Number(digits) : undefined
}

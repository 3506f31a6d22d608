import { type Paise } from '#contract/values/money'

/** Percentages are written with at most five decimals, so that value × rate stays an exact integer below 2^53. */
const RATE_SCALE = 100_000

/** Divides an amount × scaled rate back to paise. */
export const PERCENT_DIVISOR = RATE_SCALE * 100

/** Quotient of two integers, rounded half away from zero. Throws on a divisor that is not positive. */
export function divideHalfUp(dividend: number, divisor: number): number {
	if (divisor <= 0) throw new RangeError(`Cannot divide by ${divisor}`)
	const quotient = Math.floor((Math.abs(dividend) * 2 + divisor) / (divisor * 2))
	return dividend < 0 && quotient !== 0 ? -quotient : quotient
}

/** `0.00307` (per cent) as an integer: 307. Throws when the text is no percentage of at most five decimals. */
export function scaleRate(percent: string): number {
	if (!/^\d+(\.\d{1,5})?$/.test(percent)) throw new RangeError(`Not a rate: ${percent}`)
	return Math.round(Number(percent) * RATE_SCALE)
}

/** A percentage of an amount in paise, half-up to the paisa. */
export function computePercent(amount: Paise, percent: string): Paise {
	return divideHalfUp(amount * scaleRate(percent), PERCENT_DIVISOR)
}

/** Value in paise of a quantity at a price in 1/10,000 rupee. The multiplier is more than 1 only on MCX. */
export function computeValue(quantity: number, price: number, multiplier = 1): Paise {
	return divideHalfUp(quantity * multiplier * price, 100)
}

/**
 * Divides a total by weight so that the shares sum to it exactly (largest remainder; the earlier share wins a tie). When all weights are
 * zero the first share gets everything. Total and weights must not be negative. Throws RangeError when there is a total but no weight.
 */
export function shareOut(total: Paise, weights: readonly number[]): Paise[] {
	if (weights.length === 0) {
		if (total === 0) return []
		throw new RangeError('Nobody to share to')
	}
	let sum = 0
	for (const weight of weights) sum += weight
	if (sum === 0) return weights.map((_, index) => (index === 0 ? total : 0))
	const exact = weights.map((weight) => (total * weight) / sum)
	const shares = exact.map(Math.floor)
	let left = total
	for (const share of shares) left -= share
	if (left === 0) return shares
	const order = exact
		.map((share, index) => ({ index, rest: share - Math.floor(share) }))
		.sort((a, b) => b.rest - a.rest || a.index - b.index)
	// Above 2^53 a quotient may be rounded up. Then the shares sum to a paisa too many, which is taken back here.
	const step = Math.sign(left)
	for (const { index } of (left > 0 ? order : order.toReversed()).slice(0, Math.abs(left))) shares[index] = (shares[index] ?? 0) + step
	return shares
}

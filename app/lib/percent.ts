import { DASH } from './unknown'

const percent = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'exceptZero' })

/** Two decimals with the sign: `−1.39 %`, `+22.88 %`, `0.00 %`. */
export function formatPercent(value: number): string {
	return `${percent.format(value)} %`.replace('-', '−')
}

/** A gain in per cent of `base`, the amount invested: `−1.39 %`. Empty when one is unknown or the base is 0. */
export function formatShare(gain: number | null, base: number | null): string {
	return gain === null || !base ? '' : formatPercent((gain / base) * 100)
}

/** The same in brackets, to follow the gain: ` (−1.39 %)`. */
export function formatRate(gain: number | null, base: number | null): string {
	const share = formatShare(gain, base)
	return share && ` (${share})`
}

/** The rate of a tax as the broker states it, `12.5`: `12.5 %`; of `slab`, the client's own rate, `Your slab`; a dash when it is unknown. */
export function formatTaxRate(rate: string | null): string {
	if (!rate) return DASH
	return rate === 'slab' ? 'Your slab' : `${rate} %`
}

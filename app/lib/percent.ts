const percent = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'exceptZero' })

/** Two decimals with the sign: `−1.39 %`, `+22.88 %`, `0.00 %`. */
export function formatPercent(value: number): string {
	return `${percent.format(value)} %`.replace('-', '−')
}

/** A gain in per cent of what it was made with: `−1.39 %`. Empty when one is unknown or nothing was put in. */
export function formatShare(gain: number | null, base: number | null): string {
	return gain === null || !base ? '' : formatPercent((gain / base) * 100)
}

/** The same to stand behind the gain: ` (−1.39 %)`. */
export function formatRate(gain: number | null, base: number | null): string {
	const share = formatShare(gain, base)
	return share && ` (${share})`
}

const grouped = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 4 })

/** Units with the Indian groups of digits, `1,23,456`. Parts of a unit have up to four decimals, as those of mutual funds do. */
export function formatUnits(units: number): string {
	return grouped.format(units)
}

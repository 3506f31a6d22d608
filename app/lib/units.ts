const grouped = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 4 })

/** Units with the Indian groups of digits, `1,23,456`. Fractions of a unit, as mutual funds have, show up to four decimals. */
export function formatUnits(units: number): string {
	return grouped.format(units)
}

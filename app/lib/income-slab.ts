/** `₹ 25 lakh to 1 crore`, `Below ₹ 1 lakh`, from the broker's `25 Lakh-1 Crore`, `Below 1 Lakh`; any other text is unchanged. */
export function formatSlab(slab: string): string {
	const [, from, unit, to, last] = /^(\d+)(?: (lakh|crore))?-(\d+) (lakh|crore)$/i.exec(slab) ?? []
	if (from && to && last) return `₹ ${from}${unit ? ` ${unit.toLowerCase()}` : ''} to ${to} ${last.toLowerCase()}`
	return slab.replace(
		/^(Below|Above) (\d+) (lakh|crore)$/i,
		(_, side: string, count: string, name: string) => `${side} ₹ ${count} ${name.toLowerCase()}`,
	)
}

/** Returns the note that the cost of some rows is not known, so that sums are without them; undefined when there is no such row. */
export function nameUnknownCosts(unknown: readonly { SCRIP_NAME: string }[], count: number, sums: string): string | undefined {
	if (unknown.length === 0) return undefined
	const names = unknown.map(({ SCRIP_NAME }) => SCRIP_NAME).join(', ')
	return `Cost not known for ${unknown.length} of ${count}, left out of ${sums}: ${names.replace(/\.?$/, '.')}`
}

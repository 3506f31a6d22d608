/** Groups rows by a key, in the order of each key's first row. */
export function groupRows<Row>(rows: readonly Row[], readKey: (row: Row) => string): Map<string, Row[]> {
	const groups = new Map<string, Row[]>()
	for (const row of rows) {
		const key = readKey(row)
		const group = groups.get(key)
		if (group) group.push(row)
		else groups.set(key, [row])
	}
	return groups
}

/** Sum of one figure of many rows. */
export function sumBy<Row>(rows: readonly Row[], readFigure: (row: Row) => number): number {
	let sum = 0
	for (const row of rows) sum += readFigure(row)
	return sum
}

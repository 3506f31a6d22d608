/**
 * One line of the table. Without `atMost` and `atLeast` the value has no target. `instead` is the text for a missing value, which counts
 * as a miss.
 */
export type Figure = { what: string; value: number; unit: string; atMost?: number; atLeast?: number; instead?: string; note?: string }

export const formatDigits = (value: number) =>
	Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 1 ? value.toFixed(1) : value.toFixed(3)

function judgeFigure({ value, atMost, atLeast, instead }: Figure): string {
	if (instead) return 'MISS'
	if (atMost === undefined && atLeast === undefined) return ''
	return value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity) ? 'pass' : 'MISS'
}

/** Returns the table as text: every figure with its target. */
export function formatFigures(figures: readonly Figure[]): string {
	const lines = figures.map((figure) => {
		const { what, value, unit, atMost, atLeast, instead, note = '' } = figure
		const target = atMost !== undefined ? `at most ${atMost}` : atLeast !== undefined ? `at least ${atLeast}` : ''
		return [what, instead ?? `${formatDigits(value)} ${unit}`.trim(), target, judgeFigure(figure), note]
	})
	return alignColumns([['Figure', 'Measured', 'Target', '', ''], ...lines])
}

/** Pads the cells of each column to the same width. The last column is free. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
	const columns = (rows[0]?.length ?? 1) - 1
	const widths = Array.from({ length: columns }, (_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('  ')
				.trimEnd(),
		)
		.join('\n')
}

export function median(values: readonly number[]): number {
	return percentile(values, 0.5)
}

/** `share` is 0.99 for p99. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b)
	return sorted[Math.floor(sorted.length * share)] ?? Number.NaN
}

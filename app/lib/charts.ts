/** The data of a chart: paths and percentages in a box of 100 by 100, and the texts in it. */
type Chart = {
	title: string
	/** What it shows, in a sentence. */
	description: string
	grid: readonly { at: number; label: string }[]
	/** `isMinor`: shown only when the chart is wide enough for all months. */
	months: readonly { at: number; label: string; isMinor: boolean }[]
	/** Below the months, where a year begins. */
	years: readonly { at: number; label: string }[]
	/** `words` are shown on hover, tap and focus of the area from `left`, `width` wide. `column` is drawn from zero. */
	points: readonly {
		left: number
		width: number
		at: number
		words: readonly string[]
		column?: { top: number; height: number; look: 'bar' | 'fill-gain' | 'fill-loss' }
	}[]
	heads: readonly string[]
	rows: readonly (readonly string[])[]
}

export type LineChart = Chart & {
	lines: readonly { path: string; look: 'value' | 'invested' }[]
	ends: readonly { name: string; at: number }[]
	latest: readonly { label: string; text: string }[]
}

export type ColumnChart = Chart & {
	/** The rounded amount of the last column, written above it. A narrow chart has it above the plot, with its month. */
	last: { month: string; text: string; at: number }
	/** The row with the total of the columns, when they add up. */
	foot?: readonly string[]
}

export type Bars = { total: string; bars: readonly { name: string; value: string; share: string; width: string }[] }

import { withUnread } from '#contract/tolerant'
import { takeTurns } from '~/lib/turns'
import { type Report } from './declaration'
import { arrange } from './report.server'
import { type View } from './view.server'

/** Up to this many rows are searched and sorted at once. */
const ROWS_A_SLICE = 1000

/**
 * Returns the same as `arrange`, for up to 100,000 rows. It works in slices of 1000 rows, so that other requests are handled in between.
 * The note of unreadable rows is kept in the result.
 */
export async function arrangeLong<Row>(report: Report<Row>, rows: readonly Row[], view: View): Promise<readonly Row[]> {
	if (rows.length <= ROWS_A_SLICE || (!view.q && !view.sort)) return arrange(report, rows, view)
	const pause = takeTurns()
	const sortBy = report.columns.find(({ key }) => key === view.sort?.key)?.sortBy
	const direction = view.sort?.isDescending ? -1 : 1
	const compare = (a: Keyed<Row>, b: Keyed<Row>) => (a.key === b.key ? 0 : a.key < b.key ? -direction : direction)

	let runs: Keyed<Row>[][] = []
	for (let start = 0; start < rows.length; start += ROWS_A_SLICE) {
		const found = arrange(report, rows.slice(start, start + ROWS_A_SLICE), { ...view, sort: undefined })
		const run = found.map((row) => ({ row, key: sortBy?.(row) ?? '' }))
		runs.push(sortBy ? run.sort(compare) : run)
		await pause()
	}
	const rowsIn = (all: readonly Keyed<Row>[][]) =>
		withUnread(
			all.flatMap((run) => run.map(({ row }) => row)),
			rows,
		)
	if (!sortBy) return rowsIn(runs)
	while (runs.length > 1) {
		const merged: Keyed<Row>[][] = []
		for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, pause))
		runs = merged
	}
	return rowsIn(runs)
}

type Keyed<Row> = { row: Row; key: string | number }

/** Merges two sorted lists. Of two equal rows the earlier one stays first. */
async function merge<Item>(
	left: Item[],
	right: Item[],
	compare: (a: Item, b: Item) => number,
	pause: () => Promise<void>,
): Promise<Item[]> {
	if (right.length === 0) return left
	const merged: Item[] = []
	let [l, r] = [0, 0]
	while (l < left.length || r < right.length) {
		const [a, b] = [left[l], right[r]]
		if (b === undefined || (a !== undefined && compare(a, b) <= 0)) {
			merged.push(a as Item)
			l += 1
		} else {
			merged.push(b)
			r += 1
		}
		if (merged.length % ROWS_A_SLICE === 0) await pause()
	}
	return merged
}

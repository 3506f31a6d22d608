import { unreadIn } from '#contract/tolerant'
import { type Latest, readText } from '~/lib/table'
import { type Report } from './declaration'
import { type View } from './view.server'

const COUNT = 3

/**
 * Returns the rows of the latest days among the arranged rows, the newest first, to show above the table; of one day, those that matter
 * more come first, then the last in the broker's order. `rows` has that order. Undefined when the report shows none or nothing is found.
 */
export function describeLatest<Row>(
	report: Report<Row>,
	{ rows, arranged, view }: { rows: readonly Row[]; arranged: readonly Row[]; view: View },
): Latest | undefined {
	const date = report.columns.find(({ key }) => key === 'date')
	if (!report.latest || !date?.sortBy) return undefined
	const found = new Set(view.sort && arranged)
	const say = report.latest
	const newest: { row: Row; day: string }[] = []
	// Not sorted as a whole: there may be 100,000 rows.
	for (const row of view.sort ? rows : arranged) {
		if (view.sort && !found.has(row)) continue
		// An ISO day or moment.
		const day = `${date.sortBy(row)} ${report.mattersMore?.(row) ? 1 : 0}`
		const at = newest.findIndex((known) => day >= known.day)
		if (at === -1 && newest.length === COUNT) continue
		newest.splice(at === -1 ? newest.length : at, 0, { row, day })
		newest.splice(COUNT)
	}
	const lines = newest.flatMap(({ row }) => {
		const said = say(row)
		return said ? [{ day: readText(date.cell(row)), ...said }] : []
	})
	if (lines.length === 0) return undefined
	return { label: unreadIn(arranged)?.rows ? 'Latest that could be read' : 'Latest', lines }
}

import { unreadIn } from '#contract/tolerant'
import { type Cell, type Latest, type Report } from './report.server'
import { turnDates, type View } from './view.server'

/**
 * Returns the row of the latest day among the arranged rows, for the line above the table; of one day, the last in the broker's order.
 * `rows` has that order. Undefined when the report has no such line or nothing is shown.
 */
export function describeLatest<Row>(
	report: Report<Row>,
	{ rows, arranged, view, url }: { rows: readonly Row[]; arranged: readonly Row[]; view: View; url: URL },
): Latest | undefined {
	const date = report.columns.find(({ key }) => key === 'date')
	if (!report.latest || !date?.sortBy) return undefined
	const found = new Set(view.sort && arranged)
	let latest: { row: Row; day: string | number } | undefined
	for (const row of view.sort ? rows : arranged) {
		const day = date.sortBy(row)
		if ((!latest || day >= latest.day) && (!view.sort || found.has(row))) latest = { row, day }
	}
	const said = latest && report.latest.say(latest.row)
	if (!latest || !said) return undefined
	const label = unreadIn(arranged)?.rows ? `${report.latest.label} that could be read` : report.latest.label
	return { label, day: textOf(date.cell(latest.row)), ...said, turned: arranged.length > 1 ? turnDates(view, url) : undefined }
}

const textOf = (cell: Cell) => (typeof cell === 'string' ? cell : cell.text)

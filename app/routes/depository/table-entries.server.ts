import { unreadIn, withUnread } from '#contract/tolerant'
import { readText } from '~/lib/table'
import { buildFoot } from '~/reports/foot.server'
import { type Column, type Report } from '~/reports/declaration'
import { arrange } from '~/reports/report.server'
import { tellUnread } from '~/reports/unread.server'
import { type View } from '~/reports/view.server'

type Head = {
	key: string
	label: string
	unit?: '₹'
	align?: 'right'
	/** The current order. */
	sort?: 'ascending' | 'descending'
	/** The value that the form sends when the head is pressed. */
	by?: string
}

type FilledIn<Row> = {
	heads: Head[]
	rows: { row: Row; cells: string[] }[]
	/** Sums of the rows shown. */
	foot: string[]
	/** Shown above the table when a row could not be read. */
	unread?: string
}

/**
 * Returns a report as rows of a form. They are not split into pages, and a search keeps rows with typed values, so that these stay
 * visible and in the form. For the same reason a head is a button of the form, not a link. `without` names columns that are shown
 * elsewhere.
 */
export function buildFormTable<Row>(
	report: Report<Row>,
	rows: readonly Row[],
	view: View,
	isFilled: (row: Row) => boolean,
	without: readonly string[] = [],
): FilledIn<Row> {
	const found = new Set(arrange(report, rows, { ...view, sort: undefined }))
	const shown = arrange(report, rows, { ...view, q: '' }).filter((row) => found.has(row) || isFilled(row))
	const columns = report.columns.filter(({ key }) => !without.includes(key))
	return {
		heads: columns.map((column) => buildHead(column, view)),
		rows: shown.map((row) => ({
			row,
			cells: columns.map(({ cell }) => {
				const content = cell(row)
				return typeof content === 'string' ? content : content.text
			}),
		})),
		// Without the cell of the running number: the table numbers its rows itself.
		foot:
			buildFoot({ ...report, columns }, withUnread(shown, rows))
				?.slice(1)
				.map((cell) => readText(cell)) ?? [],
		unread: tellUnread(unreadIn(rows), { hasTotals: true }),
	}
}

function buildHead<Row>({ key, label, unit, align, sortBy }: Column<Row>, { sort }: View): Head {
	if (!sortBy) return { key, label, unit, align }
	const isCurrent = sort?.key === key
	return {
		key,
		label,
		unit,
		align,
		by: isCurrent && !sort.isDescending ? `-${key}` : key,
		...(isCurrent && { sort: sort.isDescending ? 'descending' : 'ascending' }),
	}
}

/** Returns the view that such a form asks for, as a query: the search, and the pressed or current sort. */
export function readFormView(form: FormData): { q?: string; sort?: string } {
	const readText = (name: string) =>
		String(form.get(name) ?? '')
			.trim()
			.slice(0, 100)
	const [q, sort] = [readText('q'), readText('sort') || readText('sorted')]
	return { ...(q && { q }), ...(sort && { sort }) }
}

import { unreadIn, withUnread } from '#contract/tolerant'
import { type Paise } from '#contract/values/money'
import { type Cell, type KeyFigure, type LatestLine, type PagedTable, type Table, type TableColumn } from '~/lib/table'
import { buildFoot, buildSubtotals, hasTotals } from './foot.server'
import { createSearch } from './search.server'
import { findDayOrder, sortLink } from './sort-links.server'
import { buildStrip } from './strip.server'
import { fitColumns, type Tiers } from './tiers.server'
import { tellUnread } from './unread.server'
import { addressWith, ROWS_A_PAGE, type View } from './view.server'

/** How a column looks, which the table gets unchanged. */
type Look = Pick<TableColumn, 'side' | 'isAbove' | 'isMain' | 'isStart' | 'hasSide' | 'totalBelow'>

export type Column<Row> = Look & {
	/** Used in the address (`sort=debit`) and as the table's key. */
	key: string
	label: string
	align?: 'right'
	/** Unit, shown in the head where the cells hold only figures. */
	unit?: '₹'
	/** The text on screen. */
	cell: (row: Row) => Cell
	/** On a phone the line below the text: what the hidden columns say. */
	below?: (row: Row) => string | { text: string; tone: 'gain' | 'loss' } | undefined
	/** The value in a spreadsheet: plain figures, ISO days. */
	plain: (row: Row) => string
	/** The sort key; a column without it cannot be sorted. */
	sortBy?: (row: Row) => string | number
	/** The sum in the foot, computed from the given rows; never a figure of the broker. */
	total?: (rows: readonly Row[]) => Cell
	/** The same sum above the table, with its sign and currency. */
	headline?: (rows: readonly Row[]) => Omit<KeyFigure, 'label'>
	/** The paise of a summed column. */
	amount?: (row: Row) => Paise | null
}

export type Report<Row> = {
	/** The h1 and the table's caption. */
	title: string
	columns: readonly Column<Row>[]
	/** The width from which each column is shown. Without it all columns are shown at any width. A link shows the hidden ones. */
	tiers?: Tiers
	/** The answer that a client looks for first, above the table before the sums: a figure that no column has. */
	lead?: (rows: readonly Row[]) => KeyFigure | undefined
	/** Columns whose sums are shown above the table, by key and in this order. */
	strip?: readonly string[]
	/** The column of the strip whose sum is the answer that a client looks for first. */
	main?: string
	/** Shown after those sums: figures that no column has. */
	figures?: (rows: readonly Row[]) => readonly (KeyFigure | undefined)[]
	/**
	 * A gain above the table that is also shown as a percentage of its base, and in the foot of the column `share`. All three are keys
	 * of columns.
	 */
	rate?: { gain: string; base: string; share?: string }
	/** Most of its figures are zero, so each zero is one digit. */
	isSparse?: boolean
	/** Kinds of rows whose sums stand above the total. */
	subtotals?: readonly { label: string; of: (row: Row) => boolean }[]
	/** What a line above the table says of a row of the latest days; undefined for a row that is no entry. */
	latest?: (row: Row) => Omit<LatestLine, 'day'> | undefined
	/** Among these lines such a row comes before the others of its day. */
	mattersMore?: (row: Row) => boolean
	/** The text that `Search` looks in, besides the figures of the columns. */
	words: (row: Row) => string
}

/**
 * Returns the rows of a view from the whole set: searched, sorted (stable), not yet split into pages. The note of unreadable rows is
 * kept in the result.
 */
export function arrange<Row>(report: Report<Row>, rows: readonly Row[], view: View): readonly Row[] {
	const found = view.q ? withUnread(rows.filter(createSearch(report, view.q)), rows) : rows
	const sortBy = report.columns.find(({ key }) => key === view.sort?.key)?.sortBy
	if (!view.sort || !sortBy) return found
	const direction = view.sort.isDescending ? -1 : 1
	const sorted = [...found].sort((a, b) => {
		const [left, right] = [sortBy(a), sortBy(b)]
		return left === right ? 0 : left < right ? -direction : direction
	})
	return withUnread(sorted, found)
}

export function sortableKeys<Row>(report: Report<Row>): string[] {
	return report.columns.filter(({ sortBy }) => sortBy).map(({ key }) => key)
}

function buildCell<Row>({ cell, below }: Column<Row>, row: Row): Cell {
	const shown = cell(row)
	const said = below?.(row)
	if (!said) return shown
	const { text, tone } = typeof said === 'string' ? { text: said, tone: undefined } : said
	return { ...(typeof shown === 'string' ? { text: shown } : shown), phoneNote: text, phoneTone: tone }
}

/** Returns a table that shows all rows at once, without a running number and in the given order. Its totals, if any, say when a row could not be read. */
export function buildSmallTable<Row>(
	caption: string,
	columns: readonly Column<Row>[],
	rows: readonly Row[],
	{ hasTotals: isTotalled = true, subtotals }: { hasTotals?: boolean; subtotals?: Report<Row>['subtotals'] } = {},
): Table {
	const report = { title: caption, columns, subtotals, words: () => '' }
	return {
		caption,
		columns: columns.map(({ key, label, unit, align, isMain, totalBelow }) => ({
			key,
			label,
			unit,
			isMain,
			totalBelow,
			align: align ?? 'left',
		})),
		rows: rows.map((row, index) => ({ id: String(index + 1), cells: columns.map((column) => buildCell(column, row)) })),
		subtotals: buildSubtotals(report, rows)?.map((sums) => sums.slice(1)),
		foot: buildFoot(report, rows)?.slice(1),
		unread: tellUnread(unreadIn(rows), { hasTotals: isTotalled }),
	}
}

/** Searches each batch as it arrives. Only sorting needs all rows at once. */
export async function* searchBatches<Row>(
	report: Report<Row>,
	batches: AsyncIterable<readonly Row[]>,
	view: View,
): AsyncGenerator<readonly Row[]> {
	for await (const rows of batches) yield arrange(report, rows, { ...view, sort: undefined })
}

/** Returns one page of the arranged rows for the table component. The running number counts over all pages. */
export function buildTable<Row>(
	report: Report<Row>,
	arranged: readonly Row[],
	view: View,
	url: URL,
	rowKind?: (row: Row) => 'opening' | 'wrong' | undefined,
): PagedTable {
	const pages = Math.max(1, Math.ceil(arranged.length / ROWS_A_PAGE))
	const page = Math.min(view.page, pages)
	const start = (page - 1) * ROWS_A_PAGE
	const shown = arranged.slice(start, start + ROWS_A_PAGE)
	const ordered = { ...view, sort: view.sort ?? findDayOrder(report, shown) }
	const table = {
		caption: report.title,
		isSparse: report.isSparse,
		unread: tellUnread(unreadIn(arranged), { hasTotals: hasTotals(report) }),
		columns: [
			{ key: 'n', label: '#', align: 'right' as const },
			...report.columns.map(({ key, label, unit, align, side, isAbove, isMain, isStart, hasSide, totalBelow, sortBy }) => ({
				key,
				label,
				unit,
				side,
				isAbove,
				isMain,
				isStart,
				hasSide,
				totalBelow,
				align: align ?? ('left' as const),
				...(sortBy && sortLink(key, ordered, url)),
			})),
		],
		rows: shown.map((row, index) => ({
			id: String(start + index + 1),
			kind: rowKind?.(row),
			cells: [String(start + index + 1), ...report.columns.map((column) => buildCell(column, row))],
		})),
		strip: buildStrip(report, arranged),
		paging: {
			from: shown.length > 0 ? start + 1 : 0,
			to: start + shown.length,
			total: arranged.length,
			page,
			pages,
			first: page > 2 ? addressWith(url, { page: undefined }) : undefined,
			previous: page > 1 ? addressWith(url, { page: page === 2 ? undefined : String(page - 1) }) : undefined,
			next: page < pages ? addressWith(url, { page: String(page + 1) }) : undefined,
			last: page < pages - 1 ? addressWith(url, { page: String(pages) }) : undefined,
		},
	}
	return report.tiers ? fitColumns(table, report.tiers, url) : table
}

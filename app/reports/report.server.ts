import { unreadIn, withUnread } from '#contract/tolerant'
import { type Paise } from '#contract/values/money'
import { type Paging } from '~/lib/paging'
import { type StatusKind } from '~/lib/status-kind'
import { buildFoot, buildSubtotals, hasTotals } from './foot.server'
import { createSearch } from './search.server'
import { findDayOrder, sortLink } from './sort-links.server'
import { buildStrip } from './strip.server'
import { type ColumnWidth, fitColumns, type Tiers } from './tiers.server'
import { tellUnread } from './unread.server'
import { addressWith, ROWS_A_PAGE, type View } from './view.server'

export type Cell =
	| string
	| {
			text: string
			href?: string
			note?: string
			/** In a list: the kind of the note, when it is a state. */
			noteStatus?: StatusKind
			tone?: 'gain' | 'loss' | 'zero'
			download?: { type: string; flag: string }
			/** Shown on a line of its own below the text, which then does not wrap. */
			second?: string
			/** At most two lines on a phone. */
			isClamped?: boolean
			/** The text is a state. */
			status?: StatusKind
			/** On a phone the name of the row says the note of its state too. */
			isNoteWide?: boolean
			/** In a list: the link is drawn as a button. */
			isButton?: boolean
			/** In a list: the most important part of what a phone shows below the text. */
			phoneLead?: string
			/** Shown below the text when the columns that contain it are hidden. */
			phoneNote?: string
			phoneTone?: 'gain' | 'loss'
			/** The kind of the phone note, when it is a state. */
			phoneStatus?: StatusKind
			/** What the link is about. Only a screen reader reads it. */
			which?: string
	  }

/** A main figure: `Value`, `₹ 12,34,567.89`. `isMain`: the answer that a client looks for first. */
export type KeyFigure = { label: string; text: string; tone?: 'gain' | 'loss'; note?: string; isMain?: boolean }

export type Column<Row> = {
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
	total?: (rows: readonly Row[]) => string
	/** The same sum above the table, with its sign and currency. */
	headline?: (rows: readonly Row[]) => Omit<KeyFigure, 'label'>
	/** Another column, whose sum a phone shows below this column in the foot, and its name unless the sum needs none. */
	totalBelow?: { key: string; name?: string }
	/** The paise of a summed column. */
	amount?: (row: Row) => Paise | null
	/** The answer of its row, shown in weight. */
	isMain?: boolean
	/** The first of a group of columns. */
	isStart?: boolean
	/** Its amounts end in `Cr` or `Dr`, and one of zero keeps that room. */
	hasSide?: boolean
	/** Debit and credit share one column on a phone: a row has one of the two. */
	side?: 'debit' | 'credit'
	/** On a phone it stands above the text of its row, which needs the width. */
	isAbove?: boolean
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
	/** Most of its figures are zero, so each zero is a short line. */
	isSparse?: boolean
	/** Kinds of rows whose sums stand above the total. */
	subtotals?: readonly { label: string; of: (row: Row) => boolean }[]
	/** What the lines above the table say of the rows of the latest days. `say` returns undefined for a row that is no entry. */
	latest?: (row: Row) => Omit<LatestLine, 'day'> | undefined
	/** The text that `Search` looks in, besides the figures of the columns. */
	words: (row: Row) => string
}

type LatestLine = { day: string; what: Cell; amount: string; file?: Cell }

/** The rows of the latest days, shown above a table that begins with the oldest. */
export type Latest = { label: string; lines: LatestLine[] }

/** Plain data: no report adds code to the browser. */
export type Table = {
	caption: string
	columns: {
		key: string
		label: string
		unit?: '₹'
		align: 'left' | 'right'
		sort?: 'ascending' | 'descending'
		href?: string
		from?: ColumnWidth
		side?: 'debit' | 'credit'
		isAbove?: boolean
		isMain?: boolean
		isStart?: boolean
		hasSide?: boolean
		totalBelow?: { key: string; name?: string }
	}[]
	rows: { id: string; kind?: 'opening' | 'wrong' | 'zero'; cells: Cell[] }[]
	/** Lines above the foot, of the same columns. */
	subtotals?: string[][]
	foot?: string[]
	paging: Paging
	/** Shown above the table when a row or a value could not be read. */
	unread?: string
	isSparse?: boolean
	/** Link to all columns, or back to those that fit. Needed until the container has this width. */
	switchColumns?: { label: string; href: string; until: ColumnWidth }
	/** Shown above the rows. */
	strip?: readonly KeyFigure[]
	/** Shown with those figures. */
	latest?: Latest
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

/** A table that shows everything at once, without a running number and in the given order. */
export type SmallTable = Omit<Table, 'paging'>

/** Returns a small table of rows. Its totals, if any, say when a row could not be read. */
export function buildSmallTable<Row>(
	caption: string,
	columns: readonly Column<Row>[],
	rows: readonly Row[],
	{ hasTotals: isTotalled = true, subtotals }: { hasTotals?: boolean; subtotals?: Report<Row>['subtotals'] } = {},
): SmallTable {
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
): Table {
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

import { type Paise } from '#contract/values/money'
import { type Cell, type KeyFigure, type LatestLine, type TableColumn } from '~/lib/table'
import { type Tiers } from './tiers.server'

/** How a column looks, which the table gets unchanged. */
type Look = Pick<TableColumn, 'side' | 'isAbove' | 'isMain' | 'isStart' | 'hasSide' | 'totalBelow'>

/** A column of a report: what it shows of a row, and what its sums are. */
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

/** A report as it is declared: everything that its page, its search and its files need beside the rows. */
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
	/** Kinds of rows whose sums stand above the total. */
	subtotals?: readonly { label: string; of: (row: Row) => boolean }[]
	/** What a line above the table says of a row of the latest days; undefined for a row that is no entry. */
	latest?: (row: Row) => Omit<LatestLine, 'day'> | undefined
	/** Among these lines such a row comes before the others of its day. */
	mattersMore?: (row: Row) => boolean
	/** The text that `Search` looks in, besides the figures of the columns. */
	words: (row: Row) => string
}

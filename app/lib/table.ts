import { type Paging } from './paging'
import { type StatusKind } from './status-kind'

/* What a table is: the server makes it, and components draw it. Plain data, so that no report adds code to the browser. */

export type Tone = 'gain' | 'loss' | 'zero'

/** The narrowest container that shows a column: 672, 896 and 1280 px. None has room for a column of `never`: `All columns` shows it. */
export const COLUMN_WIDTHS = ['tablet', 'laptop', 'wide', 'never'] as const
export type ColumnWidth = (typeof COLUMN_WIDTHS)[number]

export type Cell =
	| string
	| {
			text: string
			href?: string
			/** An explanation of the broker's words, which opens under the text. */
			note?: string
			/** In a list: the kind of the note, when it is a state. */
			noteStatus?: StatusKind
			tone?: Tone
			download?: { type: string; flag: string; done?: string }
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
			/** In a list on a phone: shown dark under the text, or above a state, before the note. A line break in it starts a new line. */
			phoneLead?: string
			isLeadBold?: boolean
			/** Shown below the text when the columns that contain it are hidden. A line break in it starts a new line. */
			phoneNote?: string
			phoneTone?: 'gain' | 'loss'
			/** The kind of the phone note, when it is a state. */
			phoneStatus?: StatusKind
			/** What the link is about. Only a screen reader reads it. */
			which?: string
	  }

export const readText = (cell: Cell = '') => (typeof cell === 'string' ? cell : cell.text)

/**
 * A main figure: `Value`, `₹ 12,34,567.89`. `isMain`: the answer that a client looks for first. `form`: the id of the form from whose
 * fields the figure is computed. `href`: the page that has it.
 */
export type KeyFigure = { label: string; text: string; tone?: Tone; note?: string; isMain?: boolean; form?: string; href?: string }

export type LatestLine = { day: string; what: Cell; amount: string; file?: Cell }

/** The rows of the latest days, shown above a table that begins with the oldest. */
export type Latest = { label: string; lines: readonly LatestLine[] }

/** Link to all columns, or back to those that fit. Needed until the container has this width. */
export type SwitchColumns = { label: string; href: string; until: ColumnWidth }

export type TableColumn = {
	key: string
	label: string
	/** Unit, shown in the head where the cells hold only figures. */
	unit?: string
	align: 'left' | 'right'
	sort?: 'ascending' | 'descending'
	href?: string
	from?: ColumnWidth
	/** Debit and credit share one column on a phone: a row has one of the two. */
	side?: 'debit' | 'credit'
	/** On a phone it stands above the text of its row, which needs the width. */
	isAbove?: boolean
	/** The answer of its row, shown in weight. */
	isMain?: boolean
	/** The first of a group of columns. */
	isStart?: boolean
	/** Its amounts end in `Cr` or `Dr`, and one of zero keeps that room. */
	hasSide?: boolean
	/**
	 * Other columns, whose sums a phone shows below this cell of the foot, with their names unless the sum needs none. A named
	 * sum of zero is left out.
	 */
	totalBelow?: readonly { key: string; name?: string }[]
}

export type Table = {
	caption: string
	/** The first column is the running number; the second names the row. */
	columns: readonly TableColumn[]
	rows: readonly { id: string; kind?: 'opening' | 'wrong' | 'zero'; cells: readonly Cell[] }[]
	/** Lines above the foot, of the same columns. */
	subtotals?: readonly (readonly Cell[])[]
	foot?: readonly Cell[]
	/** Shown above the table when a row or a value could not be read. */
	unread?: string
	switchColumns?: SwitchColumns
	/** Shown above the rows. */
	strip?: readonly KeyFigure[]
	/** Shown with those figures. */
	latest?: Latest
}

export type PagedTable = Table & { paging: Paging }

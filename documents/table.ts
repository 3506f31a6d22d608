import { type Day, formatDay } from '#contract/values/dates'
import { formatAmount, type Paise } from '#contract/values/money'

/** A cell: text, an amount in paise, a plain number with at most `decimals` decimals (quantity 0, price 4), a day, or nothing. */
export type SheetCell = string | { paise: Paise } | { number: number; decimals: number } | { day: Day } | null

export type SheetRow = { cells: SheetCell[]; isBold?: boolean }

/** A column: its head and its width in characters. Figures are right-aligned. */
export type SheetColumn = { head: string; width: number; isFigure?: boolean }

/** The content of a statement, for a PDF, an .xlsx workbook and an Excel 2003 workbook. */
export type SheetTable = {
	name: string
	columns: readonly SheetColumn[]
	rows: readonly SheetRow[]
	/** The sentence in place of rows when there are none. */
	empty?: string
}

export const tellNoRows = ({ empty = 'Nothing in this period.' }: Pick<SheetTable, 'empty'>): string => empty

/** The rows of a sheet: an empty table says in one line that it is empty. */
export const sheetRows = (table: SheetTable): readonly SheetRow[] =>
	table.rows.length === 0 ? [{ cells: [tellNoRows(table)] }] : table.rows

/** The lines above the column heads of a sheet: the report, the client, the period, the time it was made. The first line is bold. */
export type TitleBlock = readonly string[]

/** The title block as rows, with an empty one before the heads. */
export const titleRows = (title: TitleBlock): SheetRow[] => [
	...title.map((line, at) => ({ cells: [line], isBold: at === 0 })),
	{ cells: [] },
]

/** The width of a text, in digits: 15 % more than its characters, because capitals are wider, and 2 for the margin of a cell. */
const widthOfText = (text: string): number => Math.ceil(text.length * 1.15) + 2

/**
 * The columns of a workbook, with widths in digits, wide enough for every head and every cell of `rows`: a spreadsheet program does not
 * make a row higher for a long text. A row of one cell does not count: it is a sentence, which runs over the columns beside it.
 */
export function fitColumns(columns: readonly SheetColumn[], rows: readonly SheetRow[] = []): SheetColumn[] {
	const widths = columns.map(({ head, width }) => Math.max(width, widthOfText(head)))
	for (const { cells } of rows) {
		if (cells.length === 1) continue
		for (const [at, cell] of cells.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOfText(showCell(cell)))
	}
	return columns.map((column, at) => ({ ...column, width: widths[at] ?? column.width }))
}

/** How many lines the longest text of a row takes in its column. */
export function countSheetLines({ cells }: SheetRow, columns: readonly SheetColumn[]): number {
	if (cells.length === 1) return 1
	const lines = cells.map((cell, at) => (typeof cell === 'string' ? Math.ceil(widthOfText(cell) / (columns[at]?.width ?? 1)) : 1))
	return Math.max(1, ...lines)
}

/** The alignment of a text. The sentence of a row with one cell runs over the columns beside it; other text stays in its column. */
export function alignText({ isFigure = false }: Partial<SheetColumn>, { cells }: SheetRow): 'left' | 'right' | 'wrap' {
	return cells.length === 1 ? 'left' : isFigure ? 'right' : 'wrap'
}

const shown = [0, 2, 4].map(
	(decimals) => new Intl.NumberFormat('en-IN', { minimumFractionDigits: Math.min(2, decimals), maximumFractionDigits: decimals }),
)

/** A cell as a person reads it: `12,34,567.89`, `31/03/2025`. */
export function showCell(cell: SheetCell): string {
	if (cell === null) return ''
	if (typeof cell === 'string') return cell
	if ('paise' in cell) return formatAmount(cell.paise)
	if ('day' in cell) return formatDay(cell.day)
	return (shown[Math.ceil(cell.decimals / 2)] ?? shown[2])?.format(cell.number).replace('-', '−') ?? ''
}

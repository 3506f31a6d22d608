import { type Day, formatDay } from '~/lib/days'
import { formatAmount, type Paise } from '~/lib/money'

/** A cell: text, an amount, a plain number with so many decimals at most (quantity 0, price 4), a day, or nothing. */
export type Cell = string | { paise: Paise } | { number: number; decimals: number } | { day: Day } | null

export type Row = { cells: Cell[]; isBold?: boolean }

/** Heads with their widths in characters; figures stand to the right. */
export type Column = { head: string; width: number; isFigure?: boolean }

/** What a statement shows, for a PDF, a workbook of today and one of 2003 alike. */
export type Table = { name: string; columns: readonly Column[]; rows: readonly Row[] }

const shown = [0, 2, 4].map(
	(decimals) => new Intl.NumberFormat('en-IN', { minimumFractionDigits: Math.min(2, decimals), maximumFractionDigits: decimals }),
)

/** A cell as a person reads it: `12,34,567.89`, `31/03/2025`. */
export function showCell(cell: Cell): string {
	if (cell === null) return ''
	if (typeof cell === 'string') return cell
	if ('paise' in cell) return formatAmount(cell.paise)
	if ('day' in cell) return formatDay(cell.day)
	return (shown[Math.ceil(cell.decimals / 2)] ?? shown[2])?.format(cell.number).replace('-', '−') ?? ''
}

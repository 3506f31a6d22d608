import { type SheetCell } from './table'

/*
 * Formats of cells, for both kinds of workbook. Figures are grouped as on the pages: 12,34,567.89. A number format can group by lakh
 * and crore only for one length of number, so a figure takes the format of its own length. Formats that choose by a condition show a
 * minus sign in some programs twice and in others not at all.
 */
const GROUPS = ['#,##0', '##\\,##\\,##0', '##\\,##\\,##\\,##0', '##\\,##\\,##\\,##\\,##0'] as const
const DECIMALS = ['', '.00', '.00##'] as const
const DAY = 'dd/mm/yyyy'

/** Number formats in the order of their numbers; the first is none. */
export const NUMBER_FORMATS: readonly string[] = [
	'General',
	DAY,
	...DECIMALS.flatMap((decimals) => GROUPS.map((group) => group + decimals)),
]

type Align = 'left' | 'right' | 'wrap'
/** `format`: a place in NUMBER_FORMATS. `wrap`: to the left, a little away from the figure beside it, in as many lines as it needs. */
export type CellStyle = { format: number; isBold: boolean; align: Align }

const aligns: readonly Align[] = ['left', 'right', 'wrap']

/** Every style of a cell, each at the place that `findStyle` answers: three of text and one of each figure, plain and bold. */
export const CELL_STYLES: readonly CellStyle[] = [false, true].flatMap((isBold) => [
	...aligns.map((align) => ({ format: 0, isBold, align })),
	...NUMBER_FORMATS.slice(1).map((code, at) => ({ format: at + 1, isBold, align: code === DAY ? ('wrap' as const) : ('right' as const) })),
])
const PLAIN = CELL_STYLES.length / 2

/** Figures of 99,999 at most, of 99,99,999, of 99,99,99,999, and longer ones. */
function findGroup(figure: number): number {
	const size = Math.abs(figure)
	return size < 1e5 ? 0 : size < 1e7 ? 1 : size < 1e9 ? 2 : 3
}

function findFormat(cell: Exclude<SheetCell, string | null>): number {
	if ('day' in cell) return 1
	const [figure, decimals] = 'paise' in cell ? [cell.paise / 100, 1] : [cell.number, cell.decimals === 0 ? 0 : 2]
	return 2 + decimals * GROUPS.length + findGroup(figure)
}

/** The style of a cell: its place in CELL_STYLES. Of text, `align` counts. */
export function findStyle(cell: Exclude<SheetCell, null>, isBold: boolean, align: Align): number {
	const plain = typeof cell === 'string' ? aligns.indexOf(align) : aligns.length - 1 + findFormat(cell)
	return plain + (isBold ? PLAIN : 0)
}

import { type SheetCell } from './table'

/*
 * Formats of cells, for both kinds of workbook. Figures are grouped as on the pages: 12,34,567.89. A number format can group by lakh and
 * crore only for one length of number, so each figure takes the format for its length. A format with a condition is no alternative: some
 * programs show its minus sign twice, others not at all.
 */
const GROUPS = ['#,##0', '##\\,##\\,##0', '##\\,##\\,##\\,##0', '##\\,##\\,##\\,##\\,##0'] as const
const DECIMALS = ['', '.00', '.00##'] as const
const DAY = 'dd/mm/yyyy'

/** Number formats in the order of their numbers. The first means no format. */
export const NUMBER_FORMATS: readonly string[] = [
	'General',
	DAY,
	...DECIMALS.flatMap((decimals) => GROUPS.map((group) => group + decimals)),
]

type Align = 'left' | 'right' | 'wrap'
/** `format`: an index of NUMBER_FORMATS. `wrap`: left-aligned with a small indent, in as many lines as the text needs. */
export type CellStyle = { format: number; isBold: boolean; align: Align }

const aligns: readonly Align[] = ['left', 'right', 'wrap']

/** Every cell style, at the index that `findStyle` returns: three for text and one for each number format, plain and bold. */
export const CELL_STYLES: readonly CellStyle[] = [false, true].flatMap((isBold) => [
	...aligns.map((align) => ({ format: 0, isBold, align })),
	...NUMBER_FORMATS.slice(1).map((code, at) => ({ format: at + 1, isBold, align: code === DAY ? ('wrap' as const) : ('right' as const) })),
])
const PLAIN = CELL_STYLES.length / 2

/** The index of GROUPS: for figures below 1,00,000, below 1,00,00,000, below 1,00,00,00,000, and larger. */
function findGroup(figure: number): number {
	const size = Math.abs(figure)
	return size < 1e5 ? 0 : size < 1e7 ? 1 : size < 1e9 ? 2 : 3
}

function findFormat(cell: Exclude<SheetCell, string | null>): number {
	if ('day' in cell) return 1
	const [figure, decimals] = 'paise' in cell ? [cell.paise / 100, 1] : [cell.number, cell.decimals === 0 ? 0 : 2]
	return 2 + decimals * GROUPS.length + findGroup(figure)
}

/** The style of a cell: its index in CELL_STYLES. `align` counts only for text. */
export function findStyle(cell: Exclude<SheetCell, null>, isBold: boolean, align: Align): number {
	const plain = typeof cell === 'string' ? aligns.indexOf(align) : aligns.length - 1 + findFormat(cell)
	return plain + (isBold ? PLAIN : 0)
}

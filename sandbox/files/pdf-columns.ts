import { PAGE } from '#documents/pdf-page'
import { type Face, type TextWriter } from '#documents/pdf-text'
import { type SheetColumn } from '#documents/table'

/** Size of a table's text, in points. */
export const SIZE = 7.5
const GAP = 6
/** Distance between the lines of one cell, in points. */
export const LINE = 9

export type ColumnPlace = { column: SheetColumn; left: number; right: number; width: number }

const chooseFace = ({ isFigure = false }: SheetColumn, isStrong: boolean): Face =>
	isFigure ? (isStrong ? 'strongFigure' : 'figure') : isStrong ? 'strong' : 'text'

/**
 * The width that a column needs, in points: `least` for its longest word or figure, `whole` for its longest cell. Measured in bold,
 * because totals are bold.
 */
function measureColumn(text: TextWriter, column: SheetColumn, cells: readonly string[]): { least: number; whole: number } {
	const measureCell = (words: string) => text.measureWidth(words, chooseFace(column, true), SIZE)
	const longestWord = (words: string) => Math.max(...words.split(' ').map(measureCell))
	const whole = Math.max(0, ...cells.map(measureCell))
	return {
		least: Math.max(longestWord(column.head), column.isFigure ? whole : Math.max(0, ...cells.map(longestWord))),
		whole: Math.max(measureCell(column.head), whole),
	}
}

function shareWidths(text: TextWriter, columns: readonly SheetColumn[], rows: readonly (readonly string[])[], room: number): number[] {
	const sum = columns.reduce((whole, { width }) => whole + width, 0)
	const shares = columns.map(({ width }) => (room * width) / sum)
	const needs = columns.map((column, at) =>
		measureColumn(
			text,
			column,
			rows.map((cells) => cells[at] ?? ''),
		),
	)
	if (needs.every(({ whole }, at) => whole <= (shares[at] ?? 0))) return shares
	// When there is room, each column gets its full width, and the rest is divided by shares. Otherwise each gets its minimum, and the
	// rest is divided by what it still needs.
	const rest = room - needs.reduce((total, { whole }) => total + whole, 0)
	if (rest >= 0) return needs.map(({ whole }, at) => whole + (rest * (shares[at] ?? 0)) / room)
	const least = needs.reduce((total, need) => total + need.least, 0)
	const wanted = needs.reduce((total, need) => total + need.whole - need.least, 0)
	if (least >= room || wanted === 0) return needs.map((need) => (room * need.least) / least)
	return needs.map((need) => need.least + ((need.whole - need.least) * (room - least)) / wanted)
}

/**
 * The positions of a table's columns. The table is as wide as the page. Columns have the shares that they ask for, unless that would
 * break a word.
 */
export function placeColumns(text: TextWriter, columns: readonly SheetColumn[], rows: readonly (readonly string[])[]): ColumnPlace[] {
	const room = PAGE.right - PAGE.left - GAP * (columns.length - 1)
	const widths = shareWidths(text, columns, rows, room)
	let left = PAGE.left
	return columns.map((column, at) => {
		const width = widths[at] ?? 0
		const place = { column, left, right: left + width, width }
		left += width + GAP
		return place
	})
}

type Look = { isStrong: boolean; isHead?: boolean }

/** Writes a row of cells. Nothing is cut off: a figure that does not fit is written smaller; text and heads take more lines. */
export function drawCells(text: TextWriter, y: number, places: readonly ColumnPlace[], cells: readonly string[], look: Look): void {
	const gray = look.isHead ? 0.35 : undefined
	for (const [at, { column, left, right, width }] of places.entries()) {
		const cell = cells[at] ?? ''
		if (cell === '') continue
		const face = chooseFace(column, look.isStrong)
		const lines = wrapLines(text, { column, width }, cell, look)
		const widest = Math.max(...lines.map((line) => text.measureWidth(line, face, SIZE)))
		const size = widest <= width + 0.01 ? SIZE : Math.max(4, (SIZE * width) / widest)
		for (const [row, line] of lines.entries())
			text.write(line, column.isFigure ? right : left, y + row * LINE, { face, size, align: column.isFigure ? 'right' : 'left', gray })
	}
}

/** The lines of a cell: a figure is one line, text takes as many as it needs. */
function wrapLines(
	text: TextWriter,
	{ column, width }: Pick<ColumnPlace, 'column' | 'width'>,
	cell: string,
	{ isStrong, isHead }: Look,
): string[] {
	return column.isFigure && !isHead ? [cell] : text.wrap(cell, width + 0.01, chooseFace(column, isStrong), SIZE)
}

/** The number of lines of a row's longest cell. */
export const countLines = (text: TextWriter, places: readonly ColumnPlace[], cells: readonly string[], look: Look): number =>
	places.reduce((most, { column, width }, at) => {
		const cell = cells[at] ?? ''
		return cell === '' ? most : Math.max(most, wrapLines(text, { column, width }, cell, look).length)
	}, 1)

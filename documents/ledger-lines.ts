import { formatAmount, type Paise } from '#contract/values/money'
import { type createPdf, PAGE, ROW } from './pdf-page'
import { type Face, type TextWriter } from './pdf-text'

/*
 * The table in the PDF of a ledger. The sandbox broker and the portal both use it; the portal makes the PDF for periods for which the
 * broker makes none.
 */

const SIZE = 8

/**
 * `x`: the position of a column in points from the left, where text starts and figures end. `width`: the maximum width of its text in
 * points; longer text is set smaller, then cut.
 */
const COLUMNS: readonly { head: string; x: number; width?: number; isRight?: boolean; isWords?: boolean }[] = [
	{ head: 'Date', x: 36 },
	{ head: 'Voucher', x: 90, width: 71 },
	{ head: 'Type', x: 164, width: 42, isWords: true },
	{ head: 'Segment', x: 208, width: 50, isWords: true },
	{ head: 'Settlement', x: 260, width: 50 },
	{ head: 'Narration', x: 312, width: 264, isWords: true },
	{ head: 'Debit (₹)', x: 640, isRight: true },
	{ head: 'Credit (₹)', x: 714, isRight: true },
	{ head: 'Balance (₹)', x: 806, isRight: true },
]
/** The same columns in a workbook; widths in characters. */
export const LEDGER_SHEET_COLUMNS = [
	{ head: 'Date', width: 14 },
	{ head: 'Voucher', width: 18 },
	{ head: 'Type', width: 12 },
	{ head: 'Segment', width: 13 },
	{ head: 'Settlement', width: 15 },
	{ head: 'Narration', width: 66 },
	{ head: 'Debit', width: 16, isFigure: true },
	{ head: 'Credit', width: 16, isFigure: true },
	{ head: 'Balance', width: 18, isFigure: true },
]
/** A line of the title: a workbook has signs in place of Cr and Dr. */
export const LEDGER_SIGNS = 'Balance: above zero is owed to you (Cr), below zero you owe (Dr).'
/** The smallest size in points: a long text is set smaller before it is cut. */
const LEAST_SIZE = 5.5

/** A cell for each column, or one sentence. */
export type PrintedLine = { cells: string[]; isStrong?: boolean; ruleAbove?: boolean }

/** `12,34,567.89 Cr`; zero has no side. */
export const formatSignedBalance = (paise: Paise) => (paise === 0 ? '0.00' : `${formatAmount(Math.abs(paise))} ${paise > 0 ? 'Cr' : 'Dr'}`)
/** The amount in a debit or credit column; empty when it is not above zero. */
export const formatSide = (paise: Paise) => (paise > 0 ? formatAmount(paise) : '')

type Pages = {
	lines: AsyncIterable<readonly PrintedLine[]>
	/** Draws everything else on a page. Returns the baseline of its first row, in points from the top. */
	drawFrame: (page: number) => number
}

/** How many rows a page has whose first one is at `top`. */
export const countRows = (top: number) => Math.floor((PAGE.bottom - top) / ROW) + 1

/** Writes the lines below each other, page by page as they are read, and ends the document. */
export async function* writeLedgerPages(
	{ doc, text, drain, finish }: ReturnType<typeof createPdf>,
	{ lines: batches, drawFrame }: Pages,
): AsyncGenerator<Uint8Array> {
	let page = 0
	let y = Infinity
	for await (const lines of batches)
		for (const line of lines) {
			if (y > PAGE.bottom) {
				doc.addPage()
				page += 1
				y = drawFrame(page)
				drawHead(text, y)
				yield* drain()
			}
			drawLine(text, y, line)
			y += ROW
		}
	yield* finish()
}

/** Writes the column heads above the first row, whose baseline is `top`. */
function drawHead(text: TextWriter, top: number): void {
	const y = top - ROW - 2
	for (const { head, x, isRight = false } of COLUMNS)
		text.write(head, x, y, { face: isRight ? 'strongFigure' : 'strong', size: SIZE, gray: 0.35, align: isRight ? 'right' : 'left' })
	text.rule(PAGE.left, y + 5, PAGE.right - PAGE.left, 0.6)
}

function drawLine(text: TextWriter, y: number, { cells, isStrong = false, ruleAbove = false }: PrintedLine): void {
	if (ruleAbove) text.rule(PAGE.left, y - 10.5, PAGE.right - PAGE.left, 0.6)
	for (const [at, cell] of cells.entries()) {
		const column = COLUMNS[at]
		if (column === undefined || cell === '') continue
		const { head, x, isRight = false, isWords = false } = column
		const width = cells.length === 1 ? PAGE.right - PAGE.left : column.width
		const face: Face = isWords || cells.length === 1 ? (isStrong ? 'strong' : 'text') : isStrong ? 'strongFigure' : 'figure'
		if (head === 'Balance (₹)') {
			drawBalance(text, y, cell, face)
			continue
		}
		const natural = width === undefined ? 0 : text.measureWidth(cell, face, SIZE)
		const size = width !== undefined && natural > width ? Math.max(LEAST_SIZE, (SIZE * width * 0.999) / natural) : SIZE
		const shown = width === undefined ? cell : text.fit(cell, width, face, size)
		text.write(shown, x, y, { face, size, align: isRight ? 'right' : 'left' })
	}
	if (!isStrong) text.rule(PAGE.left, y + 4.2, PAGE.right - PAGE.left, 0.9)
}

/** Cr and Dr differ in width, so the side has a fixed position. The figures of all rows then line up. */
function drawBalance(text: TextWriter, y: number, balance: string, face: Face): void {
	const [figure = '', side = ''] = balance.split(' ')
	text.write(figure, PAGE.right - 13, y, { face, size: SIZE, align: 'right' })
	text.write(side, PAGE.right - 10.5, y, { face, size: SIZE })
}

import { createPdf, drawFooter, drawHeading, drawRunningHead, type Facts, measureHeading, PAGE, ROW, streamPdf } from './pdf-page'
import { type Face, type TextWriter } from './pdf-text'
import { type Column, type Row, showCell, type Table } from './table'

const SIZE = 7.5
const GAP = 6
/** Between the lines of one cell. */
const LINE = 9

/** A statement of tables under one letterhead. */
export interface TablePdf {
	brokerName: string
	/** Of the document's properties. */
	title: string
	/** On the first page. */
	heading: string
	/** Of the client. */
	facts: Facts
	/** Of the paper, to the right of them. */
	sideFacts?: Facts
	/** On top of later pages. */
	runningHead: readonly [string, string]
	/** A sentence under the facts. */
	note?: string
	tables: readonly Table[]
	/** Sentences under the last table. */
	closing?: readonly string[]
	/** A line for each of these, to be written on by hand: the paper is a form, and no statement. */
	toSign?: readonly string[]
	/** Its sentences say how it is signed: the foot does not say that it need not be. */
	tellsSigning?: boolean
	madeAt: Date
}

type Item = { height: number; draw: (text: TextWriter, y: number) => void; keep?: number; head?: Item }

type Place = { column: Column; left: number; right: number; width: number }

/** Widths are shares of the page: a table is always as wide as it. */
function placeColumns(columns: readonly Column[]): Place[] {
	const whole = columns.reduce((sum, { width }) => sum + width, 0)
	const room = PAGE.right - PAGE.left - GAP * (columns.length - 1)
	let left = PAGE.left
	return columns.map((column) => {
		const width = (room * column.width) / whole
		const place = { column, left, right: left + width, width }
		left += width + GAP
		return place
	})
}

function drawCells(
	text: TextWriter,
	y: number,
	places: readonly Place[],
	cells: readonly string[],
	isStrong: boolean,
	gray?: number,
): void {
	for (const [at, { column, left, right, width }] of places.entries()) {
		const cell = cells[at] ?? ''
		if (cell === '') continue
		const face: Face = column.isFigure ? (isStrong ? 'strongFigure' : 'figure') : isStrong ? 'strong' : 'text'
		// Nothing is cut: a figure that does not fit is set smaller, a text takes more lines.
		const natural = column.isFigure ? text.widthOf(cell, face, SIZE) : 0
		const size = natural <= width ? SIZE : Math.max(4, (SIZE * width) / natural)
		const lines = column.isFigure ? [cell] : text.wrap(cell, width, face, size)
		for (const [row, line] of lines.entries())
			text.write(line, column.isFigure ? right : left, y + row * LINE, { face, size, align: column.isFigure ? 'right' : 'left', gray })
	}
}

/** How many lines the longest text of a row takes. */
const countLines = (text: TextWriter, places: readonly Place[], cells: readonly string[], isStrong: boolean): number =>
	places.reduce((most, { column, width }, at) => {
		const cell = cells[at] ?? ''
		if (column.isFigure || cell === '') return most
		return Math.max(most, text.wrap(cell, width, isStrong ? 'strong' : 'text', SIZE).length)
	}, 1)

function itemsOf(text: TextWriter, { name, columns, rows }: Table): Item[] {
	const places = placeColumns(columns)
	const heads = columns.map(({ head }) => head)
	const headLines = (countLines(text, places, heads, true) - 1) * LINE
	const head: Item = {
		height: ROW + 2 + headLines,
		draw(on, y) {
			drawCells(on, y, places, heads, true, 0.35)
			on.rule(PAGE.left, y + 5 + headLines, PAGE.right - PAGE.left, 0.6)
		},
	}
	const line = ({ cells, isBold = false }: Row): Item => {
		const shown = cells.map(showCell)
		const more = (countLines(text, places, shown, isBold) - 1) * LINE
		return {
			height: ROW + more,
			head,
			draw(on, y) {
				if (isBold) on.rule(PAGE.left, y - 10.5, PAGE.right - PAGE.left, 0.6)
				drawCells(on, y, places, shown, isBold)
				if (!isBold) on.rule(PAGE.left, y + 4.2 + more, PAGE.right - PAGE.left, 0.9)
			},
		}
	}
	const title: Item = { height: ROW + 3, keep: 3, draw: (on, y) => on.write(name, PAGE.left, y, { face: 'strong', size: 9.5 }) }
	const nothing: Item = {
		height: ROW,
		draw: (on, y) => on.write('Nothing in this period.', PAGE.left, y, { face: 'text', size: SIZE }),
	}
	return [title, head, ...(rows.length === 0 ? [nothing] : rows.map(line)), { height: ROW, draw: () => undefined }]
}

/** Pages of items, each with where it goes. A row that begins a page has its table's head above it. */
function paginate(items: readonly Item[], first: number): { item: Item; y: number }[][] {
	const pages: { item: Item; y: number }[][] = [[]]
	let y = first
	for (const item of items) {
		if (y + Math.max((item.keep ?? 0) * ROW, item.height - ROW) > PAGE.bottom) {
			pages.push([])
			y = 62
			if (item.head) {
				pages.at(-1)?.push({ item: item.head, y })
				y += item.head.height
			}
		}
		pages.at(-1)?.push({ item, y })
		y += item.height
	}
	return pages
}

async function* writeTables(file: TablePdf): AsyncGenerator<Uint8Array> {
	const { brokerName, title, heading, facts, sideFacts, runningHead, note, tables, closing = [], toSign = [], tellsSigning, madeAt } = file
	const { doc, text, drain, finish } = createPdf({ title, author: brokerName, madeAt })
	const sentences = closing.map((sentence): Item => ({
		height: 12,
		draw: (on, y) => on.write(sentence, PAGE.left, y, { face: 'text', size: 7.5, gray: 0.4 }),
	}))
	const lines = toSign.map((label): Item => ({
		height: 48,
		draw: (on, y) => {
			on.write('_'.repeat(60), PAGE.left, y + 24, { face: 'text', size: 9, gray: 0.4 })
			on.write(label, PAGE.left, y + 36, { face: 'text', size: 7.5, gray: 0.4 })
		},
	}))
	const top = measureHeading(text, facts, sideFacts) + (note === undefined ? 12 : 30)
	const pages = paginate([...tables.flatMap((table) => itemsOf(text, table)), ...sentences, ...lines], top)
	for (const [at, items] of pages.entries()) {
		doc.addPage()
		if (at === 0) {
			drawHeading(text, brokerName, heading, facts, sideFacts)
			if (note !== undefined) text.write(note, PAGE.left, top - 20, { face: 'text', size: 7.5, gray: 0.4 })
		} else drawRunningHead(text, ...runningHead)
		for (const { item, y } of items) item.draw(text, y)
		drawFooter(text, madeAt, at + 1, pages.length, tellsSigning || toSign.length > 0)
		yield* drain()
	}
	yield* finish()
}

/** The statement as a PDF, page by page. */
export function streamTablePdf(file: TablePdf): ReadableStream<Uint8Array> {
	return streamPdf(writeTables(file))
}

import { createPdf, drawFooter, drawHeading, drawRunningHead, PAGE, ROW, streamPdf } from './pdf-page'
import { type Face, type TextWriter } from './pdf-text'
import { type Column, type Row, showCell, type Table } from './table'

const SIZE = 7.5
const GAP = 6

/** A statement of tables under one letterhead. */
export interface TablePdf {
	brokerName: string
	/** Of the document's properties. */
	title: string
	/** On the first page. */
	heading: string
	/** Up to five: label and value. */
	facts: readonly (readonly [string, string])[]
	/** On top of later pages. */
	runningHead: readonly [string, string]
	/** A sentence under the facts. */
	note?: string
	tables: readonly Table[]
	/** Sentences under the last table. */
	closing?: readonly string[]
	/** A line for each of these, to be written on by hand: the paper is a form, and no statement. */
	toSign?: readonly string[]
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
		// What does not fit is set smaller; a figure is never cut, a text is.
		const natural = text.widthOf(cell, face, SIZE)
		const size = natural <= width ? SIZE : Math.max(column.isFigure ? 4 : 6, (SIZE * width) / natural)
		const fitted = column.isFigure ? cell : text.fit(cell, width, face, size)
		text.write(fitted, column.isFigure ? right : left, y, { face, size, align: column.isFigure ? 'right' : 'left', gray })
	}
}

function itemsOf({ name, columns, rows }: Table): Item[] {
	const places = placeColumns(columns)
	const heads = columns.map(({ head }) => head)
	const head: Item = {
		height: ROW + 2,
		draw(text, y) {
			drawCells(text, y, places, heads, true, 0.35)
			text.rule(PAGE.left, y + 5, PAGE.right - PAGE.left, 0.6)
		},
	}
	const line = ({ cells, isBold = false }: Row): Item => ({
		height: ROW,
		head,
		draw(text, y) {
			if (isBold) text.rule(PAGE.left, y - 10.5, PAGE.right - PAGE.left, 0.6)
			drawCells(text, y, places, cells.map(showCell), isBold)
			if (!isBold) text.rule(PAGE.left, y + 4.2, PAGE.right - PAGE.left, 0.9)
		},
	})
	const title: Item = { height: ROW + 3, keep: 3, draw: (text, y) => text.write(name, PAGE.left, y, { face: 'strong', size: 9.5 }) }
	const nothing: Item = {
		height: ROW,
		draw: (text, y) => text.write('Nothing in this period.', PAGE.left, y, { face: 'text', size: SIZE }),
	}
	return [title, head, ...(rows.length === 0 ? [nothing] : rows.map(line)), { height: ROW, draw: () => undefined }]
}

/** Pages of items, each with where it goes. A row that begins a page has its table's head above it. */
function paginate(items: readonly Item[], first: number): { item: Item; y: number }[][] {
	const pages: { item: Item; y: number }[][] = [[]]
	let y = first
	for (const item of items) {
		if (y + (item.keep ?? 0) * ROW > PAGE.bottom) {
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
	const { brokerName, title, heading, facts, runningHead, note, tables, closing = [], toSign = [], madeAt } = file
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
	const top = 82 + facts.length * ROW + (note === undefined ? 12 : 30)
	const pages = paginate([...tables.flatMap(itemsOf), ...sentences, ...lines], top)
	for (const [at, items] of pages.entries()) {
		doc.addPage()
		if (at === 0) {
			drawHeading(text, brokerName, heading, facts)
			if (note !== undefined) text.write(note, PAGE.left, top - 20, { face: 'text', size: 7.5, gray: 0.4 })
		} else drawRunningHead(text, ...runningHead)
		for (const { item, y } of items) item.draw(text, y)
		drawFooter(text, madeAt, at + 1, pages.length, toSign.length > 0)
		yield* drain()
	}
	yield* finish()
}

/** The statement as a PDF, page by page. */
export function streamTablePdf(file: TablePdf): ReadableStream<Uint8Array> {
	return streamPdf(writeTables(file))
}

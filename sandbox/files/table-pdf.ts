import { createPdf, drawFooter, drawHeading, drawRunningHead, type Facts, measureHeading, PAGE, ROW, streamPdf } from '#documents/pdf-page'
import { type TextWriter } from '#documents/pdf-text'
import { type SheetRow, showCell, type SheetTable, tellNoRows } from '#documents/table'
import { countLines, drawCells, LINE, placeColumns, SIZE } from './pdf-columns'
import { tellMade } from './title-block'

/** Row heights to try, in points, the usual one first. */
const ROW_HEIGHTS = [ROW, 13, 11.5]

/** A statement of tables under one letterhead. */
export interface TablePdf {
	brokerName: string
	/** The title in the document's properties. */
	title: string
	/** The heading of the first page. */
	heading: string
	/** Facts about the client. */
	facts: Facts
	/** Facts about the document, to the right of the client's. */
	sideFacts?: Facts
	/** The head of later pages. */
	runningHead: readonly [string, string]
	/** A sentence under the facts. */
	note?: string
	tables: readonly SheetTable[]
	/** Sentences under the last table. */
	closing?: readonly string[]
	/** Fields to fill in by hand, one line each. The document is then a form, not a statement. */
	toSign?: readonly string[]
	/** True when the text says how the document is signed. The foot then does not say that it needs no signature. */
	tellsSigning?: boolean
	madeAt: Date
}

type Item = {
	height: number
	draw: (text: TextWriter, y: number) => void
	keep?: number
	head?: Item
	isEmpty?: true
	/** True for a total, which is not read without the row before it. */
	isTotal?: boolean
}

function listItems(text: TextWriter, table: SheetTable, rowHeight: number): Item[] {
	const { name, columns, rows } = table
	const shown = rows.map(({ cells }) => cells.map(showCell))
	const places = placeColumns(text, columns, shown)
	const heads = columns.map(({ head }) => head)
	const headLines = (countLines(text, places, heads, { isStrong: true, isHead: true }) - 1) * LINE
	const head: Item = {
		height: rowHeight + 2 + headLines,
		draw(on, y) {
			drawCells(on, y, places, heads, { isStrong: true, isHead: true })
			on.rule(PAGE.left, y + 5 + headLines, PAGE.right - PAGE.left, 0.6)
		},
	}
	const line = ({ isBold = false }: SheetRow, at: number): Item => {
		const cells = shown[at] ?? []
		const more = (countLines(text, places, cells, { isStrong: isBold }) - 1) * LINE
		return {
			height: rowHeight + more,
			head,
			isTotal: isBold,
			draw(on, y) {
				if (isBold) on.rule(PAGE.left, y + 4.2 - rowHeight, PAGE.right - PAGE.left, 0.6)
				drawCells(on, y, places, cells, { isStrong: isBold })
				if (!isBold) on.rule(PAGE.left, y + 4.2 + more, PAGE.right - PAGE.left, 0.9)
			},
		}
	}
	const title: Item = { height: rowHeight + 3, keep: 3, draw: (on, y) => on.write(name, PAGE.left, y, { face: 'strong', size: 9.5 }) }
	const nothing: Item = {
		height: rowHeight,
		draw: (on, y) => on.write(tellNoRows(table), PAGE.left, y, { face: 'text', size: SIZE }),
	}
	return [title, head, ...(rows.length === 0 ? [nothing] : rows.map(line)), { height: rowHeight, isEmpty: true, draw: () => undefined }]
}

/** Removes the last row of a page for a total of the same table that begins the next page. A page keeps at least one row. */
function takeRowBefore(page: { item: Item; y: number }[], total: Item): Item | undefined {
	const [before, last] = page.slice(-2).map(({ item }) => item)
	if (!total.isTotal || last?.head !== total.head || before?.head !== total.head) return undefined
	return page.pop()?.item
}

/** Divides items into pages with their positions. Each page repeats the head of its first table. */
function paginate(items: readonly Item[], first: number, rowHeight: number): { item: Item; y: number }[][] {
	const pages: { item: Item; y: number }[][] = [[]]
	// Empty items at the end need no page.
	const drawn = items.slice(0, items.findLastIndex(({ isEmpty }) => !isEmpty) + 1)
	let y = first
	for (const item of drawn) {
		if (y + Math.max((item.keep ?? 0) * rowHeight, item.height - rowHeight) > PAGE.bottom) {
			const rowBefore = takeRowBefore(pages.at(-1) ?? [], item)
			pages.push([])
			y = 62
			for (const repeated of [item.head, rowBefore]) {
				if (repeated === undefined) continue
				pages.at(-1)?.push({ item: repeated, y })
				y += repeated.height
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
	const wrap = (sentence: string) => text.wrap(sentence, PAGE.right - PAGE.left, 'text', SIZE)
	const sentences = closing.flatMap(wrap).map((line): Item => ({
		height: 12,
		draw: (on, y) => on.write(line, PAGE.left, y, { face: 'text', size: SIZE, gray: 0.4 }),
	}))
	const notes = note === undefined ? [] : wrap(note)
	const lines = toSign.map((label): Item => ({
		height: 48,
		draw: (on, y) => {
			on.write('_'.repeat(60), PAGE.left, y + 24, { face: 'text', size: 9, gray: 0.4 })
			on.write(label, PAGE.left, y + 36, { face: 'text', size: 7.5, gray: 0.4 })
		},
	}))
	const notesAt = measureHeading(text, facts, sideFacts) + 10
	const top = notesAt + 2 + (notes.length === 0 ? 0 : 9 + notes.length * LINE)
	const layOut = (rowHeight: number) =>
		paginate([...tables.flatMap((table) => listItems(text, table, rowHeight)), ...sentences, ...lines], top, rowHeight)
	// A table slightly longer than a page gets lower rows, so that its last lines are not alone on a second page.
	const pages = ROW_HEIGHTS.map(layOut).find((laid) => laid.length === 1) ?? layOut(ROW)
	for (const [at, items] of pages.entries()) {
		doc.addPage()
		if (at === 0) {
			drawHeading(text, brokerName, heading, facts, sideFacts)
			for (const [row, line] of notes.entries()) text.write(line, PAGE.left, notesAt + row * LINE, { face: 'text', size: SIZE, gray: 0.4 })
		} else drawRunningHead(text, ...runningHead)
		for (const { item, y } of items) item.draw(text, y)
		drawFooter(text, tellMade(madeAt, tellsSigning || toSign.length > 0), at + 1, pages.length)
		yield* drain()
	}
	yield* finish()
}

/** The statement as a PDF, page by page. */
export function streamTablePdf(file: TablePdf): ReadableStream<Uint8Array> {
	return streamPdf(writeTables(file))
}

import { setImmediate } from 'node:timers/promises'
import PdfDocument from 'pdfkit'
import { createTextWriter, type TextWriter } from './pdf-text'

/** A4 landscape, in points from the top left. */
export const PAGE = { width: 842, height: 595, left: 36, right: 806, bottom: 553, footer: 571 }
export const ROW = 15

/** A PDF document. Finished bytes can be taken out while more is drawn, so the writer is no faster than the reader. */
export function createPdf({ title, author, madeAt }: { title: string; author: string; madeAt: Date }) {
	const info = { Title: title, Author: author, CreationDate: madeAt }
	// No font until text is written: pdfkit would read its Helvetica for every document.
	const options = { size: [PAGE.width, PAGE.height] as [number, number], margin: 0, autoFirstPage: false, info, font: '' }
	const doc = new PdfDocument({ ...options, lang: 'en-IN', displayTitle: true })
	return {
		doc,
		text: createTextWriter(doc),
		/** Yields the finished bytes before more is drawn, and lets other requests run. */
		async *drain(): AsyncGenerator<Uint8Array> {
			for (let part: unknown = doc.read(); part instanceof Uint8Array; part = doc.read()) yield part
			await setImmediate()
		},
		async *finish(): AsyncGenerator<Uint8Array> {
			doc.end()
			for await (const part of doc) yield part as Uint8Array
		},
	}
}

/** The output of a generator as a stream that waits for its reader. */
export function streamPdf(written: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
	return new ReadableStream(
		{
			async pull(controller) {
				const { value, done } = await written.next()
				if (done) controller.close()
				else controller.enqueue(value)
			},
			async cancel() {
				await written.return(undefined)
			},
		},
		{ highWaterMark: 4 },
	)
}

export type Facts = readonly (readonly [label: string, value: string])[]

/** The position of a column of facts in points: of its labels and of its values, and the maximum width of a value. */
type FactColumn = { label: number; value: number; width: number }
const LEFT_FACTS: FactColumn = { label: PAGE.left, value: 104, width: 260 }
const RIGHT_FACTS: FactColumn = { label: 424, value: 520, width: PAGE.right - 520 }
const FIRST_FACT = 82
/** Points between the lines of one value. */
const LINE = 11

/**
 * Writes the facts one below the other, each in as many lines as it needs; without `isDrawn` only measures them. Returns the `y` for the
 * next fact.
 */
function drawFacts(text: TextWriter, facts: Facts, { label, value, width }: FactColumn, isDrawn: boolean): number {
	let y = FIRST_FACT
	for (const [at, [name, words]] of facts.entries()) {
		const face = at === 0 ? 'strong' : 'text'
		const lines = text.wrap(words, width, face, 9)
		if (isDrawn) {
			text.write(name, label, y, { face: 'text', size: 8.5, gray: 0.4 })
			for (const [row, line] of lines.entries()) text.write(line, value, y + row * LINE, { face, size: 9 })
		}
		y += ROW + (lines.length - 1) * LINE
	}
	return y
}

/** Where the letterhead ends, in points from the top. */
export const measureHeading = (text: TextWriter, facts: Facts, sideFacts: Facts = []): number =>
	Math.max(drawFacts(text, facts, LEFT_FACTS, false), drawFacts(text, sideFacts, RIGHT_FACTS, false))

/**
 * Writes the broker's name, the title and the facts: about the client on the left, about the document on the right. Five short facts end
 * 157 points from the top.
 */
export function drawHeading(text: TextWriter, brokerName: string, title: string, facts: Facts, sideFacts: Facts = []): void {
	text.write(brokerName, PAGE.left, 52, { face: 'strong', size: 16 })
	text.write(title, PAGE.right, 52, { face: 'strong', size: 16, align: 'right' })
	text.rule(PAGE.left, 62, PAGE.right - PAGE.left, 0.13)
	drawFacts(text, facts, LEFT_FACTS, true)
	drawFacts(text, sideFacts, RIGHT_FACTS, true)
}

/** Writes the line at the top of every page after the first. */
export function drawRunningHead(text: TextWriter, left: string, right: string): void {
	text.write(left, PAGE.left, 40, { face: 'text', size: 8.5, gray: 0.35 })
	text.write(right, PAGE.right, 40, { face: 'figure', size: 8.5, gray: 0.35, align: 'right' })
}

/** Writes a sentence and the page number at the bottom of a page. A document that is sent while it is written does not know `pages`. */
export function drawFooter(text: TextWriter, words: string, page: number, pages?: number): void {
	text.write(words, PAGE.left, PAGE.footer, { face: 'text', size: 7.5, gray: 0.4 })
	text.write(pages === undefined ? `Page ${page}` : `Page ${page} of ${pages}`, PAGE.right, PAGE.footer, {
		face: 'text',
		size: 7.5,
		gray: 0.4,
		align: 'right',
	})
}

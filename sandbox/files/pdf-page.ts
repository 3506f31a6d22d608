import { setImmediate } from 'node:timers/promises'
import PdfDocument from 'pdfkit'
import { formatDay, timeOfDay, today } from '~/lib/days'
import { createTextWriter, type TextWriter } from './pdf-text'

/** A4 on its side, in points from the top left. */
export const PAGE = { width: 842, height: 595, left: 36, right: 806, bottom: 553, footer: 571 }
export const ROW = 15

/** A document to draw on and to take finished pages from: the reader's pace is the writer's. */
export function createPdf({ title, author, madeAt }: { title: string; author: string; madeAt: Date }) {
	const info = { Title: title, Author: author, CreationDate: madeAt }
	// No font until text is written: pdfkit would read its Helvetica for every document.
	const options = { size: [PAGE.width, PAGE.height] as [number, number], margin: 0, autoFirstPage: false, info, font: '' }
	const doc = new PdfDocument({ ...options, lang: 'en-IN', displayTitle: true })
	return {
		doc,
		text: createTextWriter(doc),
		/** Takes what is finished out of the document before more is drawn; other calls are answered meanwhile. */
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

/** What a generator writes, as a stream that waits for its reader. */
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

/** Who writes, what, and up to five facts; the rest of the letterhead begins at 172. */
export function drawHeading(text: TextWriter, brokerName: string, title: string, facts: readonly (readonly [string, string])[]): void {
	text.write(brokerName, PAGE.left, 52, { face: 'strong', size: 16 })
	text.write(title, PAGE.right, 52, { face: 'strong', size: 16, align: 'right' })
	text.rule(PAGE.left, 62, PAGE.right - PAGE.left, 0.13)
	for (const [at, [label, value]] of facts.entries()) {
		text.write(label, PAGE.left, 82 + at * ROW, { face: 'text', size: 8.5, gray: 0.4 })
		text.write(text.fit(value, 260, 'text', 9), 104, 82 + at * ROW, { face: at === 0 ? 'strong' : 'text', size: 9 })
	}
}

/** The one line on top of every later page. */
export function drawRunningHead(text: TextWriter, left: string, right: string): void {
	text.write(left, PAGE.left, 40, { face: 'text', size: 8.5, gray: 0.35 })
	text.write(right, PAGE.right, 40, { face: 'figure', size: 8.5, gray: 0.35, align: 'right' })
}

/** `isForm`: the client signs it, so it cannot say that nobody has to. */
export function drawFooter(text: TextWriter, madeAt: Date, page: number, pages: number, isForm = false): void {
	const made = `Generated on ${formatDay(today(madeAt))} at ${timeOfDay(madeAt)} IST.${isForm ? '' : ' A computer-made statement: no signature is needed.'}`
	text.write(made, PAGE.left, PAGE.footer, { face: 'text', size: 7.5, gray: 0.4 })
	text.write(`Page ${page} of ${pages}`, PAGE.right, PAGE.footer, { face: 'text', size: 7.5, gray: 0.4, align: 'right' })
}

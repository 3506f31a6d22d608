import { unreadIn, withUnread } from '#contract/tolerant'
import { DASH } from '~/lib/unknown'
import { type Report } from './declaration'
import { arrange, sortableKeys } from './report.server'
import { type FailedCall, tellEmptyColumns, tellUnread } from './unread.server'
import { readView } from './view.server'

const LINES_A_CHUNK = 500

type Batches<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>

/**
 * Returns the arranged rows as CSV (UTF-8 with BOM, CRLF) with the heads of the screen, up to 500 lines at a time and no faster than the
 * browser reads. Waits for the first rows: if they fail, this rejects and the page can show a message. A later failure ends the file
 * early. When something could not be read, or a call that fills some columns failed (`failure`), the last lines say so in the second
 * column (the first has the running number), where a person and an importing program see it.
 */
export async function streamCsv<Row>(
	report: Pick<Report<Row>, 'columns'>,
	batches: Batches<Row>,
	failure?: FailedCall,
): Promise<ReadableStream<Uint8Array>> {
	const lines = csvLines(report, batches, failure)
	const encoder = new TextEncoder()
	let next: Promise<IteratorResult<string>> | undefined = Promise.resolve(await lines.next())
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const { done, value } = await (next ?? lines.next())
				next = undefined
				if (done) controller.close()
				else controller.enqueue(encoder.encode(value))
			},
			cancel: async () => void (await lines.return(undefined)),
		},
		{ highWaterMark: 0 },
	)
}

/** Returns the rows as CSV, searched and sorted as on the page at this address, over all its pages. */
export function createViewCsv<Row>(
	report: Report<Row>,
	rows: readonly Row[],
	url: URL,
	failure?: FailedCall,
): Promise<ReadableStream<Uint8Array>> {
	return streamCsv(report, [arrange(report, rows, readView(url, sortableKeys(report)))], failure)
}

async function* csvLines<Row>(
	report: Pick<Report<Row>, 'columns'>,
	batches: Batches<Row>,
	failure: FailedCall | undefined,
): AsyncGenerator<string, undefined> {
	let chunk = `\uFEFF${['#', ...report.columns.map(({ label }) => label)].map(createCsv).join(',')}\r\n`
	let number = 0
	const incomplete: object[] = []
	for await (const rows of batches) {
		if (unreadIn(rows)) incomplete.push(rows)
		for (let start = 0; start < rows.length; start += LINES_A_CHUNK) {
			for (const row of rows.slice(start, start + LINES_A_CHUNK)) {
				chunk += `${++number},${report.columns.map(({ plain, align }) => writeField(plain(row), align === 'right')).join(',')}\r\n`
			}
			yield chunk
			chunk = ''
		}
	}
	const missing = [tellUnread(unreadIn(withUnread({}, ...incomplete)), { isFile: true }), failure && tellEmptyColumns(failure)]
	for (const each of missing) if (each) chunk += `,${createCsv(`INCOMPLETE: ${each}`)}${','.repeat(report.columns.length - 1)}\r\n`
	if (chunk) yield chunk
	return undefined
}

/** A figure stands as it is: an apostrophe would make text of a negative one. A right-aligned column may also have words. */
const writeField = (value: string, isRight: boolean) => (isRight && /^-?[\d.]*$/.test(value) ? value : createCsv(emptyDash(value)))

/** A value that is not known is a dash on screen and an empty field in a file. */
const emptyDash = (words: string) => (words === DASH ? '' : words)

/** Programs that load a CSV into a database refuse these, NUL above all. */
const CONTROLS = /(?![\t\r\n])\p{Cc}/gu

/**
 * Returns a text as a CSV field; quotes are added where needed. An apostrophe stops a spreadsheet from running the text as a formula. It
 * also stands after a semicolon or a tab: a spreadsheet that divides there takes quotes in the middle of a line for letters.
 */
function createCsv(text: string): string {
	const clean = text.replace(CONTROLS, '').replace(/(?<=[;\t\r\n])(?=[=+\-@＝＋－＠])/g, "'")
	const tame = /^[=+\-@\t\r\n＝＋－＠]/.test(clean) ? `'${clean}` : clean
	return /[",;\t\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame
}

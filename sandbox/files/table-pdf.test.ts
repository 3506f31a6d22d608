import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type SheetRow } from '#documents/table'
import { streamTablePdf } from './table-pdf'

const columns = [
	{ head: 'Name', width: 40 },
	{ head: 'Amount', width: 20, isFigure: true },
]

/** The words of the rows on each page of a statement with this many rows and a total. */
async function readPages(count: number): Promise<string[][]> {
	const rows = Array.from({ length: count }, (_, at): SheetRow => ({ cells: [`Row${at + 1}`, { paise: 1_00 }] }))
	const pdf = streamTablePdf({
		brokerName: 'Broker',
		title: 'Statement',
		heading: 'Statement',
		facts: [['Client', 'Somebody']],
		runningHead: ['Broker', 'Statement'],
		tables: [{ name: 'Rows', columns, rows: [...rows, { cells: ['Total', { paise: count * 1_00 }], isBold: true }] }],
		madeAt: new Date('2026-11-21T10:00:00Z'),
	})
	const input = Buffer.from(await new Response(pdf).arrayBuffer())
	const pages = execFileSync('pdftotext', ['-layout', '-', '-'], { input }).toString().split('\f').slice(0, -1)
	return pages.map((page) => [...page.matchAll(/^ *(Row\d+|Total) /gm)].map(([, name = '']) => name))
}

test('a total is never alone on the last page, and no row is lost', { timeout: 60_000 }, async () => {
	// With 60 rows the total would begin the second page.
	for (let count = 25; count <= 75; count++) {
		const pages = await readPages(count)
		const expected = [...Array.from({ length: count }, (_, at) => `Row${at + 1}`), 'Total']
		expect(pages.flat()).toEqual(expected)
		expect([count, pages.at(-1)?.length]).not.toEqual([count, 1])
	}
})

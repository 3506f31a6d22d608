import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { unpackWoff } from '#documents/woff'
import { streamTablePdf } from './table-pdf'

/** The text that a person copies from a PDF with this sentence. */
async function readBack(sentence: string): Promise<string> {
	const columns = [
		{ head: sentence, width: 30 },
		{ head: sentence, width: 30, isFigure: true },
	]
	const pdf = streamTablePdf({
		brokerName: 'Broker',
		title: 'Title',
		heading: 'Heading',
		facts: [],
		runningHead: ['', ''],
		tables: [{ name: 'Table', columns, rows: [{ cells: [sentence, sentence] }, { cells: [sentence, sentence], isBold: true }] }],
		madeAt: new Date('2026-11-21T06:30:00Z'),
	})
	const input = Buffer.from(await new Response(pdf).arrayBuffer())
	return execFileSync('pdftotext', ['-raw', '-', '-'], { input }).toString()
}

// Documents share their fonts, and a font keeps the letters of earlier documents: é added the e, ± and ÷ added the minus.
/** A letter that no other word of the file has. */
const FILLER = 'Q'

test('has text that can be copied, whatever document was written before', async () => {
	for (const sentence of ['é ± ÷ Ś ½', '₹ 1,234.50 − 0.25 + e S 1/2 …', 'Zoë’s “e” − ₹ é']) {
		const text = await readBack(sentence)
		expect(text.split(sentence).length - 1, sentence).toBe(6)
	}
})

test('wraps a long text of a cell or a letterhead, and cuts nothing', async () => {
	const long = `${'Housing and Urban Development Corporation '.repeat(6)}${FILLER.repeat(90)}`
	const pdf = streamTablePdf({
		brokerName: 'Broker',
		title: 'Title',
		heading: 'Heading',
		facts: [['Address', long]],
		runningHead: ['', ''],
		tables: [
			{
				name: 'Table',
				columns: [
					{ head: 'Name', width: 20 },
					{ head: 'Of', width: 80 },
				],
				rows: [{ cells: [long, 'next'] }, { cells: ['after it', ''] }],
			},
		],
		madeAt: new Date('2026-11-21T06:30:00Z'),
	})
	const input = Buffer.from(await new Response(pdf).arrayBuffer())
	const text = execFileSync('pdftotext', ['-raw', '-', '-'], { input }).toString().replaceAll(/\s/g, '')
	expect(text.split(long.replaceAll(' ', '')).length - 1).toBe(2)
	expect(text).not.toContain('…')
	expect(text.indexOf('afterit')).toBeGreaterThan(text.lastIndexOf(FILLER))
})

test('keeps long sentences above and below the tables on the page', async () => {
	const sentence = `${'The bank blocks the amount and places the bid. '.repeat(12)}End.`
	const pdf = streamTablePdf({
		brokerName: 'Broker',
		title: 'Title',
		heading: 'Heading',
		facts: [['Client', 'Somebody']],
		runningHead: ['', ''],
		note: sentence,
		tables: [{ name: 'Table', columns: [{ head: 'Name', width: 20 }], rows: [{ cells: ['one'] }] }],
		closing: [sentence],
		madeAt: new Date('2026-11-21T06:30:00Z'),
	})
	const input = Buffer.from(await new Response(pdf).arrayBuffer())
	const words = execFileSync('pdftotext', ['-bbox', '-', '-'], { input }).toString()
	expect(words.match(/>End\.</g)?.length).toBe(2)
	// The page is 842 points wide, with a margin of 36; pdftotext rounds.
	for (const [, right] of words.matchAll(/xMax="([\d.]+)"/g)) expect(Number(right)).toBeLessThan(806.1)
	// No text overlaps: the table is below the last line of the note.
	const tops = (word: string) => [...words.matchAll(new RegExp(`yMin="([\\d.]+)"[^>]*>${word}<`, 'g'))].map(([, top]) => Number(top))
	expect(tops('Table')[0]).toBeGreaterThan((tops('End\\.')[0] ?? 0) + 7.5)
})

test('unpacks only WOFF fonts', () => {
	expect(() => unpackWoff(Buffer.from('OTTO, and then some'))).toThrow('no WOFF')
})

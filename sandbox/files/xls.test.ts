import { expect, test } from 'vitest'
import { type SheetRow } from '#documents/table'
import { writeXls } from './xls'

/** The stream of a compound file, read by its allocation table. */
function readStream(file: Buffer): Buffer {
	expect(file.toString('hex', 0, 8)).toBe('d0cf11e0a1b11ae1')
	const sector = (at: number) => file.subarray((at + 1) * 512, (at + 2) * 512)
	const table = Buffer.concat(Array.from({ length: file.readUInt32LE(44) }, (_, at) => sector(file.readUInt32LE(76 + at * 4))))
	const entry = sector(file.readUInt32LE(48)).subarray(128, 256)
	expect(entry.toString('utf16le', 0, entry.readUInt16LE(64) - 2)).toBe('Workbook')
	const parts: Buffer[] = []
	for (let at = entry.readUInt32LE(116); at !== 0xfffffffe; at = table.readUInt32LE(at * 4)) parts.push(sector(at))
	return Buffer.concat(parts).subarray(0, entry.readUInt32LE(120))
}

function* readRecords(stream: Buffer, from = 0): Generator<{ at: number; type: number; data: Buffer }> {
	for (let at = from; at + 4 <= stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
		const type = stream.readUInt16LE(at)
		yield { at, type, data: stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2)) }
		if (type === 0x000a) return
	}
}

function readTexts(stream: Buffer): string[] {
	const texts: string[] = []
	for (const { type, data } of readRecords(stream)) {
		if (type !== 0x00fc && type !== 0x003c) continue
		for (let at = type === 0x00fc ? 8 : 0; at < data.length;) {
			const end = at + 3 + data.readUInt16LE(at) * 2
			texts.push(data.toString('utf16le', at + 3, end))
			at = end
		}
	}
	return texts
}

/** Cells of every sheet, `row,column` to text or number. */
function readSheets(file: Buffer): Map<string, string | number>[] {
	const stream = readStream(file)
	const texts = readTexts(stream)
	const bounds = [...readRecords(stream)].filter(({ type }) => type === 0x0085)
	return bounds.map(({ data: bound }) => {
		const cells = new Map<string, string | number>()
		const start = bound.readUInt32LE(0)
		expect(stream.readUInt16LE(start)).toBe(0x0809)
		for (const { type, data } of readRecords(stream, start)) {
			const place = data.length >= 4 ? `${data.readUInt16LE(0)},${data.readUInt16LE(2)}` : ''
			if (type === 0x0203) cells.set(place, data.readDoubleLE(6))
			if (type === 0x00fd) cells.set(place, texts[data.readUInt32LE(6)] ?? '')
		}
		return cells
	})
}

const columns = ['Name', 'Quantity', 'Price', 'Amount', 'Day'].map((head) => ({ head, width: 12 }))

test('is a compound file of BIFF8 with the written cells', () => {
	// Enough text for CONTINUE records, and enough cells for a second sector of the table.
	const rows = Array.from({ length: 900 }, (_, at): SheetRow => {
		const cells = [`Scrip ${at} & Söhne ₹`, { number: at, decimals: 0 }, { number: at + 0.1234, decimals: 4 }, { paise: -at * 12_345 }]
		return { cells: [...cells, at % 2 ? { day: '2026-11-21' } : null], isBold: at === 899 }
	})
	const tables = [
		{ name: 'Profit & Loss: all', columns, rows },
		{ name: 'Empty', columns, rows: [] },
	]
	const [cells, empty] = readSheets(writeXls(tables, ['Profit and loss', 'Client: Söhne']))
	// Above the column heads are two lines of the title block and an empty line.
	expect([cells?.get('0,0'), cells?.get('1,0'), cells?.get('2,0')]).toEqual(['Profit and loss', 'Client: Söhne', undefined])
	expect(cells?.get('3,3')).toBe('Amount')
	for (const at of [0, 1, 450, 899]) {
		expect(cells?.get(`${at + 4},0`)).toBe(`Scrip ${at} & Söhne ₹`)
		expect([cells?.get(`${at + 4},1`), cells?.get(`${at + 4},2`)]).toEqual([at, at + 0.1234])
		expect(cells?.get(`${at + 4},3`)).toBe((-at * 12_345) / 100)
		// Day 46,347 of Excel's calendar.
		expect(cells?.get(`${at + 4},4`)).toBe(at % 2 ? 46_347 : undefined)
	}
	// Its title, the heads, and the sentence that there is nothing.
	expect(empty?.size).toBe(columns.length + 3)
})

test('refuses more rows than the format has', () => {
	const rows = Array.from({ length: 65_535 }, (): SheetRow => ({ cells: [null] }))
	expect(() => writeXls([{ name: 'Long', columns, rows }], [])).toThrow('too many')
})

import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { unzip } from '#sandbox/testing/zip'
import { type SheetRow } from './table'
import { streamXlsx } from './xlsx'

const ROWS = 5000

async function* listRows(): AsyncGenerator<SheetRow[]> {
	for (let from = 1; from <= ROWS; from += 500)
		yield Array.from({ length: 500 }, (_, at) => ({ cells: [`Payment ${from + at}`, { number: (from + at) * 7919, decimals: 0 }] }))
}

test('gives a slow reader every byte of a long workbook', async () => {
	const columns = [
		{ head: 'Narration', width: 20 },
		{ head: 'Number', width: 10, isFigure: true },
	]
	const sheet = { name: 'Ledger', title: ['Ledger'], columns, rows: listRows() }
	const pieces: Buffer[] = []
	// Throws when the stream closes before its end.
	for await (const piece of streamXlsx([sheet], new Date('2026-11-20T11:00:00Z'))) {
		pieces.push(piece as Buffer)
		await setTimeout(5)
	}
	const written = unzip(Buffer.concat(pieces), 'xl/worksheets/sheet1.xml')
	expect(written).toContain(`Payment ${ROWS}<`)
	expect(written.endsWith('</worksheet>')).toBe(true)
})

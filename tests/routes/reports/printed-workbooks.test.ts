import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { type SheetRow, type SheetTable } from '#documents/table'
import { streamTableXlsx } from '#sandbox/files/table-xlsx'
import { writeXls } from '#sandbox/files/xls'
import { type PrintedPage, printWorkbooks, readWorkbooks, type Workbook } from '#tests/support/office'

/**
 * Amounts in paise and as Indian statements write them: the last three digits, then a comma every two (1 lakh = 1,00,000). Written by
 * hand.
 */
const AMOUNTS = [
	[0, '0.00'],
	[99_999_99, '99,999.99'],
	[-99_999_99, '-99,999.99'],
	[100_000_00, '1,00,000.00'],
	[-1_234_567_89, '-12,34,567.89'],
	[10_000_000_00, '1,00,00,000.00'],
	[-99_999_999_99, '-9,99,99,999.99'],
	[1_234_567_890_12, '1,23,45,67,890.12'],
] as const

const COLUMNS = [
	{ head: 'Security', width: 10 },
	{ head: 'Day', width: 6 },
	...Array.from({ length: 10 }, (_, at) => ({ head: `Amount-${at}`, width: 6, isFigure: true })),
	{ head: 'Quantity', width: 6, isFigure: true },
]
const rows = Array.from({ length: 120 }, (_, at): SheetRow => {
	const [paise] = AMOUNTS[at % AMOUNTS.length] ?? [0]
	const amounts = Array.from({ length: 10 }, () => ({ paise }))
	return { cells: ['Power_Grid_Corporation_of_India_Limited', { day: '2026-04-01' }, ...amounts, { number: 123_456, decimals: 0 }] }
})
const table: SheetTable = { name: 'Statement', columns: COLUMNS, rows }
const TITLE = ['Statement, Broker', 'Client: Somebody (CODE01)', 'Period: 01/04/2026 to 21/11/2026', 'Made on 21/11/2026']

const MADE = new Date('2026-11-21T10:00:00Z')
const NAMES = ['statement.xlsx', 'statement.xls']
let shown: Map<string, Workbook>
let printed: Map<string, PrintedPage[]>

beforeAll(async () => {
	const xlsx = await buffer(Readable.fromWeb(streamTableXlsx([table], TITLE, MADE) as Parameters<typeof Readable.fromWeb>[0]))
	const files = new Map([
		['statement.xlsx', xlsx],
		['statement.xls', writeXls([table], TITLE)],
	])
	shown = await readWorkbooks(files)
	printed = await printWorkbooks(files)
})

for (const name of NAMES) {
	test(`${name} groups digits as the pages do, below its title block`, () => {
		const [sheet] = shown.get(name) ?? []
		expect(sheet?.title).toEqual(TITLE)
		expect(sheet?.rows[0]?.slice(0, 3)).toEqual(['Security', 'Day', 'Amount-0'])
		for (const [at, [, words]] of AMOUNTS.entries())
			expect(sheet?.rows[at + 1]?.slice(1, 3).concat(sheet.rows[at + 1]?.[12] ?? '')).toEqual(['01/04/2026', words, '1,23,456'])
	})

	test(`${name} prints on A4, one page wide, with its heads on every page`, () => {
		const pages = printed.get(name) ?? []
		expect(pages.length).toBeGreaterThan(1)
		for (const { width, height, words } of pages) {
			// A4 is 210 by 297 millimetres: 595 by 842 points.
			expect([Math.round(width), Math.round(height)]).toEqual([842, 595])
			const heads = words.filter(({ text }) => COLUMNS.some(({ head }) => head === text))
			expect(heads.map(({ text }) => text)).toEqual(COLUMNS.map(({ head }) => head))
			// A head is aligned with the right edge of its figures.
			const figures = words.filter(({ text }) => /^-?[\d,]+(\.\d\d)?$/.test(text) && text.includes(','))
			expect(figures.length).toBeGreaterThan(100)
			for (const { text, right } of figures)
				expect([text, Math.min(...heads.slice(2).map((head) => Math.abs(head.right - right))) < 1]).toEqual([text, true])
			// The column is wide enough for its names: none is cut.
			const names = words.filter(({ text }) => text.startsWith('Power')).map(({ text }) => text)
			expect(new Set(names)).toEqual(new Set(['Power_Grid_Corporation_of_India_Limited']))
		}
		expect(pages[0]?.words.map(({ text }) => text).join(' ')).toContain('Client: Somebody (CODE01)')
	})
}

import { type Day, daysBetween } from '#contract/values/dates'
import { CELL_STYLES, findStyle, NUMBER_FORMATS } from '#documents/cell-styles'
import {
	alignText,
	type SheetCell,
	fitColumns,
	type SheetRow,
	sheetRows,
	type SheetTable,
	type TitleBlock,
	titleRows,
} from '#documents/table'
import { writeCompoundFile } from './ole'

/*
 * BIFF8, the workbook format of Excel 97 to 2003, reduced to what Excel and LibreOffice need. MS-XLS describes the records by the names
 * used here. The npm libraries that write this format are unmaintained or include a whole spreadsheet engine.
 */

export const XLS_TYPE = 'application/vnd.ms-excel'

const EXCEL_EPOCH: Day = '1899-12-30'
/** Maximum length of a record's data; the rest continues in CONTINUE records. */
const MOST_DATA = 8224
const MOST_ROWS = 65_535

/** The index of the first cell format: fifteen style formats come before it. */
const FIRST_CELL_FORMAT = 15
/** Excel's built-in number formats have ids below 164. */
const formatId = (format: number) => (format === 0 ? 0 : 163 + format)

function record(type: number, ...parts: Buffer[]): Buffer {
	const data = Buffer.concat(parts)
	const head = Buffer.alloc(4)
	head.writeUInt16LE(type, 0)
	head.writeUInt16LE(data.length, 2)
	return Buffer.concat([head, data])
}

/** Unsigned little-endian numbers of `size` bytes each: `numbers(2, 1, 5)`. */
function numbers(size: 1 | 2 | 4, ...values: number[]): Buffer {
	const bytes = Buffer.alloc(size * values.length)
	for (const [at, value] of values.entries()) bytes.writeUIntLE(value, at * size, size)
	return bytes
}

/** The length of a text in characters, then the text in UTF-16. */
function text(value: string, lengthSize: 1 | 2): Buffer {
	return Buffer.concat([numbers(lengthSize, value.length), numbers(1, 1), Buffer.from(value, 'utf16le')])
}

const writeBegin = (type: number) => record(0x0809, numbers(2, 0x0600, type, 0x0dbb, 0x07cc), numbers(4, 0xc1, 0x0606))
const END = record(0x000a)

function writeFont(isBold: boolean): Buffer {
	return record(0x0031, numbers(2, 200, isBold ? 1 : 0, 0x7fff, isBold ? 700 : 400, 0), numbers(1, 0, 0, 0, 0), text('Arial', 1))
}

/** For each alignment: one byte with horizontal alignment, line breaks and vertical alignment, and the indent. */
const ALIGN_BITS = { left: [0x20, 0], right: [0x03, 0], wrap: [0x09, 1] } as const

function writeFormat(font: number, format: number, isStyle: boolean, align: keyof typeof ALIGN_BITS): Buffer {
	const [bits, indent] = ALIGN_BITS[align]
	const used = isStyle ? 0xf4 : 0xfc
	return record(
		0x00e0,
		numbers(2, font, format, isStyle ? 0xfff5 : 0x0001),
		numbers(1, bits, 0, indent, used),
		numbers(4, 0, 0),
		numbers(2, 0x20c0),
	)
}

/** The workbook's texts, each stored once. */
function createTexts() {
	const places = new Map<string, number>()
	let uses = 0
	return {
		findPlace(value: string): number {
			uses++
			const known = places.get(value)
			if (known !== undefined) return known
			places.set(value, places.size)
			return places.size - 1
		},
		/** The SST record, and CONTINUE records that each begin with a new text. */
		write(): Buffer {
			const chunks: Buffer[][] = [[numbers(4, uses, places.size)]]
			let size = 8
			for (const value of places.keys()) {
				const bytes = text(value, 2)
				if (size + bytes.length > MOST_DATA) {
					chunks.push([])
					size = 0
				}
				chunks.at(-1)?.push(bytes)
				size += bytes.length
			}
			return Buffer.concat(chunks.map((chunk, at) => record(at === 0 ? 0x00fc : 0x003c, ...chunk)))
		},
	}
}

type Texts = ReturnType<typeof createTexts>

function writeNumber(row: number, column: number, format: number, value: number): Buffer {
	const double = Buffer.alloc(8)
	double.writeDoubleLE(value)
	return record(0x0203, numbers(2, row, column, format), double)
}

type Place = { row: number; column: number; isBold?: boolean; align?: 'left' | 'right' | 'wrap' }

function writeCell({ row, column, isBold = false, align = 'left' }: Place, cell: SheetCell, texts: Texts): Buffer {
	if (cell === null) return Buffer.alloc(0)
	const format = FIRST_CELL_FORMAT + findStyle(cell, isBold, align)
	// A cell holds up to 32,767 characters; texts of statements are far shorter.
	if (typeof cell === 'string') return record(0x00fd, numbers(2, row, column, format), numbers(4, texts.findPlace(cell.slice(0, 2000))))
	if ('day' in cell) return writeNumber(row, column, format, daysBetween(EXCEL_EPOCH, cell.day))
	return writeNumber(row, column, format, 'paise' in cell ? cell.paise / 100 : cell.number)
}

function doubles(...values: number[]): Buffer {
	const bytes = Buffer.alloc(8 * values.length)
	for (const [at, value] of values.entries()) bytes.writeDoubleLE(value, at * 8)
	return bytes
}

/** Printed on A4 landscape (SETUP), one page wide (WSBOOL), with the sheet's name and the page number below. */
const PAGE_SETUP = Buffer.concat([
	record(0x0081, numbers(2, 0x05c1)),
	record(0x0014),
	record(0x0015, text('&L&A&RPage &P of &N', 2)),
	...[0x0026, 0x0027].map((side) => record(side, doubles(0.4))),
	record(0x0028, doubles(0.5)),
	record(0x0029, doubles(0.6)),
	record(0x00a1, numbers(2, 9, 100, 1, 1, 0, 0, 600, 600), doubles(0.3, 0.3), numbers(2, 1)),
])

function writeSheet(table: SheetTable, title: TitleBlock, texts: Texts, isFirst: boolean): Buffer {
	const { columns } = table
	const rows = sheetRows(table)
	const above = titleRows(title)
	const heads = above.length
	const all: SheetRow[] = [...above, { cells: columns.map(({ head }) => head), isBold: true }, ...rows]
	if (all.length > MOST_ROWS) throw new RangeError(`${rows.length} rows are too many for an .xls sheet`)
	const widths = fitColumns(columns, rows).map(({ width }, at) => record(0x007d, numbers(2, at, at, width * 256, FIRST_CELL_FORMAT, 0, 0)))
	const cells = all.flatMap((row, at) =>
		row.cells.map((cell, column) => {
			const align = at < heads ? 'left' : alignText(columns[column] ?? {}, row)
			return writeCell({ row: at, column, isBold: row.isBold, align }, cell, texts)
		}),
	)
	return Buffer.concat([
		writeBegin(0x0010),
		PAGE_SETUP,
		record(0x0055, numbers(2, 12)),
		...widths,
		record(0x0200, numbers(4, 0, all.length), numbers(2, 0, columns.length, 0)),
		...cells,
		// The rows down to the column heads stay visible when scrolling. Only the first sheet is selected.
		record(0x023e, numbers(2, isFirst ? 0x07be : 0x01be, 0, 0), numbers(4, 0x40), numbers(2, 0, 0), numbers(4, 0)),
		record(0x0041, numbers(2, 0, heads + 1, heads + 1, 0), numbers(2, 2)),
		END,
	])
}

function writeGlobals(): Buffer {
	const styles = Array.from({ length: FIRST_CELL_FORMAT }, () => writeFormat(0, 0, true, 'left'))
	const cells = CELL_STYLES.map(({ format, isBold, align }) => writeFormat(isBold ? 1 : 0, formatId(format), false, align))
	return Buffer.concat([
		writeBegin(0x0005),
		record(0x0042, numbers(2, 0x04b0)),
		record(0x003d, numbers(2, 0, 0, 16_000, 9000, 0x38, 0, 0, 1, 600)),
		...[false, true, false, false].map(writeFont),
		...NUMBER_FORMATS.flatMap((code, at) => (at === 0 ? [] : [record(0x041e, numbers(2, formatId(at)), text(code, 2))])),
		...styles,
		...cells,
		record(0x0293, numbers(2, 0x8000), numbers(1, 0, 0xff)),
	])
}

/** Makes each sheet print its row of column heads on every page: built-in name 7, which refers to the whole row. */
function writePrintTitles(sheets: number, row: number): Buffer {
	const all = Array.from({ length: sheets }, (_, at) => at)
	return Buffer.concat([
		record(0x01ae, numbers(2, sheets, 0x0401)),
		record(0x0017, numbers(2, sheets), ...all.map((at) => numbers(2, 0, at, at))),
		...all.map((at) =>
			record(
				0x0018,
				numbers(2, 0x0020),
				numbers(1, 0, 1),
				numbers(2, 11, 0, at + 1),
				numbers(1, 0, 0, 0, 0, 0, 7),
				numbers(1, 0x3b),
				numbers(2, at, row, row, 0, 0xff),
			),
		),
	])
}

const nameSheet = (name: string) => name.replace(/[:\\/?*[\]]/g, ' ').slice(0, 31)

/**
 * Tables as an .xls workbook, one sheet each under the same title block. Throws for more than 65,535 rows in a sheet or above about 7
 * MB.
 */
export function writeXls(tables: readonly SheetTable[], title: TitleBlock): Buffer {
	const texts = createTexts()
	const sheets = tables.map((table, at) => writeSheet(table, title, texts, at === 0))
	const globals = writeGlobals()
	const after = Buffer.concat([writePrintTitles(tables.length, titleRows(title).length), texts.write(), END])
	const formatBound = (name: string, at: number) => record(0x0085, numbers(4, at), numbers(1, 0, 0), text(nameSheet(name), 1))
	const bounds = (starts: number[]) => Buffer.concat(tables.map(({ name }, at) => formatBound(name, starts[at] ?? 0)))
	// The sheets start after this part. Its length does not depend on the positions of the sheets.
	let start = globals.length + bounds([]).length + after.length
	const starts = sheets.map((sheet) => {
		const own = start
		start += sheet.length
		return own
	})
	return writeCompoundFile('Workbook', Buffer.concat([globals, bounds(starts), after, ...sheets]))
}

import { type Day, daysBetween } from '~/lib/days'
import { writeCompoundFile } from './ole'
import { type Cell, type Table } from './table'

/*
 * BIFF8, the workbook of Excel 97 to 2003, as little of it as Excel and LibreOffice need: MS-XLS has the records by these names. The
 * libraries on npm that write it are unmaintained or take a whole spreadsheet engine along.
 */

export const XLS_TYPE = 'application/vnd.ms-excel'

const EXCEL_EPOCH: Day = '1899-12-30'
/** A record's data may be so long; what is longer goes on in CONTINUE records. */
const MOST_DATA = 8224
const MOST_ROWS = 65_535

/** Cell formats by what a cell is; bold ones follow plain ones. Fifteen style formats come before them. */
const FIRST_CELL_FORMAT = 15
const formats = { text: 0, paise: 4, quantity: 3, price: 164, day: 165 } as const
type Format = keyof typeof formats
const formatNames = Object.keys(formats) as Format[]
const cellFormat = (format: Format, isBold: boolean) => FIRST_CELL_FORMAT + formatNames.indexOf(format) * 2 + (isBold ? 1 : 0)

function record(type: number, ...parts: Buffer[]): Buffer {
	const data = Buffer.concat(parts)
	const head = Buffer.alloc(4)
	head.writeUInt16LE(type, 0)
	head.writeUInt16LE(data.length, 2)
	return Buffer.concat([head, data])
}

/** Unsigned little-endian numbers of so many bytes each: `numbers(2, 1, 5)`. */
function numbers(size: 1 | 2 | 4, ...values: number[]): Buffer {
	const bytes = Buffer.alloc(size * values.length)
	for (const [at, value] of values.entries()) bytes.writeUIntLE(value, at * size, size)
	return bytes
}

/** UTF-16 text behind its length in characters. */
function text(value: string, lengthSize: 1 | 2): Buffer {
	return Buffer.concat([numbers(lengthSize, value.length), numbers(1, 1), Buffer.from(value, 'utf16le')])
}

const writeBegin = (type: number) => record(0x0809, numbers(2, 0x0600, type, 0x0dbb, 0x07cc), numbers(4, 0xc1, 0x0606))
const END = record(0x000a)

function writeFont(isBold: boolean): Buffer {
	return record(0x0031, numbers(2, 200, isBold ? 1 : 0, 0x7fff, isBold ? 700 : 400, 0), numbers(1, 0, 0, 0, 0), text('Arial', 1))
}

function writeFormat(font: number, format: number, isStyle: boolean): Buffer {
	const used = isStyle ? 0xf4 : 0xfc
	return record(
		0x00e0,
		numbers(2, font, format, isStyle ? 0xfff5 : 0x0001),
		numbers(1, 0x20, 0, 0, used),
		numbers(4, 0, 0),
		numbers(2, 0x20c0),
	)
}

/** The workbook's texts, each once. */
function createTexts() {
	const places = new Map<string, number>()
	let uses = 0
	return {
		placeOf(value: string): number {
			uses++
			const known = places.get(value)
			if (known !== undefined) return known
			places.set(value, places.size)
			return places.size - 1
		},
		/** SST, and CONTINUE records that begin with a text each. */
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

function writeCell(row: number, column: number, cell: Cell, isBold: boolean, texts: Texts): Buffer {
	if (cell === null) return Buffer.alloc(0)
	if (typeof cell === 'string') {
		// A cell holds 32,767 characters; a statement's are far shorter.
		return record(0x00fd, numbers(2, row, column, cellFormat('text', isBold)), numbers(4, texts.placeOf(cell.slice(0, 2000))))
	}
	if ('day' in cell) return writeNumber(row, column, cellFormat('day', isBold), daysBetween(EXCEL_EPOCH, cell.day))
	if ('paise' in cell) return writeNumber(row, column, cellFormat('paise', isBold), cell.paise / 100)
	return writeNumber(row, column, cellFormat(cell.decimals === 0 ? 'quantity' : 'price', isBold), cell.number)
}

function writeSheet({ columns, rows }: Table, texts: Texts, isFirst: boolean): Buffer {
	if (rows.length >= MOST_ROWS) throw new RangeError(`${rows.length} rows are too many for an .xls sheet`)
	const widths = columns.map(({ width }, at) => record(0x007d, numbers(2, at, at, width * 256, FIRST_CELL_FORMAT, 0, 0)))
	const heads = columns.map(({ head }, at) => writeCell(0, at, head, true, texts))
	const cells = rows.flatMap((row, at) => row.cells.map((cell, column) => writeCell(at + 1, column, cell, row.isBold ?? false, texts)))
	return Buffer.concat([
		writeBegin(0x0010),
		record(0x0055, numbers(2, 12)),
		...widths,
		record(0x0200, numbers(4, 0, rows.length + 1), numbers(2, 0, columns.length, 0)),
		...heads,
		...cells,
		// The head stays in sight; only the first sheet is selected.
		record(0x023e, numbers(2, isFirst ? 0x07be : 0x01be, 0, 0), numbers(4, 0x40), numbers(2, 0, 0), numbers(4, 0)),
		record(0x0041, numbers(2, 0, 1, 1, 0), numbers(2, 2)),
		END,
	])
}

function writeGlobals(): Buffer {
	const styles = Array.from({ length: FIRST_CELL_FORMAT }, () => writeFormat(0, 0, true))
	const cells = formatNames.flatMap((name) => [writeFormat(0, formats[name], false), writeFormat(1, formats[name], false)])
	return Buffer.concat([
		writeBegin(0x0005),
		record(0x0042, numbers(2, 0x04b0)),
		record(0x003d, numbers(2, 0, 0, 16_000, 9000, 0x38, 0, 0, 1, 600)),
		...[false, true, false, false].map(writeFont),
		record(0x041e, numbers(2, formats.price), text('#,##0.00##', 2)),
		record(0x041e, numbers(2, formats.day), text('dd/mm/yyyy', 2)),
		...styles,
		...cells,
		record(0x0293, numbers(2, 0x8000), numbers(1, 0, 0xff)),
	])
}

const nameSheet = (name: string) => name.replace(/[:\\/?*[\]]/g, ' ').slice(0, 31)

/** Tables as an .xls workbook, a sheet each. Throws for more than 65,534 rows or some 7 MB. */
export function writeXls(tables: readonly Table[]): Buffer {
	const texts = createTexts()
	const sheets = tables.map((table, at) => writeSheet(table, texts, at === 0))
	const globals = writeGlobals()
	const shared = texts.write()
	const boundOf = (name: string, at: number) => record(0x0085, numbers(4, at), numbers(1, 0, 0), text(nameSheet(name), 1))
	const bounds = (starts: number[]) => Buffer.concat(tables.map(({ name }, at) => boundOf(name, starts[at] ?? 0)))
	// Where sheets begin depends on the length of this very part, which does not depend on where they begin.
	let start = globals.length + bounds([]).length + shared.length + END.length
	const starts = sheets.map((sheet) => {
		const own = start
		start += sheet.length
		return own
	})
	return writeCompoundFile('Workbook', Buffer.concat([globals, bounds(starts), shared, END, ...sheets]))
}

import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type Day, daysBetween } from '#contract/values/dates'
import { formatPlainAmount } from '#contract/values/money'
import { CELL_STYLES, type CellStyle, findStyle, NUMBER_FORMATS } from './cell-styles'
import {
	alignText,
	type SheetCell,
	type SheetColumn,
	countSheetLines,
	fitColumns,
	type SheetRow,
	type TitleBlock,
	titleRows,
} from './table'

export type Sheet = {
	name: string
	title: TitleBlock
	columns: readonly SheetColumn[]
	/** Rows, in the batches in which they are read. */
	rows: AsyncIterable<readonly SheetRow[]>
}

const EXCEL_EPOCH: Day = '1899-12-30'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Numbers below 164 are formats that every program has; ours begin there. */
const formatId = (format: number) => (format === 0 ? 0 : 163 + format)
const ALIGNS = {
	left: '',
	right: '<alignment horizontal="right" vertical="top"/>',
	wrap: '<alignment horizontal="left" indent="1" vertical="top" wrapText="1"/>',
} as const

function writeStyle({ format, isBold, align }: CellStyle): string {
	const applied = `numFmtId="${formatId(format)}" fontId="${isBold ? 1 : 0}" applyNumberFormat="1" applyFont="1"`
	return align === 'left' ? `<xf ${applied}/>` : `<xf ${applied} applyAlignment="1">${ALIGNS[align]}</xf>`
}

const STYLES = [
	`${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts count="${NUMBER_FORMATS.length - 1}">`,
	...NUMBER_FORMATS.map((code, at) => (at === 0 ? '' : `<numFmt numFmtId="${formatId(at)}" formatCode="${code}"/>`)),
	'</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
	'<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
	`<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${CELL_STYLES.length}">`,
	...CELL_STYLES.map(writeStyle),
	'</cellXfs></styleSheet>',
].join('')

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
	// Characters that XML has no way to write are left out: one of them makes the whole file unreadable.
	return text.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '').replace(/[&<>"]/g, (found) => ESCAPES[found] ?? found)
}

function writeCell(cell: SheetCell, isBold: boolean, align: 'left' | 'right' | 'wrap'): string {
	if (cell === null) return '<c/>'
	const style = findStyle(cell, isBold, align)
	if (typeof cell === 'string') return `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`
	const value = 'day' in cell ? daysBetween(EXCEL_EPOCH, cell.day) : 'paise' in cell ? formatPlainAmount(cell.paise) : cell.number
	return `<c s="${style}"><v>${value}</v></c>`
}

/** Rows that are written without a turn for other requests: about 25 KB of text, some milliseconds. */
const ROWS_AT_ONCE = 50

/** Height of a line of text in points. */
const LINE = 15

function writeRow(row: SheetRow, columns: readonly SheetColumn[]): string {
	const { cells, isBold = false } = row
	const lines = countSheetLines(row, columns)
	const height = lines === 1 ? '' : ` ht="${lines * LINE}" customHeight="1"`
	return `<row${height}>${cells.map((cell, at) => writeCell(cell, isBold, alignText(columns[at] ?? {}, row))).join('')}</row>`
}

/** A4 landscape, all columns on the width of one page, page numbers at the bottom. */
const PAGE_SETUP =
	'<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/><headerFooter><oddFooter>&amp;L&amp;A&amp;RPage &amp;P of &amp;N</oddFooter></headerFooter>'

async function* writeSheet({ title, columns: given, rows }: Sheet): AsyncGenerator<string> {
	const columns = fitColumns(given)
	const above = titleRows(title)
	const heads = above.length + 1
	yield `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0"><pane ySplit="${heads}" topLeftCell="A${heads + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`
	yield columns.map(({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('')
	const head = { cells: columns.map((column) => column.head), isBold: true }
	yield `</cols><sheetData>${above.map((row) => writeRow(row, [])).join('')}${writeRow(head, columns)}`
	for await (const chunk of rows) {
		for (let from = 0; from < chunk.length; from += ROWS_AT_ONCE)
			yield chunk
				.slice(from, from + ROWS_AT_ONCE)
				.map((row) => writeRow(row, columns))
				.join('')
	}
	yield `</sheetData>${PAGE_SETUP}</worksheet>`
}

const relationship = (id: number, type: string, target: string) =>
	`<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
const relationships = (list: string) => `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${list}</Relationships>`

/** The name in a form that Excel accepts: at most 31 characters, without special characters. */
const nameSheet = (name: string) => name.replace(/[:\\/?*[\]]/g, ' ').slice(0, 31)

/**
 * An .xlsx file that is written while it is read, so a hundred thousand rows take no more memory than one. Sheets are read one after the
 * other.
 */
export function streamXlsx(sheets: readonly Sheet[], madeAt: Date): Readable {
	const zip = new ZipFile()
	const options = { mtime: madeAt, compressionLevel: 3 }
	const part = (name: string, type: string) =>
		`<Override PartName="${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`
	const add = (name: string, text: string) => zip.addBuffer(Buffer.from(text), name, options)
	const numbers = sheets.map((_, at) => at + 1)
	const overrides = numbers.map((number) => part(`/xl/worksheets/sheet${number}.xml`, 'worksheet')).join('')
	add(
		'[Content_Types].xml',
		`${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('/xl/workbook.xml', 'sheet.main')}${overrides}${part('/xl/styles.xml', 'styles')}</Types>`,
	)
	add('_rels/.rels', relationships(relationship(1, 'officeDocument', 'xl/workbook.xml')))
	const entries = sheets.map(({ name }, at) => `<sheet name="${escapeXml(nameSheet(name))}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
	// The column heads are printed on every page.
	const titles = sheets.map(({ name, title }, at) => {
		const row = `$${titleRows(title).length + 1}`
		const place = `'${nameSheet(name).replaceAll("'", "''")}'!${row}:${row}`
		return `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">${escapeXml(place)}</definedName>`
	})
	add(
		'xl/workbook.xml',
		`${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${entries.join('')}</sheets><definedNames>${titles.join('')}</definedNames></workbook>`,
	)
	const worksheets = numbers.map((number) => relationship(number, 'worksheet', `worksheets/sheet${number}.xml`)).join('')
	add('xl/_rels/workbook.xml.rels', relationships(worksheets + relationship(sheets.length + 1, 'styles', 'styles.xml')))
	add('xl/styles.xml', STYLES)
	// Not `wrap`: it closes when the zip has ended, and a slow reader loses what is still buffered.
	const output = zip.outputStream as Readable
	const parts = sheets.map((sheet) => Readable.from(writeSheet(sheet), { objectMode: false, highWaterMark: 65_536 }))
	for (const [at, rows] of parts.entries()) {
		// After a failed query the file must break off and not end: half a ledger that opens is worse than none.
		rows.on('error', (error) => output.destroy(error))
		zip.addReadStream(rows, `xl/worksheets/sheet${at + 1}.xml`, options)
	}
	output.on('close', () => {
		for (const rows of parts) rows.destroy()
	})
	zip.end()
	return output
}

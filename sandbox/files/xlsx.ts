import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type Day, daysBetween } from '~/lib/days'
import { plainAmount } from '~/lib/money'
import { type Cell, type Row } from './table'

export type Sheet = {
	name: string
	/** Column heads with their widths in characters. */
	columns: readonly { head: string; width: number }[]
	/** Rows in the pieces they are read in; a bold row ends in 'bold'. */
	rows: AsyncIterable<readonly Row[]>
}

const STYLE = { text: 0, bold: 1, amount: 2, boldAmount: 3, day: 4, quantity: 5, boldQuantity: 6, price: 7, boldPrice: 8 }
const EXCEL_EPOCH: Day = '1899-12-30'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const STYLES = `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.00"/><numFmt numFmtId="165" formatCode="dd/mm/yyyy"/><numFmt numFmtId="166" formatCode="#,##0.00##"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>
<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="9"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/>
<xf numFmtId="164" fontId="1" applyNumberFormat="1" applyFont="1"/><xf numFmtId="165" applyNumberFormat="1"/>
<xf numFmtId="3" applyNumberFormat="1"/><xf numFmtId="3" fontId="1" applyNumberFormat="1" applyFont="1"/><xf numFmtId="166" applyNumberFormat="1"/>
<xf numFmtId="166" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
	// Characters that XML has no way to write are left out: one of them makes the whole file unreadable.
	return text.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '').replace(/[&<>"]/g, (found) => ESCAPES[found] ?? found)
}

function writeCell(cell: Cell, isBold: boolean): string {
	if (cell === null) return '<c/>'
	if (typeof cell === 'string') {
		return `<c t="inlineStr"${isBold ? ` s="${STYLE.bold}"` : ''}><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`
	}
	if ('day' in cell) return `<c s="${STYLE.day}"><v>${daysBetween(EXCEL_EPOCH, cell.day)}</v></c>`
	if ('number' in cell) {
		const [plain, bold] = cell.decimals === 0 ? [STYLE.quantity, STYLE.boldQuantity] : [STYLE.price, STYLE.boldPrice]
		return `<c s="${isBold ? bold : plain}"><v>${cell.number}</v></c>`
	}
	return `<c s="${isBold ? STYLE.boldAmount : STYLE.amount}"><v>${plainAmount(cell.paise)}</v></c>`
}

const writeRow = ({ cells, isBold = false }: Row) => `<row>${cells.map((cell) => writeCell(cell, isBold)).join('')}</row>`

async function* writeSheet({ columns, rows }: Sheet): AsyncGenerator<string> {
	yield `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`
	yield columns.map(({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('')
	yield `</cols><sheetData>${writeRow({ cells: columns.map(({ head }) => head), isBold: true })}`
	for await (const chunk of rows) {
		for (let from = 0; from < chunk.length; from += 500)
			yield chunk
				.slice(from, from + 500)
				.map(writeRow)
				.join('')
	}
	yield '</sheetData></worksheet>'
}

const relationship = (id: number, type: string, target: string) =>
	`<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
const relationships = (list: string) => `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${list}</Relationships>`

/** Names that Excel takes: at most 31 characters, none of them special. */
const nameSheet = (name: string) => name.replace(/[:\\/?*[\]]/g, ' ').slice(0, 31)

/** An xlsx, written as it is read: a hundred thousand rows take no more memory than one. Sheets are read one after the other. */
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
	add('xl/workbook.xml', `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${entries.join('')}</sheets></workbook>`)
	const worksheets = numbers.map((number) => relationship(number, 'worksheet', `worksheets/sheet${number}.xml`)).join('')
	add('xl/_rels/workbook.xml.rels', relationships(worksheets + relationship(sheets.length + 1, 'styles', 'styles.xml')))
	add('xl/styles.xml', STYLES)
	const output = new Readable().wrap(zip.outputStream)
	const parts = sheets.map((sheet) => Readable.from(writeSheet(sheet), { objectMode: false, highWaterMark: 65_536 }))
	for (const [at, rows] of parts.entries()) {
		// A failed query must break the file off, not end it: half a ledger that opens is worse than none.
		rows.on('error', (error) => output.destroy(error))
		zip.addReadStream(rows, `xl/worksheets/sheet${at + 1}.xml`, options)
	}
	output.on('close', () => {
		for (const rows of parts) rows.destroy()
	})
	zip.end()
	return output
}

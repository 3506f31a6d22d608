import { Readable } from 'node:stream'
import { fitColumns, sheetRows, type SheetTable, type TitleBlock } from '#documents/table'
import { streamXlsx } from '#documents/xlsx'

async function* once<Value>(value: Value): AsyncGenerator<Value> {
	yield value
}

/** Tables as a workbook, one sheet each under the same title block. Amounts are numbers and days are dates. */
export function streamTableXlsx(tables: readonly SheetTable[], title: TitleBlock, madeAt: Date): ReadableStream {
	const sheets = tables.map((table) => {
		const rows = sheetRows(table)
		return { name: table.name, title, columns: fitColumns(table.columns, rows), rows: once(rows) }
	})
	return Readable.toWeb(streamXlsx(sheets, madeAt)) as ReadableStream
}

import { Readable } from 'node:stream'
import { fitColumns, type SheetTable, type TitleBlock } from '#documents/table'
import { streamXlsx } from '#documents/xlsx'

async function* once<Value>(value: Value): AsyncGenerator<Value> {
	yield value
}

/** Tables as a workbook, a sheet each under the same title block; amounts and days are real numbers and real dates. */
export function streamTableXlsx(tables: readonly SheetTable[], title: TitleBlock, madeAt: Date): ReadableStream {
	const sheets = tables.map(({ name, columns, rows }) => ({ name, title, columns: fitColumns(columns, rows), rows: once(rows) }))
	return Readable.toWeb(streamXlsx(sheets, madeAt)) as ReadableStream
}

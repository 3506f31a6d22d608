import { Readable } from 'node:stream'
import { type Table } from './table'
import { streamXlsx } from './xlsx'

async function* once<Value>(value: Value): AsyncGenerator<Value> {
	yield value
}

/** Tables as a workbook, a sheet each; amounts and days are real numbers and real dates. */
export function streamTableXlsx(tables: readonly Table[], madeAt: Date): ReadableStream {
	const sheets = tables.map(({ name, columns, rows }) => ({ name, columns, rows: once(rows) }))
	return Readable.toWeb(streamXlsx(sheets, madeAt)) as ReadableStream
}

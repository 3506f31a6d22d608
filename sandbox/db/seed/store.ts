import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { type Book } from '#sandbox/book/book'
import { type Books, type DbValue } from '#sandbox/db/open'
import * as schema from '#sandbox/db/schema'

function toCell(value: unknown): DbValue {
	if (value === null || value === undefined) return null
	if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
	return JSON.stringify(value)
}

/** Loads rows, keyed by column name, into their table. Missing columns become NULL, so defaults must be written out. */
export async function storeRows(books: Books, table: PgTable, rows: readonly object[]): Promise<void> {
	if (rows.length === 0) return
	const { name, columns: known } = getTableConfig(table)
	const columns = known.map((column) => column.name).filter((column) => rows.some((row) => column in row))
	await books.copy(
		name,
		columns,
		rows.map((row) => columns.map((column) => toCell(Reflect.get(row, column)))),
	)
}

/** Stores the book's rows and then empties it; its numbers and balances continue. */
export async function storeBook(books: Books, book: Book): Promise<void> {
	const tables = [
		[schema.vouchers, book.vouchers],
		[schema.postings, book.postings],
		[schema.notes, book.notes],
		[schema.noteCharges, book.noteCharges],
		[schema.marks, book.marks],
		[schema.trades, book.trades],
		[schema.lots, book.lots],
		[schema.disposals, book.disposals],
		[schema.pledgeMovements, book.pledges],
		[schema.fundings, book.fundings],
		[schema.dividends, book.dividends],
	] as const
	for (const [table, rows] of tables) {
		await storeRows(books, table, rows)
		rows.length = 0
	}
}

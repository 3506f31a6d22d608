import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRows } from '#sandbox/book/rows'
import { type Books } from '#sandbox/db/open'
import { openSeededBooks, SMALL_CLIENTS } from '#sandbox/testing/books'

// A Friday with trades.
const DAY = '2026-11-20'

let books: Books
beforeAll(async () => {
	books = await openSeededBooks({ seed: 'test', today: DAY, personas: SMALL_CLIENTS })
})
afterAll(() => books.close())

/** Columns of moments in the past: `asked_at`, `sent_at` and so on. */
const columns = sql`SELECT table_name, column_name FROM information_schema.columns
	WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' AND column_name LIKE '%\\_at' AND column_name <> 'expires_at'`

test('no event of fresh books is later than the opening of their day, the earliest clock that they are made for', async () => {
	const found = await readRows<{ table_name: string; column_name: string }>(books, columns)
	expect(found.map(({ table_name, column_name }) => `${table_name}.${column_name}`)).toContain('pledge_requests.asked_at')
	const later: string[] = []
	for (const { table_name: table, column_name: column } of found) {
		const moments = await readRows<{ at: string }>(
			books,
			sql`SELECT ${sql.identifier(column)}::text AS at FROM ${sql.identifier(table)} WHERE ${sql.identifier(column)} > ${`${DAY}T09:15:00+05:30`}::timestamptz`,
		)
		later.push(...moments.map(({ at }) => `${table}.${column} ${at}`))
	}
	expect(later).toEqual([])
})

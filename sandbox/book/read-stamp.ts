import { sql } from 'drizzle-orm'
import { type Books } from '#sandbox/db/open'
import { readRows } from './rows'

/** Names the state of the books: rows are only ever added, so the newest of each kind say whether anything has changed. */
export async function readStamp(books: Books): Promise<string> {
	const tables = ['trades', 'lots', 'disposals', 'postings', 'pledge_movements', 'dividends', 'fundings']
	const newest = tables.map((table) => sql`(SELECT coalesce(max(id), 0)::text FROM ${sql.identifier(table)})`)
	const [stamp] = await readRows<{ stamp: string }>(books, sql`SELECT ${sql.join(newest, sql` || '.' || `)} AS stamp`)
	return stamp?.stamp ?? ''
}

import { sql } from 'drizzle-orm'
import { type Books } from '#sandbox/db/open'
import { readRows } from './rows'

/**
 * Identifies the state of the books: rows are only ever added, so the newest of each kind show whether anything has changed. A listing
 * gives shares a price.
 */
export async function readStamp(books: Books): Promise<string> {
	const tables = ['trades', 'lots', 'disposals', 'postings', 'pledge_movements', 'dividends', 'fundings']
	const newest = tables.map((table) => sql`(SELECT coalesce(max(id), 0)::text FROM ${sql.identifier(table)})`)
	newest.push(sql`(SELECT count(*)::text FROM ipo_issues WHERE stage = 'LISTED')`)
	const [stamp] = await readRows<{ stamp: string }>(books, sql`SELECT ${sql.join(newest, sql` || '.' || `)} AS stamp`)
	return stamp?.stamp ?? ''
}

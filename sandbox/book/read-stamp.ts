import { sql } from 'drizzle-orm'
import { type Books } from '#sandbox/db/open'
import { readRows } from './rows'

/**
 * A text that changes when the books change. Rows are only added, so the newest row of each table shows whether anything has changed. A
 * listing is counted too, because it gives shares a price.
 */
export async function readStamp(books: Books): Promise<string> {
	const tables = ['trades', 'lots', 'disposals', 'postings', 'pledge_movements', 'dividends', 'fundings']
	const newest = tables.map((table) => sql`(SELECT coalesce(max(id), 0)::text FROM ${sql.identifier(table)})`)
	newest.push(sql`(SELECT count(*)::text FROM ipo_issues WHERE stage = 'LISTED')`)
	const [stamp] = await readRows<{ stamp: string }>(books, sql`SELECT ${sql.join(newest, sql` || '.' || `)} AS stamp`)
	return stamp?.stamp ?? ''
}

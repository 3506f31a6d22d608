import { sql } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'
import { type Books } from '#sandbox/db/open'
import { readRows } from './rows'

/** The day of the client's last trade in any segment, or null. */
export async function readLastTradeDay(books: Books, client: string): Promise<Day | null> {
	const [last] = await readRows<{ day: string | null }>(books, sql`SELECT max(day)::text AS day FROM trades WHERE client = ${client}`)
	return last?.day ?? null
}

import { type SQL } from 'drizzle-orm'
import { type Queries } from '#sandbox/db/open'

/** The books, or a transaction instead of their database: `{ db: tx }`. */
export type Readable = { db: Pick<Queries, 'execute'> }

/**
 * The rows of a hand-written query. The drivers return bigint, numeric and date differently, so such queries cast: days to text, whole
 * amounts to float8 (exact to 2^53 paise).
 */
export async function readRows<Row extends Record<string, string | number | boolean | null>>({ db }: Readable, query: SQL): Promise<Row[]> {
	const result: { rows: Row[] } = await db.execute<Row>(query)
	return result.rows
}

import { sql } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Books } from '#sandbox/db/open'
import { REALISING } from './read-scrips'
import { readRows } from './rows'

export type YearFigures = { realised: Paise; charges: Paise; dividend: Paise }

/**
 * Realised gain before charges, charges of all contract notes, and declared dividends, from `from` to `to`, in paise. A split or a
 * demerger realises nothing; a sale of unknown cost has no known gain.
 */
export async function readYearFigures(books: Books, client: string, from: Day, to: Day): Promise<YearFigures> {
	const [figures] = await readRows<YearFigures>(
		books,
		sql`SELECT
			(SELECT coalesce(sum(CASE l.side WHEN 'S' THEN d.cost - d.proceeds ELSE d.proceeds - d.cost END), 0)::float8
				FROM disposals d JOIN lots l ON l.id = d.lot_id
				WHERE d.client = ${client} AND d.day BETWEEN ${from} AND ${to} AND ${REALISING}) AS realised,
			(SELECT coalesce(sum(obligation - net), 0)::float8 FROM notes WHERE client = ${client} AND day BETWEEN ${from} AND ${to}) AS charges,
			(SELECT coalesce(sum(amount), 0)::float8 FROM dividends WHERE client = ${client} AND ex_day BETWEEN ${from} AND ${to}) AS dividend`,
	)
	if (figures === undefined) throw new Error('Sums answer one row')
	return figures
}

import { sql } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Books } from '#sandbox/db/open'
import { readRows } from './rows'

/** A corporate action with its effect on one client. */
export type ClientAction = {
	day: Day
	kind: 'BONUS' | 'SPLIT' | 'DEMERGER' | 'DIVIDEND' | 'BUYBACK' | 'RIGHTS'
	instrument: string
	name: string
	into: string | null
	intoName: string | null
	numerator: number
	denominator: number
	/** 1/10,000 rupee. */
	price: number | null
	costMovedBps: number | null
	/** Units credited or tendered; for a dividend, the units it was paid on. */
	quantity: number
	/** Before deducted tax. */
	amount: Paise
	tds: Paise
}

/**
 * Corporate actions of a client's units of a security up to a day, oldest first. Includes the actions of the security that it was split
 * or demerged from. Actions while the client held no units are left out.
 */
export async function readHoldingActions(books: Books, client: string, isin: string, day: Day): Promise<ClientAction[]> {
	return await readRows<ClientAction>(
		books,
		sql`WITH RECURSIVE chain AS (
			SELECT ${isin}::text AS instrument, ${day}::date AS until
			UNION
			SELECT a.instrument, a.ex_day FROM chain JOIN corporate_actions a ON a.into_instrument = chain.instrument AND a.ex_day <= chain.until
		)
		SELECT a.ex_day::text AS day, a.kind, a.instrument, i.name, a.into_instrument AS into, j.name AS "intoName", a.numerator, a.denominator,
			a.amount::float8 AS price, a.cost_moved_bps AS "costMovedBps", done.quantity::float8 AS quantity, done.amount::float8 AS amount, done.tds::float8 AS tds
		FROM (SELECT instrument, max(until) AS until FROM chain GROUP BY 1) c JOIN corporate_actions a ON a.instrument = c.instrument AND a.ex_day <= c.until
		JOIN instruments i ON i.id = a.instrument LEFT JOIN instruments j ON j.id = a.into_instrument
		JOIN LATERAL (
			SELECT sum(quantity) AS quantity, sum(amount) AS amount, sum(tds) AS tds FROM (
				SELECT quantity, amount, tds FROM dividends WHERE a.kind IN ('DIVIDEND', 'BUYBACK') AND client = ${client} AND instrument = a.instrument AND ex_day = a.ex_day
				UNION ALL
				SELECT l.quantity, 0, 0 FROM lots l WHERE a.kind IN ('BONUS', 'SPLIT', 'DEMERGER') AND l.client = ${client}
					AND l.instrument = coalesce(a.into_instrument, a.instrument) AND l.opened_on = a.ex_day AND l.origin = a.kind
				UNION ALL
				SELECT d.quantity, d.proceeds, 0 FROM disposals d JOIN lots l ON l.id = d.lot_id
				WHERE a.kind = 'BUYBACK' AND d.client = ${client} AND l.instrument = a.instrument AND d.day = a.ex_day AND d.kind = 'BUYBACK' AND d.proceeds > 0
			) effects
		) done ON done.quantity > 0
		ORDER BY a.ex_day, a.id`,
	)
}

/** Highest price of a security on 31-01-2018 in 1/10,000 rupee; null when it has none. */
export async function readFmv(books: Books, isin: string): Promise<number | null> {
	const [row] = await readRows<{ fmv: number | null }>(books, sql`SELECT fmv_2018::float8 AS fmv FROM instruments WHERE id = ${isin}`)
	return row?.fmv ?? null
}

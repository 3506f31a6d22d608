import { sql } from 'drizzle-orm'
import { type Segment } from '#contract/units'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Books } from '#sandbox/db/open'
import { type InstrumentKind } from '#sandbox/rules/segments'
import { readRows } from './rows'

/** Units that came into or left an account without a trade. */
export type StockMove = {
	day: Day
	instrument: string
	name: string
	kind: InstrumentKind
	segment: Segment
	multiplier: number
	move: 'BONUS' | 'SPLIT' | 'DEMERGER' | 'IPO' | 'TRANSFER' | 'BUYBACK' | 'EXPIRY'
	isIn: boolean
	quantity: number
	/** The cost that moves in or out, or a buyback's payment, in paise; 0 when the cost is unknown. */
	amount: Paise
	isCostKnown: boolean
}

/** A client's moves of a period, oldest first. The end of a short contract is an entry, of a long one an exit. */
export async function readStockMoves(books: Books, client: string, from: Day, to: Day): Promise<StockMove[]> {
	return await readRows<StockMove>(
		books,
		sql`SELECT m.day::text AS day, m.instrument, i.name, i.kind, i.segment, i.multiplier, m.move, m.is_in AS "isIn", sum(m.quantity)::float8 AS quantity,
			sum(m.amount)::float8 AS amount, bool_and(m.is_known) AS "isCostKnown"
		FROM (
			SELECT opened_on AS day, instrument, origin AS move, side = 'L' AS is_in, quantity, coalesce(cost, 0) AS amount, cost IS NOT NULL AS is_known
			FROM lots WHERE client = ${client} AND opened_on BETWEEN ${from} AND ${to} AND origin <> 'TRADE'
			UNION ALL
			SELECT d.day, l.instrument, d.kind, l.side = 'S', d.quantity, d.proceeds, d.cost IS NOT NULL
			FROM disposals d JOIN lots l ON l.id = d.lot_id WHERE d.client = ${client} AND d.day BETWEEN ${from} AND ${to} AND d.kind <> 'SALE'
		) m JOIN instruments i ON i.id = m.instrument
		GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, upper(i.name) COLLATE "C", 2, 8 DESC, 7`,
	)
}

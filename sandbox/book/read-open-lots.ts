import { sql } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { readUnpaid } from './read-unpaid'
import { type Readable, readRows } from './rows'

/** The open part of one lot of a security at the end of a day. */
export type OpenLotRow = {
	id: number
	instrument: string
	openedOn: Day
	acquiredOn: Day
	origin: 'TRADE' | 'BONUS' | 'SPLIT' | 'DEMERGER' | 'IPO' | 'TRANSFER'
	billNo: string | null
	quantity: number
	/** Of the open part; null when unknown. */
	cost: Paise | null
	expenses: Paise
}

/** Open lots of securities in order of credit, which is the order of sale; only of `isin` when it is given. */
export async function readOpenLots(books: Readable, client: string, day: Day, isin?: string): Promise<OpenLotRow[]> {
	const only = isin === undefined ? sql`` : sql`AND l.instrument = ${isin}`
	return await readRows<OpenLotRow>(
		books,
		sql`SELECT l.id::float8 AS id, l.instrument, l.opened_on::text AS "openedOn", l.acquired_on::text AS "acquiredOn", l.origin, t.bill_no AS "billNo",
			(l.quantity - coalesce(g.quantity, 0))::float8 AS quantity, (l.cost - coalesce(g.cost, 0))::float8 AS cost,
			(l.expenses - coalesce(g.expenses, 0))::float8 AS expenses
		FROM lots l LEFT JOIN (
			SELECT d.lot_id, sum(d.quantity) AS quantity, sum(d.cost) AS cost, sum(d.expenses) AS expenses
			FROM disposals d WHERE d.client = ${client} AND d.day <= ${day} GROUP BY 1
		) g ON g.lot_id = l.id
		LEFT JOIN trades t ON t.id = l.trade_id
		WHERE l.client = ${client} ${only} AND l.segment = 'NSE_CASH' AND l.opened_on <= ${day} AND l.quantity > coalesce(g.quantity, 0)
		ORDER BY l.id`,
	)
}

/** Units of one security: pledged for margin, pledged for margin funding, not paid for (CUSPA), and bought but not delivered yet. */
export type Encumbrance = { instrument: string; margin: number; mtf: number; unpaid: number; unsettled: number }

/**
 * Units of each security that are not free at the end of a day. With margin funding, unsettled units may also count as pledged or
 * unpaid.
 */
export async function readEncumbrances(books: Readable, client: string, day: Day): Promise<Map<string, Encumbrance>> {
	const rows = await readRows<Encumbrance>(
		books,
		sql`SELECT instrument, sum(margin)::float8 AS margin, sum(mtf)::float8 AS mtf, sum(unpaid)::float8 AS unpaid, sum(unsettled)::float8 AS unsettled FROM (
			SELECT instrument, CASE kind WHEN 'MTF' THEN 0 ELSE quantity END AS margin, CASE kind WHEN 'MTF' THEN quantity ELSE 0 END AS mtf, 0 AS unpaid, 0 AS unsettled
			FROM pledge_movements WHERE client = ${client} AND day <= ${day}
			UNION ALL
			-- Funded shares whose pledge waits for the client lie in the broker's unpaid-securities pledge meanwhile.
			SELECT line->>'isin', 0, 0, (line->>'qty')::integer, 0 FROM pledge_requests, jsonb_array_elements(lines) line
			WHERE client = ${client} AND purpose = 'MTF' AND status = 'WAITING'
			UNION ALL
			SELECT t.instrument, 0, 0, 0, t.quantity - t.intraday_quantity FROM notes n JOIN trades t USING (bill_no)
			WHERE n.client = ${client} AND n.segment = 'NSE_CASH' AND n.day BETWEEN ${day}::date - 14 AND ${day} AND n.settles_on > ${day} AND t.side = 'B'
		) encumbered GROUP BY 1`,
	)
	const found = new Map(rows.map((row) => [row.instrument, row]))
	for (const { instrument, quantity } of await readUnpaid(books, client, day)) {
		const own = found.get(instrument) ?? { instrument, margin: 0, mtf: 0, unpaid: 0, unsettled: 0 }
		found.set(instrument, { ...own, unpaid: own.unpaid + quantity })
	}
	return found
}

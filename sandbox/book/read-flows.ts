import { sql } from 'drizzle-orm'
import { type Day } from '~/lib/days'
import { type Paise } from '~/lib/money'
import { type Books } from '#sandbox/db/open'
import { readRows } from './rows'

/** Money a client put into (negative) or took out of (positive) one security on one day. */
export type FlowRow = { instrument: string; day: Day; amount: Paise; isKnown: boolean }

/**
 * Daily flows of a client's securities up to a day. Of `held`: each security still held, as though it had always been itself: a split's or
 * demerger's successor was bought at its own part of the cost on the original day. Of `all`: what really went in and out, successors left
 * out. Purchases with the charges in their cost, sales less charges, dividends; intraday is neither.
 */
export async function readFlows(books: Books, client: string, to: Day, of: 'held' | 'all'): Promise<FlowRow[]> {
	const isAll = of === 'all'
	// A lot that only changed its shape, or was never held overnight, is taken back as if it had not been.
	const undone = isAll ? sql`d.is_intraday` : sql`(d.is_intraday OR d.kind IN ('SPLIT', 'DEMERGER'))`
	const left = isAll
		? sql``
		: sql`WHERE instrument IN (SELECT instrument FROM (
				SELECT instrument, quantity FROM lots WHERE client = ${client} AND segment = 'NSE_CASH' AND opened_on <= ${to}
				UNION ALL SELECT l.instrument, -d.quantity FROM disposals d JOIN lots l ON l.id = d.lot_id WHERE d.client = ${client} AND d.day <= ${to}
			) held GROUP BY 1 HAVING sum(quantity) > 0)`
	return await readRows<FlowRow>(
		books,
		sql`SELECT ${isAll ? sql`''` : sql`instrument`} AS instrument, day::text AS day, sum(amount)::float8 AS amount, bool_and(is_known) AS "isKnown" FROM (
			SELECT instrument, acquired_on AS day, -(coalesce(cost, 0) + expenses) AS amount, cost IS NOT NULL AS is_known
			FROM lots WHERE client = ${client} AND segment = 'NSE_CASH' AND opened_on <= ${to} ${isAll ? sql`AND origin NOT IN ('SPLIT', 'DEMERGER')` : sql``}
			UNION ALL
			SELECT l.instrument, l.acquired_on, coalesce(d.cost, 0) + d.expenses, true FROM disposals d JOIN lots l ON l.id = d.lot_id
			WHERE d.client = ${client} AND l.segment = 'NSE_CASH' AND d.day <= ${to} AND ${undone}
			UNION ALL
			SELECT l.instrument, d.day, d.proceeds - d.sale_expenses - d.stt, true FROM disposals d JOIN lots l ON l.id = d.lot_id
			WHERE d.client = ${client} AND l.segment = 'NSE_CASH' AND d.day <= ${to} AND d.kind IN ('SALE', 'BUYBACK') AND NOT d.is_intraday
			UNION ALL
			SELECT instrument, ex_day, amount, true FROM dividends WHERE client = ${client} AND ex_day <= ${to}
		) flows ${left} GROUP BY 1, 2 HAVING sum(amount) <> 0 OR NOT bool_and(is_known) ORDER BY 1, 2`,
	)
}

import { sql } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Books } from '#sandbox/db/open'
import { readRows } from './rows'
import { turnedLots } from './turned-lots'

/** Money that a client paid for (negative) or received from (positive) one security on one day, in paise. */
export type FlowRow = { instrument: string; day: Day; amount: Paise; isKnown: boolean }

/**
 * The share of a lot's earlier flows that moves with it into another security. A lot is converted as a whole, so each of its dividends was
 * for all its units. A buyback's receipt was for other units.
 */
const inherited = (client: string, to: Day) => sql`
	${turnedLots(client, to)},
	came AS (
		SELECT id, ancestor, successor, instrument, day, quantity, bought, part FROM turned
		UNION ALL
		SELECT t.id, c.ancestor, t.successor, c.instrument, c.day, c.quantity, c.bought, c.part * t.part * t.quantity / t.bought FROM came c JOIN turned t ON t.ancestor = c.id
	),
	moved AS (
		SELECT c.successor, c.instrument, v.ex_day AS day, round(v.amount * c.quantity / v.quantity * c.part) AS amount
		FROM came c JOIN lots l ON l.id = c.ancestor
		JOIN dividends v ON v.client = ${client} AND v.instrument = c.instrument AND v.ex_day > l.opened_on AND v.ex_day < c.day
		WHERE NOT EXISTS (SELECT 1 FROM corporate_actions b WHERE b.instrument = v.instrument AND b.ex_day = v.ex_day AND b.kind = 'BUYBACK')
		UNION ALL
		SELECT c.successor, c.instrument, l.acquired_on, -round(t.stt * c.quantity / c.bought * c.part)
		FROM came c JOIN lots l ON l.id = c.ancestor JOIN trades t ON t.id = l.trade_id
	)`

/**
 * Daily flows of a client's securities up to a day: purchases with charges and transaction tax, sales less theirs, and dividends before
 * deducted tax, because that tax is the client's money. Intraday trades are left out. With `held`: only securities still held, as if
 * they had always existed; the successor of a split or demerger gets its part of the cost, the tax and the earlier dividends, on their
 * days. With `all`: the actual flows, without successors.
 */
export async function readFlows(books: Books, client: string, to: Day, of: 'held' | 'all'): Promise<FlowRow[]> {
	const isAll = of === 'all'
	// Removes a lot that only changed its form, or was never held overnight.
	const undone = isAll ? sql`d.is_intraday` : sql`(d.is_intraday OR d.kind IN ('SPLIT', 'DEMERGER'))`
	const moves = isAll
		? sql``
		: sql`UNION ALL SELECT successor, day, amount, true FROM moved WHERE successor <> instrument
			UNION ALL SELECT instrument, day, -amount, true FROM moved WHERE successor <> instrument`
	const left = isAll
		? sql``
		: sql`WHERE instrument IN (SELECT instrument FROM (
				SELECT instrument, quantity FROM lots WHERE client = ${client} AND segment = 'NSE_CASH' AND opened_on <= ${to}
				UNION ALL SELECT l.instrument, -d.quantity FROM disposals d JOIN lots l ON l.id = d.lot_id WHERE d.client = ${client} AND d.day <= ${to}
			) held GROUP BY 1 HAVING sum(quantity) > 0)`
	return await readRows<FlowRow>(
		books,
		sql`WITH RECURSIVE ${inherited(client, to)}
		SELECT ${isAll ? sql`''` : sql`instrument`} AS instrument, day::text AS day, sum(amount)::float8 AS amount, bool_and(is_known) AS "isKnown" FROM (
			SELECT instrument, acquired_on AS day, -(coalesce(cost, 0) + expenses) AS amount, cost IS NOT NULL AS is_known
			FROM lots WHERE client = ${client} AND segment = 'NSE_CASH' AND opened_on <= ${to} ${isAll ? sql`AND origin NOT IN ('SPLIT', 'DEMERGER')` : sql``}
			UNION ALL
			SELECT l.instrument, l.acquired_on, coalesce(d.cost, 0) + d.expenses, true FROM disposals d JOIN lots l ON l.id = d.lot_id
			WHERE d.client = ${client} AND l.segment = 'NSE_CASH' AND d.day <= ${to} AND ${undone}
			UNION ALL
			SELECT instrument, day, -stt, true FROM trades
			WHERE client = ${client} AND segment = 'NSE_CASH' AND side = 'B' AND quantity > intraday_quantity AND day <= ${to}
			UNION ALL
			SELECT l.instrument, d.day, d.proceeds - d.sale_expenses - d.stt, true FROM disposals d JOIN lots l ON l.id = d.lot_id
			WHERE d.client = ${client} AND l.segment = 'NSE_CASH' AND d.day <= ${to} AND d.kind IN ('SALE', 'BUYBACK') AND NOT d.is_intraday
			UNION ALL
			SELECT instrument, ex_day, amount, true FROM dividends WHERE client = ${client} AND ex_day <= ${to}
			${moves}
		) flows ${left} GROUP BY 1, 2 HAVING sum(amount) <> 0 OR NOT bool_and(is_known) ORDER BY 1, 2`,
	)
}

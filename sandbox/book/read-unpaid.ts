import { sql } from 'drizzle-orm'
import { addDays, type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { findUnpaid, type HeldUnits, type Purchase, UNPAID_DAYS } from '#sandbox/rules/unpaid'
import { SETTLES_LATER } from './read-dues'
import { type Readable, readRows } from './rows'

/** Calendar days that five trading days never exceed, holidays and weekends included. */
const LONGEST_DAYS = 7 + UNPAID_DAYS * 3

/**
 * The debt of the equity ledger at the end of a day, in paise, 0 when nothing is owed. Bills count from their settlement on, with the
 * loans that pay for them.
 */
async function readDebt(books: Readable, client: string, day: Day): Promise<Paise> {
	const [row] = await readRows<{ owed: number }>(
		books,
		sql`SELECT coalesce(-sum(p.amount), 0)::float8 AS owed FROM postings p JOIN vouchers v ON v.id = p.voucher_id
		WHERE p.account = 'CLIENT' AND p.client = ${client} AND p.cocd = 'NSE_CASH' AND NOT p.is_margin AND p.day <= ${day}
			AND NOT (${SETTLES_LATER} AND v.settles_on > ${day})`,
	)
	return Math.max(0, row?.owed ?? 0)
}

/**
 * Units in the demat account that are not paid for at the end of a day. Money lent by margin funding is a loan, not an unpaid purchase.
 */
export async function readUnpaid(books: Readable, client: string, day: Day): Promise<HeldUnits[]> {
	const purchases = await readRows<Purchase>(
		books,
		sql`SELECT t.instrument, n.settles_on::text AS "settlesOn", sum(t.quantity - t.intraday_quantity)::float8 AS quantity,
			round(sum((t.quantity - t.intraday_quantity) * t.price) / 100)::float8 AS value
		FROM notes n JOIN trades t USING (bill_no)
		WHERE n.client = ${client} AND n.segment = 'NSE_CASH' AND n.settles_on BETWEEN ${addDays(day, -LONGEST_DAYS)} AND ${day}
			AND t.side = 'B' AND NOT t.is_mtf AND t.quantity > t.intraday_quantity
		GROUP BY 1, 2`,
	)
	// Most clients have no recent purchases, so the debt is read only for the others.
	if (purchases.length === 0) return []
	const debt = await readDebt(books, client, day)
	return debt === 0 ? [] : findUnpaid(debt, purchases, day)
}

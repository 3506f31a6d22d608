import { sql } from 'drizzle-orm'
import { type LedgerCocd } from '#contract/common'
import { type Segment } from '#contract/units'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Books } from '#sandbox/db/open'
import { readRows } from './rows'

const own = (client: string) => sql`p.account = 'CLIENT' AND p.client = ${client} AND NOT p.is_margin`

/**
 * The sum of bills in a client's ledgers in a period, by segment, in paise. It comes from the postings, not the notes. The client's
 * credit is positive.
 */
export async function readBillSums(books: Books, client: string, from: Day, to: Day): Promise<Map<Segment, Paise>> {
	const rows = await readRows<{ segment: Segment; amount: number }>(
		books,
		sql`SELECT n.segment, sum(p.amount)::float8 AS amount FROM postings p JOIN vouchers v ON v.id = p.voucher_id JOIN notes n ON n.bill_no = v.bill_no
		WHERE ${own(client)} AND p.cocd IN ('NSE_CASH', 'MCX') AND p.day BETWEEN ${from} AND ${to} AND v.type = 'BILL' GROUP BY 1`,
	)
	return new Map(rows.map(({ segment, amount }) => [segment, amount]))
}

export type LedgerMovement = { cocd: LedgerCocd; opening: Paise; billed: Paise; other: Paise }

/**
 * For each of a client's ledgers in a period: opening balance, sum of bills, sum of everything else, in paise. Margin postings are left
 * out.
 */
export async function readLedgerMovement(books: Books, client: string, from: Day, to: Day): Promise<LedgerMovement[]> {
	return await readRows<LedgerMovement>(
		books,
		sql`SELECT p.cocd, coalesce(sum(p.amount) FILTER (WHERE p.day < ${from}), 0)::float8 AS opening,
			coalesce(sum(p.amount) FILTER (WHERE p.day >= ${from} AND v.type = 'BILL'), 0)::float8 AS billed,
			coalesce(sum(p.amount) FILTER (WHERE p.day >= ${from} AND v.type <> 'BILL'), 0)::float8 AS other
		FROM postings p JOIN vouchers v ON v.id = p.voucher_id WHERE ${own(client)} AND p.day <= ${to} AND ${from}::date <= ${to}::date
		GROUP BY 1 ORDER BY 1 DESC`,
	)
}

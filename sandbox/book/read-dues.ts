import { sql } from 'drizzle-orm'
import { LedgerCocd } from '#contract/common'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Books } from '#sandbox/db/open'
import { type DebtMove, DELAYED_PAYMENT_PERCENT, findDebitInterest, findDpCharge, LEAST_INTEREST } from '#sandbox/rules/fees'
import { sumInterest } from '#sandbox/rules/mtf'
import { readFundings, readInterestPostings } from './read-mtf'
import { type Readable, readRows } from './rows'

/** A posting `p` of a voucher `v` that changes the debt when it settles: a bill, and the loan that pays for it. */
export const SETTLES_LATER = sql`(v.type = 'BILL' AND p.amount < 0 OR v.type = 'JOURNAL' AND p.amount > 0)`

/**
 * Changes of a client's debt in each ledger up to a day; changes before `from` are summed on the day before it. A bill is owed from its
 * settlement on (market practice: delayed payment is a debit beyond T+1), less what was lent for it. Everything else is owed from its own
 * day, so incoming money counts at once.
 */
async function readDebtMoves(books: Readable, client: string, from: Day, to: Day): Promise<(DebtMove & { cocd: LedgerCocd })[]> {
	return await readRows<DebtMove & { cocd: LedgerCocd }>(
		books,
		sql`SELECT cocd, greatest(owed_from, ${from}::date - 1)::text AS day, (-sum(amount))::float8 AS amount FROM (
			SELECT p.cocd, p.amount, CASE WHEN ${SETTLES_LATER} THEN v.settles_on ELSE p.day END AS owed_from
			FROM postings p JOIN vouchers v ON v.id = p.voucher_id
			WHERE p.account = 'CLIENT' AND p.client = ${client} AND NOT p.is_margin AND p.day <= ${to}
		) owed WHERE owed_from <= ${to} GROUP BY 1, 2 ORDER BY 1, 2`,
	)
}

/**
 * Delayed payment interest of each ledger from `from` to `to`, both included, in paise. Amounts too small for a voucher are left out.
 */
export async function readDelayedPayment(
	books: Readable,
	client: string,
	from: Day,
	to: Day,
): Promise<{ cocd: LedgerCocd; late: Paise }[]> {
	const moves = await readDebtMoves(books, client, from, to)
	return LedgerCocd.options
		.map((cocd) => {
			const own = moves.filter((move) => move.cocd === cocd)
			return { cocd, late: findDebitInterest(own, from, to, DELAYED_PAYMENT_PERCENT) }
		})
		.filter(({ late }) => late >= LEAST_INTEREST)
}

/**
 * This month's interest up to `to`, in paise, on money lent for margin-funded shares; 0 when the month's interest is posted. Positive:
 * the client will owe it.
 */
export async function readAccruedFundingInterest(books: Readable, client: string, to: Day): Promise<Paise> {
	const start = `${to.slice(0, 7)}-01`
	const interest = sumInterest(await readFundings(books, client, to), start, to)
	// A payout of the month's last day may be paid after the month's interest is posted.
	return interest === 0 || (await readInterestPostings(books, client, start, to)).length > 0 ? 0 : interest
}

/**
 * Interest of the current month up to `to`, in paise, which is posted only at the month's end. It is charged on the debt of each ledger
 * and on money lent for margin-funded shares. Positive: the client will owe it.
 */
export async function readAccruedInterest(books: Readable, client: string, to: Day): Promise<Paise> {
	const delayed = await readDelayedPayment(books, client, `${to.slice(0, 7)}-01`, to)
	return delayed.reduce((sum, { late }) => sum + late, await readAccruedFundingInterest(books, client, to))
}

/**
 * The depository's charges, in paise, for shares sold and not delivered yet; they are posted on the settlement day. Positive: the client
 * will owe them.
 */
export async function readUnbilledDpCharges(books: Books, client: string, isWoman: boolean, day: Day): Promise<Paise> {
	const [sold] = await readRows<{ count: number }>(
		books,
		sql`SELECT count(DISTINCT (n.day, t.instrument))::float8 AS count FROM notes n JOIN trades t USING (bill_no)
		WHERE n.client = ${client} AND n.segment = 'NSE_CASH' AND n.day BETWEEN ${day}::date - 14 AND ${day} AND n.settles_on > ${day}
			AND t.side = 'S' AND t.quantity > t.intraday_quantity`,
	)
	return (sold?.count ?? 0) * findDpCharge(isWoman).total
}

/** The number of contract notes not settled by the end of a day, and their net sum in paise. */
export async function readUnsettledNotes(books: Books, client: string, day: Day): Promise<{ count: number; net: Paise }> {
	const [notes] = await readRows<{ count: number; net: number }>(
		books,
		sql`SELECT count(*)::float8 AS count, coalesce(sum(net), 0)::float8 AS net FROM notes
		WHERE client = ${client} AND day BETWEEN ${day}::date - 14 AND ${day} AND settles_on > ${day}`,
	)
	return notes ?? { count: 0, net: 0 }
}

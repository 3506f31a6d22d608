import { sql } from 'drizzle-orm'
import { type LedgerCocd } from '#contract/common'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { lastDayOfMonth } from '#sandbox/rules/calendar'
import { MTF_INTEREST_PERCENT } from '#sandbox/rules/fees'
import { readAccruedFundingInterest } from './read-dues'
import { readLedgerBalance } from './read-ledger'
import { readFundedPositions } from './read-mtf'
import { type Readable, readRows } from './rows'

export type Deduction = {
	cocd: LedgerCocd
	kind: 'UNSETTLED' | 'MARGIN' | 'INTEREST' | 'PAYOUT'
	narration: string
	clearsOn: Day | null
	amount: Paise
	billNo: string | null
	/** Of a payout that is not paid yet. */
	reference?: string
}

type Unsettled = { narration: string; settles_on: Day; amount: Paise; bill_no: string | null; type: string }

/**
 * Credits in the ledger that have not settled by the end of `day`: sales, and that day's pay-ins. A settlement's loans are paid out and
 * taken back with its bill, so the two make one credit, or none when the purchase costs more than the loan and the sales.
 */
async function listUnsettled(books: Readable, client: string, cocd: LedgerCocd, day: Day): Promise<Unsettled[]> {
	// The only journals that settle later are loans.
	return await readRows<Unsettled>(
		books,
		sql`WITH unsettled AS (
			SELECT p.id, v.narration, v.settles_on, p.amount, v.bill_no, v.type, v.settlement_no,
				sum(p.amount) FILTER (WHERE v.type = 'JOURNAL') OVER (PARTITION BY v.settlement_no) AS lent
			FROM postings p JOIN vouchers v ON v.id = p.voucher_id
			WHERE p.account = 'CLIENT' AND NOT p.is_margin AND p.client = ${client} AND p.cocd = ${cocd} AND p.day <= ${day} AND v.settles_on > ${day}
		)
		SELECT coalesce(
				min(narration) FILTER (WHERE type <> 'JOURNAL')
					|| CASE WHEN lent > 0 THEN ' WITH MTF FUNDING' WHEN lent < 0 THEN ' LESS MTF REPAYMENT' ELSE '' END,
				min(narration)) AS narration,
			min(settles_on)::text AS settles_on, sum(amount)::float8 AS amount, min(bill_no) AS bill_no,
			coalesce(min(type) FILTER (WHERE type <> 'JOURNAL'), min(type)) AS type
		FROM unsettled GROUP BY CASE WHEN lent IS NULL THEN id::text ELSE settlement_no END, lent
		HAVING sum(amount) > 0 ORDER BY min(settles_on), min(id)`,
	)
}

/** The cash margin blocked: blocks in the margin account less releases. */
async function listMargin(books: Readable, client: string, cocd: LedgerCocd, day: Day): Promise<Deduction[]> {
	const [margin] = await readRows<{ amount: number }>(
		books,
		sql`SELECT coalesce(sum(amount), 0)::float8 AS amount FROM postings
		WHERE account = 'MARGIN' AND client = ${client} AND cocd = ${cocd} AND day <= ${day}`,
	)
	if (margin === undefined || margin.amount <= 0) return []
	return [
		{ cocd, kind: 'MARGIN', narration: 'CASH MARGIN BLOCKED FOR OPEN POSITIONS', clearsOn: null, amount: margin.amount, billNo: null },
	]
}

/**
 * The ledger balance, the deductions from it (as lines and as sums by kind), and the rest, which is negative when the client owes.
 * Paise. The only source of the deducted ledger and of the withdrawable amount.
 */
export async function readFreeBalance(books: Readable, client: string, cocd: LedgerCocd, day: Day) {
	const { lines, ...rest } = await readFreeBeforePayouts(books, client, cocd, day)
	const line = await findPayoutUnderWay(books, client, cocd, rest.free)
	if (line === undefined) return { ...rest, payouts: 0, lines }
	return { ...rest, payouts: line.amount, free: rest.free - line.amount, lines: [...lines, line] }
}

/**
 * The same without the deduction of a payout that is not paid yet: the amount from which that payout may be paid. `funding` is the part of
 * the margin used that loans need.
 */
export async function readFreeBeforePayouts(books: Readable, client: string, cocd: LedgerCocd, day: Day) {
	// These reads run one after the other, because a transaction has one connection.
	const { lines, ...rest } = await readUnblocked(books, client, cocd, day)
	const funding = cocd === 'NSE_CASH' ? await readFundingMargin(books, client, day) : 0
	// Missing margin leads to a margin call; cash that the client has stays blocked.
	const amount = Math.min(funding, Math.max(0, rest.free))
	if (amount === 0) return { ...rest, funding: 0, lines }
	const line: Deduction = { cocd, kind: 'MARGIN', narration: 'CASH MARGIN FOR MARGIN FUNDING', clearsOn: null, amount, billNo: null }
	return { ...rest, funding: amount, marginUsed: rest.marginUsed + amount, free: rest.free - amount, lines: [...lines, line] }
}

/** The unpaid payout of a ledger; there is at most one. It is limited to the free amount, because no more is paid. */
async function findPayoutUnderWay(books: Readable, client: string, cocd: LedgerCocd, free: Paise): Promise<Deduction | undefined> {
	const [open] = await readRows<{ request_id: string; asked: number; credited_on: Day }>(
		books,
		sql`SELECT request_id, amount::float8 AS asked, (credited_by AT TIME ZONE 'Asia/Kolkata')::date::text AS credited_on FROM payouts
		WHERE client = ${client} AND cocd = ${cocd} AND status = 'PENDING'`,
	)
	if (open === undefined) return undefined
	const { request_id: reference, asked, credited_on: clearsOn } = open
	const amount = Math.min(asked, Math.max(0, free))
	const narration = amount < asked ? `PAYOUT ${reference}, AS FAR AS THERE IS MONEY FOR IT` : `PAYOUT ${reference}`
	return { cocd, kind: 'PAYOUT', narration, clearsOn, amount, billNo: null, reference }
}

/** This month's interest on money lent for shares. The client owes it already; it is posted at the end of the month. */
async function listAccrued(books: Readable, client: string, cocd: LedgerCocd, day: Day): Promise<Deduction[]> {
	const amount = cocd === 'NSE_CASH' ? await readAccruedFundingInterest(books, client, day) : 0
	if (amount === 0) return []
	const narration = `MTF INTEREST OF THIS MONTH SO FAR, AT ${MTF_INTEREST_PERCENT} %`
	return [{ cocd, kind: 'INTEREST', narration, clearsOn: lastDayOfMonth(day.slice(0, 7)), amount, billNo: null }]
}

/**
 * Money in the equity ledger that counts as security for a loan, in paise. Today's pay-ins count, though they cannot be withdrawn; an
 * unsettled sale does not count.
 */
export async function readMarginCash(books: Readable, client: string, day: Day): Promise<Paise> {
	const { free, lines } = await readUnblocked(books, client, 'NSE_CASH', day)
	const paidIn = lines.filter(({ kind, billNo }) => kind === 'UNSETTLED' && billNo === null).reduce((sum, { amount }) => sum + amount, 0)
	return Math.max(0, free + paidIn)
}

/**
 * Cash that a client's loans need because the margin of the pledged shares is too small. It cannot be used for anything else (NSE's MTF
 * rules).
 */
async function readFundingMargin(books: Readable, client: string, day: Day): Promise<Paise> {
	const positions = await readFundedPositions(books, client, day)
	return Math.max(
		0,
		positions.reduce((sum, { needed, held }) => sum + needed - held, 0),
	)
}

/** The balance before the deduction for margin funding. */
async function readUnblocked(books: Readable, client: string, cocd: LedgerCocd, day: Day) {
	const ledger = await readLedgerBalance(books, client, cocd, day)
	const unsettledRows = await listUnsettled(books, client, cocd, day)
	const margin = await listMargin(books, client, cocd, day)
	const marginUsed = margin.reduce((sum, { amount }) => sum + amount, 0)
	const accrued = await listAccrued(books, client, cocd, day)
	const interest = accrued.reduce((sum, { amount }) => sum + amount, 0)
	const sales = unsettledRows.filter(({ type }) => type !== 'RECEIPT')
	// Today's pay-in cannot be withdrawn today, but it reduces a debt at once. So the deduction is at most the money that is left.
	let room = Math.max(0, ledger - marginUsed - interest - sales.reduce((sum, { amount }) => sum + amount, 0))
	const receipts = unsettledRows
		.filter(({ type }) => type === 'RECEIPT')
		.reverse()
		.map((row) => {
			const amount = Math.min(row.amount, room)
			room -= amount
			return { ...row, amount }
		})
		.filter(({ amount }) => amount > 0)
	const unsettledLines = [...sales, ...receipts.reverse()].map(({ narration, settles_on, amount, bill_no }): Deduction => ({
		cocd,
		kind: 'UNSETTLED',
		narration,
		clearsOn: settles_on,
		amount,
		billNo: bill_no,
	}))
	const unsettled = unsettledLines.reduce((sum, { amount }) => sum + amount, 0)
	const free = ledger - unsettled - marginUsed - interest
	return { ledger, unsettled, marginUsed, interest, free, lines: [...unsettledLines, ...margin, ...accrued] }
}

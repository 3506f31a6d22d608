import { sql } from 'drizzle-orm'
import { type LedgerCocd } from '~/broker/contract/common'
import { type Day } from '~/lib/days'
import { type Paise } from '~/lib/money'
import { type Books } from '#sandbox/db/open'
import { readLedgerBalance } from './read-ledger'
import { readRows } from './rows'

export type Deduction = {
	cocd: LedgerCocd
	kind: 'UNSETTLED' | 'MARGIN'
	narration: string
	clearsOn: Day | null
	amount: Paise
	billNo: string | null
}

/** Credits that are in the ledger and have not settled by the end of this day, one line each. */
async function listUnsettled(books: Books, client: string, cocd: LedgerCocd, day: Day): Promise<Deduction[]> {
	const rows = await readRows<{ narration: string; settles_on: string; amount: number; bill_no: string | null }>(
		books,
		sql`SELECT v.narration, v.settles_on::text AS settles_on, p.amount::float8 AS amount, v.bill_no
		FROM postings p JOIN vouchers v ON v.id = p.voucher_id
		WHERE p.account = 'CLIENT' AND NOT p.is_margin AND p.client = ${client} AND p.cocd = ${cocd}
			AND p.day <= ${day} AND p.amount > 0 AND v.settles_on > ${day}
		ORDER BY v.settles_on, p.id`,
	)
	return rows.map((row) => ({
		cocd,
		kind: 'UNSETTLED',
		narration: row.narration,
		clearsOn: row.settles_on,
		amount: row.amount,
		billNo: row.bill_no,
	}))
}

/** Cash margin blocked: what blocks have taken into the margin account and no release has given back. */
async function listMargin(books: Books, client: string, cocd: LedgerCocd, day: Day): Promise<Deduction[]> {
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

/** What stands between a ledger's balance and what can be used, line by line. */
export async function listDeductions(books: Books, client: string, cocd: LedgerCocd, day: Day): Promise<Deduction[]> {
	const [unsettled, margin] = await Promise.all([listUnsettled(books, client, cocd, day), listMargin(books, client, cocd, day)])
	return [...unsettled, ...margin]
}

/** Ledger balance, its deductions in two sums, and what is left: negative when the client owes. */
export async function readFreeBalance(books: Books, client: string, cocd: LedgerCocd, day: Day) {
	const [ledger, deductions] = await Promise.all([readLedgerBalance(books, client, cocd, day), listDeductions(books, client, cocd, day)])
	const sumOf = (kind: Deduction['kind']) => deductions.filter((line) => line.kind === kind).reduce((sum, line) => sum + line.amount, 0)
	const unsettled = sumOf('UNSETTLED')
	const marginUsed = sumOf('MARGIN')
	return { ledger, unsettled, marginUsed, free: ledger - unsettled - marginUsed }
}

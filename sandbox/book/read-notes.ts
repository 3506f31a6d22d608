import { sql } from 'drizzle-orm'
import { type LedgerCocd } from '#contract/common'
import { type Segment } from '#contract/units'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Books } from '#sandbox/db/open'
import { type ChargeKind } from '#sandbox/rules/charges'
import { readRows } from './rows'

/** A contract note. Amounts in paise; positive when the client receives. */
export type NoteHead = {
	billNo: string
	/** Null for a mark to market. */
	contractNo: string | null
	day: Day
	segment: Segment
	ledger: LedgerCocd
	settlementNo: string
	settlesOn: Day
	obligation: Paise
	net: Paise
	/** A mark to market: a bill without trades and charges. */
	isMark: boolean
}

const head = sql`n.bill_no AS "billNo", n.contract_no AS "contractNo", n.day::text AS day, n.segment, n.cocd AS ledger, n.settlement_no AS "settlementNo",
	n.settles_on::text AS "settlesOn", n.obligation::float8 AS obligation, n.net::float8 AS net,
	EXISTS (SELECT FROM marks m WHERE m.bill_no = n.bill_no) AS "isMark"`

/** A client's notes of a period, oldest first; only of `segment` when it is given. */
export async function listNotes(books: Books, client: string, from: Day, to: Day, segment?: Segment): Promise<NoteHead[]> {
	const only = segment === undefined ? sql`` : sql`AND n.segment = ${segment}`
	return await readRows<NoteHead>(
		books,
		sql`SELECT ${head} FROM notes n WHERE n.client = ${client} AND n.day BETWEEN ${from} AND ${to} ${only} ORDER BY n.day, n.bill_no COLLATE "C"`,
	)
}

/** One note of this client with its ledger entry; undefined when it does not exist or belongs to another client. */
export async function findNote(books: Books, client: string, billNo: string) {
	const [note] = await readRows<NoteHead & { voucherNo: string | null; posted: Paise }>(
		books,
		sql`SELECT ${head}, v.voucher_no AS "voucherNo", coalesce(v.amount, 0)::float8 AS posted FROM notes n
		LEFT JOIN LATERAL (
			SELECT v.voucher_no, p.amount FROM postings p JOIN vouchers v ON v.id = p.voucher_id
			WHERE p.account = 'CLIENT' AND p.client = n.client AND p.cocd = n.cocd AND p.day = n.day AND v.bill_no = n.bill_no
		) v ON true
		WHERE n.bill_no = ${billNo} AND n.client = ${client}`,
	)
	return note
}

/**
 * The calculation of a mark to market; a long position is positive. Price in 1/10,000 rupee, the rest in paise. amount = value at the
 * price - previous value (`stood`).
 */
export type MarkLine = { name: string; quantity: number; multiplier: number; price: number; stood: Paise; amount: Paise }

/** The mark of a bill; undefined for a contract note. */
export async function findMarkLine(books: Books, billNo: string): Promise<MarkLine | undefined> {
	const [mark] = await readRows<MarkLine>(
		books,
		sql`SELECT i.name, m.quantity, i.multiplier, m.price::float8 AS price, m.stood::float8 AS stood, m.amount::float8 AS amount
		FROM marks m JOIN instruments i ON i.id = m.instrument WHERE m.bill_no = ${billNo}`,
	)
	return mark
}

export type ChargeLine = { kind: ChargeKind; base: Paise; rate: string; amount: Paise; rule: string }

/** The charges of one note, in the order in which they are levied. */
export async function readNoteCharges(books: Books, billNo: string): Promise<ChargeLine[]> {
	return await readRows<ChargeLine>(
		books,
		sql`SELECT kind, base::float8 AS base, rate, amount::float8 AS amount, rule FROM note_charges WHERE bill_no = ${billNo}
		ORDER BY array_position(ARRAY['BROKERAGE', 'EXCHANGE', 'SEBI', 'CGST', 'SGST', 'IGST', 'STT', 'CTT', 'STAMP'], kind), rate = 'rounding', ctid`,
	)
}

import { type LedgerCocd } from '#contract/common'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type postings, type vouchers } from '#sandbox/db/schema'

export type VoucherRow = typeof vouchers.$inferInsert
type PostingRow = typeof postings.$inferInsert

/**
 * Accounts of the books.
 * - CLIENT, MARGIN (blocked cash) and MTF (money lent by margin funding: negative, the client owes it) belong to a client and a ledger.
 * - OWN_BANK, ASBA and TDS also belong to a client and a ledger, but do not change the ledger. They record the money that an IPO bid has
 *   blocked in the client's own bank, the payments of companies into it, and the tax they have deducted for the client.
 * - ISSUER is the companies, which receive the blocked money and pay dividends.
 * - The others are the house's. DEPOSITORY, BROKERAGE and INTEREST are its income. EXCHANGE, SEBI, GST, STT, CTT and STAMP are money it
 *   passes on. CLEARING is what the clearing corporation pays or takes.
 */
export type Account =
	| 'CLIENT'
	| 'MARGIN'
	| 'MTF'
	| 'OWN_BANK'
	| 'ASBA'
	| 'TDS'
	| 'ISSUER'
	| 'HOUSE_BANK'
	| 'CLEARING'
	| 'BROKERAGE'
	| 'DEPOSITORY'
	| 'INTEREST'
	| 'EXCHANGE'
	| 'SEBI'
	| 'GST'
	| 'STT'
	| 'CTT'
	| 'STAMP'

/** Credit positive, in paise. */
export interface EntrySide {
	account: Account
	client?: string
	cocd?: LedgerCocd
	amount: Paise
	is_margin?: boolean
}

export type VoucherKind = 'BILL' | 'RECEIPT' | 'PAYMENT' | 'JOURNAL'

export interface VoucherDraft {
	day: Day
	type: VoucherKind
	narration: string
	sides: readonly EntrySide[]
	settlement_no?: string
	bill_no?: string
	/** When a credit settles; by default the voucher's own day. */
	settles_on?: Day
}

/**
 * Holds vouchers before they are stored. The seed uses it for five years at once, record.ts for one live operation. `running` holds the
 * last number of each prefix (BL241121), `balances` the movement of each account since this journal was opened.
 */
export interface Journal {
	vouchers: VoucherRow[]
	postings: PostingRow[]
	nextVoucher: number
	nextPosting: number
	running: Map<string, number>
	balances: Map<string, Paise>
}

const numberLetters: Record<VoucherKind, string> = { BILL: 'BL', RECEIPT: 'RC', PAYMENT: 'PY', JOURNAL: 'JV' }

/** An empty journal. Its numbers continue after the stored ones. */
export function openJournal({ nextVoucher = 1, nextPosting = 1, running = new Map<string, number>() } = {}): Journal {
	return { vouchers: [], postings: [], nextVoucher, nextPosting, running, balances: new Map() }
}

/** `BL241121`: letters of the kind and the day; a voucher's running number follows. */
export function formatVoucherPrefix(type: VoucherKind, day: Day): string {
	return `${numberLetters[type]}${day.slice(2).replaceAll('-', '')}`
}

/** The next running number of a prefix. */
export function takeNumber(journal: Pick<Journal, 'running'>, prefix: string): number {
	const number = (journal.running.get(prefix) ?? 0) + 1
	journal.running.set(prefix, number)
	return number
}

function formatKey(account: Account, client: string | undefined, cocd: string | undefined): string {
	return client === undefined ? account : `${account}/${client}/${cocd ?? ''}`
}

/** The movement of an account in this journal, in paise, credit positive. For a client's account: of one ledger. */
export function readMovement(journal: Journal, account: Account, client?: string, cocd?: LedgerCocd): Paise {
	return journal.balances.get(formatKey(account, client, cocd)) ?? 0
}

/**
 * Writes a voucher and its postings. Sides of zero are left out. Throws RangeError when the sides do not sum to zero, when no side is
 * left, when an amount is not a whole number of paise, or when the day has no voucher number left (9,999 of a kind).
 */
export function postVoucher(journal: Journal, draft: VoucherDraft): VoucherRow {
	const sides = draft.sides.filter((side) => side.amount !== 0)
	let sum = 0
	for (const { amount } of sides) {
		if (!Number.isSafeInteger(amount)) throw new RangeError(`${draft.narration}: ${amount} is no amount in paise`)
		sum += amount
	}
	if (sum !== 0) throw new RangeError(`${draft.narration}: the sides are ${sum} paise apart`)
	if (sides.length === 0) throw new RangeError(`${draft.narration}: nothing to post`)
	const prefix = formatVoucherPrefix(draft.type, draft.day)
	const number = takeNumber(journal, prefix)
	if (number > 9999) throw new RangeError(`No voucher number left for ${prefix}`)
	const voucher: VoucherRow = {
		id: journal.nextVoucher++,
		voucher_no: prefix + String(number).padStart(4, '0'),
		day: draft.day,
		type: draft.type,
		narration: draft.narration,
		settlement_no: draft.settlement_no ?? null,
		bill_no: draft.bill_no ?? null,
		settles_on: draft.settles_on ?? draft.day,
	}
	journal.vouchers.push(voucher)
	for (const { account, client, cocd, amount, is_margin = false } of sides) {
		const id = journal.nextPosting++
		journal.postings.push({ id, voucher_id: voucher.id, account, client, cocd, is_margin, day: draft.day, amount })
		const key = formatKey(account, client, cocd)
		journal.balances.set(key, (journal.balances.get(key) ?? 0) + amount)
	}
	return voucher
}

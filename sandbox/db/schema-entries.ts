import { sql } from 'drizzle-orm'
import { bigint, boolean, date, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'

const paise = (name: string) => bigint(name, { mode: 'number' })
const day = (name: string) => date(name, { mode: 'string' })

export const vouchers = pgTable(
	'vouchers',
	{
		id: bigint('id', { mode: 'number' }).primaryKey(),
		voucher_no: text('voucher_no').notNull(),
		day: day('day').notNull(),
		/** BILL, RECEIPT, PAYMENT, JOURNAL. */
		type: text('type').notNull(),
		narration: text('narration').notNull(),
		settlement_no: text('settlement_no'),
		bill_no: text('bill_no'),
		/** The day on which a credit settles. Until then it is in the ledger but cannot be withdrawn. */
		settles_on: day('settles_on').notNull(),
	},
	(t) => [uniqueIndex('vouchers_no').on(t.voucher_no)],
)

/**
 * Sides of a voucher; they sum to zero. Accounts: CLIENT (with client and cocd), MARGIN (the same), HOUSE_BANK, CLEARING, BROKERAGE,
 * STT, GST, …
 */
export const postings = pgTable(
	'postings',
	{
		id: bigint('id', { mode: 'number' }).primaryKey(),
		voucher_id: bigint('voucher_id', { mode: 'number' }).notNull(),
		account: text('account').notNull(),
		client: text('client'),
		cocd: text('cocd'),
		/** True on both sides of a margin block or release. With `margin=N` the client's ledger leaves them out. */
		is_margin: boolean('is_margin').notNull().default(false),
		/** Copied from the voucher, so that one index scan reads a ledger. */
		day: day('day').notNull(),
		amount: paise('amount').notNull(),
	},
	(t) => [
		index('postings_client').on(t.client, t.cocd, t.day, t.voucher_id),
		index('postings_voucher').on(t.voucher_id),
		// Most pages need a balance: this index alone is enough to sum 100,000 rows.
		index('postings_balance')
			.on(t.client, t.cocd, t.day, t.amount)
			.where(sql`account = 'CLIENT' AND NOT is_margin`),
	],
)

import { sql } from 'drizzle-orm'
import { bigint, date, index, pgTable, primaryKey, text, timestamp, unique, uniqueIndex } from 'drizzle-orm/pg-core'

const paise = (name: string) => bigint(name, { mode: 'number' })
const instant = (name: string) => timestamp(name, { withTimezone: true })

/** Pay-ins that were begun here. The history of the seed is in the ledger alone. */
export const payins = pgTable(
	'payins',
	{
		request_id: text('request_id').primaryKey(),
		client: text('client').notNull(),
		/** The Idempotency-Key it was asked with: one key, one pay-in. */
		idempotency_key: text('idempotency_key'),
		/** What the payment page is opened with; nobody else has it. */
		token: text('token').notNull().unique(),
		asked_at: instant('asked_at').notNull(),
		amount: paise('amount').notNull(),
		/** The ledger it goes to. */
		cocd: text('cocd').notNull(),
		/** UPI, NETBANKING. */
		mode: text('mode').notNull(),
		bank_name: text('bank_name').notNull(),
		bank_acno: text('bank_acno').notNull(),
		upi_id: text('upi_id'),
		/** PENDING, SUCCESS, FAILED, CANCELLED. */
		status: text('status').notNull(),
		/** Since when the client's bank has it and has not said how it ended. */
		waits_since: instant('waits_since'),
		ended_at: instant('ended_at'),
		utr: text('utr'),
		remarks: text('remarks').notNull(),
		/** The receipt in the ledger, once it is a success. */
		voucher_no: text('voucher_no'),
	},
	(t) => [index('payins_client').on(t.client, t.status), unique('payins_once').on(t.client, t.idempotency_key)],
)

/** Pay-outs asked for, a row for each ledger that pays. */
export const payouts = pgTable(
	'payouts',
	{
		request_id: text('request_id').notNull(),
		cocd: text('cocd').notNull(),
		client: text('client').notNull(),
		idempotency_key: text('idempotency_key'),
		asked_at: instant('asked_at').notNull(),
		/** Of this ledger. */
		amount: paise('amount').notNull(),
		bank_name: text('bank_name').notNull(),
		bank_acno: text('bank_acno').notNull(),
		/** When its batch is closed: until then it can be taken back. */
		cut_off: instant('cut_off').notNull(),
		/** When the bank has the money; it is then that the ledger is debited. */
		credited_by: instant('credited_by').notNull(),
		/** PENDING, SUCCESS, REJECTED, CANCELLED. */
		status: text('status').notNull(),
		/** What was paid: less than asked when charges were booked meanwhile. */
		paid: paise('paid').notNull(),
		ended_at: instant('ended_at'),
		utr: text('utr'),
		remarks: text('remarks').notNull(),
		voucher_no: text('voucher_no'),
	},
	(t) => [
		primaryKey({ columns: [t.request_id, t.cocd] }),
		index('payouts_client').on(t.client, t.status),
		unique('payouts_once').on(t.client, t.idempotency_key, t.cocd),
		uniqueIndex('payouts_open')
			.on(t.client, t.cocd)
			.where(sql`${t.status} = 'PENDING'`),
	],
)

/** Money that came from an account nobody registered: it is never booked, and goes back. */
export const unregisteredPayments = pgTable('unregistered_payments', {
	utr: text('utr').primaryKey(),
	client: text('client').notNull(),
	day: date('day', { mode: 'string' }).notNull(),
	amount: paise('amount').notNull(),
	from_account: text('from_account').notNull(),
	from_name: text('from_name').notNull(),
	/** The day on which it goes back; null while it is on hold. */
	returned_on: date('returned_on', { mode: 'string' }),
	reason: text('reason').notNull(),
})

/** Mandates registered online. A printed form leaves nothing here until a bank has it. */
export const mandates = pgTable(
	'mandates',
	{
		reference: text('reference').primaryKey(),
		client: text('client').notNull(),
		idempotency_key: text('idempotency_key'),
		token: text('token').notNull().unique(),
		asked_at: instant('asked_at').notNull(),
		/** The most that one debit may take. */
		amount: paise('amount').notNull(),
		bank_name: text('bank_name').notNull(),
		bank_acno: text('bank_acno').notNull(),
		/** netbanking, debitcard, aadhaar. */
		channel: text('channel').notNull(),
		frequency: text('frequency').notNull(),
		starts_on: date('starts_on', { mode: 'string' }).notNull(),
		ends_on: date('ends_on', { mode: 'string' }).notNull(),
		/** STARTED, AT_BANK, ACTIVE, REJECTED, CANCELLED. */
		status: text('status').notNull(),
		waits_since: instant('waits_since'),
		ended_at: instant('ended_at'),
		umrn: text('umrn'),
		remarks: text('remarks').notNull(),
	},
	(t) => [unique('mandates_once').on(t.client, t.idempotency_key)],
)

/** The day up to which a client's charges of the depository, of maintenance and of delayed payment are posted. Without a row: as far as the seed. */
export const chargedDays = pgTable('charged_days', { client: text('client').primaryKey(), day: date('day', { mode: 'string' }).notNull() })

/** The day up to which a client's running account has been settled since the books were made. */
export const settledAccounts = pgTable('settled_accounts', {
	client: text('client').primaryKey(),
	day: date('day', { mode: 'string' }).notNull(),
})

import { sql } from 'drizzle-orm'
import { bigint, date, index, pgTable, primaryKey, text, timestamp, unique, uniqueIndex } from 'drizzle-orm/pg-core'

const paise = (name: string) => bigint(name, { mode: 'number' })
const instant = (name: string) => timestamp(name, { withTimezone: true })

/** Pay-ins started in the sandbox. The seed's pay-ins are only in the ledger. */
export const payins = pgTable(
	'payins',
	{
		request_id: text('request_id').primaryKey(),
		client: text('client').notNull(),
		/** The Idempotency-Key of the request: one key, one pay-in. */
		idempotency_key: text('idempotency_key'),
		/** A secret that opens the payment page. */
		token: text('token').notNull().unique(),
		asked_at: instant('asked_at').notNull(),
		amount: paise('amount').notNull(),
		/** The ledger that gets the money. */
		cocd: text('cocd').notNull(),
		/** UPI, NETBANKING. */
		mode: text('mode').notNull(),
		bank_name: text('bank_name').notNull(),
		bank_acno: text('bank_acno').notNull(),
		upi_id: text('upi_id'),
		/** PENDING, SUCCESS, FAILED, CANCELLED. */
		status: text('status').notNull(),
		/** The moment from which the client's bank has had it without a result. */
		waits_since: instant('waits_since'),
		ended_at: instant('ended_at'),
		utr: text('utr'),
		remarks: text('remarks').notNull(),
		/** The receipt in the ledger, after success. */
		voucher_no: text('voucher_no'),
	},
	(t) => [index('payins_client').on(t.client, t.status), unique('payins_once').on(t.client, t.idempotency_key)],
)

/** Payout requests, one row for each ledger that pays. */
export const payouts = pgTable(
	'payouts',
	{
		request_id: text('request_id').notNull(),
		cocd: text('cocd').notNull(),
		client: text('client').notNull(),
		idempotency_key: text('idempotency_key'),
		asked_at: instant('asked_at').notNull(),
		/** The amount from this ledger. */
		amount: paise('amount').notNull(),
		bank_name: text('bank_name').notNull(),
		bank_acno: text('bank_acno').notNull(),
		/** The time at which its batch closes. Until then the payout can be cancelled. */
		cut_off: instant('cut_off').notNull(),
		/** The time by which the bank has the money and the ledger is debited. */
		credited_by: instant('credited_by').notNull(),
		/** PENDING, SUCCESS, REJECTED, CANCELLED. */
		status: text('status').notNull(),
		/** The amount paid. It is less than requested when charges were posted in the meantime. */
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

/** Money from an unregistered account. It is never posted to the ledger, and is returned. */
export const unregisteredPayments = pgTable('unregistered_payments', {
	utr: text('utr').primaryKey(),
	client: text('client').notNull(),
	day: date('day', { mode: 'string' }).notNull(),
	amount: paise('amount').notNull(),
	from_account: text('from_account').notNull(),
	from_name: text('from_name').notNull(),
	/** The day of its return; null while it is on hold. */
	returned_on: date('returned_on', { mode: 'string' }),
	reason: text('reason').notNull(),
})

/** Mandates registered online. A printed form is not stored until a bank has it. */
export const mandates = pgTable(
	'mandates',
	{
		reference: text('reference').primaryKey(),
		client: text('client').notNull(),
		idempotency_key: text('idempotency_key'),
		token: text('token').notNull().unique(),
		asked_at: instant('asked_at').notNull(),
		/** Maximum of one debit. */
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

/** The day up to which a client's depository, maintenance and delayed payment charges are posted. Without a row: up to the seed's end. */
export const chargedDays = pgTable('charged_days', { client: text('client').primaryKey(), day: date('day', { mode: 'string' }).notNull() })

/** The day up to which a client's running account has been settled since the books were made. */
export const settledAccounts = pgTable('settled_accounts', {
	client: text('client').primaryKey(),
	day: date('day', { mode: 'string' }).notNull(),
})

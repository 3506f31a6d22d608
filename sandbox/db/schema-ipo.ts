import { sql } from 'drizzle-orm'
import { bigint, bigserial, boolean, date, index, integer, jsonb, pgTable, text, timestamp, unique, uniqueIndex } from 'drizzle-orm/pg-core'

const paise = (name: string) => bigint(name, { mode: 'number' })
const day = (name: string) => date(name, { mode: 'string' })

/** Public issues. Prices in paise, because an issue is priced in whole rupees. */
export const ipoIssues = pgTable('ipo_issues', {
	symbol: text('symbol').primaryKey(),
	name: text('name').notNull(),
	isin: text('isin').notNull(),
	exchange: text('exchange').notNull(),
	/** Mainboard or SME. */
	kind: text('kind').notNull(),
	sector: text('sector').notNull(),
	registrar: text('registrar').notNull(),
	open_date: day('open_date').notNull(),
	close_date: day('close_date').notNull(),
	allotment_date: day('allotment_date').notNull(),
	refund_date: day('refund_date').notNull(),
	listing_date: day('listing_date').notNull(),
	min_price: paise('min_price').notNull(),
	max_price: paise('max_price').notNull(),
	tick: paise('tick').notNull(),
	lot: integer('lot').notNull(),
	min_quantity: integer('min_quantity').notNull(),
	face_value: paise('face_value').notNull(),
	issue_size_cr: integer('issue_size_cr').notNull(),
	/**
	 * `[{ code, times, discount }]`: the categories that may bid, how many times each is finally subscribed, and the discount in paise
	 * per share.
	 */
	categories: jsonb('categories').notNull(),
	/** OPEN until the mandates have expired, then CLOSED, ALLOTTED, SETTLED (money and shares have moved), LISTED. */
	stage: text('stage').notNull(),
})

/** One application of a client. Its bids are alternatives, and the amount of the highest is blocked. */
export const ipoApplications = pgTable(
	'ipo_applications',
	{
		id: bigserial('id', { mode: 'number' }).primaryKey(),
		application_no: text('application_no').notNull().unique(),
		client: text('client').notNull(),
		symbol: text('symbol').notNull(),
		category: text('category').notNull(),
		/** One application for each PAN and quota: PUBLIC (IND and HNI together), EMP, SHA. */
		quota: text('quota').notNull(),
		bo_id: text('bo_id').notNull(),
		upi_id: text('upi_id').notNull(),
		amount: paise('amount').notNull(),
		/** PENDING (for the mandate), ACCEPTED, REJECTED, CANCELLED. */
		status: text('status').notNull(),
		/** The exchange's state: 10 at the sponsor bank, 100 blocked, 31 refused by the investor, … */
		upi_flag: integer('upi_flag').notNull(),
		/** The broker's state at its last check: SENT, ACCEPTED, REJECTED, EXPIRED. */
		mandate_status: text('mandate_status').notNull(),
		/** A secret that opens the mandate in the UPI app. */
		mandate_token: text('mandate_token').notNull().unique(),
		reason: text('reason'),
		/** The Idempotency-Key of the request. A second request with the same key makes no second application. */
		request_key: text('request_key'),
		asked_at: timestamp('asked_at', { withTimezone: true }).notNull(),
	},
	(t) => [
		unique('ipo_applications_key').on(t.client, t.request_key),
		uniqueIndex('ipo_applications_one')
			.on(t.client, t.symbol, t.quota)
			.where(sql`status IN ('PENDING', 'ACCEPTED')`),
		index('ipo_applications_symbol').on(t.symbol),
	],
)

export const ipoBids = pgTable(
	'ipo_bids',
	{
		id: bigserial('id', { mode: 'number' }).primaryKey(),
		application_no: text('application_no').notNull(),
		quantity: integer('quantity').notNull(),
		price: paise('price').notNull(),
		cut_off: boolean('cut_off').notNull(),
		amount: paise('amount').notNull(),
		/** Empty when the exchange refused. */
		reference_no: text('reference_no').notNull(),
		allotted_quantity: integer('allotted_quantity'),
		refund: paise('refund'),
	},
	(t) => [index('ipo_bids_application').on(t.application_no)],
)

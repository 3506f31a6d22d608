import { bigserial, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Requests for a client's signature. A request takes effect once, when signed, and lapses after a day. */
export const esigns = pgTable('esigns', {
	id: bigserial('id', { mode: 'number' }).primaryKey(),
	reference: text('reference').notNull().unique(),
	/** A secret that opens the provider's page. */
	token: text('token').notNull().unique(),
	client: text('client').notNull(),
	/** The kind of effect; see esign/effects.ts. */
	kind: text('kind').notNull(),
	title: text('title').notNull(),
	/** The content to sign, as label and value. */
	lines: jsonb('lines').notNull(),
	/** Data for the effect. */
	payload: jsonb('payload').notNull(),
	/** WAITING, SIGNED, WITHDRAWN. A waiting request has lapsed after `expires_at`. */
	status: text('status').notNull(),
	/** The result of the last visit to the provider: CANCELLED or FAILED. `reason` says why. Neither ends the request. */
	last_outcome: text('last_outcome'),
	reason: text('reason'),
	opened_at: timestamp('opened_at', { withTimezone: true }).notNull(),
	expires_at: timestamp('expires_at', { withTimezone: true }).notNull(),
	/** When the last result came. */
	ended_at: timestamp('ended_at', { withTimezone: true }),
})

/** Requests to close an account. The signed form's files are stored as in the broker's back office. */
export const closures = pgTable('closures', {
	reference: text('reference').primaryKey(),
	client: text('client').notNull(),
	reason: text('reason').notNull(),
	/** Trading, Demat, Trading and Demat. */
	clouser_for: text('clouser_for').notNull(),
	/** The account that receives the holdings, for a closure with transfer. */
	transfer_to: text('transfer_to'),
	account_type: text('account_type'),
	/** The uploads in base64: `{ name, type, data }`. */
	client_master: jsonb('client_master'),
	signature: jsonb('signature'),
	/** WAITING (for the e-sign), CLOSING (signed but not processed), WITHDRAWN. */
	status: text('status').notNull(),
	asked_at: timestamp('asked_at', { withTimezone: true }).notNull(),
	signed_at: timestamp('signed_at', { withTimezone: true }),
	withdrawn_at: timestamp('withdrawn_at', { withTimezone: true }),
})

import { bigserial, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** What a client was asked to sign: it takes effect when it is signed, once, and lapses when nobody signs it in a day. */
export const esigns = pgTable('esigns', {
	id: bigserial('id', { mode: 'number' }).primaryKey(),
	reference: text('reference').notNull().unique(),
	/** What the provider's page is opened with; nobody else has it. */
	token: text('token').notNull().unique(),
	client: text('client').notNull(),
	/** Whose effect it is; see esign/effects.ts. */
	kind: text('kind').notNull(),
	title: text('title').notNull(),
	/** What is being signed, as label and value. */
	lines: jsonb('lines').notNull(),
	/** What the effect needs to do it. */
	payload: jsonb('payload').notNull(),
	/** WAITING, SIGNED, WITHDRAWN; a waiting one past its time has lapsed. */
	status: text('status').notNull(),
	/** How the last visit to the provider ended: CANCELLED or FAILED, and why. Neither ends the request. */
	last_outcome: text('last_outcome'),
	reason: text('reason'),
	opened_at: timestamp('opened_at', { withTimezone: true }).notNull(),
	expires_at: timestamp('expires_at', { withTimezone: true }).notNull(),
	/** Of the last outcome, whichever it was. */
	ended_at: timestamp('ended_at', { withTimezone: true }),
})

/** Requests to close an account. The signed form's files are kept as the broker's back office would. */
export const closures = pgTable('closures', {
	reference: text('reference').primaryKey(),
	client: text('client').notNull(),
	reason: text('reason').notNull(),
	/** Trading, Demat, Trading and Demat. */
	clouser_for: text('clouser_for').notNull(),
	/** Where the holdings go, for a closure with transfer. */
	transfer_to: text('transfer_to'),
	account_type: text('account_type'),
	/** The uploads in base64: `{ name, type, data }`. */
	client_master: jsonb('client_master'),
	signature: jsonb('signature'),
	/** WAITING (for the e-sign), CLOSING (signed, not processed), WITHDRAWN. */
	status: text('status').notNull(),
	asked_at: timestamp('asked_at', { withTimezone: true }).notNull(),
	signed_at: timestamp('signed_at', { withTimezone: true }),
	withdrawn_at: timestamp('withdrawn_at', { withTimezone: true }),
})

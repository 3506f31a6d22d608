import { bigserial, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const instant = (name: string) => timestamp(name, { withTimezone: true })

/** Requests that wait for a code. The payload is stored here, so that a code confirms exactly the data it was sent for. */
export const otpRequests = pgTable(
	'otp_requests',
	{
		id: text('id').primaryKey(),
		client: text('client').notNull(),
		/** One open request per client and purpose. */
		purpose: text('purpose').notNull(),
		/** The change, in the words of the message. */
		what: text('what').notNull(),
		payload: jsonb('payload').notNull(),
		recipients: jsonb('recipients').notNull(),
		/** `{ hash, expires_at }` of each code sent: earlier codes stay valid until they expire, since messages arrive out of order. */
		codes: jsonb('codes').notNull(),
		wrong: integer('wrong').notNull().default(0),
		resends: integer('resends').notNull().default(0),
		created_at: instant('created_at').notNull(),
		sent_at: instant('sent_at').notNull(),
		ended_at: instant('ended_at'),
		/** USED, WRONG (too often), REPLACED (by a new request). */
		ended_because: text('ended_because'),
	},
	(t) => [index('otp_requests_client').on(t.client, t.purpose, t.created_at)],
)

/** Wrong codes by client, for any purpose. Ten in an hour pause all of the client's requests. */
export const otpMistakes = pgTable(
	'otp_mistakes',
	{ id: bigserial('id', { mode: 'number' }).primaryKey(), client: text('client').notNull(), at: instant('at').notNull() },
	(t) => [index('otp_mistakes_client').on(t.client, t.at)],
)

/** Every change that a client has requested, with the old and the new value, masked. The client sees it as the history. */
export const changeRequests = pgTable(
	'change_requests',
	{
		reference: text('reference').primaryKey(),
		client: text('client').notNull(),
		/** MOBILE, EMAIL, BANK, DEFAULT_BANK, INCOME, SEGMENTS, NOMINEE, MTF, CLOSURE. */
		kind: text('kind').notNull(),
		/** The old and the new value, masked for the screen. */
		was: text('was'),
		becomes: text('becomes'),
		/** LOGIN (only the session), OTP, OTP_ESIGN, ESIGN. */
		authorised_by: text('authorised_by').notNull(),
		/**
		 * WAITING (for the e-sign), SIGNED (a closure, which is done when its day is over), DONE, WITHDRAWN. A waiting request whose e-sign
		 * has expired has lapsed.
		 */
		status: text('status').notNull(),
		/** Name, type, size and SHA-256 of each uploaded file. */
		proofs: jsonb('proofs').notNull(),
		asked_at: instant('asked_at').notNull(),
		done_at: instant('done_at'),
	},
	(t) => [index('change_requests_client').on(t.client, t.asked_at)],
)

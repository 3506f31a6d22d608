import { bigserial, date, index, integer, jsonb, pgTable, text, timestamp, unique } from 'drizzle-orm/pg-core'

const instant = (name: string) => timestamp(name, { withTimezone: true })

/** A pledge (+) or release (-) of holdings. The kinds: MARGIN, MTF. */
export const pledgeMovements = pgTable(
	'pledge_movements',
	{
		id: bigserial('id', { mode: 'number' }).primaryKey(),
		client: text('client').notNull(),
		instrument: text('instrument').notNull(),
		kind: text('kind').notNull(),
		day: date('day', { mode: 'string' }).notNull(),
		quantity: integer('quantity').notNull(),
	},
	(t) => [index('pledge_movements_client').on(t.client)],
)

/** Units that a client has authorised for a sale (e-DIS), each with its expiry. */
export const edisAuthorisations = pgTable(
	'edis_authorisations',
	{
		id: bigserial('id', { mode: 'number' }).primaryKey(),
		/** The request whose code authorised it. */
		request_id: text('request_id').notNull(),
		client: text('client').notNull(),
		instrument: text('instrument').notNull(),
		quantity: integer('quantity').notNull(),
		/** PRE (before the sale) or POST. */
		trade_type: text('trade_type').notNull(),
		/** The day of the sale, for POST. */
		sold_on: date('sold_on', { mode: 'string' }),
		/** A corporate action after this day ends the authorisation. */
		granted_on: date('granted_on', { mode: 'string' }).notNull(),
		granted_at: instant('granted_at').notNull(),
		valid_until: instant('valid_until').notNull(),
	},
	(t) => [
		unique('edis_authorisations_once').on(t.request_id, t.instrument),
		index('edis_authorisations_client').on(t.client, t.valid_until),
	],
)

/**
 * A client's requests to pledge or release. A request takes effect once, when the client confirms it at the depository. It lapses when
 * it is not confirmed in time.
 */
export const pledgeRequests = pgTable(
	'pledge_requests',
	{
		reference: text('reference').primaryKey(),
		/** A secret that opens the depository's page. */
		token: text('token').notNull().unique(),
		client: text('client').notNull(),
		/** The Idempotency-Key: one request for each key, permanently. Cached responses by key are kept for only a day. */
		idempotency_key: text('idempotency_key'),
		/** pledge or unpledge. */
		action: text('action').notNull(),
		/** MARGIN, or MTF for shares that the broker has partly paid for, which the client must pledge. */
		purpose: text('purpose').notNull().default('MARGIN'),
		/** `{ isin, symbol, name, qty, margin }`; the margin in paise at the close and haircut of the day of the request. */
		lines: jsonb('lines').notNull(),
		/** WAITING or CONFIRMED. A waiting request has lapsed after `confirm_by`; the broker then sells funded shares. */
		status: text('status').notNull(),
		/** The result of the last visit to the depository without a confirmation: CANCELLED or FAILED. `reason` says why. */
		last_outcome: text('last_outcome'),
		reason: text('reason'),
		asked_at: instant('asked_at').notNull(),
		confirm_by: instant('confirm_by').notNull(),
		/** The day from which the pledge counts as margin, when confirmed in time. */
		margin_from: date('margin_from', { mode: 'string' }).notNull(),
		ended_at: instant('ended_at'),
	},
	(t) => [unique('pledge_requests_once').on(t.client, t.idempotency_key)],
)

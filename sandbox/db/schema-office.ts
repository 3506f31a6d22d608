import { bigint, bigserial, date, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/* Data that a broker stores besides its books: files, links, responses, messages. */

const day = (name: string) => date(name, { mode: 'string' })
const instant = (name: string) => timestamp(name, { withTimezone: true })

/** The last P&L bundle of each client and year, in base64. */
export const pnlBundles = pgTable(
	'pnl_bundles',
	{
		client: text('client').notNull(),
		year: text('year').notNull(),
		made_at: instant('made_at').notNull(),
		zip: text('zip').notNull(),
	},
	(t) => [primaryKey({ columns: [t.client, t.year] })],
)

/** Links that open a report without a login (web-link mode). Each is a session of the product that made it. */
export const reportLinks = pgTable('report_links', {
	session_id: text('session_id').primaryKey(),
	client: text('client').notNull(),
	product: text('product').notNull(),
	expires_at: instant('expires_at').notNull(),
})

/** First responses by Idempotency-Key. A repeat with the same body gets the same response; with another body it gets 409. */
export const idempotency = pgTable(
	'idempotency',
	{
		client: text('client').notNull(),
		key: text('key').notNull(),
		operation: text('operation').notNull(),
		body_hash: text('body_hash').notNull(),
		status: integer('status'),
		answer: text('answer'),
		created_at: instant('created_at').notNull(),
	},
	(t) => [primaryKey({ columns: [t.client, t.key] })],
)

/** Every SMS and e-mail that a real broker would have sent. */
export const outbox = pgTable('outbox', {
	id: bigserial('id', { mode: 'number' }).primaryKey(),
	client: text('client').notNull(),
	channel: text('channel').notNull(),
	recipient: text('recipient').notNull(),
	subject: text('subject').notNull(),
	body: text('body').notNull(),
	sent_at: instant('sent_at').notNull(),
})

/** The inputs from which the stored books were made: seed, day, version. */
export const origin = pgTable('origin', {
	id: integer('id').primaryKey(),
	seed: text('seed').notNull(),
	day: day('day').notNull(),
	version: integer('version').notNull(),
})

/** The sandbox's clock: its start value, how far that is ahead of real time (ms), and how far the clock was moved since then (ms). */
export const clock = pgTable('clock', {
	id: integer('id').primaryKey(),
	starts_on: text('starts_on'),
	base_ms: bigint('base_ms', { mode: 'number' }).notNull(),
	ahead_ms: bigint('ahead_ms', { mode: 'number' }).notNull(),
})

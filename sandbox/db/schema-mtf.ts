import { date, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const instant = (name: string) => timestamp(name, { withTimezone: true })

/** Clients who may buy with borrowed money, since they signed for it. */
export const mtfAccounts = pgTable('mtf_accounts', {
	client: text('client').primaryKey(),
	activated_at: instant('activated_at').notNull(),
	/** Of the e-sign; null for those who signed before these books begin. */
	reference: text('reference'),
})

/** Months whose margin-funding interest has been posted after the books were made: each once. */
export const mtfMonths = pgTable(
	'mtf_months',
	{ client: text('client').notNull(), month: text('month').notNull(), voucher_no: text('voucher_no').notNull() },
	(t) => [primaryKey({ columns: [t.client, t.month] })],
)

/** Years of which a client has fetched the tax statement: what has been fetched needs no reminder. */
export const taxFetches = pgTable('tax_fetches', { client: text('client').notNull(), year: text('year').notNull() }, (t) => [
	primaryKey({ columns: [t.client, t.year] }),
])

/** The day up to which the broker has looked since the books were made at what it has to sell for a client. */
export const watchedDays = pgTable('watched_days', {
	client: text('client').primaryKey(),
	day: date('day', { mode: 'string' }).notNull(),
})

import { date, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const instant = (name: string) => timestamp(name, { withTimezone: true })

/** Clients who may buy with borrowed money, since their signature. */
export const mtfAccounts = pgTable('mtf_accounts', {
	client: text('client').primaryKey(),
	activated_at: instant('activated_at').notNull(),
	/** Of the e-sign; null for those who signed before these books begin. */
	reference: text('reference'),
})

/** Months whose margin-funding interest was posted after the books were made: each once. */
export const mtfMonths = pgTable(
	'mtf_months',
	{ client: text('client').notNull(), month: text('month').notNull(), voucher_no: text('voucher_no').notNull() },
	(t) => [primaryKey({ columns: [t.client, t.month] })],
)

/** Years whose tax statement a client has fetched: no reminder needed. */
export const taxFetches = pgTable('tax_fetches', { client: text('client').notNull(), year: text('year').notNull() }, (t) => [
	primaryKey({ columns: [t.client, t.year] }),
])

/** The day up to which the broker has checked, since the books were made, what it must sell for a client. */
export const watchedDays = pgTable('watched_days', {
	client: text('client').primaryKey(),
	day: date('day', { mode: 'string' }).notNull(),
})

import { date, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const instant = (name: string) => timestamp(name, { withTimezone: true })

/** Clients who may buy with margin funding, and when they signed for it. */
export const mtfAccounts = pgTable('mtf_accounts', {
	client: text('client').primaryKey(),
	activated_at: instant('activated_at').notNull(),
	/** The reference of the e-sign; null for clients who signed before these books begin. */
	reference: text('reference'),
})

/** Months whose margin-funding interest was posted after the books were made. A row makes each month post only once. */
export const mtfMonths = pgTable(
	'mtf_months',
	{ client: text('client').notNull(), month: text('month').notNull(), voucher_no: text('voucher_no').notNull() },
	(t) => [primaryKey({ columns: [t.client, t.month] })],
)

/** Years whose tax statement a client has downloaded, so that the portal shows no reminder. */
export const taxFetches = pgTable('tax_fetches', { client: text('client').notNull(), year: text('year').notNull() }, (t) => [
	primaryKey({ columns: [t.client, t.year] }),
])

/** The day up to which the broker has checked for forced sales of a client, since the books were made. */
export const watchedDays = pgTable('watched_days', {
	client: text('client').primaryKey(),
	day: date('day', { mode: 'string' }).notNull(),
})

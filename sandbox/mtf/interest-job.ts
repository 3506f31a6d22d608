import { and, eq, sql } from 'drizzle-orm'
import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { postMtfInterest } from '#sandbox/book/entries'
import { readFundings, readInterestPostings } from '#sandbox/book/read-mtf'
import { recordVouchers } from '#sandbox/book/record'
import { type Books } from '#sandbox/db/open'
import { fundings, mtfMonths } from '#sandbox/db/schema'
import { lastDayOfMonth } from '#sandbox/rules/calendar'
import { sumInterest } from '#sandbox/rules/mtf'
import { type ScheduledJob } from '#sandbox/scheduler/scheduled-job'

const firstOfMonth = (day: Day): Day => `${day.slice(0, 7)}-01`

/** Months (YYYY-MM) from the month of `from` that have ended by `now`. */
function listEndedMonths(from: Day, now: Day): string[] {
	const months: string[] = []
	for (let month = from.slice(0, 7); month < now.slice(0, 7); month = addDays(lastDayOfMonth(month), 1).slice(0, 7)) months.push(month)
	return months
}

/**
 * Posts the margin-funding interest of every ended month that is not in the ledger yet, dated the month's last day. Such months exist
 * when the clock moves on after the books were made. A row claims each month, also one without interest or posted by the seed (which
 * claims its own months), so that it is checked once.
 */
export const interestJob: ScheduledJob = {
	isDue(client, now) {
		const start = firstOfMonth(toIndianDay(now))
		return sql`(
			EXISTS (SELECT FROM ${fundings} WHERE client = ${client} AND day < ${start})
			AND NOT EXISTS (SELECT FROM ${mtfMonths} WHERE client = ${client} AND month = ${addDays(start, -1).slice(0, 7)})
		)`
	},
	work: ({ books }, client, now) => closeEndedMonths(books, client, toIndianDay(now)),
}

/** Claims every month of a client that has ended by `day`, and posts the interest of those without a posting. */
export async function closeEndedMonths(books: Books, client: string, day: Day): Promise<void> {
	const moves = await readFundings(books, client, day)
	const [first] = moves
	if (first === undefined) return
	const posted = new Map((await readInterestPostings(books, client, first.day, day)).map(({ month, voucherNo }) => [month, voucherNo]))
	for (const month of listEndedMonths(first.day, day)) {
		const voucherNo = posted.get(month)
		const interest = voucherNo === undefined ? sumInterest(moves, `${month}-01`, lastDayOfMonth(month)) : 0
		await closeMonth(books, { client, month, voucher_no: voucherNo ?? '' }, interest)
	}
}

/** Claims a month and posts its interest (paise), in one transaction. A second caller finds the claim and does nothing. */
async function closeMonth(books: Books, claim: typeof mtfMonths.$inferSelect, interest: Paise): Promise<void> {
	const { client, month } = claim
	await books.db.transaction(async (tx) => {
		const claimed = await tx.insert(mtfMonths).values(claim).onConflictDoNothing().returning()
		if (claimed.length === 0 || interest <= 0) return
		const day = lastDayOfMonth(month)
		const place = { client, cocd: 'NSE_CASH', day } as const
		const { voucher_no } = await recordVouchers(tx, day, (journal) => postMtfInterest(journal, place, interest, day))
		const its = and(eq(mtfMonths.client, client), eq(mtfMonths.month, month))
		await tx.update(mtfMonths).set({ voucher_no }).where(its)
	})
}

import { sql } from 'drizzle-orm'
import { addDays, type Day, today } from '~/lib/days'
import { postMtfInterest } from '#sandbox/book/entries'
import { readFundings, readInterestPostings } from '#sandbox/book/read-mtf'
import { recordVouchers } from '#sandbox/book/record'
import { mtfMonths } from '#sandbox/db/schema'
import { type SandboxParts } from '#sandbox/env'
import { lastDayOfMonth } from '#sandbox/rules/calendar'
import { sumInterest } from '#sandbox/rules/mtf'

/** Months (YYYY-MM) that have ended by a day, from that of the first one on. */
function listEndedMonths(from: Day, now: Day): string[] {
	const months: string[] = []
	for (let month = from.slice(0, 7); month < now.slice(0, 7); month = addDays(lastDayOfMonth(month), 1).slice(0, 7)) months.push(month)
	return months
}

/**
 * Posts the margin-funding interest of every month that has ended and is not in the ledger yet, dated its last day: the clock has gone on
 * since the books were made. A month is posted once, whoever asks at the same time.
 */
export async function postDueInterest({ books, clock }: Pick<SandboxParts, 'books' | 'clock'>, client: string): Promise<void> {
	const now = today(clock.now())
	const moves = await readFundings(books, client, now)
	const [first] = moves
	if (first === undefined) return
	const posted = new Set((await readInterestPostings(books, client, first.day, now)).map(({ month }) => month))
	for (const month of listEndedMonths(first.day, now)) {
		const end = lastDayOfMonth(month)
		const interest = posted.has(month) ? 0 : sumInterest(moves, `${month}-01`, end)
		if (interest > 0) await postMonth(books, client, month, end, interest)
	}
}

async function postMonth(books: SandboxParts['books'], client: string, month: string, end: Day, interest: number): Promise<void> {
	await books.db.transaction(async (tx) => {
		const claimed = await tx.insert(mtfMonths).values({ client, month, voucher_no: '' }).onConflictDoNothing().returning()
		if (claimed.length === 0) return
		const place = { client, cocd: 'NSE_CASH', day: end } as const
		const { voucher_no } = await recordVouchers(tx, end, (journal) => postMtfInterest(journal, place, interest, end))
		await tx
			.update(mtfMonths)
			.set({ voucher_no })
			.where(sql`${mtfMonths.client} = ${client} AND ${mtfMonths.month} = ${month}`)
	})
}

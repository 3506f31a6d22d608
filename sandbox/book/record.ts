import { desc, like, sql } from 'drizzle-orm'
import type { Day } from '~/lib/days'
import type { Queries } from '#sandbox/db/open'
import { postings, vouchers } from '#sandbox/db/schema'
import { type Journal, openJournal, prefixOfVoucher, type VoucherKind } from './voucher'

/** Any fixed number: the lock is the book's, and two writers must not give out one voucher number. */
const BOOK_LOCK = 7_001

const kinds: readonly VoucherKind[] = ['BILL', 'RECEIPT', 'PAYMENT', 'JOURNAL']

/** Waits until nobody else writes to the book; the lock ends with the transaction. */
export async function lockBook(queries: Queries): Promise<void> {
	await queries.execute(sql`SELECT pg_advisory_xact_lock(${BOOK_LOCK})`)
}

/** Last running number of each kind of voucher on a day. */
async function readRunning(queries: Queries, day: Day): Promise<Map<string, number>> {
	const running = new Map<string, number>()
	for (const prefix of kinds.map((kind) => prefixOfVoucher(kind, day))) {
		const [last] = await queries
			.select({ number: vouchers.voucher_no })
			.from(vouchers)
			.where(like(vouchers.voucher_no, `${prefix}%`))
			.orderBy(desc(vouchers.voucher_no))
			.limit(1)
		if (last) running.set(prefix, Number(last.number.slice(prefix.length)))
	}
	return running
}

/**
 * Writes vouchers of one day to stored books, by the same functions that made the history: `write` gets a journal that goes on after what is
 * stored. Give it a transaction, since it locks the book until that ends; nothing is stored when `write` throws. Answers what `write` does.
 */
export async function recordVouchers<Result>(queries: Queries, day: Day, write: (journal: Journal) => Result): Promise<Result> {
	await lockBook(queries)
	const { rows } = await queries.execute<{ voucher: number; posting: number }>(
		sql`SELECT (SELECT coalesce(max(id), 0)::float8 FROM ${vouchers}) AS voucher, (SELECT coalesce(max(id), 0)::float8 FROM ${postings}) AS posting`,
	)
	const last = rows[0]
	if (!last) throw new Error('The books did not answer')
	const running = await readRunning(queries, day)
	const journal = openJournal({ nextVoucher: last.voucher + 1, nextPosting: last.posting + 1, running })
	const result = write(journal)
	if (journal.vouchers.length > 0) {
		await queries.insert(vouchers).values(journal.vouchers)
		await queries.insert(postings).values(journal.postings)
	}
	return result
}

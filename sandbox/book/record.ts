import { count, desc, eq, like, sql } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'
import { type Queries } from '#sandbox/db/open'
import { disposals, fundings, marks, noteCharges, notes, pledgeMovements, postings, trades, vouchers } from '#sandbox/db/schema'
import { type Book, openBook } from './book'
import { numberContractNotes } from './contract-numbers'
import { type Journal, openJournal, formatVoucherPrefix, type VoucherKind } from './voucher'

/** The key of the book's lock; any fixed number will do. With the lock two writers never use the same voucher number. */
const BOOK_LOCK = 7_001

const kinds: readonly VoucherKind[] = ['BILL', 'RECEIPT', 'PAYMENT', 'JOURNAL']

/** The last running number of each kind of voucher on a day, by prefix. */
async function readRunning(queries: Queries, day: Day): Promise<Map<string, number>> {
	const running = new Map<string, number>()
	for (const prefix of kinds.map((kind) => formatVoucherPrefix(kind, day))) {
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
 * Blocks other writers of the book until the transaction ends. Every write calls it. Call it earlier when the write depends on a sum.
 */
export async function lockBook(queries: Queries): Promise<void> {
	await queries.execute(sql`SELECT pg_advisory_xact_lock(${BOOK_LOCK})`)
}

/** A journal of one day that continues after the stored vouchers. Locks the book until the transaction ends. */
async function openStoredJournal(queries: Queries, day: Day): Promise<Journal> {
	await lockBook(queries)
	const { rows } = await queries.execute<{ voucher: number; posting: number }>(
		sql`SELECT (SELECT coalesce(max(id), 0)::float8 FROM ${vouchers}) AS voucher, (SELECT coalesce(max(id), 0)::float8 FROM ${postings}) AS posting`,
	)
	const last = rows[0]
	if (!last) throw new Error('The books did not answer')
	return openJournal({ nextVoucher: last.voucher + 1, nextPosting: last.posting + 1, running: await readRunning(queries, day) })
}

async function storeJournal(queries: Queries, { vouchers: made, postings: sides }: Pick<Journal, 'vouchers' | 'postings'>): Promise<void> {
	if (made.length === 0) return
	await queries.insert(vouchers).values(made)
	await queries.insert(postings).values(sides)
}

/**
 * Writes vouchers of one day to the stored books, with the same functions that made the history. `write` gets a journal that continues
 * after the stored one. Needs a transaction, because it locks the book until the transaction ends. Stores nothing when `write` throws.
 * Returns the result of `write`.
 */
export async function recordVouchers<Result>(queries: Queries, day: Day, write: (journal: Journal) => Result): Promise<Result> {
	const journal = await openStoredJournal(queries, day)
	const result = write(journal)
	await storeJournal(queries, journal)
	return result
}

/**
 * Does the same for the rows that trading writes: bills with their trades, marks, loans and pledges, and disposals of open lots. `write`
 * must not open a lot.
 */
export async function recordBills(queries: Queries, day: Day, write: (book: Book) => void): Promise<void> {
	const journal = await openStoredJournal(queries, day)
	const { rows } = await queries.execute<{ trade: number; disposal: number }>(
		sql`SELECT (SELECT coalesce(max(id), 0)::float8 FROM ${trades}) AS trade, (SELECT coalesce(max(id), 0)::float8 FROM ${disposals}) AS disposal`,
	)
	const bills = await queries
		.select({ segment: notes.segment, count: count() })
		.from(notes)
		.where(eq(notes.day, day))
		.groupBy(notes.segment)
	for (const { segment, count: many } of bills) journal.running.set(`${segment} ${day}`, many)
	const book: Book = { ...openBook(), ...journal, nextTrade: (rows[0]?.trade ?? 0) + 1, nextDisposal: (rows[0]?.disposal ?? 0) + 1 }
	write(book)
	if (book.lots.length > 0) throw new RangeError('A lot was opened in books that have no trading')
	await storeJournal(queries, book)
	if (book.notes.length > 0) await queries.insert(notes).values(book.notes)
	if (book.noteCharges.length > 0) await queries.insert(noteCharges).values(book.noteCharges)
	if (book.trades.length > 0) await queries.insert(trades).values(book.trades)
	if (book.marks.length > 0) await queries.insert(marks).values(book.marks)
	if (book.disposals.length > 0) await queries.insert(disposals).values(book.disposals)
	if (book.fundings.length > 0) await queries.insert(fundings).values(book.fundings)
	if (book.pledges.length > 0) await queries.insert(pledgeMovements).values(book.pledges)
	await numberContractNotes(queries)
}

import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Day } from '#contract/values/dates'
import { type Books } from '#sandbox/db/open'
import { instruments, notes, postings, trades } from '#sandbox/db/schema'
import { lastDayOfMonth } from '#sandbox/rules/calendar'
import { openSeededBooks } from '#sandbox/testing/books'
import { postDueCharges } from './charges-job'
import { readDelayedPayment } from './read-dues'
import { readRows } from './rows'

/* The books are made on a Sunday, the first of a month. The seed covers only trading days, so it has not closed October. */
let books: Books
beforeAll(async () => {
	books = await openSeededBooks({ seed: 'test', today: '2026-11-01', personas: ['DEBT01'] })
})
afterAll(() => books.close())

const postOn = (day: Day) => postDueCharges(books, 'DEBT01', day)
const lateIn = async (month: string) =>
	(await readDelayedPayment(books, 'DEBT01', `${month}-01`, lastDayOfMonth(month))).find(({ cocd }) => cocd === 'NSE_CASH')?.late ?? 0

type Charge = { id: number; day: Day; words: string; amount: number }
/** The charges from a day on, by posting. */
async function listCharges(from: Day): Promise<Charge[]> {
	return await readRows<Charge>(
		books,
		sql`SELECT p.id::float8 AS id, v.day::text AS day, v.narration AS words, p.amount::float8 AS amount
		FROM postings p JOIN vouchers v ON v.id = p.voucher_id
		WHERE p.account = 'CLIENT' AND p.client = 'DEBT01' AND v.day >= ${from} AND v.narration ~ '^D(P|ELAYED)' ORDER BY v.day, v.id`,
	)
}
const listLines = async (from: Day) => (await listCharges(from)).map(({ day, words }) => `${day} ${words}`)

test('computes the delayed payment interest of every month as the seed has posted it', async () => {
	const posted = (await listCharges('2000-01-01')).filter(({ words }) => words.startsWith('DELAYED'))
	expect(posted.length).toBeGreaterThan(3)
	for (const { id, day, amount } of posted) {
		await books.db.update(postings).set({ amount: 0 }).where(eq(postings.id, id))
		expect([day, await lateIn(day.slice(0, 7))]).toEqual([day, -amount])
		await books.db.update(postings).set({ amount }).where(eq(postings.id, id))
	}
})

test('counts a bill as owed from its settlement, not from its trade', async () => {
	const [bill] = await readRows<{ day: Day; settles: Day }>(
		books,
		sql`SELECT v.day::text AS day, v.settles_on::text AS settles FROM vouchers v JOIN postings p ON p.voucher_id = v.id
		WHERE p.account = 'CLIENT' AND p.client = 'DEBT01' AND v.type = 'BILL' AND p.amount < 0 ORDER BY v.id DESC LIMIT 1`,
	)
	const { day = '', settles = '' } = bill ?? {}
	const owedOn = async (on: Day) => (await readDelayedPayment(books, 'DEBT01', on, on))[0]?.late ?? 0
	expect(settles > day).toBe(true)
	expect(await owedOn(settles)).toBeGreaterThan(await owedOn(day))
})

test('posts interest at the end of each month, interest on interest, once, however many calls come at once', async () => {
	expect(await listLines('2026-10-31')).toEqual([])
	await postOn('2026-11-01')
	expect(await listLines('2026-10-31')).toEqual(['2026-10-31 DELAYED PAYMENT CHARGES OCT-2026 18 %'])
	await postOn('2026-12-31')
	await Promise.all([postOn('2027-01-04'), postOn('2027-01-04'), postOn('2027-01-04')])
	const posted = await listCharges('2026-11-01')
	expect(posted.map(({ day, words }) => `${day} ${words}`)).toEqual([
		'2026-11-30 DELAYED PAYMENT CHARGES NOV-2026 18 %',
		'2026-12-31 DELAYED PAYMENT CHARGES DEC-2026 18 %',
	])
	// Nothing changes the ledger in December, so each of its 31 days costs 18 % / 365 of the same debt, half-up to the paisa. The debt
	// includes November's interest.
	const [{ owed } = { owed: 0 }] = await readRows<{ owed: number }>(
		books,
		sql`SELECT (-sum(amount))::float8 AS owed FROM postings WHERE account = 'CLIENT' AND client = 'DEBT01' AND cocd = 'NSE_CASH' AND NOT is_margin AND day < '2026-12-31'`,
	)
	expect(owed).toBeGreaterThan(1_000_00)
	expect(posted[1]?.amount).toBe(-31 * Math.round((owed * 18) / 36_500))
})

test('posts a depository charge for each security sold when the sale settles, except units bought the same day', async () => {
	const [first, second] = await books.db.select().from(instruments).where(eq(instruments.kind, 'EQUITY')).limit(2)
	const note = { bill_no: 'NOTE-1', client: 'DEBT01', day: '2027-01-05', segment: 'NSE_CASH', cocd: 'NSE_CASH' }
	await books.db.insert(notes).values({ ...note, settlement_no: 'M2027003', settles_on: '2027-01-06', obligation: 0, net: 0 })
	const sale = { ...note, time: '10:00:00', side: 'S', quantity: 5, price: 1_000_000, order_no: '1', brokerage: 0, charges: 0, stt: 0 }
	await books.db.insert(trades).values([
		{ ...sale, instrument: first?.id ?? '', trade_no: '1' },
		{ ...sale, instrument: first?.id ?? '', trade_no: '2' },
		{ ...sale, instrument: second?.id ?? '', trade_no: '3', intraday_quantity: 5 },
	])
	await postOn('2027-01-05')
	expect(await listLines('2027-01-01')).toEqual([])
	await postOn('2027-01-06')
	await postOn('2027-01-07')
	expect(await listLines('2027-01-01')).toEqual([`2027-01-06 DP CHARGES ${first?.symbol} SALE`])
})

test('posts the maintenance of the demat account on the first trading day from 10 April on', async () => {
	await postOn('2027-04-11')
	expect((await listLines('2027-04-01')).filter((line) => line.includes('AMC'))).toEqual([])
	await postOn('2027-04-13')
	await postOn('2027-05-13')
	expect((await listLines('2027-04-01')).filter((line) => line.includes('AMC'))).toEqual(['2027-04-12 DP AMC 2027-28 INCL GST'])
})

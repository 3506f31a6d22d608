import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Attention } from '#contract/attention'
import { ContractNote } from '#contract/bills'
import { LedgerReport } from '#contract/ledger'
import { MtfDetails, MtfFacts } from '#contract/mtf'
import { HoldingReport } from '#contract/reports'
import { postPayOut } from '#sandbox/book/entries'
import { recordVouchers } from '#sandbox/book/record'
import { readRows } from '#sandbox/book/rows'
import { type Books } from '#sandbox/db/open'
import { pledgeRequests, prices } from '#sandbox/db/schema'
import { createReader } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'
import { readMarginCall } from './account'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

const [BEL, NTPC, POWERGRID] = ['INE263A01024', 'INE733E01010', 'INE752E01010']
const FELL_ON = '2026-11-25'
const DAY_MS = 86_400_000

/**
 * Sets the closes of Wednesday 25 November 2026, in 1/10,000 rupee; later days have none. The 120 NTPC are pledged, so that they are not
 * sold for a missing pledge.
 */
async function letPricesFall(books: Books): Promise<void> {
	const closes = { [BEL]: 380, [NTPC]: 350, [POWERGRID]: 320 }
	for (const [instrument, close] of Object.entries(closes))
		await books.db.insert(prices).values({ instrument, day: FELL_ON, close: close * 10_000 })
	await books.db.execute(
		sql`INSERT INTO pledge_movements (client, instrument, kind, day, quantity) VALUES ('DEMO01', ${NTPC}, 'MTF', '2026-11-23', 120)`,
	)
	await books.db.update(pledgeRequests).set({ status: 'CONFIRMED' })
}

test('sells shares when margin was short for five trading days, on the announced day and for the announced sum', async () => {
	await letPricesFall(books)
	const sandbox = createTestSandbox(books, { SANDBOX_TODAY: `${FELL_ON}T16:00` })
	let read = createReader('DEMO01', await sandbox.signIn('DEMO01'))
	const advance = async (ms: number) => {
		sandbox.passTime(ms)
		read = createReader('DEMO01', await sandbox.signIn('DEMO01'))
	}
	const facts = () => read('/v1/ours/mtf-facts', MtfFacts)
	const short = async () => (await read('/v1/ours/attention', Attention)).find(({ kind }) => kind === 'MTF_SHORTFALL')
	const ledger = async () =>
		(await read(`/v2/service/reports/ledger?from_date=${FELL_ON}&to_date=2026-12-31&cocd=NSE_CASH&source=connect`, LedgerReport))
			.filtered_df

	// All money leaves the ledger. From then on interest makes it negative, so only the shares secure the loans.
	expect((await facts()).shortfall).toBe(0)
	const { cash } = await facts()
	const place = { client: 'DEMO01', cocd: 'NSE_CASH', day: FELL_ON } as const
	await books.db.transaction((tx) =>
		recordVouchers(tx, FELL_ON, (journal) => postPayOut(journal, place, cash, 'CLIENT REQUEST', 'HDFCN52026112500001')),
	)
	// Lent by the seed: 400 BEL at 448.80, 120 NTPC at 429.75, 500 POWERGRID at 328.40, three quarters of each.
	const { positions } = await read('/v2/account-profile/mtf-details?source=connect', MtfDetails)
	expect(positions.map(({ QTY, FUNDED }) => [QTY, FUNDED])).toEqual([
		[400, 1_34_640_00],
		[120, 38_677_50],
		[500, 1_23_150_00],
	])
	// Worth 400 × 380 = 1,52,000, 120 × 350 = 42,000 and 500 × 320 = 1,60,000: 3,54,000. A quarter of it, 88,500.00, must be the
	// client's own (a sandbox choice). The client has 3,54,000.00 - 2,96,467.50 = 57,532.50, so 30,967.50 is missing. Five trading days
	// after Wednesday the 25th: 26, 27, 30 November, 1 December, and Wednesday 2 December.
	const told = {
		amount: -30_967_50,
		words: 'Your margin funding is ₹ 30,967.50 short of margin. Add funds, or the broker sells shares on 02/12/2026.',
	}
	for (let day = 0; day <= 6; day++) {
		expect([day, await short()]).toMatchObject([day, told])
		await advance(DAY_MS)
	}
	// Wednesday 2 December, 16:00 less 6 h 46 min: 09:14.
	await advance(-406 * 60_000)
	expect(await short()).toMatchObject(told)
	expect((await ledger()).filter(({ VOUCHER_TYPE }) => VOUCHER_TYPE === 'BILL')).toEqual([])

	await advance(60_000)
	const held = await read('/v2/service/reports/holding?dataYear=2026&source=connect', HoldingReport)
	expect(held.map(({ ISIN }) => ISIN)).not.toContain(BEL)
	// BEL needed 38,000.00, more than was missing, so nothing else is sold.
	expect((await facts()).positions.map(({ ISIN }) => ISIN)).toEqual([NTPC, POWERGRID])
	const rows = (await ledger()).filter(({ VOUCHER_DATE }) => VOUCHER_DATE === '2026-12-02')
	const bill = rows.find(({ VOUCHER_TYPE }) => VOUCHER_TYPE === 'BILL')
	// 400 × 380.00 at the last close. Brokerage 0.20 % 304.00, exchange 0.00307 % 4.67, SEBI 0.0001 % 0.15; CGST and SGST are 9 % each
	// of 308.82, 27.79 + 27.79; STT 0.1 % 152.00: 516.40 (rates: sandbox/rules/charges.ts).
	const note = await read(`/v1/ours/contract-note?bill=${bill?.BILL_NO}`, ContractNote)
	expect(note.trades.map(({ SIDE, QTY, GROSS_RATE, TRADE_TIME }) => [SIDE, QTY, GROSS_RATE, TRADE_TIME])).toEqual([
		['SELL', 400, 380, '09:15:00'],
	])
	// An exchange's number of a trade has eight digits, and of an order sixteen.
	expect(note.trades.map(({ TRADE_NO, ORDER_NO }) => [TRADE_NO?.length, ORDER_NO?.length])).toEqual([[8, 16]])
	expect(rows.map(({ NARRATION, DR_AMT, CR_AMT }) => [NARRATION.replace(/ C?M?2026.*/, ''), DR_AMT, CR_AMT])).toEqual([
		['BILL NSE CASH', 0, 1_52_000_00 - 516_40],
		['MTF REPAYMENT BEL', 1_34_640_00, 0],
		['UNPLEDGE CHARGES BEL', 23_60, 0],
	])
	const [lent] = await readRows<{ amount: number }>(
		books,
		sql`SELECT sum(amount)::float8 AS amount FROM postings WHERE account = 'MTF' AND client = 'DEMO01'`,
	)
	expect(lent?.amount).toBe(-(38_677_50 + 1_23_150_00))
	const [sums] = await readRows<{ all: number; apart: number }>(
		books,
		sql`SELECT sum(amount)::float8 AS all, (SELECT count(*) FROM (SELECT FROM postings GROUP BY voucher_id HAVING sum(amount) <> 0) v)::float8 AS apart
		FROM postings`,
	)
	expect(sums).toEqual({ all: 0, apart: 0 })

	// Settled on the 3rd, with the depository's charge. Nothing more is sold, because the shortfall is paid.
	await advance(2 * DAY_MS)
	const later = (await ledger()).filter(({ VOUCHER_DATE }) => VOUCHER_DATE > '2026-12-02')
	expect(later.map(({ VOUCHER_DATE, NARRATION, DR_AMT }) => [VOUCHER_DATE, NARRATION, DR_AMT])).toEqual([
		['2026-12-03', 'DP CHARGES BEL SALE', 15_34],
	])
	expect((await facts()).positions.map(({ ISIN }) => ISIN)).toEqual([NTPC, POWERGRID])
})

test('announces a sale for today while the opening is still to come, and for the next one after it', async () => {
	const unsold = await openTestBooks()
	await letPricesFall(unsold)
	const place = { client: 'DEMO01', cocd: 'NSE_CASH', day: FELL_ON } as const
	const { cash } = await readMarginCall(unsold, 'DEMO01', new Date(`${FELL_ON}T16:00+05:30`))
	await unsold.db.transaction((tx) =>
		recordVouchers(tx, FELL_ON, (journal) => postPayOut(journal, place, cash, 'CLIENT REQUEST', 'HDFCN52026112500001')),
	)
	// Short since 25 November, so the five trading days are over. Thursday 10 December, and the Friday after it.
	const announce = async (time: string) => (await readMarginCall(unsold, 'DEMO01', new Date(`2026-12-10T${time}+05:30`))).soldOn
	expect([await announce('00:01'), await announce('09:14'), await announce('09:15')]).toEqual(['2026-12-10', '2026-12-10', '2026-12-11'])
	await unsold.close()
})

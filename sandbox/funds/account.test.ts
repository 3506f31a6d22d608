import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { envelope } from '#contract/common'
import { PayoutTimetable } from '#contract/funds'
import { Withdrawable } from '#contract/ledger'
import { postPayIn } from '#sandbox/book/entries'
import { recordVouchers } from '#sandbox/book/record'
import { readRows } from '#sandbox/book/rows'
import { type Books } from '#sandbox/db/open'
import { instruments, lots, prices } from '#sandbox/db/schema'
import { parseWhole } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

type Ask = Awaited<ReturnType<ReturnType<typeof createTestSandbox>['signIn']>>
const at = (now: string) => createTestSandbox(books, { SANDBOX_TODAY: now })
const readMoney = async (ask: Ask) =>
	parseWhole(envelope(Withdrawable), await (await ask('/v2/fund/withdrawable-amount?company_code=NSE_CASH')).json()).data
const settlesOn = async (ask: Ask) => envelope(PayoutTimetable).parse(await (await ask('/v1/ours/payout-timetable')).json()).data.settles_on
const paidTo = (client: string) =>
	readRows<{ day: string; amount: number }>(
		books,
		sql`SELECT p.day::text AS day, (-p.amount)::float8 AS amount FROM postings p JOIN vouchers v ON v.id = p.voucher_id
		WHERE p.account = 'CLIENT' AND p.client = ${client} AND p.day > '2026-11-21' AND v.narration ~ '^PAY-OUT (QUARTERLY|MONTHLY) ' ORDER BY p.day, p.id`,
	)

/** A Nifty future sold at 24,000.00, with the same price since: 65 × 24,000.00 × 14 % = 2,18,400.00 of margin (decision 014). */
async function sellFuture(client: string): Promise<void> {
	const id = 'NIFTY27MARFUT'
	const words = { symbol: id, name: 'Nifty 50 27MAR FUT', kind: 'FUTURE', segment: 'NSE_FNO', sector: 'Index', series: 'XX' }
	await books.db.insert(instruments).values({ id, ...words, lot: 65, multiplier: 1, expiry: '2027-03-30' })
	await books.db.insert(prices).values({ instrument: id, day: '2026-11-20', close: 24_000 * 10_000 })
	const lot = { instrument: id, segment: 'NSE_FNO', side: 'S', opened_on: '2026-11-20', acquired_on: '2026-11-20', quantity: 65 }
	await books.db.insert(lots).values({ id: 9_000_001, client, ...lot, cost: 15_60_000_00, expenses: 0, origin: 'TRADE' })
}

async function payIn(client: string, day: string, amount: number, settles: string): Promise<void> {
	const place = { client, cocd: 'NSE_CASH', day } as const
	await books.db.transaction((tx) =>
		recordVouchers(tx, day, (journal) => postPayIn(journal, place, amount, 'UPI', '632300000003', settles)),
	)
}

test('pays back the balance above obligations and 225 % of the margin, to the paisa, on the announced day, once', async () => {
	const before = await at('2026-11-23T11:00').signIn('CASH01')
	// CASH01 trades, so its next settlement day is the quarterly one (NSE INSP72413).
	const { ledger } = await readMoney(before)
	const [last] = await readRows<{ id: number }>(books, sql`SELECT max(id)::float8 AS id FROM trades WHERE client = 'CASH01'`)
	await books.db.execute(sql`UPDATE trades SET day = '2026-12-29' WHERE id = ${last?.id}`)
	await books.db.execute(
		sql`UPDATE trades SET day = '2026-11-20' WHERE id = (SELECT max(id) FROM trades WHERE client = 'CASH01' AND id < ${last?.id})`,
	)
	await sellFuture('CASH01')
	// Raises the ledger to 7,00,000.07. 1,00,000.00 of it is paid in on the day itself, so it has not settled and cannot be paid out.
	await payIn('CASH01', '2026-11-23', 6_00_000_07 - ledger, '2026-11-25')
	await payIn('CASH01', '2027-01-01', 1_00_000_00, '2027-01-04')
	expect(await settlesOn(await at('2026-12-30T11:00').signIn('CASH01'))).toBe('2027-01-01')
	expect(await settlesOn(await at('2027-01-01T18:29').signIn('CASH01'))).toBe('2027-01-01')
	expect(await paidTo('CASH01')).toEqual([])

	const evening = at('2027-01-01T18:30')
	const ask = await evening.signIn('CASH01')
	const answers = await Promise.all(Array.from({ length: 8 }, () => ask('/v1/ours/payout-timetable')))
	expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
	// Margin 2,18,400.00; 225 % of it is 4,91,400.00; nothing is pledged. The ledger has 7,00,000.07 less charges of the two months. Of
	// that 1,00,000.00 has not settled and 4,91,400.00 stays.
	const [charged] = await readRows<{ amount: number }>(
		books,
		sql`SELECT coalesce(-sum(p.amount), 0)::float8 AS amount FROM postings p JOIN vouchers v ON v.id = p.voucher_id WHERE p.account = 'CLIENT'
		AND p.client = 'CASH01' AND NOT p.is_margin AND v.day > '2026-11-21' AND v.narration ~ '^(DP|DELAYED)'`,
	)
	expect(await paidTo('CASH01')).toEqual([{ day: '2027-01-01', amount: 7_00_000_07 - 1_00_000_00 - 4_91_400_00 - (charged?.amount ?? 0) }])
	const money = await readMoney(ask)
	expect([money.margin_used, money.unsettled]).toEqual([2_18_400_00, 1_00_000_00])
	expect(money.balance).toBe(4_91_400_00 - 2_18_400_00)
	expect(await settlesOn(ask)).toBe('2027-02-05')
})

test('pays the whole free balance on the next monthly day to a client who has not traded for 30 days', async () => {
	await payIn('NEW001', '2026-11-21', 12_345_67, '2026-11-23')
	expect(await settlesOn(await at('2026-11-23T11:00').signIn('NEW001'))).toBe('2026-12-04')
	await (
		await at('2026-12-07T11:00').signIn('NEW001')
	)('/v1/ours/payout-timetable')
	expect(await paidTo('NEW001')).toEqual([{ day: '2026-12-04', amount: 12_345_67 }])
	const [sum] = await readRows<{ sum: number }>(books, sql`SELECT sum(amount)::float8 AS sum FROM postings`)
	expect(sum?.sum).toBe(0)
})

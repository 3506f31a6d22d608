import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod/v4'
import { envelope } from '#contract/common'
import { DashboardLedger } from '#contract/dashboard'
import { Deductions, Withdrawable } from '#contract/ledger'
import { postPayIn, postPledgeCharge } from '#sandbox/book/entries'
import { recordVouchers } from '#sandbox/book/record'
import { type Books } from '#sandbox/db/open'
import { fundings, mtfMonths } from '#sandbox/db/schema'
import { parseWhole, type Whole } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
	const place = { client: 'CASH01', cocd: 'NSE_CASH', day: '2026-11-19' } as const
	await books.db.transaction((tx) =>
		recordVouchers(tx, place.day, (journal) => postPayIn(journal, place, 20_000_00, 'UPI', '632300000001', '2026-11-20')),
	)
})
afterAll(() => books.close())

const DAY_MS = 86_400_000
type Ask = Awaited<ReturnType<ReturnType<typeof createTestSandbox>['signIn']>>

async function readData<Data extends z.ZodType>(ask: Ask, schema: Data, path: string): Promise<Whole<z.output<Data>>> {
	const { data } = envelope(z.unknown()).parse(await (await ask(path)).json())
	return parseWhole(schema, data)
}

/** The equity ledger's figures in the broker's three calls, in paise. */
async function readFigures(ask: Ask) {
	const money = await readData(ask, Withdrawable, '/v2/fund/withdrawable-amount?company_code=NSE_CASH')
	const lines = await readData(ask, Deductions, '/v1/ours/deductions?company_code=NSE_CASH')
	const deducted = await readData(ask, DashboardLedger, '/v2/dashboard/deducted-ledger?source=connect')
	return { money, lines, deducted: deducted.find(({ COCD }) => COCD === 'NSE_CASH')?.DUE_AMT }
}

async function askForPayout(ask: Ask, rupees: number): Promise<string> {
	const body = { client_code: 'CASH01', checkbox_payout: ['NSE_CASH'], ledger_balance: rupees, bank_acno: '64093177254' }
	const init = { method: 'POST', body: JSON.stringify(body), headers: { 'idempotency-key': randomUUID() } }
	const answer = await ask('/v1/account_profile/fund_payout', init)
	const { data } = envelope(z.object({ request_id: z.string() })).parse(await answer.json())
	return data.request_id
}

describe('interest owed and not in the ledger yet', () => {
	/*
	 * 3,65,000.00 is lent on 3 November 2026. From the next day on, a day costs 3,65,000 × 14.99 % ÷ 365 = 149.90 (a sandbox choice: per
	 * day on the funded balance; the rate is the sandbox's, shown on the MTF page). 4 to 21 November are 18 days: 18 × 149.90 =
	 * 2,698.20.
	 */
	test('cannot be withdrawn, and is counted once when it is posted', async () => {
		const { signIn, passTime } = createTestSandbox(books)
		const before = await readFigures(await signIn('CASH01'))
		expect([before.money.interest_accrued, before.money.balance > 5_000_00]).toEqual([0, true])
		await books.db.insert(fundings).values({ client: 'CASH01', instrument: 'INE062A01020', day: '2026-11-03', amount: 3_65_000_00 })
		const owing = await readFigures(await signIn('CASH01'))
		expect(owing.money).toEqual({ ...before.money, interest_accrued: 2_698_20, balance: before.money.balance - 2_698_20 })
		expect(owing.deducted).toBe(owing.money.balance)
		expect(owing.lines.filter(({ KIND }) => KIND === 'INTEREST')).toEqual([
			{
				COCD: 'NSE_CASH',
				KIND: 'INTEREST',
				NARRATION: 'MTF INTEREST OF THIS MONTH SO FAR, AT 14.99 %',
				AMOUNT: 2_698_20,
				CLEARS_ON: '2026-11-30',
				BILL_NO: null,
				REFERENCE: null,
			},
		])
		// On 1 December the 27 days of November are in the ledger, 27 × 149.90 = 4,047.30, and one day of December is not: 149.90.
		passTime(10 * DAY_MS)
		const posted = await readFigures(await signIn('CASH01'))
		expect(posted.money.ledger).toBe(before.money.ledger - 4_047_30)
		expect(posted.money.interest_accrued).toBe(149_90)
		expect(posted.deducted).toBe(posted.money.ledger - posted.money.unsettled - posted.money.margin_used - 149_90)
		await books.db.delete(fundings).where(sql`client = 'CASH01'`)
		await books.db.delete(mtfMonths).where(sql`client = 'CASH01'`)
		await books.db.execute(sql`WITH gone AS (DELETE FROM vouchers v WHERE v.narration LIKE 'MTF INTEREST%'
				AND EXISTS (SELECT FROM postings p WHERE p.voucher_id = v.id AND p.client = 'CASH01') RETURNING v.id)
			DELETE FROM postings WHERE voucher_id IN (SELECT id FROM gone)`)
	})
})

describe('a pay-out under way', () => {
	test('is deducted until it is paid or cancelled, and pays less when a charge has reduced the free balance', async () => {
		const { signIn, passTime } = createTestSandbox(books)
		const ask = await signIn('CASH01')
		const before = await readFigures(ask)
		const reference = await askForPayout(ask, 1_000)
		const during = await readFigures(ask)
		expect(during.money).toEqual({ ...before.money, payouts_under_way: 1_000_00, balance: before.money.balance - 1_000_00 })
		expect(during.deducted).toBe(before.money.balance - 1_000_00)
		expect(during.lines.filter(({ KIND }) => KIND === 'PAYOUT')).toEqual([
			{
				COCD: 'NSE_CASH',
				KIND: 'PAYOUT',
				NARRATION: `PAYOUT ${reference}`,
				AMOUNT: 1_000_00,
				// Requested on Saturday the 21st, so it is in the batch of Monday morning.
				CLEARS_ON: '2026-11-23',
				BILL_NO: null,
				REFERENCE: reference,
			},
		])
		const cancel = { method: 'POST', body: JSON.stringify({ request_id: reference }), headers: { 'idempotency-key': randomUUID() } }
		expect((await ask('/v1/ours/cancel-payout', cancel)).status).toBe(200)
		expect(await readFigures(ask)).toEqual(before)

		// The whole amount is requested. Then a pledge costs 20.00 and 18 % GST, 23.60, so that much less is paid.
		const all = before.money.balance
		await askForPayout(ask, all / 100)
		expect((await readFigures(ask)).money.balance).toBe(0)
		const place = { client: 'CASH01', cocd: 'NSE_CASH', day: '2026-11-21' } as const
		await books.db.transaction((tx) => recordVouchers(tx, place.day, (journal) => postPledgeCharge(journal, place, 'SBIN', false)))
		const short = await readFigures(ask)
		expect(short.money).toMatchObject({ payouts_under_way: all - 23_60, balance: 0 })
		expect(short.deducted).toBe(0)
		expect(short.lines.at(-1)?.NARRATION).toMatch(/^PAYOUT PO[\w-]+, AS FAR AS THERE IS MONEY FOR IT$/)
		passTime(3 * DAY_MS)
		const paid = await readFigures(await signIn('CASH01'))
		expect(paid.money).toMatchObject({ ledger: before.money.ledger - all, payouts_under_way: 0, balance: 0 })
	})
})

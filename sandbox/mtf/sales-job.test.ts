import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Attention } from '#contract/attention'
import { ContractNote } from '#contract/bills'
import { envelope } from '#contract/common'
import { EdisHoldings } from '#contract/depository'
import { Deductions, LedgerReport } from '#contract/ledger'
import { MtfDetails, MtfFacts } from '#contract/mtf'
import { HoldingReport } from '#contract/reports'
import { readRows } from '#sandbox/book/rows'
import { type Books } from '#sandbox/db/open'
import { pledgeRequests, prices } from '#sandbox/db/schema'
import { listTradingDays } from '#sandbox/rules/calendar'
import { readOutbox } from '#sandbox/testing/changes'
import { snapshotBooks } from '#sandbox/testing/invariants'
import { createReader } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
let restore: () => Promise<void>
beforeAll(async () => {
	books = await openTestBooks()
	restore = await snapshotBooks(books)
})
beforeEach(() => restore())
afterEach(async () => {
	const [all] = await readRows<{ sum: number }>(books, sql`SELECT sum(amount)::float8 AS sum FROM postings`)
	if (all?.sum !== 0) throw new Error(`The sides of the book are ${all?.sum} paise apart`)
})
afterAll(() => books.close())

const NTPC = 'INE733E01010'

async function at(now: string, code = 'DEMO01') {
	const sandbox = createTestSandbox(books, { SANDBOX_TODAY: now })
	const ask = await sandbox.signIn(code)
	const read = createReader(code, ask)
	return {
		sandbox,
		ask,
		funded: () => read('/v2/account-profile/mtf-details?source=connect', MtfDetails),
		facts: () => read('/v1/ours/mtf-facts', MtfFacts),
		held: () => read('/v2/service/reports/holding?dataYear=2026&source=connect', HoldingReport),
		ledger: async () =>
			(await read('/v2/service/reports/ledger?from_date=2026-11-21&to_date=2026-12-31&cocd=NSE_CASH&source=connect', LedgerReport))
				.filtered_df,
		deductions: () => read('/v1/ours/deductions?company_code=NSE_CASH', Deductions),
		attention: () => read('/v1/ours/attention', Attention),
		verifiable: () => read('/edis/edis/v1/edis-holding-data?source=connect', EdisHoldings),
		note: (bill: string) => read(`/v1/ours/contract-note?bill=${bill}`, ContractNote),
	}
}

describe('funded shares whose pledge nobody confirms', () => {
	// 120 NTPC, bought on Friday 20 November 2026. The 24th is a holiday, so five trading days later is Monday the 30th.
	test('are sold once when the market opens on the announced day, and the loan is repaid', async () => {
		await books.db
			.update(prices)
			.set({ close: 350 * 10_000 })
			.where(sql`${prices.instrument} = ${NTPC} AND ${prices.day} = '2026-11-20'`)
		const before = await at('2026-11-30T09:14')
		const position = (await before.funded()).positions.find(({ ISIN }) => ISIN === NTPC)
		expect(position?.QTY).toBe(120)
		const readInterest = async () => (await before.funded()).interest_accrued
		expect(await readInterest()).toBeGreaterThan(0)

		const after = await at('2026-11-30T09:15')
		const answers = await Promise.all(Array.from({ length: 8 }, () => after.ask('/v1/ours/mtf-facts')))
		expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
		const funded = await after.funded()
		expect(funded.positions.map(({ ISIN }) => ISIN)).not.toContain(NTPC)
		expect((await after.held()).map(({ ISIN }) => ISIN)).not.toContain(NTPC)
		expect((await after.facts()).positions).toHaveLength(2)
		// 120 × 350.00 = 42,000.00. Brokerage 0.20 % 84.00, exchange 0.00307 % 1.29, SEBI 0.0001 % 0.04, GST 18 % of 85.33 = 15.36, STT
		// 0.1 % 42.00, no stamp duty on a sale: 142.69 (rates: sandbox/rules/charges.ts).
		const rows = await after.ledger()
		const sales = rows.filter(({ VOUCHER_DATE, VOUCHER_TYPE }) => VOUCHER_DATE === '2026-11-30' && VOUCHER_TYPE === 'BILL')
		const sold = sales.filter(({ NARRATION }) => NARRATION.startsWith('BILL NSE CASH'))
		expect(sold.map(({ CR_AMT }) => CR_AMT)).toEqual([42_000_00 - 142_69])
		const note = await after.note(sold[0]?.BILL_NO ?? '')
		expect(note.trades.map(({ SIDE, QTY, GROSS_RATE }) => [SIDE, QTY, GROSS_RATE])).toEqual([['SELL', 120, 350]])
		expect(rows.filter(({ NARRATION }) => NARRATION === 'MTF REPAYMENT NTPC').map(({ DR_AMT }) => DR_AMT)).toEqual([position?.FUNDED])
		// The loan was repaid from this sale, so only the rest of it waits for its settlement.
		const rest = 42_000_00 - 142_69 - (position?.FUNDED ?? 0)
		expect(rest).toBeGreaterThan(0)
		const lines = await after.deductions()
		expect(lines.filter(({ BILL_NO }) => BILL_NO === sold[0]?.BILL_NO)).toMatchObject([{ AMOUNT: rest, CLEARS_ON: '2026-12-01' }])
		const [request] = await books.db.select().from(pledgeRequests).where(eq(pledgeRequests.purpose, 'MTF'))
		expect(request?.status).toBe('LAPSED')
		const told = (await readOutbox(after.sandbox, 'DEMO01')).filter(({ subject }) => subject === 'Shares sold by the broker')
		expect(told.map(({ body }) => body.slice(0, 50))).toEqual(Array(2).fill('We sold 120 shares of NTPC Ltd. in account DEMO01,'))
		// The depository's charge is posted when the sale settles, on 1 December.
		const december = await at('2026-12-01T12:00')
		const charged = (await december.ledger()).filter(({ NARRATION }) => NARRATION === 'DP CHARGES NTPC SALE')
		expect(charged.map(({ VOUCHER_DATE }) => VOUCHER_DATE)).toEqual(['2026-12-01'])
	})

	test('are kept when the pledge was confirmed in time', async () => {
		await books.db.execute(
			sql`INSERT INTO pledge_movements (client, instrument, kind, day, quantity) VALUES ('DEMO01', ${NTPC}, 'MTF', '2026-11-23', 120)`,
		)
		await books.db.update(pledgeRequests).set({ status: 'CONFIRMED' }).where(eq(pledgeRequests.purpose, 'MTF'))
		expect((await (await at('2026-12-15T12:00')).funded()).positions.map(({ ISIN }) => ISIN)).toContain(NTPC)
	})
})

describe('shares that nobody has paid for', () => {
	/** DEBT01's holding, by symbol: quantity, pledged (CUSPA counts), unsettled, free. */
	const readUnits = async ({ held }: Awaited<ReturnType<typeof at>>) =>
		new Map((await held()).map((row) => [row.SYMBOL, [row.QTY, row.PLEDGE_QTY, row.UNSETTLED_QTY, row.FREE_QTY]]))

	// LT is bought on Monday 16, SBIN on the 17th, ONGC on the 18th of November 2026; the debt is for these three.
	test('are held, not free, and sold on the fifth trading day after pay-in unless they are paid for', async () => {
		const saturday = await readUnits(await at('2026-11-21T12:00', 'DEBT01'))
		const held = ['LT', 'SBIN', 'ONGC'].map((symbol) => saturday.get(symbol)?.[1])
		expect(held).toEqual([20, 90, 120])
		// Pay-in of LT was Tuesday the 17th. Then 18, 19, 20, 23 and 25; the 24th is a holiday.
		const eve = await readUnits(await at('2026-11-25T09:14', 'DEBT01'))
		expect(eve.get('LT')?.[0]).toBe(saturday.get('LT')?.[0])
		const sold = await readUnits(await at('2026-11-25T09:15', 'DEBT01'))
		expect((saturday.get('LT')?.[0] ?? 0) - (sold.get('LT')?.[0] ?? 0)).toBe(20)
		expect(sold.get('SBIN')).toEqual(saturday.get('SBIN'))
		// They are in the demat account until their pay-in, but the broker takes them out of its pledge, so the client verifies nothing.
		const { verifiable, attention } = await at('2026-11-25T09:15', 'DEBT01')
		expect((await verifiable()).find(({ stock_name }) => stock_name.startsWith('Larsen'))).toMatchObject({
			qty: saturday.get('LT')?.[0],
			sold: [],
		})
		expect((await attention()).map(({ kind }) => kind)).not.toContain('SOLD_SHARES')
	})

	test('are in the attention list, with the day of the sale', async () => {
		const { ask } = await at('2026-11-21T12:00', 'DEBT01')
		const items = envelope(Attention).parse(await (await ask('/v1/ours/attention')).json()).data
		expect(items.find(({ kind }) => kind === 'UNPAID_SHARES')).toMatchObject({
			words:
				'120 shares of ONGC, 90 of SBIN, 20 of LT are not paid for, and held until they are. From 25/11/2026 the broker sells them, and takes no purchase while you owe.',
			deadline: '2026-11-25T03:45:00.000Z',
		})
	})

	test('are never bought while a debit is older than five trading days from pay-in', async () => {
		const moves = await readRows<{ day: string; amount: number }>(
			books,
			sql`SELECT (CASE WHEN v.type = 'BILL' AND p.amount < 0 THEN v.settles_on ELSE p.day END)::text AS day, sum(p.amount)::float8 AS amount
			FROM postings p JOIN vouchers v ON v.id = p.voucher_id WHERE p.account = 'CLIENT' AND p.client = 'DEBT01' GROUP BY 1 ORDER BY 1`,
		)
		const bought = await readRows<{ day: string }>(
			books,
			sql`SELECT DISTINCT day::text AS day FROM trades WHERE client = 'DEBT01' AND side = 'B' ORDER BY 1`,
		)
		expect(bought.length).toBeGreaterThan(8)
		for (const { day } of bought) {
			let owedSince: string | undefined
			let balance = 0
			for (const move of moves.filter((each) => each.day <= day)) {
				balance += move.amount
				if (balance >= 0) owedSince = undefined
				else owedSince ??= move.day
			}
			// The day of pay-in is not counted.
			const waited = owedSince === undefined ? 0 : listTradingDays(owedSince, day).length - 1
			expect([day, waited <= 5]).toEqual([day, true])
		}
	})

	test('are free once they are paid for', async () => {
		const saturday = await readUnits(await at('2026-11-21T12:00', 'DEBT01'))
		await books.db.execute(sql`WITH v AS (INSERT INTO vouchers (id, voucher_no, day, type, narration, settles_on)
			SELECT max(id) + 1, 'RC2611210099', '2026-11-21', 'RECEIPT', 'PAY-IN UPI UTR 1', '2026-11-21' FROM vouchers RETURNING id)
			INSERT INTO postings (id, voucher_id, account, client, cocd, is_margin, day, amount)
			SELECT (SELECT max(id) FROM postings) + side.at, v.id, side.account, side.client, side.cocd, false, '2026-11-21', side.amount
			FROM v, (VALUES (1, 'CLIENT', 'DEBT01', 'NSE_CASH', 50000000), (2, 'HOUSE_BANK', NULL, NULL, -50000000)) side(at, account, client, cocd, amount)`)
		const paid = await readUnits(await at('2026-11-21T12:01', 'DEBT01'))
		for (const symbol of ['LT', 'SBIN', 'ONGC']) {
			const [quantity = 0, pledged = 0] = saturday.get(symbol) ?? []
			expect(pledged).toBeGreaterThan(0)
			expect(paid.get(symbol)).toEqual([quantity, 0, 0, quantity])
		}
		expect((await readUnits(await at('2026-12-15T12:00', 'DEBT01'))).get('LT')).toEqual(paid.get('LT'))
	})
})

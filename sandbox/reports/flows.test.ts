import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CashFlows } from '#contract/holding'
import { type Books } from '#sandbox/db/open'
import { disposals, dividends, lots, trades } from '#sandbox/db/schema'
import { KOTAK_NEW, KOTAK_OLD, TMCV, TMPV } from '#sandbox/reference-data/actions'
import { createReader } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

/* A client without holdings buys two shares; one is split and one is demerged. Every flow is worked by hand. */

let books: Books
let read: ReturnType<typeof createReader>
const own = { client: 'NEW001', segment: 'NSE_CASH', side: 'L' }
const paise = (rupees: number) => Math.round(rupees * 100)

beforeAll(async () => {
	books = await openTestBooks()
	read = createReader('NEW001', await createTestSandbox(books).signIn('NEW001'))
	const bought = { ...own, side: 'B', time: '10:00:00', price: 1, order_no: '1', trade_no: '1', bill_no: '1', brokerage: 0, charges: 0 }
	await books.db.insert(trades).values([
		{ ...bought, id: 9_000_001, day: '2024-02-12', instrument: KOTAK_OLD, quantity: 30, stt: paise(54) },
		{ ...bought, id: 9_000_002, day: '2024-03-04', instrument: TMPV, quantity: 100, stt: paise(80) },
	])
	const lot = (
		id: number,
		instrument: string,
		opened_on: string,
		acquired_on: string,
		quantity: number,
		cost: number,
		expenses: number,
	) => ({
		...own,
		...{ id, instrument, opened_on, acquired_on, quantity, cost: paise(cost), expenses: paise(expenses), origin: 'TRADE' },
	})
	await books.db.insert(lots).values([
		{ ...lot(9_000_001, KOTAK_OLD, '2024-02-12', '2024-02-12', 30, 54_000, 140), trade_id: 9_000_001 },
		{ ...lot(9_000_002, TMPV, '2024-03-04', '2024-03-04', 100, 80_000, 200), trade_id: 9_000_002 },
		{ ...lot(9_000_003, KOTAK_NEW, '2026-01-14', '2024-02-12', 100, 36_000, 93.33), origin: 'SPLIT', from_lot: 9_000_001 },
		{ ...lot(9_000_004, TMPV, '2025-10-14', '2024-03-04', 100, 55_080, 137.7), origin: 'DEMERGER', from_lot: 9_000_002 },
		{ ...lot(9_000_005, TMCV, '2025-10-14', '2024-03-04', 100, 24_920, 62.3), origin: 'DEMERGER', from_lot: 9_000_002 },
	])
	const gone = (id: number, lot_id: number, day: string, kind: string, quantity: number, cost: number, expenses: number) => ({
		...{ id, lot_id, day, kind, quantity, cost: paise(cost), proceeds: paise(cost), expenses: paise(expenses) },
		...{ client: 'NEW001', sale_expenses: 0, stt: 0 },
	})
	await books.db.insert(disposals).values([
		{
			...gone(9_000_001, 9_000_001, '2024-09-02', 'SALE', 10, 18_000, 46.67),
			proceeds: paise(20_000),
			sale_expenses: paise(50),
			stt: paise(20),
		},
		gone(9_000_002, 9_000_001, '2026-01-14', 'SPLIT', 20, 36_000, 93.33),
		gone(9_000_003, 9_000_002, '2025-10-14', 'DEMERGER', 100, 80_000, 200),
	])
	const paid = (id: number, instrument: string, ex_day: string, quantity: number, amount: number) => ({
		...{ id, client: 'NEW001', instrument, ex_day, quantity, amount: paise(amount), tds: paise(amount / 10) },
	})
	await books.db
		.insert(dividends)
		.values([
			paid(9_000_001, KOTAK_OLD, '2024-07-01', 30, 600),
			paid(9_000_002, KOTAK_OLD, '2025-07-01', 20, 500),
			paid(9_000_003, TMPV, '2024-07-24', 100, 1_000),
			paid(9_000_004, TMPV, '2026-07-20', 100, 300),
		])
})
afterAll(() => books.close())

async function readFlows(isin: string | null) {
	const sets = await read('/v1/ours/cash-flows', CashFlows)
	return sets.find(({ ISIN }) => ISIN === isin)?.flows.map(({ DATE, AMOUNT }) => [DATE, AMOUNT / 100])
}

describe('cash flows', () => {
	test('of shares made by a split include the tax and the dividends of the old shares', async () => {
		// 20 of 30 shares are left at the split: cost 36,000, charges 93.33, STT 54 x 20 / 30 = 36. Of the first dividend 600 x 20 / 30
		// = 400.
		expect(await readFlows(KOTAK_NEW)).toEqual([
			['2024-02-12', -36_129.33],
			['2024-07-01', 400],
			['2025-07-01', 500],
		])
	})

	test('of a demerger divide the tax and the earlier dividends like the cost: 68.85 % and 31.15 %', async () => {
		// 55,080 + 137.70 + 80 x 68.85 % = 55.08; 1,000 x 68.85 % = 688.50. A later dividend belongs only to the old company.
		expect(await readFlows(TMPV)).toEqual([
			['2024-03-04', -55_272.78],
			['2024-07-24', 688.5],
			['2026-07-20', 300],
		])
		// 24,920 + 62.30 + 80 x 31.15 % = 24.92.
		expect(await readFlows(TMCV)).toEqual([
			['2024-03-04', -25_007.22],
			['2024-07-24', 311.5],
		])
	})

	test('of all holdings are all money in and out, with charges, tax and every dividend', async () => {
		expect(await readFlows(null)).toEqual([
			// 54,000 + 140 + 54, and 80,000 + 200 + 80.
			['2024-02-12', -54_194],
			['2024-03-04', -80_280],
			['2024-07-01', 600],
			['2024-07-24', 1_000],
			// 20,000 - 50 - 20.
			['2024-09-02', 19_930],
			['2025-07-01', 500],
			['2026-07-20', 300],
		])
	})
})

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HoldingActions } from '#contract/holding'
import { IncomeTax, TaxFacts } from '#contract/tax'
import { type Books } from '#sandbox/db/open'
import { disposals, instruments, lots, trades } from '#sandbox/db/schema'
import { TMCV, TMPV } from '#sandbox/reference-data/actions'
import { createReader, sumRows } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

/* A client without trades gets a few sales with round figures. Every expected figure is worked by hand next to it. */

const ITC = 'INE154A01025'
const INFY = 'INE009A01021'
const GOLDBEES = 'INF204KB17I5'
const FUTURE = 'HAND26FUT'

let books: Books
let read: ReturnType<typeof createReader>
let next = 9_000_000

beforeAll(async () => {
	books = await openTestBooks()
	read = createReader('NEW001', await createTestSandbox(books).signIn('NEW001'))
	const contract = { id: FUTURE, symbol: FUTURE, name: 'By hand', kind: 'FUTURE', segment: 'NSE_FNO', sector: 'Index', series: 'XX' }
	await books.db.insert(instruments).values(contract)
})
afterAll(() => books.close())

/** Adds a lot bought and sold without charges; amounts in rupees. */
async function sell(instrument: string, acquired_on: string, day: string, cost: number, proceeds: number) {
	const id = next++
	const segment = instrument === FUTURE ? 'NSE_FNO' : 'NSE_CASH'
	const amounts = { quantity: 10, cost: cost * 100, expenses: 0 }
	const lot = { id, client: 'NEW001', instrument, segment, side: 'L', opened_on: acquired_on, acquired_on, origin: 'TRANSFER', ...amounts }
	await books.db.insert(lots).values(lot)
	const exit = { id, lot_id: id, client: 'NEW001', day, kind: 'SALE', proceeds: proceeds * 100, sale_expenses: 0, stt: 0, ...amounts }
	await books.db.insert(disposals).values(exit)
}

/** Removes the sales of earlier tests, because their losses would be used here. */
async function startOver() {
	await books.db.delete(disposals).where(eq(disposals.client, 'NEW001'))
	await books.db.delete(lots).where(eq(lots.client, 'NEW001'))
}

const readFacts = (year: string) => read(`/v1/ours/tax-facts?year=${year}`, TaxFacts)

describe('set-off in the reports', () => {
	beforeAll(async () => {
		// 2023-24: futures lose 50,000; shares held short gain 20,000 (15 %).
		await sell(FUTURE, '2023-05-02', '2023-05-10', 1_00_000, 50_000)
		await sell(ITC, '2023-05-02', '2023-07-10', 80_000, 1_00_000)
		// 2024-25: shares held short lose 12,000.
		await sell(ITC, '2024-08-01', '2024-09-02', 60_000, 48_000)
		// 2026-27: futures gain 25,000, shares held short 30,000 (20 %).
		await sell(FUTURE, '2026-05-04', '2026-05-12', 1_00_000, 1_25_000)
		await sell(ITC, '2026-05-04', '2026-07-13', 50_000, 80_000)
	})

	test('lists each step with the section of that year’s Act, and the losses that later years may use', async () => {
		const [first, second, fourth] = await Promise.all(['2023', '2024', '2026'].map(readFacts))
		// 20,000 of the 50,000 reduce the gain (s.71), so there is no tax. 30,000 is carried forward to 2031-32 (eight years).
		expect([first?.ESTIMATED_TAX, first?.set_off, first?.losses]).toEqual([
			0,
			[
				{
					LOSS: 'Business loss',
					LOSS_YEAR: '2023-2024',
					AGAINST: 'Short-term gains, STT paid (15 %)',
					AMOUNT: 20_000_00,
					SECTION: 'Section 71',
				},
			],
			[{ NAME: 'Business loss', LOSS_YEAR: '2023-2024', AMOUNT: 30_000_00, LAST_YEAR: '2031-2032' }],
		])
		expect([second?.set_off, second?.losses]).toEqual([
			[],
			[
				{ NAME: 'Business loss', LOSS_YEAR: '2023-2024', AMOUNT: 30_000_00, LAST_YEAR: '2031-2032' },
				{ NAME: 'Short-term capital loss', LOSS_YEAR: '2024-2025', AMOUNT: 12_000_00, LAST_YEAR: '2032-2033' },
			],
		])
		// A brought-forward business loss reduces only the futures' 25,000 (s.112 of 2025), the capital loss reduces the gain (s.111):
		// 30,000 - 12,000 = 18,000 at 20 % = 3,600, with 4 % cess 3,744. 5,000 of the business loss is left.
		expect(fourth?.set_off.map(({ LOSS, AGAINST, AMOUNT, SECTION }) => [LOSS, AGAINST, AMOUNT, SECTION])).toEqual([
			['Business loss', 'Future & Options', 25_000_00, 'Section 112'],
			['Short-term capital loss', 'Short-term gains, STT paid (20 %)', 12_000_00, 'Section 111'],
		])
		expect([fourth?.ESTIMATED_TAX, fourth?.losses]).toEqual([
			3_744_00,
			[{ NAME: 'Business loss', LOSS_YEAR: '2023-2024', AMOUNT: 5_000_00, LAST_YEAR: '2031-2032' }],
		])
	})

	test('also counts in the windows of the report', async () => {
		const { quarters } = await read('/v1/user/report/incometax', IncomeTax, { financial_year: '2026-2027' })
		// Sold on 13 July: the second window, 30,000 less 12,000.
		expect(quarters.map(({ short_term_20 }) => short_term_20)).toEqual([0, 18_000_00, 0, 0, 0])
	})
})

describe('units that are not shares', () => {
	beforeAll(async () => {
		await startOver()
		// 26 months: sold a day before the day from which 12 are enough, and on that day.
		await sell(GOLDBEES, '2022-05-10', '2024-07-22', 1_00_000, 1_30_000)
		await sell(GOLDBEES, '2022-05-10', '2024-07-23', 1_00_000, 1_30_000)
		// 61 months, and sold early enough for indexation.
		await sell(GOLDBEES, '2019-06-10', '2024-07-22', 1_00_000, 1_50_000)
		// Three days less than two years (3-Apr-2023 to 28-Mar-2025), under section 50AA.
		await sell(GOLDBEES, '2023-04-03', '2025-03-28', 1_00_000, 1_10_000)
		// Also bought under section 50AA, and sold when it no longer covers gold.
		await sell(GOLDBEES, '2023-04-03', '2025-04-01', 1_00_000, 1_40_000)
	})

	test('are long-term after 36 months, from 23-07-2024 after 12, and never under section 50AA', async () => {
		const facts = await readFacts('2024')
		const heads = facts.heads.map(({ KEY, SECTION, TAX_RATE, NET }) => [KEY, SECTION, TAX_RATE, NET])
		expect(heads).toEqual([
			['SHORT_OTHER_BEFORE', '', 'slab', 30_000_00],
			['SHORT_OTHER_AFTER', '', 'slab', 10_000_00],
			// 1,00,000 x 363 / 289 (2024-25 over 2019-20) = 1,25,605.54; 1,50,000 - 1,25,605.54 = 24,394.46.
			['LONG_OTHER_BEFORE', 'Section 112', '20', 24_394_46],
			['LONG_OTHER_AFTER', 'Section 112', '12.5', 30_000_00],
		])
		// In the report only the gain at 12.5 % has a key. The others are taxed at the slab rate or at 20 % with indexation.
		const { quarters } = await read('/v1/user/report/incometax', IncomeTax, { financial_year: '2024-2025' })
		const others = quarters.flatMap((each) => [each.short_term_15, each.short_term_20, each.long_term_10])
		expect([others, quarters.map(({ long_term_12_5 }) => long_term_12_5)]).toEqual([Array(15).fill(0), [0, 30_000_00, 0, 0, 0]])
		// 24,394.46 x 20 % = 4,878.89; 30,000 x 12.5 % = 3,750; 8,628.89 with 4 % cess is 8,974.05. Income at the client's slab rate is
		// left out.
		expect([facts.ESTIMATED_TAX, facts.exemption.USED]).toEqual([8_974_05, 0])
		// 40,000 x 12.5 % = 5,000; with cess 5,200.
		expect((await readFacts('2025')).ESTIMATED_TAX).toBe(5_200_00)
	})

	test('show the indexed cost in the report, and not as a grandfathered cost', async () => {
		const { rows, summary } = await read('/v1/user/report/incometax', IncomeTax, { financial_year: '2024-2025' })
		expect(rows.map(({ TERM, COST, BUY_AMT }) => [TERM, COST - BUY_AMT])).toEqual([
			['ST', 0],
			['LT', 25_605_54],
			['LT', 0],
			['ST', 0],
		])
		expect(summary.grandfathered).toBe(0)
	})
})

test('states the transaction tax of purchases and sales, which no capital gain may deduct', async () => {
	await startOver()
	const [day, trade] = ['2024-05-02', next++]
	const place = { client: 'NEW001', segment: 'NSE_CASH' }
	const order = { time: '10:00:00', side: 'B', price: 10_000_000, order_no: '1', trade_no: '1', bill_no: 'BY-HAND' }
	// 30 shares for 30,000: 0.1 % is 30.
	await books.db
		.insert(trades)
		.values({ id: trade, ...place, day, instrument: TMPV, quantity: 30, ...order, brokerage: 0, charges: 30_00, stt: 30_00 })
	const addLot = async (instrument: string, opened_on: string, quantity: number, more: { trade_id: number } | { from_lot: number }) => {
		const base = { ...place, side: 'L', acquired_on: day, cost: quantity * 1_000_00, expenses: 0, origin: 'TRADE' }
		await books.db.insert(lots).values({ id: next, instrument, opened_on, quantity, ...base, ...more })
		return next++
	}
	const close = async (lot_id: number, on: string, kind: string, quantity: number, stt: number) => {
		const sums = { proceeds: 0, cost: 0, expenses: 0, sale_expenses: 0 }
		await books.db.insert(disposals).values({ id: next++, lot_id, client: 'NEW001', day: on, kind, quantity, ...sums, stt })
	}
	const old = await addLot(TMPV, day, 30, { trade_id: trade })
	await close(old, '2024-09-02', 'SALE', 10, 11_00)
	// The demerger leaves 68.85 % of the cost of the other 20 with TMPV, and 31.15 % goes to TMCV.
	await close(old, '2025-10-14', 'DEMERGER', 20, 0)
	await close(await addLot(TMPV, '2025-10-14', 20, { from_lot: old }), '2025-12-01', 'SALE', 10, 4_00)
	await close(await addLot(TMCV, '2025-10-14', 20, { from_lot: old }), '2025-12-01', 'SALE', 20, 6_00)
	const stated = ['2024-2025', '2025-2026'].map(async (financial_year) => {
		const { summary } = await read('/v1/user/report/incometax', IncomeTax, { financial_year })
		return summary.charges_not_allowed
	})
	// A third of 30 and the sale's 11. Of the 20 left: half of 13.77 is 6.89 (6.885), and all of 6.23; the sales' 4 and 6.
	expect(await Promise.all(stated)).toEqual([10_00 + 11_00, 6_89 + 6_23 + 4_00 + 6_00])
})

test('shows the tax deducted from dividends, and its section', async () => {
	const demo = createReader('DEMO01', await createTestSandbox(books).signIn('DEMO01'))
	const { dividends } = await demo('/v1/ours/tax-facts?year=2025', TaxFacts)
	const own = dividends.rows.filter(({ ISIN }) => ISIN === INFY)
	const [paid, deducted] = [sumRows(own, ({ AMOUNT }) => AMOUNT), sumRows(own, ({ TDS }) => TDS)]
	// 20 shares tendered at 1,800 are 36,000. With the dividend of the summer that is more than 10,000, so a tenth of both is deducted.
	expect(own.find(({ IS_BUYBACK }) => IS_BUYBACK)?.AMOUNT).toBe(36_000_00)
	expect(deducted).toBe(paid / 10)
	expect([dividends.TDS, dividends.TDS_SECTION]).toEqual([sumRows(dividends.rows, ({ TDS }) => TDS), 'Section 194'])
	expect((await demo('/v1/ours/tax-facts?year=2026', TaxFacts)).dividends.TDS_SECTION).toBe('Section 393(1)')
	const actions = await demo(`/v1/ours/holding-actions?isin=${INFY}`, HoldingActions)
	const received = actions.filter(({ EX_DATE, KIND }) => EX_DATE >= '2025-04-01' && EX_DATE <= '2026-03-31' && KIND !== 'BONUS')
	expect([sumRows(received, ({ AMOUNT }) => AMOUNT), sumRows(received, ({ TDS }) => TDS)]).toEqual([paid, deducted])
})

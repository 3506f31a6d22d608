import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ContractBills, ContractNote } from '#contract/bills'
import { CashFlows, HoldingActions, HoldingFacts, Lots } from '#contract/holding'
import { HoldingReport } from '#contract/reports'
import { type Books } from '#sandbox/db/open'
import { createReader, sumRows } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
let ask: Awaited<ReturnType<ReturnType<typeof createTestSandbox>['signIn']>>
let read: ReturnType<typeof createReader>
let readAsOther: ReturnType<typeof createReader>

beforeAll(async () => {
	books = await openTestBooks()
	const sandbox = createTestSandbox(books)
	ask = await sandbox.signIn('DEMO01')
	read = createReader('DEMO01', ask)
	readAsOther = createReader('CASH01', await sandbox.signIn('CASH01'))
})
afterAll(() => books.close())

describe('a holding', () => {
	test('is the sum of its lots, listed in the order of sale, with or without a known cost', async () => {
		const holding = await read('/v2/service/reports/holding?dataYear=2026', HoldingReport)
		const facts = await read('/v1/ours/holding-facts?dataYear=2026', HoldingFacts)
		expect(holding.length).toBeGreaterThan(8)
		for (const row of holding) {
			const { lots } = await read(`/v1/ours/lots?isin=${row.ISIN}`, Lots)
			const unknown = facts.find(({ ISIN }) => ISIN === row.ISIN)
			expect([sumRows(lots, ({ QTY }) => QTY), sumRows(lots, ({ COST }) => COST ?? 0)]).toEqual([row.QTY, row.INVESTED])
			expect(sumRows(lots, ({ VALUE }) => VALUE)).toBe(row.VALUE)
			expect(sumRows(lots, ({ UNREALISED }) => UNREALISED ?? 0)).toBe(row.UNREALISED)
			const openings = lots.map(({ OPENED_ON }) => OPENED_ON)
			expect(openings).toEqual([...openings].sort())
			const without = lots.filter(({ COST }) => COST === null)
			expect(sumRows(without, ({ QTY }) => QTY)).toBe(unknown?.UNKNOWN_QTY)
			for (const lot of lots) expect(lot.LONG_TERM_FROM > '2026-11-21').toBe(lot.HEAD.startsWith('SHORT'))
		}
		expect(facts.filter(({ UNKNOWN_QTY }) => UNKNOWN_QTY > 0).length).toBe(1)
	})

	test('has a lot that is speculative with intraday charges on the day of its purchase, and short-term on the next', async () => {
		const readOn = async (day: string) => {
			const then = createTestSandbox(books, { SANDBOX_TODAY: day })
			return (await createReader('DEMO01', await then.signIn('DEMO01'))('/v1/ours/lots?isin=INE280A01028', Lots)).lots
		}
		/*
		 * 40 bought for 1,53,062.00, worth 1,53,160.00 at the close. A note of both trades: brokerage 0.02 % 30.61 and 30.63; exchange
		 * 0.00307 % of 3,06,222.00 9.40, of which the purchase has 4.70; SEBI 0.31, of which it has 0.15; GST 9 % and 9 % of 70.95
		 * 12.78, of which it has 6.39; stamp 0.003 % 4.59, as 5.00; no STT. 30.61 + 4.70 + 0.15 + 6.39 + 5.00 = 46.85.
		 */
		const intraday = { HEAD: 'SPECULATIVE', SECTION: '', TAX_RATE: 'slab', CHARGES: 46_85, UNREALISED: 98_00, TAX_GAIN: 51_15 }
		expect(await readOn('2026-01-30')).toMatchObject([{ QTY: 40, COST: 1_53_062_00, ...intraday }])
		// Brokerage 0.20 % 306.12, exchange 4.70, SEBI 0.15, GST 55.98, stamp 0.015 % 22.96, as 23.00.
		expect(await readOn('2026-01-31')).toMatchObject([{ HEAD: 'SHORT_EQUITY', TAX_RATE: '20', CHARGES: 389_95 }])
	})

	test('lists its corporate actions, across ISINs', async () => {
		const kotak = await read('/v1/ours/holding-actions?isin=INE237A01036', HoldingActions)
		expect(kotak.filter(({ KIND }) => KIND === 'SPLIT')).toMatchObject([
			{ EX_DATE: '2026-01-14', ISIN: 'INE237A01028', RATIO: '5 for 1', QTY: 150 },
		])
		const tmcv = await read('/v1/ours/holding-actions?isin=INE1TAE01010', HoldingActions)
		expect(tmcv.filter(({ KIND }) => KIND === 'DEMERGER')).toMatchObject([{ COST_MOVED_PCT: 31.15, QTY: 200 }])
		const bonus = await read('/v1/ours/holding-actions?isin=INE040A01034', HoldingActions)
		expect(bonus.filter(({ KIND }) => KIND === 'BONUS')).toMatchObject([{ QTY: 50, AMOUNT: 0 }])
	})

	test.each([
		// 1,58,640.00 the day before; 97,420.00 + 63,600.00 on the day.
		['2025-10-14', ['TMPV', 'TMCV'], 2_380_00],
		// One ITC Hotels for ten ITC: 1,09,775.00 before; 1,06,375.00 + 6,072.50.
		['2025-01-06', ['ITC', 'ITCHOTELS'], 2_672_50],
		// Five for one, with another ISIN: 68,865.00 before; 68,190.00.
		['2026-01-14', ['KOTAKBANK'], -675_00],
		// One bonus share for one: 84,020.00 before; 82,565.00.
		['2025-08-26', ['HDFCBANK'], -1_455_00],
	] as const)('has only the change of the prices on %s, when a corporate action changes %j', async (day, symbols, change) => {
		const then = createTestSandbox(books, { SANDBOX_TODAY: `${day}T20:00` })
		const readThen = createReader('DEMO01', await then.signIn('DEMO01'))
		const rows = await readThen(`/v2/service/reports/holding?from_date=${day}&to_date=${day}`, HoldingReport)
		const own = rows.filter(({ SYMBOL }) => symbols.some((each) => each === SYMBOL))
		expect(own).toHaveLength(symbols.length)
		expect(sumRows(own, ({ DAY_CHANGE }) => DAY_CHANGE ?? 0)).toBe(change)
	})

	test('has cash flows that end in its value', async () => {
		const flows = await read('/v1/ours/cash-flows', CashFlows)
		const holding = await read('/v2/service/reports/holding?dataYear=2026', HoldingReport)
		expect(flows[0]).toMatchObject({ ISIN: null, IS_COMPLETE: false, VALUE: sumRows(holding, ({ VALUE }) => VALUE) })
		expect(flows.slice(1).map(({ ISIN, VALUE }) => [ISIN, VALUE])).toEqual(holding.map(({ ISIN, VALUE }) => [ISIN, VALUE]))
		expect(flows.filter(({ IS_COMPLETE }) => !IS_COMPLETE)).toHaveLength(2)
		const kotak = flows.find(({ ISIN }) => ISIN === 'INE237A01036')
		expect(kotak?.flows[0]?.DATE).toBe('2023-06-14')
		expect(kotak?.flows[0]?.AMOUNT).toBeLessThan(0)
	})

	test('that is not held has no lots', async () => {
		expect((await ask('/v1/ours/lots?isin=INE423A01024')).status).toBe(404)
	})
})

describe('a contract note', () => {
	test('adds up to its ledger entry, line by line', async () => {
		const bills = await read('/v1/reports/contractbills', ContractBills, {
			from_date: '2025-04-01',
			to_date: '2026-11-21',
			company_code: 'ALL',
		})
		expect(bills.length).toBeGreaterThan(50)
		for (const bill of bills.slice(-40)) {
			const note = await read(`/v1/ours/contract-note?bill=${bill.BILL_NO}`, ContractNote)
			expect(note.NET).toBe(bill.BILL_AMT)
			expect(note.LEDGER_AMT).toBe(note.NET)
			expect(note.OBLIGATION - note.TOTAL_CHARGES).toBe(note.NET)
			expect(sumRows(note.charges, ({ AMOUNT }) => AMOUNT)).toBe(note.TOTAL_CHARGES)
			expect(sumRows(note.trades, ({ CHARGES }) => CHARGES)).toBe(note.TOTAL_CHARGES)
			for (const { BASE, RATE, AMOUNT, KIND } of note.charges) {
				// Brokerage is rounded per trade; every other rate applies to the whole base at once.
				if (/^[\d.]+$/.test(RATE)) {
					const away = Math.abs(AMOUNT - (BASE * Number(RATE)) / 100)
					expect(away).toBeLessThanOrEqual(KIND === 'BROKERAGE' ? note.trades.length : 0.5 + 1e-6)
				}
			}
		}
	})

	test('of another client does not exist, by bill or by path', async () => {
		const [theirs] = await readAsOther('/v1/reports/contractbills', ContractBills, {
			from_date: '2022-04-01',
			to_date: '2026-11-21',
			company_code: 'ALL',
		})
		expect((await ask(`/v1/ours/contract-note?bill=${theirs?.BILL_NO}`)).status).toBe(404)
		const post = (body: object) => ask('/v1/reports/contract-bills-file', { method: 'POST', body: JSON.stringify(body) })
		expect((await post({ client_code: 'DEMO01', file_path: theirs?.file_path })).status).toBe(404)
		expect((await post({ file_path: theirs?.file_path.replace('CASH01', 'DEMO01') })).status).toBe(404)
		expect((await post({ client_code: 'CASH01', file_path: theirs?.file_path })).status).toBe(403)
		const [own] = await read('/v1/reports/contractbills', ContractBills, {
			from_date: '2026-04-01',
			to_date: '2026-11-21',
			company_code: 'NSE_CASH',
		})
		expect((await post({ file_path: own?.file_path.replace('NSE_CASH', 'MCX') })).status).toBe(404)
		expect((await post({ file_path: '../../etc/passwd' })).status).toBe(422)
	})
})

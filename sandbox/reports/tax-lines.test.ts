import { describe, expect, test } from 'vitest'
import { type RealisedPart } from '#sandbox/book/read-gains'
import { makeTaxLines } from './tax-lines'
import { schedule112aRows } from './tax-rows'

const sale: RealisedPart = {
	day: '2025-06-10',
	instrument: 'INE009A01021',
	name: 'Infosys Ltd.',
	kind: 'EQUITY',
	segment: 'NSE_CASH',
	multiplier: 1,
	side: 'L',
	how: 'SALE',
	acquiredOn: '2023-01-10',
	quantity: 100,
	cost: 1_00_000_00,
	proceeds: 1_50_000_00,
	openingExpenses: 20_00,
	closingExpenses: 30_00,
	stt: 150_00,
	openingStt: 0,
	isIntraday: false,
	fmv2018: 12_000_000,
}

describe('a tax line', () => {
	test('deducts charges but never STT from a capital gain, and all of them from business', () => {
		const [gain] = makeTaxLines([sale]).lines
		expect(gain).toMatchObject({ head: 'LONG_EQUITY', term: 'LT', gain: 49_950_00, expenses: 50_00, taxNotAllowed: 150_00, fmv: null })
		const [intraday] = makeTaxLines([{ ...sale, acquiredOn: sale.day, isIntraday: true }]).lines
		expect(intraday).toMatchObject({ head: 'SPECULATIVE', term: 'SPEC', gain: 49_800_00, taxNotAllowed: 0, days: 0 })
	})

	test('shows a short contract as sold when it was opened and bought when it was closed', () => {
		const short: RealisedPart = {
			...sale,
			kind: 'OPTION',
			segment: 'NSE_FNO',
			side: 'S',
			acquiredOn: '2025-06-02',
			cost: 7_800_00,
			proceeds: 5_200_00,
			openingStt: 8_00,
			stt: 0,
		}
		expect(makeTaxLines([short]).lines[0]).toMatchObject({
			term: 'BUS',
			bought: '2025-06-10',
			sold: '2025-06-02',
			buyAmount: 5_200_00,
			sellAmount: 7_800_00,
			gain: 2_600_00 - 58_00,
			days: 8,
		})
	})

	test('comes in the order of sale, also when a short was closed later', () => {
		const short: RealisedPart = { ...sale, kind: 'OPTION', segment: 'NSE_FNO', side: 'S', acquiredOn: '2025-06-02' }
		const sold = [
			{ ...sale, day: '2025-06-01' as const },
			{ ...sale, day: '2025-06-05' as const },
			{ ...short, day: '2025-06-10' as const },
		]
		expect(makeTaxLines(sold).lines.map((line) => line.sold)).toEqual(['2025-06-01', '2025-06-02', '2025-06-05'])
	})

	test('raises the cost of shares held on 31-01-2018, at most to the sale price', () => {
		const old = { ...sale, acquiredOn: '2017-06-12' }
		// The value stands for the price and its charges of 20: 1,50,000 - 1,20,000 - 30 of the sale.
		const raised = { cost: 1_20_000_00, fmv: 12_000_000, expenses: 30_00, gain: 29_970_00 }
		expect(makeTaxLines([old]).lines[0]).toMatchObject(raised)
		expect(makeTaxLines([{ ...old, proceeds: 1_10_000_00 }]).lines[0]).toMatchObject({ cost: 1_10_000_00, gain: -30_00 })
		// 1,00,010 is more than the price, and less than the price with its charges.
		const kept = { cost: 1_00_000_00, expenses: 50_00, gain: 49_950_00 }
		expect(makeTaxLines([{ ...old, fmv2018: 10_001_000 }]).lines[0]).toMatchObject(kept)
		expect(makeTaxLines([{ ...old, kind: 'OTHER_ETF' }]).lines[0]).toMatchObject({ head: 'LONG_OTHER', cost: 1_00_000_00, fmv: null })
	})

	test('has three rules for a buyback, by date', () => {
		const tender = { ...sale, how: 'BUYBACK' as const, closingExpenses: 0, stt: 0 }
		expect(makeTaxLines([{ ...tender, day: '2024-09-30' }]).lines).toEqual([])
		expect(makeTaxLines([{ ...tender, day: '2025-11-26', proceeds: 0 }]).lines[0]).toMatchObject({ term: 'LT', gain: -1_00_020_00 })
		expect(makeTaxLines([{ ...tender, day: '2026-06-10' }]).lines[0]).toMatchObject({ term: 'LT', gain: 49_980_00 })
	})

	test('lists a sale without a known cost separately', () => {
		const { lines, unmatched } = makeTaxLines([{ ...sale, cost: null }, sale])
		expect([lines.length, unmatched.map(({ proceeds }) => proceeds)]).toEqual([1, [1_50_000_00]])
	})
})

test.for([
	['a purchase with its charges', {}, { COST_OF_ACQUISITION: 1_00_020, COST_WITHOUT_INDEXATION: 1_00_020, BALANCE: 49_950 }],
	[
		'the value of 31-01-2018',
		{ acquiredOn: '2017-06-12' },
		{ COST_OF_ACQUISITION: 1_00_020, COST_WITHOUT_INDEXATION: 1_20_000, BALANCE: 29_970 },
	],
] as const)('a row of Schedule 112A has as its cost %s, and as expenses those of the sale', ([, change, columns]) => {
	const [row] = schedule112aRows(makeTaxLines([{ ...sale, ...change }]))
	expect(row).toMatchObject({ FULL_VALUE: 1_50_000, EXPENSES: 30, TOTAL_DEDUCTIONS: columns.COST_WITHOUT_INDEXATION + 30, ...columns })
})

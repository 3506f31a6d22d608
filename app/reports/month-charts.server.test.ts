import { expect, test } from 'vitest'
import { drawBalances, drawGains, drawRealised, sumRealised } from './month-charts.server'

test('a balance is the last of its month, and stays the same in a month without an entry', () => {
	const chart = drawBalances([
		{ VOUCHER_DATE: '2026-01-31', running: 100_00 },
		{ VOUCHER_DATE: '2026-01-31', running: 40_00 },
		{ VOUCHER_DATE: '2026-03-02', running: -20_00 },
	])
	expect(chart?.rows).toEqual([
		['Jan 26', '₹ 40.00 Cr'],
		['Feb 26', '₹ 40.00 Cr'],
		['Mar 26', '₹ 20.00 Dr'],
	])
	expect(chart?.last).toBe('−₹ 20')
	// Zero is in the chart, and the columns of 40 and 20 start there: the first is twice as high as the last.
	const [first, , last] = chart?.points.map(({ column }) => column) ?? []
	expect((first?.height ?? 0) / (last?.height ?? 1)).toBeCloseTo(2, 1)
	expect((first?.top ?? 0) + (first?.height ?? 0)).toBeCloseTo(last?.top ?? -1, 1)
	expect(drawBalances([{ VOUCHER_DATE: '2026-01-31', running: null }])).toBeUndefined()
})

test('the axis ends near the largest bars, on both sides', () => {
	// 65,000 up and 45,000 down: steps of 1,00,000 would leave almost half of the height empty.
	const chart = drawGains(
		[
			{ SELL_DATE: '2026-04-01', GAIN: 65_000_00 },
			{ SELL_DATE: '2026-05-01', GAIN: -45_000_00 },
		],
		'2026-04-01',
		'2026-05-31',
	)
	const [up, down] = chart?.points.map(({ column }) => column) ?? []
	expect((up?.height ?? 0) + (down?.height ?? 0)).toBeGreaterThan(75)
	expect([up?.look, down?.look]).toEqual(['fill-gain', 'fill-loss'])
})

test('gains are summed by month of sale, in every month of the period', () => {
	const sales = [
		{ SELL_DATE: '2026-04-01', GAIN: 5_00 },
		{ SELL_DATE: '2026-04-30', GAIN: -7_00 },
		{ SELL_DATE: '2026-06-01', GAIN: 1_00 },
	]
	expect(drawGains(sales, '2026-04-01', '2026-06-30')?.rows).toEqual([
		['Apr 26', '−₹ 2.00'],
		['May 26', '₹ 0.00'],
		['Jun 26', '+₹ 1.00'],
	])
	expect(drawGains(sales, '2026-04-01', '2026-06-30')?.foot).toEqual(['Total', '−₹ 1.00'])
	expect(drawGains([], '2026-04-01', '2026-06-30')).toBeUndefined()
})

test('realised gains are summed by the month of closing, also when the sale came first', () => {
	const closings = [
		{ BUY_DATE: '2025-01-10', SELL_DATE: '2026-04-30', BUY_AMT: 100_00, SELL_AMT: 130_05 },
		// Sold in April, bought back in June.
		{ BUY_DATE: '2026-06-02', SELL_DATE: '2026-04-20', BUY_AMT: 50_00, SELL_AMT: 40_00 },
	]
	const chart = drawRealised(sumRealised(closings, '2026-04-01', '2026-06-30') ?? [])
	expect(chart?.rows).toEqual([
		['Apr 26', '+₹ 30.05'],
		['May 26', '₹ 0.00'],
		['Jun 26', '−₹ 10.00'],
	])
	expect(chart?.foot).toEqual(['Total', '+₹ 20.05'])
	expect(sumRealised([{ BUY_DATE: null, SELL_DATE: '2026-04-20', BUY_AMT: null, SELL_AMT: 1 }], '2026-04-01', '2026-06-30')).toBeUndefined()
})

test('a chart of a year names its last month and every third before it; the others where there is room', () => {
	const sales = [{ SELL_DATE: '2025-04-01', GAIN: 5_00 }]
	const months = drawGains(sales, '2025-04-01', '2026-03-31')?.months ?? []
	expect(months.map(({ label }) => label)).toHaveLength(12)
	expect(months.filter(({ isMinor }) => !isMinor).map(({ label }) => label)).toEqual(['Jun 25', 'Sep 25', 'Dec 25', 'Mar 26'])
})

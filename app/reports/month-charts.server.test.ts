import { expect, test } from 'vitest'
import { drawBalances, drawGains, drawRealised, sumRealised } from './month-charts.server'

test('a balance is the last of its month, and stays the same in a month without an entry', () => {
	const chart = drawBalances([
		{ VOUCHER_DATE: '2026-01-31', running: 100_00 },
		{ VOUCHER_DATE: '2026-01-31', running: 40_00 },
		{ VOUCHER_DATE: '2026-03-02', running: -20_00 },
	])
	expect(chart?.rows).toEqual([
		['Jan 2026', '₹ 40.00 Cr'],
		['Feb 2026', '₹ 40.00 Cr'],
		['Mar 2026', '₹ 20.00 Dr'],
	])
	expect(chart?.last.text).toBe('−₹ 20')
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
			{ BUY_DATE: '2025-01-10', SELL_DATE: '2026-04-01', GAIN: 65_000_00 },
			{ BUY_DATE: '2025-01-10', SELL_DATE: '2026-05-01', GAIN: -45_000_00 },
		],
		'2026-04-01',
		'2026-05-31',
	)
	const [up, down] = chart?.points.map(({ column }) => column) ?? []
	expect((up?.height ?? 0) + (down?.height ?? 0)).toBeGreaterThan(75)
	expect([up?.look, down?.look]).toEqual(['fill-gain', 'fill-loss'])
	// The lines of the grid go from 80,000 to -60,000, and so does the axis.
	expect(chart?.grid.map(({ label }) => label)).toEqual([
		'−₹ 60,000',
		'−₹ 40,000',
		'−₹ 20,000',
		'₹ 0',
		'₹ 20,000',
		'₹ 40,000',
		'₹ 60,000',
		'₹ 80,000',
	])
	expect([chart?.grid[0]?.at, chart?.grid.at(-1)?.at]).toEqual([100, 0])
})

test('the amount of the last column has its sign, and stands above a line that would cross it', () => {
	const draw = (last: number) =>
		drawGains(
			[
				{ BUY_DATE: '2025-01-10', SELL_DATE: '2026-04-01', GAIN: 60_000_00 },
				{ BUY_DATE: '2025-01-10', SELL_DATE: '2026-05-01', GAIN: -27_000_00 },
				{ BUY_DATE: '2025-01-10', SELL_DATE: '2026-06-01', GAIN: last },
			],
			'2026-04-01',
			'2026-06-30',
		)?.last
	// The axis goes from -40,000 to 60,000, so 1,000 are 1 %. The line of 20,000 is at 40 %.
	expect(draw(15_682_00)).toEqual({ month: 'Jun 2026', text: '+₹ 15,682', at: 40 })
	expect(draw(5_000_00)).toEqual({ month: 'Jun 2026', text: '+₹ 5,000', at: 55 })
	expect(draw(-5_000_00)).toEqual({ month: 'Jun 2026', text: '−₹ 5,000', at: 60 })
})

test('gains are summed by month, in every month of the period', () => {
	const sales = [
		{ BUY_DATE: '2025-01-10', SELL_DATE: '2026-04-01', GAIN: 5_00 },
		{ BUY_DATE: '2025-01-10', SELL_DATE: '2026-04-30', GAIN: -7_00 },
		{ BUY_DATE: '2025-01-10', SELL_DATE: '2026-06-01', GAIN: 1_00 },
	]
	expect(drawGains(sales, '2026-04-01', '2026-06-30')?.rows).toEqual([
		['Apr 2026', '−₹ 2.00'],
		['May 2026', '₹ 0.00'],
		['Jun 2026', '+₹ 1.00'],
	])
	expect(drawGains(sales, '2026-04-01', '2026-06-30')?.foot).toEqual(['Total', '−₹ 1.00'])
	expect(drawGains([], '2026-04-01', '2026-06-30')).toBeUndefined()
})

test('the gain of a contract sold first is in the month of its purchase, also when it was sold in the year before', () => {
	const closings = [
		{ BUY_DATE: '2025-04-10', SELL_DATE: '2025-03-20', GAIN: 5_000_00 },
		{ BUY_DATE: '2025-01-10', SELL_DATE: '2025-05-02', GAIN: 100_00 },
		{ BUY_DATE: null, SELL_DATE: '2025-05-03', GAIN: 20_00 },
	]
	const chart = drawGains(closings, '2025-04-01', '2025-05-31')
	expect(chart?.rows).toEqual([
		['Apr 2025', '+₹ 5,000.00'],
		['May 2025', '+₹ 120.00'],
	])
	expect(chart?.foot).toEqual(['Total', '+₹ 5,120.00'])
})

test('realised gains are summed by the month of closing, also when the sale came first', () => {
	const closings = [
		{ BUY_DATE: '2025-01-10', SELL_DATE: '2026-04-30', BUY_AMT: 100_00, SELL_AMT: 130_05 },
		// Sold in April, bought back in June.
		{ BUY_DATE: '2026-06-02', SELL_DATE: '2026-04-20', BUY_AMT: 50_00, SELL_AMT: 40_00 },
	]
	const chart = drawRealised(sumRealised(closings, '2026-04-01', '2026-06-30') ?? [])
	expect(chart?.rows).toEqual([
		['Apr 2026', '+₹ 30.05'],
		['May 2026', '₹ 0.00'],
		['Jun 2026', '−₹ 10.00'],
	])
	expect(chart?.foot).toEqual(['Total', '+₹ 20.05'])
	expect(sumRealised([{ BUY_DATE: null, SELL_DATE: '2026-04-20', BUY_AMT: null, SELL_AMT: 1 }], '2026-04-01', '2026-06-30')).toBeUndefined()
})

test('a chart of a year names its first month and every third after it; the others where there is room', () => {
	const sales = [{ BUY_DATE: '2025-01-10', SELL_DATE: '2025-04-01', GAIN: 5_00 }]
	const { months = [], years } = drawGains(sales, '2025-04-01', '2026-03-31') ?? {}
	// April is the first of twelve months, January the tenth: the middles of their columns.
	expect(years).toEqual([
		{ at: 4.17, label: '2025' },
		{ at: 79.17, label: '2026' },
	])
	expect(months.map(({ label }) => label)).toHaveLength(12)
	expect(months.filter(({ isMinor }) => !isMinor).map(({ label }) => label)).toEqual(['Apr', 'Jul', 'Oct', 'Jan'])
})

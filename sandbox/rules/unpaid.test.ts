import { expect, test } from 'vitest'
import { findUnpaid, findUnpaidSale } from './unpaid'

const LT = { instrument: 'LT', settlesOn: '2026-11-17', quantity: 20, value: 70_000_00 }
const SBIN = { instrument: 'SBIN', settlesOn: '2026-11-18', quantity: 90, value: 90_000_00 }

test('is sold on the fifth trading day after pay-in', () => {
	// Tuesday 17 November: 18, 19, 20, 23, and, the 24th being a holiday, the 25th.
	expect(findUnpaidSale('2026-11-17')).toBe('2026-11-25')
})

test('is the latest purchases, as many whole units as the debt takes', () => {
	const held = (debt: number, day = '2026-11-20') => findUnpaid(debt, [LT, SBIN], day).map((each) => [each.instrument, each.quantity])
	expect(held(0)).toEqual([])
	// 10,000.01 of shares at 1,000.00: eleven.
	expect(held(10_000_01)).toEqual([['SBIN', 11]])
	expect(held(90_000_00)).toEqual([['SBIN', 90]])
	// 35,000.00 beyond it are ten of 3,500.00.
	expect(held(1_25_000_00)).toEqual([
		['SBIN', 90],
		['LT', 10],
	])
	expect(held(9_00_000_00)).toEqual([
		['SBIN', 90],
		['LT', 20],
	])
	// Not settled yet: neither here nor owed.
	expect(held(1_25_000_00, '2026-11-17')).toEqual([['LT', 20]])
	// The day of its sale is over for one of them.
	expect(held(9_00_000_00, '2026-11-26')).toEqual([['SBIN', 90]])
})

import { expect, test } from 'vitest'
import { findUnpaid, findUnpaidSale } from './unpaid'

const LT = { instrument: 'LT', settlesOn: '2026-11-17', quantity: 20, value: 70_000_00 }
const SBIN = { instrument: 'SBIN', settlesOn: '2026-11-18', quantity: 90, value: 90_000_00 }

test('unpaid shares are sold on the fifth trading day after pay-in', () => {
	// From Tuesday 17 November: 18, 19, 20, 23 and 25; the 24th is a holiday.
	expect(findUnpaidSale('2026-11-17')).toBe('2026-11-25')
})

test('unpaid shares are the latest purchases, in whole units up to the debt', () => {
	const held = (debt: number, day = '2026-11-20') => findUnpaid(debt, [LT, SBIN], day).map((each) => [each.instrument, each.quantity])
	expect(held(0)).toEqual([])
	// A debt of 10,000.01 takes eleven shares at 1,000.00.
	expect(held(10_000_01)).toEqual([['SBIN', 11]])
	expect(held(90_000_00)).toEqual([['SBIN', 90]])
	// The other 35,000.00 takes ten shares at 3,500.00.
	expect(held(1_25_000_00)).toEqual([
		['SBIN', 90],
		['LT', 10],
	])
	expect(held(9_00_000_00)).toEqual([
		['SBIN', 90],
		['LT', 20],
	])
	// SBIN has not settled yet: it is not in the account and not owed.
	expect(held(1_25_000_00, '2026-11-17')).toEqual([['LT', 20]])
	// The day on which LT should be sold is over.
	expect(held(9_00_000_00, '2026-11-26')).toEqual([['SBIN', 90]])
})

import { expect, test } from 'vitest'
import { findMark } from './mark-to-market'

/*
 * Market.md 5.5: the difference of the day's settlement price to the day before, or to a trade price since then, is paid or received in
 * cash.
 */

test('marks older units from the last mark and units bought today from their price', () => {
	// 750 marked at 1,000.00 = 7,50,000.00 and 750 bought at 1,010.00 = 7,57,500.00. At 1,004.50 each 750 is worth 7,53,375.00:
	// 15,06,750 - 15,07,500.
	const lots = [
		{ side: 'L', quantity: 750, stood: 7_50_000_00 },
		{ side: 'L', quantity: 750, stood: 7_57_500_00 },
	] as const
	const mark = { quantity: 1_500, stood: 15_07_500_00, value: 15_06_750_00, amount: -750_00 }
	expect(findMark(lots, 1_004.5 * 10_000, 1)).toEqual(mark)
})

test('pays a short position the fall of the price', () => {
	// One lot of Gold Mini, ten units, sold at 1,20,000.00; the price is now 1,19,650.00: 10 × 350.00.
	const [short] = [{ side: 'S', quantity: 1, stood: 12_00_000_00 }] as const
	const mark = { quantity: -1, stood: -12_00_000_00, value: -11_96_500_00, amount: 3_500_00 }
	expect(findMark([short], 1_19_650 * 10_000, 10)).toEqual(mark)
})

test('is zero without open lots', () => expect(findMark([], 10_000, 1)).toEqual({ quantity: 0, stood: 0, value: 0, amount: 0 }))

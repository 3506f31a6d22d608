import { describe, expect, test } from 'vitest'
import { findCashMargin, valueCollateral } from './margin'

/*
 * Market.md 5.5: cash blocked = max(half of the margin, margin - collateral). Market.md 7.2: collateral = quantity × close × (1 -
 * haircut).
 */

const SBIN = { isin: 'INE062A01020', kind: 'EQUITY', sector: 'Financial Services' } as const
const LIQUID = { isin: 'INF732E01037', kind: 'OTHER_ETF', sector: 'ETF - Liquid' } as const

describe('collateral', () => {
	test('is the value less the haircut, and cash equivalents are a separate figure', () => {
		// A Nifty share: 100 × 1,000.00 less 15 % = 85,000.00. A liquid fund: 50 × 1,000.00 less 10 % = 45,000.00.
		const pledged = [
			{ ...SBIN, quantity: 100, close: 1_000 * 10_000 },
			{ ...LIQUID, quantity: 50, close: 1_000 * 10_000 },
		]
		expect(valueCollateral(pledged)).toEqual({ securities: 85_000_00, cashEquivalents: 45_000_00 })
		// Another share, 7 × 33.35 = 233.45 less 25 % = 175.0875: half-up to 175.09.
		const small = { ...SBIN, isin: 'INE000000000', quantity: 7, close: 33.35 * 10_000 }
		expect(valueCollateral([small])).toEqual({ securities: 175_09, cashEquivalents: 0 })
	})
})

describe('cash for a margin of 2,18,400.00', () => {
	test.each([
		['nothing pledged: all of it', 0, 0, 2_18_400_00],
		['85,000.00 of securities: 2,18,400 - 85,000', 85_000_00, 0, 1_33_400_00],
		['just half in securities', 1_09_200_00, 0, 1_09_200_00],
		['more than half in securities: half stays cash', 1_70_000_00, 0, 1_09_200_00],
		['cash equivalents count towards the cash half: 1,09,200 - 47,500', 1_70_000_00, 47_500_00, 61_700_00],
		['cash equivalents for all of it', 0, 3_00_000_00, 0],
	])('%s', (_, securities, cashEquivalents, cash) => {
		expect(findCashMargin(2_18_400_00, { securities, cashEquivalents })).toBe(cash)
	})

	test('is zero without a margin, and rounds half of an odd paisa up', () => {
		expect(findCashMargin(0, { securities: 5, cashEquivalents: 0 })).toBe(0)
		expect(findCashMargin(101, { securities: 200, cashEquivalents: 0 })).toBe(51)
	})
})

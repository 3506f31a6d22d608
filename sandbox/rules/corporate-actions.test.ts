import { describe, expect, test } from 'vitest'
import { applyBonus, applyDemerger, applySplit, findBuybackRegime } from './corporate-actions'
import { type OpenLot } from './fifo'

const lot: OpenLot = {
	id: 1,
	side: 'L',
	opened_on: '2024-05-02',
	acquired_on: '2017-06-12',
	quantity: 1000,
	cost: 4_00_000_00,
	expenses: 1001,
}

describe('corporate actions', () => {
	test('gives bonus shares no cost and their own purchase day, and drops fractions', () => {
		expect(applyBonus(100, 1, 1, '2025-08-26')).toEqual({ quantity: 100, cost: 0, expenses: 0, acquired_on: '2025-08-26' })
		expect(applyBonus(7, 1, 2, '2025-08-26')?.quantity).toBe(3)
		expect(applyBonus(1, 1, 2, '2025-08-26')).toBeNull()
	})

	test('keeps the cost and the purchase day in a split', () => {
		expect(applySplit(lot, 5, 1)).toEqual({ quantity: 5000, cost: 4_00_000_00, expenses: 1001, acquired_on: '2017-06-12' })
		expect(() => applySplit({ ...lot, quantity: 3 }, 1, 2)).toThrow('do not split')
	})

	test('divides the cost of Tata Motors 68.85 to 31.15', () => {
		const { kept, moved } = applyDemerger(lot, 1, 1, 3115)
		expect([kept.cost, moved.cost]).toEqual([2_75_400_00, 1_24_600_00])
		expect([kept.quantity, moved.quantity]).toEqual([1000, 1000])
		expect([kept.acquired_on, moved.acquired_on]).toEqual(['2017-06-12', '2017-06-12'])
		expect(kept.expenses + moved.expenses).toBe(1001)
	})

	test('leaves an unknown cost unknown', () => {
		const { kept, moved } = applyDemerger({ ...lot, cost: null }, 1, 1, 3115)
		expect([kept.cost, moved.cost]).toEqual([null, null])
	})

	test('has three rules for a buyback, by date', () => {
		expect(['2024-09-30', '2024-10-01', '2026-03-31', '2026-04-01'].map(findBuybackRegime)).toEqual([
			'EXEMPT',
			'DIVIDEND',
			'DIVIDEND',
			'CAPITAL_GAIN',
		])
	})
})

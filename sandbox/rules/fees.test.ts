import { describe, expect, test } from 'vitest'
import { findDailyInterest, findDebitInterest, findDpCharge, findPledgeCharge } from './fees'
import { findMarginRequired } from './margin'

describe('fees and margin', () => {
	test('charges 15.34 for a sale from demat, 15.05 for a woman', () => {
		expect(findDpCharge(false).total).toBe(1534)
		expect(findDpCharge(true).total).toBe(1505)
		expect(findPledgeCharge().total).toBe(2360)
	})

	test('charges interest by the day', () => {
		expect(findDailyInterest(1_00_000_00, '14.99')).toBe(4107)
		expect(findDailyInterest(-500, '18')).toBe(0)
	})

	test('charges interest on the debt at the end of each day, first and last day included', () => {
		const owes = (day: string, rupees: number) => ({ day, amount: rupees * 100 })
		const moves = [owes('2026-11-10', -40_000), owes('2026-10-20', 1_00_000), owes('2026-11-20', -60_000)]
		const day = (rupees: number) => findDailyInterest(rupees * 100, '18')
		expect(findDebitInterest(moves, '2026-11-01', '2026-11-30', '18')).toBe(9 * day(1_00_000) + 10 * day(60_000))
		expect(findDebitInterest(moves, '2026-11-20', '2026-11-30', '18')).toBe(0)
		expect(findDebitInterest(moves, '2026-10-19', '2026-10-20', '18')).toBe(day(1_00_000))
	})

	test('blocks nothing for bought options, and a percentage of the value for other contracts', () => {
		const position = { segment: 'NSE_FNO', multiplier: 1, price: 100 * 10_000, underlying: 24_000 * 10_000 } as const
		expect(findMarginRequired([{ ...position, kind: 'OPTION', quantity: 65 }])).toBe(0)
		expect(findMarginRequired([{ ...position, kind: 'OPTION', quantity: -65 }])).toBe(2_18_400_00)
		expect(findMarginRequired([{ ...position, kind: 'FUTURE', quantity: 100 }])).toBe(1_400_00)
	})
})

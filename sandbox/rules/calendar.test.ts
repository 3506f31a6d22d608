import { describe, expect, test } from 'vitest'
import {
	findMonthlyExpiry,
	findSettlementDay,
	findSettlementNumber,
	formatSettlement,
	isTradingDay,
	lastTradingDay,
	listTradingDays,
	nextTradingDay,
} from './calendar'

describe('the exchange calendar', () => {
	test.each([
		['2026-01-01', '2026001'],
		['2026-01-30', '2026021'],
		['2026-02-01', '2026300'],
		['2026-02-02', '2026022'],
		['2026-03-02', '2026042'],
		['2026-04-30', '2026080'],
		['2026-08-25', '2026160'],
		['2026-08-26', '2026161'],
		['2026-09-01', '2026165'],
		['2026-09-30', '2026185'],
	])('gives %s the settlement number the clearing corporation published, %s', (day, number) => {
		expect(findSettlementNumber(day)).toBe(number)
	})

	test('refuses a settlement number for a day without a session', () => {
		expect(() => findSettlementNumber('2026-01-15')).toThrow('No session')
	})

	test('writes settlements in the format of the ledger contract', () => {
		for (const segment of ['NSE_CASH', 'NSE_FNO', 'CD_NSE', 'MCX'] as const) {
			expect(formatSettlement(segment, '2026-06-10')).toMatch(/^[A-Z][0-9]{7,8}$/)
		}
	})

	test('settles on the next day that is not a weekend, holiday or settlement holiday', () => {
		expect(findSettlementDay('2026-06-10')).toBe('2026-06-11')
		expect(findSettlementDay('2026-11-20')).toBe('2026-11-23')
		// Two settlements pay out on one day around a settlement holiday.
		expect(findSettlementDay('2026-08-25')).toBe('2026-08-27')
		expect(findSettlementDay('2026-08-26')).toBe('2026-08-27')
	})

	test('settles shares on T+2 before 27-Jan-2023, with another kind of number', () => {
		// A Wednesday settles on Friday. The Muhurat session of Monday 24-Oct-2022 settles after the holiday of Wednesday 26 October.
		// The last day of the old rule is a Wednesday, before Republic Day and a weekend. The first day of the new rule is a Friday.
		expect(findSettlementDay('2022-06-15', 'NSE_CASH')).toBe('2022-06-17')
		expect(findSettlementDay('2022-10-24', 'NSE_CASH')).toBe('2022-10-27')
		expect(findSettlementDay('2023-01-25', 'NSE_CASH')).toBe('2023-01-30')
		expect(findSettlementDay('2023-01-27', 'NSE_CASH')).toBe('2023-01-30')
		// Derivatives always settled on T+1.
		expect(findSettlementDay('2022-06-15', 'NSE_FNO')).toBe('2022-06-16')
		// 2023: sessions of January 2-6, 9-13, 16-20, 23-25 are 5 + 5 + 5 + 3.
		expect(formatSettlement('NSE_CASH', '2023-01-25')).toBe('N2023018')
		expect(formatSettlement('NSE_CASH', '2023-01-27')).toBe('M2023019')
	})

	test('includes special sessions, and knows only weekends beyond its data', () => {
		expect(isTradingDay('2025-02-01')).toBe(true)
		expect(isTradingDay('2026-11-08')).toBe(true)
		expect(isTradingDay('2026-11-10')).toBe(false)
		expect(isTradingDay('2027-01-26')).toBe(true)
		expect(nextTradingDay('2026-11-23')).toBe('2026-11-25')
		expect(lastTradingDay('2026-11-21')).toBe('2026-11-20')
		expect(listTradingDays('2026-11-20', '2026-11-25')).toEqual(['2026-11-20', '2026-11-23', '2026-11-25'])
	})

	test('expires contracts on the last Thursday, from September 2025 the last Tuesday, or the trading day before', () => {
		expect(findMonthlyExpiry('2024-05')).toBe('2024-05-30')
		expect(findMonthlyExpiry('2026-06')).toBe('2026-06-30')
		expect(findMonthlyExpiry('2026-11')).toBe('2026-11-23')
	})
})

import { describe, expect, test } from 'vitest'
import { addDays, weekday } from '#contract/values/dates'
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

	test('includes special sessions', () => {
		expect(isTradingDay('2025-02-01')).toBe(true)
		expect(isTradingDay('2026-11-08')).toBe(true)
		expect(isTradingDay('2026-11-10')).toBe(false)
		expect(nextTradingDay('2026-11-23')).toBe('2026-11-25')
		expect(lastTradingDay('2026-11-21')).toBe('2026-11-20')
		expect(listTradingDays('2026-11-20', '2026-11-25')).toEqual(['2026-11-20', '2026-11-23', '2026-11-25'])
	})

	test('knows the holidays of fixed dates after its list', () => {
		// 2027: 1 May is a Saturday, 15 August a Sunday, 2 October and 25 December are Saturdays. 2030: 26 January is a Saturday and 14 April a
		// Sunday. No other day is free in their place, and 1 April is a trading day.
		const free = (year: string) => {
			const open = new Set(listTradingDays(`${year}-01-01`, `${year}-12-31`))
			const days = Array.from({ length: 365 }, (_, at) => addDays(`${year}-01-01`, at))
			return days.filter((day) => !open.has(day) && weekday(day) >= 1 && weekday(day) <= 5)
		}
		expect(free('2027')).toEqual(['2027-01-26', '2027-04-14'])
		expect(free('2030')).toEqual(['2030-05-01', '2030-08-15', '2030-10-02', '2030-12-25'])
		expect(free('2021')).toEqual([])
		// 31-Mar-2027 is a Wednesday; banks are closed on Thursday. 31-Mar-2028 is a Friday, and 1-Apr-2028 a Saturday.
		expect(findSettlementDay('2027-03-31')).toBe('2027-04-02')
		expect(findSettlementDay('2028-03-31')).toBe('2028-04-03')
		// The last Tuesday of January 2027 is Republic Day.
		expect(findMonthlyExpiry('2027-01')).toBe('2027-01-25')
	})

	test('has the holidays of fixed dates in every listed year', () => {
		const dates = ['01-26', '04-14', '05-01', '08-15', '10-02', '12-25']
		const open = [2022, 2023, 2024, 2025, 2026].flatMap((year) => dates.map((date) => `${year}-${date}`)).filter(isTradingDay)
		expect(open).toEqual([])
	})

	test('expires contracts on the last Thursday, from September 2025 the last Tuesday, or the trading day before', () => {
		expect(findMonthlyExpiry('2024-05')).toBe('2024-05-30')
		expect(findMonthlyExpiry('2026-06')).toBe('2026-06-30')
		expect(findMonthlyExpiry('2026-11')).toBe('2026-11-23')
	})
})

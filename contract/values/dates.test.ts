import { expect, test } from 'vitest'
import { addDays, formatDashedDay, daysBetween, formatDay, timeOfDay, toIndianDay } from './dates'
import { isDay, parseDay } from './typed-day'
import {
	currentYear,
	endOfYear,
	formatYear,
	findLastDay,
	parseYear,
	selectableYears,
	startOfYear,
	findFinancialYear,
} from './financial-year'

// The test process runs in New York (vitest.config.ts): nothing here may depend on the server's own zone.

test('today is today in India', () => {
	expect(toIndianDay(new Date('2026-03-31T18:29:59Z'))).toBe('2026-03-31')
	expect(toIndianDay(new Date('2026-03-31T18:30:00Z'))).toBe('2026-04-01')
	expect(timeOfDay(new Date('2026-03-31T18:30:00Z'))).toBe('00:00:00')
})

test('the financial year begins at midnight of 1 April in India', () => {
	expect(currentYear(new Date('2026-03-31T18:29:59Z'))).toBe(2025)
	expect(currentYear(new Date('2026-03-31T18:30:00Z'))).toBe(2026)
	expect(findFinancialYear('2026-03-31')).toBe(2025)
	expect(['2026-03-30', '2026-03-31', '2026-04-01'].map((now) => findLastDay(2025, now))).toEqual([
		'2026-03-30',
		'2026-03-31',
		'2026-03-31',
	])
	expect([startOfYear(2025), endOfYear(2025), formatYear(2025)]).toEqual(['2025-04-01', '2026-03-31', '2025-2026'])
})

test('five years can be chosen, the current one first; anything else is not a year', () => {
	const now = new Date('2026-11-21T06:00:00Z')
	expect(selectableYears(now).map(formatYear)).toEqual(['2026-2027', '2025-2026', '2024-2025', '2023-2024', '2022-2023'])
	expect(parseYear('2024-2025', now)).toBe(2024)
	for (const wrong of ['2021-2022', '2024', '2024-2026', '', 'toString', null]) expect(parseYear(wrong, now)).toBeUndefined()
})

test('a date may be typed in three ways, and must exist', () => {
	for (const typed of ['2025-03-31', '31/03/2025', '31-03-2025', ' 31/3/2025 ', '31 3 2025', '31032025'])
		expect(parseDay(typed)).toBe('2025-03-31')
	for (const wrong of ['30/02/2025', '2025-13-01', '31/03/25', '3132025', '31/3-2025', 'yesterday', '2025-03-31T00:00', ''])
		expect(parseDay(wrong)).toBeUndefined()
	expect(isDay('2024-02-29')).toBe(true)
	expect(isDay('2025-02-29')).toBe(false)
})

test('days are written for people, for file names and for counting', () => {
	expect(formatDay('2025-03-31')).toBe('31/03/2025')
	expect(formatDashedDay('2025-03-31')).toBe('31-03-2025')
	expect(addDays('2024-02-28', 2)).toBe('2024-03-01')
	expect(daysBetween('2018-01-10', '2024-06-10')).toBe(2343)
})

import { expect, test } from 'vitest'
import { findUpiLimit, formatUpiNumber, formatUtr } from './utr'

test('puts the day of the year into payment numbers as banks do: 15-Jun-2022 is day 166, 31-Dec-2024 day 366', () => {
	// 31 + 28 + 31 + 30 + 31 = 151 days to the end of May 2022, and 15.
	expect(formatUpiNumber('2022-06-15', 9, 4_321)).toBe('216609004321')
	expect(formatUtr('HDFC0000060', '2022-06-15', 4_321)).toBe('HDFCN22166004321')
	expect(formatUtr('ICIC', '2024-12-31', 999_999)).toBe('ICICN24366999999')
	expect(formatUtr('ICIC', '2025-01-01', 1_000_007)).toBe('ICICN25001000007')
})

test('allows two lakh a day by UPI, five from 15-Sep-2025', () => {
	expect([findUpiLimit('2022-04-01'), findUpiLimit('2025-09-14')]).toEqual([2_00_000_00, 2_00_000_00])
	expect([findUpiLimit('2025-09-15'), findUpiLimit('2026-11-21')]).toEqual([5_00_000_00, 5_00_000_00])
})

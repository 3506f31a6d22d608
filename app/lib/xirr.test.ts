import { expect, test } from 'vitest'
import { formatReturn, computeReturn } from './xirr'

const flow = (DATE: string, AMOUNT: number) => ({ DATE, AMOUNT })

test('known results: a doubling in a year, and the example of the spreadsheets', () => {
	expect(computeReturn([flow('2023-01-01', -100_00), flow('2024-01-01', 200_00)])).toEqual({
		rate: expect.closeTo(1, 6) as number,
		isYearly: true,
	})
	const sheet = [
		flow('2008-01-01', -10_000_00),
		flow('2008-03-01', 2_750_00),
		flow('2008-10-30', 4_250_00),
		flow('2009-02-15', 3_250_00),
		flow('2009-04-01', 2_750_00),
	]
	expect(computeReturn(sheet)).toEqual({ rate: expect.closeTo(0.373362535, 6) as number, isYearly: true })
})

test('does not annualise a return of less than a year', () => {
	const month = computeReturn([flow('2026-01-01', -100_00), flow('2026-01-31', 110_00)])
	expect(month).toEqual({ rate: expect.closeTo(0.1, 6) as number, isYearly: false })
	expect(formatReturn(month)).toBe('+10.00 % so far')
})

test('finds the rate of a quick, deep loss and of a quick, steep gain', () => {
	expect(formatReturn(computeReturn([flow('2026-09-16', -169_040_00), flow('2026-11-20', 133_380_00)]))).toBe('−21.10 % so far')
	expect(formatReturn(computeReturn([flow('2026-01-01', -100_00), flow('2026-01-11', 40_00)]))).toBe('−60.00 % so far')
	expect(formatReturn(computeReturn([flow('2026-01-01', -100_00), flow('2026-02-10', 180_00)]))).toBe('+80.00 % so far')
})

test('explains in words when no rate can be found, and never shows 0 %', () => {
	expect(formatReturn(computeReturn([]))).toBe('Not available: nothing was bought')
	expect(formatReturn(computeReturn([flow('2026-01-01', 100), flow('2027-01-01', 100)]))).toBe('Not available: no rate fits these flows')
	expect(formatReturn(computeReturn([flow('2026-01-01', -100), flow('2026-01-01', 100)]))).toBe('Not available: bought today')
	expect(formatReturn(computeReturn([flow('2024-01-01', -100_00), flow('2026-01-01', 90_00)]))).toMatch(/^−5\.\d\d % a year$/)
})

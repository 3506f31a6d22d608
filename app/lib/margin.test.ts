import { expect, test } from 'vitest'
import { computeMargin, computeValue, parseUnits } from './margin'

test('margin is the value at the close less the haircut, to the paisa', () => {
	// The contract's own example.
	expect(computeMargin(10, 3606.15, 12.5)).toBe(31_553_81)
	expect(computeMargin(40, 1828.2, 10)).toBe(65_815_20)
	expect(computeMargin(0, 1828.2, 10)).toBe(0)
	expect(computeMargin(100, 1, 100)).toBe(0)
})

test('the value of units is rounded to the paisa', () => {
	expect(computeValue(1, 0.0049)).toBe(0)
	expect(computeValue(1, 0.005)).toBe(1)
	expect(computeValue(100_000_000, 9_999_999.9999)).toBe(99_999_999_999_000_000)
})

test('reads only whole units', () => {
	for (const [typed, units] of [
		['10', 10],
		[' 1,000 ', 1000],
		['0', 0],
		['007', 7],
	] as const)
		expect(parseUnits(typed)).toBe(units)
	for (const typed of ['', '-1', '1.5', '1e3', '0x10', '１２', 'ten', '1 000', '9999999999', '1,0', '1,00', ',100', '1,000,0'])
		expect(parseUnits(typed)).toBeUndefined()
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatAmount, formatBalance, formatDeduction, formatGain, formatRupees, toPaise, formatPlainAmount, toRupees } from './money'

test('rupees of the JSON become whole paise, and back', () => {
	expect(toPaise(0.1 + 0.2)).toBe(30)
	expect(toPaise(66556.48)).toBe(6655648)
	expect(toPaise(-1.005)).toBe(-100)
	expect(Object.is(toPaise(-0.001), 0)).toBe(true)
	fc.assert(fc.property(fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }), (paise) => toPaise(toRupees(paise)) === paise))
})

test('amounts are grouped the Indian way and carry their side or sign in words', () => {
	expect(formatRupees(123456789)).toBe('₹ 12,34,567.89')
	expect(formatRupees(-50)).toBe('−₹ 0.50')
	expect(formatAmount(-100000)).toBe('−1,000.00')
	expect(formatBalance(6655648)).toBe('₹ 66,556.48 Cr')
	expect(formatBalance(-6655648)).toBe('₹ 66,556.48 Dr')
	expect(formatBalance(0)).toBe('₹ 0.00')
	expect(formatGain(150)).toBe('+₹ 1.50')
	expect(formatGain(-150)).toBe('−₹ 1.50')
	expect([150, -150, 0].map(formatDeduction)).toEqual(['−₹ 1.50', '+₹ 1.50', '₹ 0.00'])
})

test('a spreadsheet gets plain figures, exact to the paisa', () => {
	expect(formatPlainAmount(-123456789)).toBe('-1234567.89')
	expect(formatPlainAmount(5)).toBe('0.05')
	fc.assert(fc.property(fc.maxSafeInteger(), (paise) => BigInt(formatPlainAmount(paise).replace('.', '')) === BigInt(paise)))
})

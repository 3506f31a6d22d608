import { expect, test } from 'vitest'
import { formatSlab } from './income-slab'

test('writes a range of income in plain words, and leaves other text unchanged', () => {
	expect(formatSlab('Below 1 Lakh')).toBe('Below ₹ 1 lakh')
	expect(formatSlab('10-25 Lakh')).toBe('₹ 10 to 25 lakh')
	expect(formatSlab('25 Lakh-1 Crore')).toBe('₹ 25 lakh to 1 crore')
	expect(formatSlab('Above 1 Crore')).toBe('Above ₹ 1 crore')
	expect(formatSlab('5L - 10L')).toBe('5L - 10L')
})

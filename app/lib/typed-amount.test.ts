import { expect, test } from 'vitest'
import { showAmount } from './typed-amount'

test('reads back an amount as it will be used', () => {
	expect(['25000', '₹ 1,00,000.5', '0.05', '12.'].map(showAmount)).toEqual(['₹ 25,000.00', '₹ 1,00,000.50', '₹ 0.05', '₹ 12.00'])
})

test('reads nothing back for text that is not an amount', () => {
	for (const typed of ['', '-5', '1.234', '1e5', '२५', 'abc', '1234567890']) expect(showAmount(typed), typed).toBe('')
})

import { expect, test } from 'vitest'
import { sayRupees } from './say-rupees'

test.each([
	[5_50_000_00, 'Rupees five lakh fifty thousand'],
	[5_29_740_50, 'Rupees five lakh twenty-nine thousand seven hundred forty and fifty paise'],
	[10_00_00_001_00, 'Rupees ten crore one'],
	[1_11_15_019_01, 'Rupees one crore eleven lakh fifteen thousand nineteen and one paise'],
	[100_00, 'Rupees one hundred'],
])('writes %i paise in words as on a bank form', (amount, words) => expect(sayRupees(amount)).toBe(words))

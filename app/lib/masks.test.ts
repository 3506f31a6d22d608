import { expect, test } from 'vitest'
import { maskAccount, maskEmail, maskMobile, maskPan, showMasked } from './masks'

test('every mask hides with the same character', () => {
	expect([maskMobile('9876544321'), maskEmail('ravi@gmail.com'), maskAccount('50100248464821'), maskPan('ABCDE1234K')]).toEqual([
		'••••••4321',
		'r•••@gmail.com',
		'••••••4821',
		'AB•••••34K',
	])
})

test('what the broker has masked with another character is shown with ours', () => {
	expect(maskPan('XXXXX4821K')).toBe('•••••4821K')
	expect(maskPan('ABxxxxx34K')).toBe('AB•••••34K')
	expect(maskAccount('XXXXXXXXXX4821')).toBe('••••••4821')
	expect(maskAccount('XXXX99')).toBe('••••••99')
	expect(showMasked('HDFC BANK XXXXXXXXXX4821')).toBe('HDFC BANK ••••••4821')
	expect(showMasked('SBI ****4821')).toBe('SBI ••••••4821')
	expect(showMasked('OTP sent to ******4321 and r***@gmail.com')).toBe('OTP sent to ••••••4321 and r•••@gmail.com')
	expect(showMasked('XXXXX4821K')).toBe('••••••4821K')
})

test('text that is not masked stays unchanged', () => {
	for (const words of ['MAXXXXIMA 12', 'Savings', 'Up to 10 lakh', '']) expect(showMasked(words)).toBe(words)
})

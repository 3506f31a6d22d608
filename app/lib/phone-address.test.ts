import { expect, test } from 'vitest'
import { writePhoneAddress } from './phone-address'

test.for([
	['022 4000 1234', 'tel:02240001234'],
	['+91 (22) 4000-1234', 'tel:+912240001234'],
	['(+91) 22.4000–1234', 'tel:+912240001234'],
	['022 4000 1234 ext. 12', 'tel:02240001234;ext=12'],
	['022 4000 1234 Extn 12', 'tel:02240001234;ext=12'],
	['+91 22 4000 1234 extension 120', 'tel:+912240001234;ext=120'],
	['022 4000 1234x12', 'tel:02240001234;ext=12'],
	['022 4000 1234 / 35', undefined],
	['/022 4000 1234', undefined],
	['1800 CALL NOW', undefined],
	['022 4000 1234 (toll free)', undefined],
	['022 4000 1234 ext.', undefined],
	['022 +91 4000', undefined],
	['--', undefined],
])('%s is dialled as %s', ([phone, address]) => {
	expect(writePhoneAddress(phone ?? '')).toBe(address)
})

import { expect, test } from 'vitest'
import { describeBroker } from './sandbox'

test('the sandbox names a made-up broker in the footer, and a setting of the same name replaces it', () => {
	expect(describeBroker({ SUPPORT_PHONE: '+91 22 4000 1234', MEMBER_CODES: '' })).toEqual({
		SUPPORT_EMAIL: 'help@sandbox.example',
		SUPPORT_PHONE: '+91 22 4000 1234',
		SEBI_REGISTRATION: 'INZ000000000 (sandbox)',
		MEMBER_CODES: 'NSE 00000, BSE 00000, MCX 00000 (sandbox)',
		GRIEVANCE_OFFICER: 'Asha Rao (made up), grievances@sandbox.example',
		PASSWORD_RULE: '8 characters or more, and none of your last 3 passwords.',
	})
})

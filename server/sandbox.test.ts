import { expect, test } from 'vitest'
import { checkStart, describeBroker } from './sandbox'

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

test('a forgotten or misspelt BROKER_URL does not put the sandbox on a public site', async () => {
	const given = { PORT: '23210', SESSION_SECRET: 'only-for-tests-0123456789abcdefghij', PUBLIC_URL: 'https://client.broker.example' }
	await expect(checkStart({ ...given, BROKER_URI: 'https://api.broker.example' })).rejects.toThrow('BROKER_URL: is required')
	await expect(checkStart({ ...given, ALLOW_SANDBOX: 'yes' })).rejects.toThrow('ALLOW_SANDBOX=1')
	await checkStart({ ...given, ALLOW_SANDBOX: '1' })
	await checkStart({ ...given, BROKER_URL: 'https://api.broker.example' })
	for (const own of ['http://127.0.0.1:3000', 'http://[::1]:3000', 'https://localhost:8443'])
		await checkStart({ ...given, PUBLIC_URL: own })
})

test('a wrong PORT is reported alone, without the PUBLIC_URL that follows from it', async () => {
	for (const PORT of ['abc', '70000', '-1'])
		await expect(checkStart({ SESSION_SECRET: 'only-for-tests-0123456789abcdefghij', PORT })).rejects.toThrow(
			/^The portal cannot start with these settings:\n {2}PORT: must be a [\w ]+$/,
		)
})

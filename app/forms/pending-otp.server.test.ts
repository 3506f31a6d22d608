import { expect, test } from 'vitest'
import { commitPending, createPendingOtp } from './pending-otp.server'

test('ten nominees with guardians and long names in an Indian script fit the cookies of the step', async () => {
	// Eighty letters of three bytes each, the most that the form accepts.
	const name = (letter: string) => letter.repeat(80)
	const guardian = { name: name('க'), relation: 'Mother', pan: 'ABCPH1234K' }
	const nominees = Array.from({ length: 10 }, (_, at) => ({
		name: name('அ'),
		relation: 'Son',
		pan: `ABCPH123${at}K`,
		dob: '2015-06-21',
		guardian,
	}))
	const step = createPendingOtp('nominee', 'DEMO01', { nominees }, { message: 'OTP sent', expires_in: 300, resend_in: 30 })
	const cookies = (await commitPending(step)).getSetCookie()
	expect(cookies.filter((cookie) => !/Max-Age=0/.test(cookie)).length).toBeGreaterThan(2)
})

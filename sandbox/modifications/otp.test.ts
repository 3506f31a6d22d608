import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Books } from '#sandbox/db/open'
import { latestCode, readOutbox, postForm, postJson, readRefusal, readReply, wrongCode } from '#sandbox/testing/changes'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

const MOBILE = '/v1/modifications/profile-modifications?types=mobile&process='
const EMAIL = '/v1/modifications/profile-modifications?types=email&process='
const INVALID = { status: 422, message: 'Invalid OTP' }
const EXPIRED = { status: 410, message: 'OTP has expired' }
const OVER = { status: 429, message: 'Too many incorrect attempts. Start again.' }

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

/** Each test runs a day later, so that wrong codes of the test before do not count. */
let days = 0

async function open(client = 'DEMO01', environment: Record<string, string> = {}) {
	const sandbox = createTestSandbox(books, environment)
	days += 1
	sandbox.passTime(days * 86_400_000)
	const ask = await sandbox.signIn(client)
	const input = `98${String(days).padStart(8, '0')}`
	return {
		...sandbox,
		ask,
		input,
		send: (to = input) => postJson(ask, `${MOBILE}send_otp`, { input: to }),
		resend: () => postJson(ask, `${MOBILE}resend_otp`, { input }),
		verify: (otp: string, to = input) => postJson(ask, `${MOBILE}verify_otp`, { input: to, otp }),
		code: () => latestCode(sandbox, client),
	}
}

describe('a code', () => {
	test('goes to the new number, which the message shows masked, and leads to the e-sign once', async () => {
		const { send, verify, code, input, ...sandbox } = await open()
		const sent = await readReply(await send())
		expect(sent).toMatchObject({ status: 200, message: `OTP sent to ******${input.slice(-4)}`, data: { expires_in: 600, resend_in: 30 } })
		const [message] = await readOutbox(sandbox, 'DEMO01')
		expect(message).toMatchObject({ to: input, subject: 'OTP' })
		const otp = await code()
		expect(await readReply(await verify(otp))).toMatchObject({ status: 200, message: 'Proceed to e-sign' })
		expect(await readRefusal(await verify(otp))).toMatchObject(EXPIRED)
	})

	test('is never in a response', async () => {
		const { send, verify, code } = await open()
		const sent = await (await send()).text()
		const otp = await code()
		expect(sent).not.toContain(otp)
		expect(await (await verify(otp)).text()).not.toContain(otp)
	})

	test('is 123456 when the setting says so', async () => {
		const { send, verify } = await open('CASH01', { SANDBOX_FIXED_OTP: '1' })
		await send()
		expect((await verify('123456')).status).toBe(200)
	})

	test('is valid for ten minutes and not longer', async () => {
		const { send, verify, code, passTime } = await open()
		await send()
		const otp = await code()
		passTime(600_001)
		expect(await readRefusal(await verify(otp))).toMatchObject(EXPIRED)
		const again = await open()
		await again.send()
		again.passTime(599_000)
		expect((await again.verify(await again.code())).status).toBe(200)
	})

	test('ends the request after five wrong tries, and the right code is then refused', async () => {
		const { send, verify, code } = await open()
		await send()
		const otp = await code()
		for (const attempts_left of [4, 3, 2, 1]) {
			expect(await readRefusal(await verify(wrongCode(otp)))).toMatchObject({ ...INVALID, data: { attempts_left } })
		}
		expect(await readRefusal(await verify(wrongCode(otp)))).toMatchObject(OVER)
		expect(await readRefusal(await verify(otp))).toMatchObject(OVER)
		await send()
		expect((await verify(await code())).status).toBe(200)
	})

	test('locks the account for 15 minutes after ten wrong codes in an hour, for any changes, and notifies the client', async () => {
		const { ask, send, verify, code, passTime, ...sandbox } = await open('CLOS01')
		for (let request = 0; request < 2; request += 1) {
			await send()
			const otp = await code()
			for (let attempt = 0; attempt < 5; attempt += 1) await verify(wrongCode(otp))
		}
		const paused = { status: 429, message: 'Too many OTP attempts. Please try again after 15 minutes', data: { retry_after: 900 } }
		const response = await postJson(ask, `${EMAIL}send_otp`, { input: 'new@example.com' })
		expect(response.headers.get('retry-after')).toBe('900')
		expect(await readRefusal(response)).toMatchObject(paused)
		expect((await readOutbox(sandbox, 'CLOS01'))[0]?.subject).toBe('Too many wrong OTPs')
		passTime(900_001)
		expect((await send()).status).toBe(200)
	})

	test('counts simultaneous guesses one by one', async () => {
		const { send, verify, code } = await open('DEBT01')
		await send()
		const wrong = wrongCode(await code())
		const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await verify(wrong)).status))
		expect(statuses.filter((status) => status === 422)).toHaveLength(4)
		expect(statuses.filter((status) => status === 429)).toHaveLength(16)
	})

	test('is accepted once when it is sent twenty times at once', async () => {
		const { send, verify, code } = await open('NEW001')
		await send()
		const otp = await code()
		const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await verify(otp)).status))
		expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 410)])
	})

	test('returns the first response again for the same key', async () => {
		const { ask, send, code, input } = await open()
		await send()
		const otp = await code()
		const verify = () => postJson(ask, `${MOBILE}verify_otp`, { input, otp }, { 'idempotency-key': 'one-lost-answer-0001' })
		const first = await (await verify()).text()
		expect(await (await verify()).text()).toBe(first)
	})
})

describe('a resent code', () => {
	test('is sent after thirty seconds, at most three times, and earlier codes stay valid', async () => {
		const { send, resend, verify, code, passTime } = await open()
		await send()
		const first = await code()
		expect(await readRefusal(await resend())).toMatchObject({ status: 429, data: { retry_after: 30 } })
		for (let time = 0; time < 3; time += 1) {
			passTime(30_001)
			expect(await readReply(await resend())).toMatchObject({ status: 200, data: { resend_in: 30 } })
		}
		passTime(30_001)
		const last = await readRefusal(await resend())
		expect(last).toMatchObject({ status: 429, message: 'No more OTPs can be sent for this request. Start again.' })
		expect(last.data?.retry_after).toBeUndefined()
		expect((await verify(first)).status).toBe(200)
	})

	test('does not reset the count of wrong tries', async () => {
		const { send, resend, verify, code, passTime } = await open()
		await send()
		const wrong = wrongCode(await code())
		for (let attempt = 0; attempt < 4; attempt += 1) await verify(wrong)
		passTime(30_001)
		await resend()
		expect(await readRefusal(await verify(wrongCode(await code())))).toMatchObject(OVER)
	})

	test('is not sent when no code was requested before', async () => {
		const { ask, resend } = await open()
		expect(await readRefusal(await resend())).toMatchObject(EXPIRED)
		const unknown = await postJson(ask, `${EMAIL}resend_otp`, { input: 'nobody@example.com' })
		expect(await readRefusal(unknown)).toMatchObject(EXPIRED)
	})

	test('is refused after sixty requests', async () => {
		const { send } = await open('NEW001')
		const statuses: number[] = []
		for (let time = 0; time < 61; time += 1) statuses.push((await send()).status)
		expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true)
		expect(statuses[60]).toBe(429)
	})
})

describe('a code is refused', () => {
	test('for another number', async () => {
		const { send, verify, code } = await open()
		await send()
		expect(await readRefusal(await verify(await code(), '9812345678'))).toMatchObject({ ...INVALID, data: { attempts_left: 4 } })
	})

	test('for another kind of change', async () => {
		const { ask, send, code } = await open()
		await send()
		const otp = await code()
		expect(await readRefusal(await postJson(ask, `${EMAIL}verify_otp`, { input: 'other@example.com', otp }))).toMatchObject(EXPIRED)
		const slab = await postForm(ask, '/v1/modifications/income-modification?process=send_otp', { income: '1-5 Lakh' })
		expect(slab.status).toBe(200)
		const segment = await postForm(ask, '/v1/modifications/segment-addition?process=verify_otp', { segment: 'SLBM', otp })
		expect(await readRefusal(segment)).toMatchObject(EXPIRED)
	})

	test('for another client', async () => {
		const mine = await open('DEMO01')
		await mine.send()
		const otp = await mine.code()
		const other = await mine.signIn('CASH01')
		const stolen = await postJson(other, `${MOBILE}verify_otp`, { input: mine.input, otp })
		expect(await readRefusal(stolen)).toMatchObject(EXPIRED)
	})

	test('when the change was requested again', async () => {
		const { send, verify, code } = await open()
		await send()
		const first = await code()
		await send()
		const second = await code()
		if (first !== second) expect(await readRefusal(await verify(first))).toMatchObject(INVALID)
		expect((await verify(second)).status).toBe(200)
	})

	test('when it is not six digits', async () => {
		const { ask, send, verify, input } = await open()
		await send()
		for (const otp of ['12345', '1234567', 'abcdef', ' 123456', '１２３４５６', '']) {
			expect(await readRefusal(await verify(otp))).toMatchObject({ status: 422, message: 'Request is not valid' })
		}
		expect(await readRefusal(await postJson(ask, `${MOBILE}verify_otp`, { input }))).toMatchObject({
			status: 422,
			data: { fields: [{ name: 'otp' }] },
		})
		expect(await readRefusal(await verify('000000'))).toMatchObject({ data: { attempts_left: 4 } })
	})

	test('two kinds of change at once each have their own code', async () => {
		const { ask, send, verify, code, ...sandbox } = await open()
		await send()
		const forMobile = await code()
		const input = `aarav.${days}@example.com`
		await postJson(ask, `${EMAIL}send_otp`, { input })
		const forEmail = await latestCode(sandbox, 'DEMO01')
		expect((await verify(forMobile)).status).toBe(200)
		expect((await postJson(ask, `${EMAIL}verify_otp`, { input, otp: forEmail })).status).toBe(200)
	})
})

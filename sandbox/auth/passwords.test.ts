import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod/v4'
import { ErrorEnvelope } from '#contract/common'
import { type Books } from '#sandbox/db/open'
import { PASSWORD } from '#sandbox/db/seed/personas'
import { listMessages } from '#sandbox/messages/outbox'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'
import { hashPassword, isPassword } from './password-hash'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

type Sandbox = ReturnType<typeof createTestSandbox>
type Ask = Awaited<ReturnType<Sandbox['signIn']>>

async function said(response: Response) {
	return { status: response.status, ...ErrorEnvelope.pick({ message: true, data: true }).parse(await response.json()) }
}

const change = (ask: Ask, old_password: string, new_password: string) =>
	ask('/v1/user/update-password', { method: 'POST', body: JSON.stringify({ old_password, new_password }) })

const post = async ({ app }: Sandbox, call: string, body: object, headers: Record<string, string> = {}) =>
	await app.request(`/v1/user/${call}`, {
		method: 'POST',
		body: JSON.stringify(body),
		headers: { 'content-type': 'application/json', ...headers },
	})

async function requestIdFor(sandbox: Sandbox, username: string): Promise<string> {
	const Answer = z.object({ data: z.strictObject({ request_id: z.string() }) })
	return Answer.parse(await (await post(sandbox, 'forgot-password', { username })).json()).data.request_id
}

async function latestCode(client: string): Promise<string> {
	const messages = await listMessages({ books } as Parameters<typeof listMessages>[0], client)
	return /^\d{6}/.exec(messages.find(({ subject }) => subject === 'OTP')?.body ?? '')?.[0] ?? ''
}

async function keyFor(sandbox: Sandbox, client: string): Promise<string> {
	const request_id = await requestIdFor(sandbox, client)
	const answer = await post(sandbox, 'forgot-password-verify', { request_id, otp: await latestCode(client) })
	expect(answer.status).toBe(200)
	return z.object({ data: z.object({ pwdResetToken: z.string().min(16) }) }).parse(await answer.json()).data.pwdResetToken
}

const reset = (sandbox: Sandbox, key: string, new_password: string) =>
	post(sandbox, 'reset-password', { new_password }, { 'pwd-reset-token': key })

describe('a password', () => {
	test('is stored only as its hash', async () => {
		const stored = await hashPassword(PASSWORD, { salt: Buffer.from('00ff', 'hex') })
		expect(await isPassword(PASSWORD, stored)).toBe(true)
		expect(await isPassword('demo@1234', stored)).toBe(false)
		for (const other of ['plain', '', undefined, 'scrypt$$', stored.replace('$16384$', '$1024$')])
			expect(await isPassword(PASSWORD, other)).toBe(false)
		expect(await isPassword('a', await hashPassword('a', { cost: 1024 }))).toBe(true)
		expect(await hashPassword('a')).not.toBe(await hashPassword('a'))
	})
})

describe('changing it', () => {
	test('ends every session, notifies the client twice, and accepts letters of any script and blanks', async () => {
		const { signIn, logIn } = createTestSandbox(books)
		const [one, other] = [await signIn('CASH01'), await signIn('CASH01')]
		const next = ' पासवर्ड with blanks, 64 and more characters of whatever kind there is '
		expect((await change(one, PASSWORD, next)).status).toBe(200)
		for (const ask of [one, other]) {
			expect(await said(await ask('/v2/user/verify-user'))).toMatchObject({ status: 401, message: /^Your password was changed/ })
		}
		expect((await logIn('CASH01')).status).toBe(401)
		expect((await logIn('CASH01', next.trim())).status).toBe(401)
		expect((await logIn('CASH01', next)).status).toBe(200)
		const messages = await listMessages({ books } as Parameters<typeof listMessages>[0], 'CASH01')
		const told = messages.filter(({ subject }) => subject === 'Password changed')
		expect(told.map(({ channel }) => channel).sort()).toEqual(['EMAIL', 'SMS'])
		expect(JSON.stringify(messages)).not.toContain('blanks, 64')
	})

	test('is refused for a wrong, a short or one of the last three passwords, and no session ends', async () => {
		const { signIn } = createTestSandbox(books)
		const passwords = [PASSWORD, 'Second#2345', 'Third#34567', 'Fourth#4567']
		const logIn = async (password: string) => {
			const { app } = createTestSandbox(books)
			const body = JSON.stringify({ username: 'CLOS01', password })
			const answer = await app.request('/v2/user/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
			const { data } = (await answer.json()) as { data: { authToken: string } }
			const headers = { 'auth-token': data.authToken, 'client-code': 'CLOS01', 'content-type': 'application/json' }
			return (async (path: string, init: RequestInit = {}) => app.request(path, { ...init, headers })) as unknown as Ask
		}
		let ask: Ask = await signIn('CLOS01')
		expect(await said(await change(ask, 'wrong', 'Second#2345'))).toMatchObject({ status: 422, message: 'Current password is incorrect' })
		const short = await said(await change(ask, PASSWORD, '🙂🙂🙂🙂'))
		expect(short).toMatchObject({ status: 422, message: 'New password must be 8 characters or more' })
		expect((await ask('/v2/user/verify-user')).status).toBe(200)
		for (const [at, next] of passwords.slice(1).entries()) {
			for (const used of passwords.slice(Math.max(0, at - 2), at + 1)) {
				const refused = await said(await change(ask, passwords[at] ?? '', used))
				expect(refused).toMatchObject({ status: 422, message: 'New password must differ from the last 3 passwords' })
			}
			expect((await change(ask, passwords[at] ?? '', next)).status).toBe(200)
			ask = await logIn(next)
		}
		expect((await change(ask, 'Fourth#4567', PASSWORD)).status).toBe(200)
	})

	test('is blocked for fifteen minutes after five guesses, also five at once', async () => {
		const { signIn, passTime } = createTestSandbox(books)
		const ask = await signIn('DEBT01')
		const answers = await Promise.all(Array.from({ length: 8 }, () => change(ask, 'wrong', 'Whatever#1')))
		expect(answers.filter(({ status }) => status === 422)).toHaveLength(5)
		const refused = await change(ask, PASSWORD, 'Whatever#1')
		expect(refused.status).toBe(429)
		expect(Math.abs(Number(refused.headers.get('retry-after')) - 890)).toBeLessThanOrEqual(10)
		passTime(900_001)
		expect((await said(await change(ask, 'wrong', 'Whatever#1'))).status).toBe(422)
	})

	test('is done once, however many requests come at once', async () => {
		const { signIn } = createTestSandbox(books)
		const ask = await signIn('NEW001')
		const all = ['One#12345', 'Two#12345', 'Three#12345'].map(async (next) => await change(ask, PASSWORD, next))
		expect((await Promise.all(all)).filter(({ status }) => status === 200)).toHaveLength(1)
	})
})

describe('a forgotten password', () => {
	test('is reset by a code, once; the account is unlocked, sessions end, and nobody is signed in', async () => {
		const sandbox = createTestSandbox(books)
		const session = await sandbox.signIn('DEMO01')
		for (let wrong = 0; wrong < 5; wrong++) await sandbox.logIn('DEMO01', 'wrong')
		expect((await sandbox.logIn('DEMO01')).status).toBe(423)
		const key = await keyFor(sandbox, 'demo01'.toUpperCase())
		expect(await said(await reset(sandbox, key, PASSWORD))).toMatchObject({ status: 422, message: /last 3/ })
		expect((await reset(sandbox, key, 'Anew#23456')).status).toBe(200)
		expect(await said(await reset(sandbox, key, 'Again#23456'))).toMatchObject({
			status: 410,
			message: 'Password reset key has expired',
		})
		expect(await said(await session('/v2/user/verify-user'))).toMatchObject({ status: 401, message: /^Your password was reset/ })
		expect((await sandbox.logIn('DEMO01', 'Anew#23456')).status).toBe(200)
	})

	test('needs the key of its own request, which is valid for ten minutes', async () => {
		const sandbox = createTestSandbox(books)
		const missing = { status: 401, message: 'Password reset key is missing or wrong' }
		expect(await said(await post(sandbox, 'reset-password', { new_password: 'Anew#23456' }))).toMatchObject(missing)
		expect(await said(await reset(sandbox, 'x'.repeat(43), 'Anew#23456'))).toMatchObject(missing)
		const key = await keyFor(sandbox, 'DORM01')
		sandbox.passTime(600_001)
		expect((await reset(sandbox, key, 'Anew#23456')).status).toBe(410)
	})

	test('answers an unknown name like a known one, up to the last try', async () => {
		const sandbox = createTestSandbox(books)
		const path = async (username: string) => {
			const asked = await post(sandbox, 'forgot-password', { username })
			const text = (await asked.text()).replace(/RQ-[0-9A-F]+/, 'id')
			const request_id = await requestIdFor(sandbox, username)
			const early = await said(await post(sandbox, 'forgot-password-resend', { request_id }))
			const refused = []
			for (let wrong = 0; wrong < 6; wrong++)
				refused.push(await said(await post(sandbox, 'forgot-password-verify', { request_id, otp: '000000' })))
			return [asked.status, text, early, refused]
		}
		expect(await path('NOBODY7')).toEqual(await path('BULK02'))
		expect(await path('nobody@example.com')).toEqual(await path('CLOS01'))
	})

	test('takes as long for an unknown name', async () => {
		const sandbox = createTestSandbox(books)
		const times: Record<string, number[]> = { NOBODY8: [], DORM01: [] }
		for (let turn = 0; turn < 15; turn++) {
			for (const [username, taken] of Object.entries(times)) {
				const begun = performance.now()
				await post(sandbox, 'forgot-password', { username })
				taken.push(performance.now() - begun)
			}
		}
		const median = (name: string) => times[name]?.sort((a, b) => a - b)[7] ?? 0
		expect(Math.abs(median('NOBODY8') - median('DORM01'))).toBeLessThan(20)
	})

	test('accepts a code only for its own request', async () => {
		const sandbox = createTestSandbox(books)
		const first = await requestIdFor(sandbox, 'NEW001')
		const otp = await latestCode('NEW001')
		const second = await requestIdFor(sandbox, 'DEBT01')
		expect((await post(sandbox, 'forgot-password-verify', { request_id: second, otp })).status).toBe(422)
		expect((await post(sandbox, 'forgot-password-verify', { request_id: first, otp })).status).toBe(200)
		expect((await post(sandbox, 'forgot-password-verify', { request_id: first, otp })).status).toBe(410)
	})
})

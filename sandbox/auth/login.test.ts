import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod/v4'
import { LoginData, RekycDetails, VerifiedUser } from '#contract/auth'
import { envelope, ErrorEnvelope } from '#contract/common'
import { Profile } from '#contract/profile'
import { listOperations } from '#sandbox/api/describe-operation'
import { type Books } from '#sandbox/db/open'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

async function readRefusal(response: Response) {
	const { message, data } = ErrorEnvelope.parse(await response.json())
	return { status: response.status, message, data }
}

describe('signing in', () => {
	test('accepts a code or an e-mail in any case with blanks around it, and returns the client', async () => {
		const { logIn, signIn } = createTestSandbox(books)
		const ask = await signIn('DEMO01')
		const profile = (await (await ask('/v2/account-profile/personal-details')).json()) as { data: { personal_details: { email: string } } }
		for (const username of ['  demo01 ', profile.data.personal_details.email.toUpperCase()]) {
			const response = await logIn(username)
			expect(response.status).toBe(200)
			expect(envelope(LoginData).parse(await response.json()).data).toMatchObject({
				clientCode: 'DEMO01',
				isDormate: false,
				product: 'CONNECT',
			})
		}
	})

	test('counts wrong passwords down, locks for thirty minutes, and unlocks again', async () => {
		const { logIn, passTime } = createTestSandbox(books)
		for (const left of [4, 3, 2, 1]) {
			const refused = await readRefusal(await logIn('CASH01', 'wrong'))
			expect(refused).toEqual({ status: 401, message: 'Invalid username or password', data: { attempts_left: left } })
		}
		const locked = 'Account locked. Try again after 30 minutes or reset the password'
		expect(await readRefusal(await logIn('CASH01', 'wrong'))).toEqual({ status: 423, message: locked, data: { retry_after: 1800 } })
		expect((await logIn('CASH01')).status).toBe(423)
		passTime(1_800_001)
		expect((await logIn('CASH01')).status).toBe(200)
		expect(await readRefusal(await logIn('CASH01', 'wrong'))).toMatchObject({ data: { attempts_left: 4 } })
		expect((await logIn('CASH01')).status).toBe(200)
	})

	test('answers an unknown name like a known one, including the lock', async () => {
		const { logIn } = createTestSandbox(books)
		const answers = async (username: string) => {
			const refusals = []
			for (let attempt = 0; attempt < 6; attempt += 1) refusals.push({ ...(await readRefusal(await logIn(username, 'wrong'))), data: null })
			return refusals
		}
		expect(await answers('NOBODY9')).toEqual(await answers('CLOS01'))
	})

	test('counts five guesses at once as five', async () => {
		const { logIn } = createTestSandbox(books)
		const statuses = await Promise.all(Array.from({ length: 8 }, () => logIn('DEBT01', 'wrong').then((response) => response.status)))
		expect(statuses.filter((status) => status === 401)).toHaveLength(4)
	})

	test('counts guesses under both names of a client together', async () => {
		const { logIn, signIn } = createTestSandbox(books)
		const ask = await signIn('NEW001')
		const profile = (await (await ask('/v2/account-profile/personal-details')).json()) as { data: { personal_details: { email: string } } }
		const names = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? 'NEW001' : profile.data.personal_details.email))
		const statuses = await Promise.all(names.map((name) => logIn(name, 'wrong').then((response) => response.status)))
		expect(statuses.filter((status) => status === 401)).toHaveLength(4)
	})

	test('refuses a malformed login', async () => {
		const { app } = createTestSandbox(books)
		const post = (body: string) => app.request('/v2/user/login', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
		expect(await readRefusal(await post('{"username":"x"}'))).toMatchObject({ status: 422, message: 'Request is not valid' })
		expect(await readRefusal(await post('{'))).toMatchObject({ status: 422, data: { fields: [{ name: 'body' }] } })
	})
})

describe('a session', () => {
	test('is required by every call, in either header', async () => {
		const { app, signIn } = createTestSandbox(books)
		const ask = await signIn('DEMO01')
		const verified = envelope(VerifiedUser).parse(await (await ask('/v2/user/verify-user?source=connect')).json())
		expect(verified.data.clientCode).toBe('DEMO01')
		const camel = await app.request('/v2/user/verify-user', { headers: { authToken: ask.token, 'client-code': 'DEMO01' } })
		expect(camel.status).toBe(200)
		expect(await readRefusal(await app.request('/v2/user/verify-user'))).toMatchObject({
			status: 401,
			message: 'Authentication token is missing',
		})
		const unknown = await ask('/v2/user/verify-user', { headers: { 'auth-token': 'not-a-token-of-ours' } })
		expect(await readRefusal(unknown)).toMatchObject({ status: 401, message: 'Token has expired' })
		expect((await ask('/v2/user/verify-user?source=7')).status).toBe(422)
		expect((await app.request('/v1/no-such-call')).status).toBe(401)
		expect((await ask('/v1/no-such-call')).status).toBe(404)
	})

	test('works for its own client only', async () => {
		const { app, signIn } = createTestSandbox(books)
		const ask = await signIn('DEMO01')
		for (const init of [{ headers: { 'client-code': 'NEW001' } }]) {
			expect(await readRefusal(await ask('/v1/quick-links', init))).toMatchObject({
				status: 403,
				message: 'Client code does not match the session',
			})
		}
		expect((await ask('/v2/service/reports/ledger?dataYear=2025&client_code=NEW001')).status).toBe(403)
		const body = JSON.stringify({ type: 'ALL', client_code: 'NEW001', download_type: 'pdf', year: '2025' })
		expect((await ask('/v1/reports/ledger', { method: 'POST', body })).status).toBe(403)
		const unnamed = await app.request('/v1/quick-links', { headers: { 'auth-token': ask.token } })
		const fields = [{ name: 'client-code', message: 'client-code header is required' }]
		expect(await readRefusal(unnamed)).toMatchObject({ status: 422, data: { fields } })
	})

	test('ends after its time, by logout and from the control page', async () => {
		const { signIn, passTime, control } = createTestSandbox(books)
		const left = await signIn('DEMO01')
		expect((await left('/v2/user/logout')).status).toBe(200)
		expect(await readRefusal(await left('/v2/user/logout'))).toMatchObject({ status: 401, message: 'Token has expired' })
		const expired = await signIn('NEW001')
		await control('POST', '/control/expire', { client: 'new001' })
		expect((await expired('/v1/quick-links')).status).toBe(401)
		const old = await signIn('DEMO01')
		passTime(43_199_000)
		expect((await old('/v1/quick-links')).status).toBe(200)
		passTime(2000)
		expect(await readRefusal(await old('/v1/quick-links'))).toMatchObject({ status: 401, message: 'Token has expired' })
	})

	test('allows a dormant client only re-KYC, two statements (the ledger also as rows), verification and logout, until re-KYC is done', async () => {
		const { app, signIn } = createTestSandbox(books)
		const ask = await signIn('DORM01')
		const dormant = { status: 403, message: 'Account is dormant. Please complete re-KYC' }
		for (const path of ['/v1/quick-links', '/v2/dashboard/ledger?source=connect&dataYear=2026', '/v2/account-profile/personal-details']) {
			expect(await readRefusal(await ask(path))).toMatchObject(dormant)
		}
		const { data } = envelope(RekycDetails).parse(await (await ask('/v1/user/rekyc')).json())
		expect(data.required).toContain('PAN')
		expect((await ask('/v2/user/verify-user')).status).toBe(200)
		const open = listOperations(app).filter(({ id }) => !['login', 'logout'].includes(id))
		const reached = []
		for (const { id, method, path } of open) {
			const { status } = await ask(path, { method, ...(method === 'GET' ? {} : { body: '{}' }) })
			if (status !== 403) reached.push(id)
		}
		expect(reached.sort()).toEqual([
			'downloadHoldings',
			'downloadLedger',
			'getLedgerReport',
			'getRekycDetails',
			'requestPasswordReset',
			'resendPasswordResetOtp',
			'resetPassword',
			'validateReportLink',
			'verifyPasswordResetOtp',
			'verifyUser',
		])
		const site = new URL(data.rekyc_url).pathname
		const post = (fields: string[][], at = site) => app.request(at, { method: 'POST', body: new URLSearchParams(fields) })
		expect(await (await app.request(site)).text()).toContain('DORM01')
		for (const [outcome, status] of [
			['cancel', 'cancelled'],
			['fail', 'failed'],
		]) {
			const left = await post([['outcome', outcome ?? '']])
			expect([left.status, left.headers.get('location')]).toEqual([303, `http://127.0.0.1:3000/rekyc?status=${status}`])
		}
		const part = [
			['outcome', 'complete'],
			['given', 'PAN'],
		]
		const incomplete = await post(part)
		expect([incomplete.status, await incomplete.text()]).toEqual([422, expect.stringContaining('There is a problem') as string])
		expect((await post([...part, ['given', 'ESIGN']], '/rekyc/DORM01')).status).toBe(404)
		expect((await ask('/v1/quick-links')).status).toBe(403)
		const whole = [...part, ...['ADDRESS_PROOF', 'INCOME_PROOF', 'ESIGN'].map((item) => ['given', item])]
		expect((await post(whole)).headers.get('location')).toBe('http://127.0.0.1:3000/rekyc?status=done')
		expect((await ask('/v1/quick-links')).status).toBe(200)
		expect([(await app.request(site)).status, (await post(whole)).status]).toEqual([404, 404])
		expect(await (await app.request('/outbox?client=DORM01')).text()).toContain('Account active again')
		const active = await signIn('DEMO01')
		expect(await readRefusal(await active('/v1/user/rekyc'))).toMatchObject({ status: 404, message: 'No Data Found!' })
	})
})

describe('the profile', () => {
	test('is returned with PANs masked', async () => {
		const { signIn } = createTestSandbox(books)
		const ask = await signIn('DEMO01')
		const text = await (await ask('/v2/account-profile/personal-details')).text()
		expect(envelope(Profile).parse(JSON.parse(text)).data.personal_details.client_code).toBe('DEMO01')
		expect(text).not.toMatch(/(?!XXXXX)[A-Z]{5}\d{4}[A-Z]/)
		const pans = z.array(z.string().regex(/^XXXXX\d{4}[A-Z]$/)).parse([...text.matchAll(/"pan":"([^"]*)"/g)].map(([, pan]) => pan))
		expect(pans.length).toBeGreaterThan(0)
	})
})

describe('the outbox', () => {
	test('shows the alert of a login, and only one client on request', async () => {
		const { app, logIn } = createTestSandbox(books)
		await logIn('DEMO01')
		await logIn('NEW001')
		const page = await (await app.request('/outbox?client=demo01')).text()
		expect(page).toContain('Login alert')
		expect(page).toContain('DEMO01')
		expect(page).not.toContain('NEW001')
	})
})

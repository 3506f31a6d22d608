import { afterEach, expect, test, vi } from 'vitest'
import { hidden } from '#tests/support/account'
import { openPortalForFile, Visitor } from '#tests/support/portal'
import { listAttributes, readAll } from '#tests/support/readers'

/* The tests run in order: each one changes passwords that the next one uses. */

const open = openPortalForFile()
afterEach(() => {
	vi.useRealTimers()
})

const PASSWORD = 'Demo@1234'
const visitor = () => new Visitor(open.portal)

async function signedIn(code: string, password = PASSWORD) {
	const person = visitor()
	expect((await person.login(code, password)).status).toBe(303)
	open.asked.length = 0
	return person
}

const asked = (path: string) => open.asked.filter(({ url }) => new URL(url).pathname === path)

const forgot = (person: Visitor, fields: Record<string, string>) => person.post('/forgot-password', '/forgot-password', fields)

/** Fills in the current step. */
async function answerStep(person: Visitor, intent: string, fields: Record<string, string>) {
	const { html } = await person.visit('/forgot-password')
	return forgot(person, { intent, step: hidden(html, 'step'), ...fields })
}

async function readCode(client: string): Promise<string> {
	const page = await (await fetch(`http://127.0.0.1:4999/outbox?client=${client}`)).text()
	return /(\d{6}) is the OTP to reset your password/.exec(page)?.[1] ?? ''
}

/** From the broker's own log of sent messages. */
async function readEmail(client: string): Promise<string> {
	const page = await (await fetch(`http://127.0.0.1:4999/outbox?client=${client}`)).text()
	return /[\w.+-]+@[\w-]+\.[\w.]+/.exec(page)?.[0] ?? ''
}

async function atNewPassword(client: string) {
	const person = visitor()
	await answerStep(person, 'send_otp', { username: client })
	expect((await answerStep(person, 'verify_otp', { otp: await readCode(client) })).status).toBe(303)
	return person
}

test('a forgotten password is reset in three steps; nobody is signed in by it, and the client’s sessions end', async () => {
	const session = await signedIn('DEMO01')
	const person = visitor()
	const sent = await answerStep(person, 'send_otp', { username: ' demo01 ' })
	expect([sent.status, sent.headers.get('location')]).toEqual([303, '/forgot-password'])
	const otp = await readCode('DEMO01')
	expect(otp).toMatch(/^\d{6}$/)
	const asked = (await person.visit('/forgot-password')).html
	expect(listAttributes(asked, 'input[inputmode="numeric"][autocomplete="one-time-code"]', 'name')).toEqual(['otp'])
	expect((await answerStep(person, 'verify_otp', { otp: `${otp.slice(0, 3)} - ${otp.slice(3)}` })).status).toBe(303)

	const { html } = await person.visit('/forgot-password')
	expect(html).toContain('Step <!-- -->3')
	const unequal = await answerStep(person, 'reset', { new_password: 'Fresh#5678', confirm_password: 'Fresh#5679' })
	expect(unequal.status).toBe(400)
	expect(readAll(await unequal.text(), '[role=alert] a[href="#forgot-password-3-confirm_password"]')).toEqual([
		'New password and confirm password must be different',
	])
	const used = await answerStep(person, 'reset', { new_password: PASSWORD, confirm_password: PASSWORD })
	expect([used.status, await used.text()]).toEqual([422, expect.stringContaining('last 3 passwords') as string])
	const done = await answerStep(person, 'reset', { new_password: 'Fresh#5678', confirm_password: 'Fresh#5678' })
	expect([done.status, done.headers.get('location')]).toEqual([303, '/login'])
	expect((await person.visit('/login')).html).toContain('Your password has been reset. Log in.')
	expect((await person.send('/dashboard')).headers.get('location')).toContain('/login')
	expect((await session.send('/dashboard')).headers.get('location')).toContain('/login')
	expect((await visitor().login('DEMO01', 'Fresh#5678')).status).toBe(303)
	expect((await person.visit('/forgot-password')).html).toContain('Step <!-- -->1')
	for (const line of open.lines) for (const secret of [otp, 'Fresh#5678']) expect(line).not.toContain(secret)
})

test('every step answers the same for an unknown code and a known one, cookies included', async () => {
	const walk = async (username: string) => {
		const person = visitor()
		const seen: unknown[] = []
		const note = async (answer: Response) => {
			const text = (await answer.text()).replace(
				/value="[^"]*"|nonce="[^"]*"|[\da-f]{8}-[\da-f-]{27}|\d\d:\d\d(:\d\d)?|[\dA-F]{4}-[\dA-F]{6}|(?<=resendIn\\",)\d+/gi,
				'…',
			)
			const cookies = answer.headers.getSetCookie().map((cookie) => cookie.replace(/=.*?;/, `=${cookie.split(';')[0]?.length};`))
			seen.push([answer.status, answer.headers.get('location'), cookies, text.replace(/[\w-]{40,}/g, '…')])
		}
		await note(await answerStep(person, 'send_otp', { username }))
		await note(await person.send('/forgot-password'))
		await note(await answerStep(person, 'resend_otp', {}))
		for (let wrong = 0; wrong < 5; wrong++) await note(await answerStep(person, 'verify_otp', { otp: '000000' }))
		await note(await person.send('/forgot-password'))
		return seen
	}
	expect(await walk('NOBOD1')).toEqual(await walk('DEBT01'))
})

test('wrong codes count down, and then the request ends, also for the correct code', async () => {
	const person = visitor()
	await answerStep(person, 'send_otp', { username: 'DORM01' })
	const otp = await readCode('DORM01')
	for (const left of [4, 3, 2, 1]) {
		const answer = await answerStep(person, 'verify_otp', { otp: '000000' })
		const text = await answer.text()
		expect(answer.status).toBe(422)
		expect(text).toContain(`The OTP is incorrect. You have ${left} attempt`)
		expect(text).not.toContain('000000')
	}
	const last = await answerStep(person, 'verify_otp', { otp: '000000' })
	expect([last.status, await last.text()]).toEqual([429, expect.stringContaining('Start again') as string])
	await answerStep(person, 'send_otp', { username: 'DORM01' })
	open.asked.length = 0
	const limited = await answerStep(person, 'verify_otp', { otp })
	expect([limited.status, asked('/v1/user/forgot-password-verify')]).toEqual([429, []])
})

test.for([
	['', 'Enter the OTP'],
	['12345', 'not entered enough numbers'],
	['1234567', 'entered too many numbers'],
	['12345a', 'The OTP must be 6 numbers'],
	['１２３４５６', 'The OTP must be 6 numbers'],
])('%j is refused as a code at its field, without a call', async ([otp = '', words = '']) => {
	const person = visitor()
	await answerStep(person, 'send_otp', { username: `FORM${otp.length}` })
	open.asked.length = 0
	const answer = await answerStep(person, 'verify_otp', { otp })
	expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(words) as string])
	expect(asked('/v1/user/forgot-password-verify')).toHaveLength(0)
})

test('no step can be entered out of order, in another browser, or by an old form of another tab', async () => {
	const stranger = visitor()
	for (const intent of ['verify_otp', 'resend_otp', 'reset', 'nonsense'])
		expect(
			(await forgot(stranger, { intent, otp: '123456', new_password: 'Fresh#5678', confirm_password: 'Fresh#5678' })).headers.get(
				'location',
			),
		).toBe('/forgot-password')
	const person = await atNewPassword('NEW001')
	const old = hidden((await person.visit('/forgot-password')).html, 'step')
	expect((await forgot(person, { intent: 'verify_otp', step: old, otp: '123456' })).status).toBe(303)
	await forgot(person, { intent: 'send_otp', username: 'NEW001' })
	open.asked.length = 0
	const late = await forgot(person, { intent: 'reset', step: old, new_password: 'Fresh#5678', confirm_password: 'Fresh#5678' })
	expect(late.headers.get('location')).toBe('/forgot-password')
	expect(open.asked.filter(({ url }) => url.includes('password'))).toEqual([])
	await answerStep(person, 'start_again', {})
	expect((await person.visit('/forgot-password')).html).toContain('Step <!-- -->1')
})

test('the key of a reset is in no page, no data and no address, and expires after ten minutes', async () => {
	const person = await atNewPassword('NEW001')
	const sealed = [...person.cookies].find(([name]) => name.includes('pending-password'))?.[1] ?? ''
	expect(sealed.split('.')).toHaveLength(5)
	const { html } = await person.visit('/forgot-password')
	const text = html + (await (await person.send('/forgot-password.data')).text())
	expect(text).not.toContain(sealed)
	vi.useFakeTimers({ toFake: ['Date'] })
	vi.setSystemTime(Date.now() + 601_000)
	expect((await person.visit('/forgot-password')).html).toContain('Step <!-- -->1')
})

test('a broker failure is shown, and the step stays', async () => {
	const person = visitor()
	open.breakBroker(() => new Response(null, { status: 500 }))
	const answer = await answerStep(person, 'send_otp', { username: 'DEMO01' })
	expect([answer.status, await answer.text()]).toEqual([
		502,
		expect.stringContaining('could not complete this request. Try again in a few minutes.') as string,
	])
})

test('the login page links to it', async () => {
	expect(readAll((await visitor().visit('/login')).html, 'a[href="/forgot-password"]')).toEqual(['Forgot password?'])
})

test('the sixth code for one client in fifteen minutes is refused, for an unknown client too', async () => {
	for (const username of ['CLOS01', 'NOBOD2']) {
		for (let sent = 0; sent < 5; sent++) expect((await answerStep(visitor(), 'send_otp', { username })).status).toBe(303)
		open.asked.length = 0
		const answer = await answerStep(visitor(), 'send_otp', { username })
		expect([answer.status, Number(answer.headers.get('retry-after')) > 60, open.asked]).toEqual([429, true, []])
	}
})

test('a failed reset ends no session; one with a lost reply says that it may be done and ends them; a retry says what to do', async () => {
	const [session, person] = [await signedIn('NEW001'), await atNewPassword('NEW001')]
	const answering = (status: number, message: string) =>
		open.breakBroker((request) =>
			request.url.includes('reset-password') ? Response.json({ status: 'error', message, data: null }, { status }) : undefined,
		)
	const fresh = { new_password: 'Fresh#5678', confirm_password: 'Fresh#5678' }
	// Certainly not set: the broker says so, refuses the call without words, or is not there.
	const failures: [() => Response, string][] = [
		[() => Response.json({ status: 'error', message: 'Not now', data: null }, { status: 500 }), 'Not now.'],
		[() => new Response(null, { status: 403 }), 'could not complete this request.'],
		[
			() => {
				throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
			},
			'This is not available right now.',
		],
	]
	for (const [answer, words] of failures) {
		open.failCalls('/v1/user/reset-password', answer)
		const html = await (await answerStep(person, 'reset', fresh)).text()
		expect(html).toContain(`${words} Try again in a few minutes.`)
		expect(html).not.toContain('may have been changed')
		expect((await session.send('/change-password')).status).toBe(200)
	}

	answering(504, 'Lost')
	const answer = await answerStep(person, 'reset', fresh)
	const html = await answer.text()
	expect([answer.status, html]).toEqual([502, expect.stringContaining('may have been changed all the same')])
	expect(html).not.toContain('Fresh#5678')
	open.asked.length = 0
	expect((await session.send('/change-password')).headers.get('location')).toContain('/login')
	expect(open.asked).toHaveLength(0)

	answering(410, 'Password reset key has expired')
	const again = await answerStep(person, 'reset', fresh)
	expect([again.status, await again.text()]).toEqual([422, expect.stringContaining('If the new password lets you log in')])
})

test('a password reset by e-mail ends all sessions of the client, whatever name was used to log in', async () => {
	const email = await readEmail('DEMO01')
	// The login by e-mail tells the portal its client.
	const [byCode, byEmail] = [await signedIn('DEMO01', 'Fresh#5678'), await signedIn(email, 'Fresh#5678')]
	const person = visitor()
	await answerStep(person, 'send_otp', { username: email })
	expect((await answerStep(person, 'verify_otp', { otp: await readCode('DEMO01') })).status).toBe(303)
	const done = await answerStep(person, 'reset', { new_password: 'Third#5678', confirm_password: 'Third#5678' })
	expect(done.headers.get('location')).toBe('/login')
	// This page makes no call, so the portal itself must know.
	open.asked.length = 0
	for (const session of [byCode, byEmail]) expect((await session.send('/change-password')).headers.get('location')).toContain('/login')
	expect(open.asked).toHaveLength(0)
})

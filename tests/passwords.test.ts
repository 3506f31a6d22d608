import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openPortal, Visitor } from './portal'

/* One file, long as it is: each test leaves the passwords with which the next begins. */

let open: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => void (open = await openPortal()))
afterAll(() => open.close())
afterEach(() => {
	open.breakBroker(undefined)
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

function change(person: Visitor, old_password: string, new_password: string, confirm_password = new_password) {
	return person.post('/dashboard?dialog=change-password', '/change-password?from=%2Freports%2Fledger', {
		old_password,
		new_password,
		confirm_password,
	})
}

const step = (html: string) => /name="step" value="([^"]+)"/.exec(html)?.[1] ?? ''
const forgot = (person: Visitor, fields: Record<string, string>) => person.post('/forgot-password', '/forgot-password', fields)

/** Fills in the step that is shown. */
async function answerStep(person: Visitor, intent: string, fields: Record<string, string>) {
	const { html } = await person.visit('/forgot-password')
	return forgot(person, { intent, step: step(html), ...fields })
}

async function codeOf(client: string): Promise<string> {
	const page = await (await fetch(`http://127.0.0.1:4999/outbox?client=${client}`)).text()
	return /(\d{6}) is the OTP to reset your password/.exec(page)?.[1] ?? ''
}

/** As the broker's own log of what it sent has it. */
async function emailOf(client: string): Promise<string> {
	const page = await (await fetch(`http://127.0.0.1:4999/outbox?client=${client}`)).text()
	return /[\w.+-]+@[\w-]+\.[\w.]+/.exec(page)?.[0] ?? ''
}

async function atNewPassword(client: string) {
	const person = visitor()
	await answerStep(person, 'send_otp', { username: client })
	expect((await answerStep(person, 'verify_otp', { otp: await codeOf(client) })).status).toBe(303)
	return person
}

test('the dialog is in the page of any address of the shell that asks for it, and the rest is out of reach', async () => {
	const person = await signedIn('DEMO01')
	for (const path of [
		'/?dialog=change-password',
		'/dashboard?year=2025-2026&dialog=change-password',
		'/reports/ledger?q=a&dialog=change-password',
	]) {
		const { html, status } = await person.visit(path)
		expect(status).toBe(200)
		expect(html).toMatch(/<dialog open[^>]*aria-modal="true"/)
		expect(html).toContain('<div class="shell" inert')
		for (const label of ['Current password', 'New password', 'Confirm password']) expect(html).toContain(`>${label}</label>`)
		expect(html.match(/<h1/g)).toHaveLength(1)
	}
	const { html } = await person.visit('/reports/ledger?q=a&dialog=change-password')
	expect(html).toMatch(/<a[^>]*href="\/reports\/ledger\?q=a"[^>]*>.*?Close/s)
	expect((await person.visit('/dashboard')).html).not.toContain('<dialog')
	expect((await person.visit('/dashboard')).html).toContain('/dashboard?dialog=change-password')
})

test('what is missing and what differs is said in the words of the specification, and nothing is asked of the broker', async () => {
	const person = await signedIn('DEMO01')
	const empty = await change(person, '', '')
	const html = await empty.text()
	expect(empty.status).toBe(400)
	expect(html).toMatch(/<title>Error: Change Password · /)
	expect(html).toContain('There is a problem')
	for (const words of ['Current Password is required', 'New Password is required', 'Confirm Password is required'])
		expect(html.split(words).length - 1).toBeGreaterThanOrEqual(2)
	expect(html).toMatch(/<a href="\/reports\/ledger">Close/)

	const unequal = await change(person, 'Sent#Old99', 'Sent#New99', 'Sent#New98')
	const text = await unequal.text()
	expect(unequal.status).toBe(400)
	expect(text).toContain('New password and confirm password must be different')
	for (const secret of ['Sent#Old99', 'Sent#New99', 'Sent#New98']) expect(text).not.toContain(secret)
	expect((await change(person, 'x'.repeat(129), 'a', 'a')).status).toBe(400)
	expect(asked('/v1/user/update-password')).toHaveLength(0)
})

test('a refusal of the broker is a form error and a toast; the session goes on', async () => {
	const person = await signedIn('DEMO01')
	const answer = await change(person, 'Wrong#Old1', 'Other#2345')
	const html = await answer.text()
	expect(answer.status).toBe(422)
	expect(html.match(/Current password is incorrect/g)?.length).toBeGreaterThanOrEqual(2)
	expect(html).toMatch(/class="toast tone-error/)
	expect(html).not.toContain('Wrong#Old1')
	expect((await person.send('/dashboard')).status).toBe(200)
})

const FAILED = 'An error occurred while processing your request.'
const PERHAPS = 'The password may have been changed all the same'
const success = (data: unknown) => Response.json({ status: 'success', message: 'ok', data })

test.for([
	['a refusal with status 200', () => Response.json({ status: 'error', message: 'Nope', data: null }), 422, [FAILED, 'Nope']],
	[
		'a failure inside a success',
		() => success({ status: 'failed', message: 'Old password is wrong' }),
		422,
		[FAILED, 'Old password is wrong'],
	],
	['another status inside a success', () => success({ status: 'queued', message: 'Later' }), 502, [FAILED, PERHAPS]],
	['another status', () => Response.json({ status: 'pending', message: 'Later', data: null }), 502, [FAILED, PERHAPS]],
	['a failure with a message', () => Response.json({ status: 'error', message: 'Boom' }, { status: 500 }), 502, ['Boom', PERHAPS]],
	['a failure without one', () => new Response('<h1>Boom', { status: 500 }), 502, [FAILED, PERHAPS]],
	['503 with a message', () => Response.json({ message: 'Back at 6\u0007\n am' }, { status: 503 }), 503, ['Back at 6 am', PERHAPS]],
	['502 with a message', () => Response.json({ message: 'b'.repeat(400) }, { status: 502 }), 502, [`${'b'.repeat(299)}…`, PERHAPS]],
	['504 with a message', () => Response.json({ message: 'Too busy' }, { status: 504 }), 502, ['Too busy', PERHAPS]],
	['503 with a page', () => new Response('<html><h1>Busy', { status: 503 }), 503, [FAILED, PERHAPS]],
	['half an answer', () => new Response('{"status":"succ'), 502, [FAILED, PERHAPS]],
] as const)('%s is no success: it is said in the form, and the session goes on', async ([, answer, status, said]) => {
	const person = await signedIn('DEMO01')
	open.breakBroker((request) => (request.url.includes('update-password') ? answer() : undefined))
	const shown = await change(person, PASSWORD, 'Other#2345')
	expect(shown.status).toBe(status)
	const html = await shown.text()
	for (const words of said) expect(html).toContain(words)
	// The first sentence stands in the form and as a toast.
	expect(html.split(said[0]).length - 1).toBeGreaterThanOrEqual(2)
	expect(html).toMatch(/class="toast tone-error/)
	expect(html).not.toContain('Password changed')
	open.breakBroker(undefined)
	expect((await person.send('/dashboard')).status).toBe(200)
})

test('success says so, ends this session and every other, and the old password opens nothing', async () => {
	const [person, other, csv] = [await signedIn('CASH01'), await signedIn('CASH01'), await signedIn('CASH01')]
	const next = ' पासवर्ड, with blanks & ünïcode '
	const done = await change(person, PASSWORD, next)
	expect([done.status, done.headers.get('location')]).toEqual([303, '/login'])
	expect(await asked('/v1/user/update-password')[0]?.json()).toEqual({ old_password: PASSWORD, new_password: next })
	expect((await person.visit('/login')).html).toContain('Password changed successfully. Please log in with your new password.')

	// The broker is not asked by this page, so it is the portal itself that knows.
	open.asked.length = 0
	expect((await csv.send('/change-password')).headers.get('location')).toContain('/login')
	expect(open.asked).toHaveLength(0)
	const ended = await other.send('/reports/ledger')
	expect([ended.status, ended.headers.get('location')]).toEqual([302, '/login?redirectTo=%2Freports%2Fledger'])
	expect((await other.visit('/login')).html).toContain('Your password was changed')

	expect((await visitor().login('CASH01', PASSWORD)).status).toBe(422)
	expect((await visitor().login('CASH01', next)).status).toBe(303)
})

test('where the portal does not know of it, the broker’s 401 ends the session with its message', async () => {
	const person = await signedIn('DEBT01')
	const token = open.asked
	token.length = 0
	await person.send('/reports/ledger')
	const { headers } = token.find((request) => request.headers.has('auth-token')) as Request
	const body = JSON.stringify({ old_password: PASSWORD, new_password: 'Elsewhere#1' })
	const call = { method: 'POST', body, headers: { ...Object.fromEntries(headers), 'content-type': 'application/json' } }
	expect((await fetch('http://127.0.0.1:4999/v1/user/update-password', call)).status).toBe(200)
	expect((await person.send('/reports/ledger/NSE_CASH')).headers.get('location')).toContain('/login')
	expect((await person.visit('/login')).html).toContain('Your password was changed. Please log in again')
})

test('the sixth guess at the current password is not asked of the broker; logins of the client are another matter', async () => {
	const person = await signedIn('NEW001')
	for (let guess = 0; guess < 5; guess++) expect((await change(person, `guess ${guess}`, 'Other#2345')).status).toBe(422)
	open.asked.length = 0
	const answer = await change(person, PASSWORD, 'Other#2345')
	expect(answer.status).toBe(429)
	expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60)
	expect(asked('/v1/user/update-password')).toHaveLength(0)
	expect((await visitor().login('NEW001')).status).toBe(303)
})

test('neither a page nor the form leads to another site, and no form without its token is taken', async () => {
	const person = await signedIn('DEMO01')
	for (const from of ['//evil.test', 'https:evil.test', '/\\evil.test', '/change-password'])
		expect((await person.visit(`/change-password?from=${encodeURIComponent(from)}`)).html).toContain('<a href="/dashboard">Close')
	const fields = { old_password: PASSWORD, new_password: 'Other#2345', confirm_password: 'Other#2345' }
	expect((await person.postRaw('/change-password', fields)).status).toBe(403)
	expect((await visitor().send('/change-password')).headers.get('location')).toBe('/login?redirectTo=%2Fchange-password')
})

test('a forgotten password is set anew in three steps; nobody is signed in by it, and sessions of the client end', async () => {
	const session = await signedIn('DEMO01')
	const person = visitor()
	const sent = await answerStep(person, 'send_otp', { username: ' demo01 ' })
	expect([sent.status, sent.headers.get('location')]).toEqual([303, '/forgot-password'])
	const otp = await codeOf('DEMO01')
	expect(otp).toMatch(/^\d{6}$/)
	expect((await person.visit('/forgot-password')).html).toMatch(/inputMode="numeric"[^>]*autoComplete="one-time-code"/i)
	expect((await answerStep(person, 'verify_otp', { otp: `${otp.slice(0, 3)} - ${otp.slice(3)}` })).status).toBe(303)

	const { html } = await person.visit('/forgot-password')
	expect(html).toContain('Step <!-- -->3')
	const unequal = await answerStep(person, 'reset', { new_password: 'Fresh#5678', confirm_password: 'Fresh#5679' })
	expect([unequal.status, await unequal.text()]).toEqual([
		400,
		expect.stringContaining('New password and confirm password must be different') as string,
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

test('every step answers for a code that nobody has as for one that somebody has, cookies and all', async () => {
	const walk = async (username: string) => {
		const person = visitor()
		const seen: unknown[] = []
		const note = async (answer: Response) => {
			const text = (await answer.text()).replace(
				/value="[^"]*"|nonce="[^"]*"|[\da-f]{8}-[\da-f-]{27}|\d\d:\d\d(:\d\d)?|[\dA-F]{4}-[\dA-F]{6}/gi,
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

test('wrong codes count down and then the request is dead, the right code too', async () => {
	const person = visitor()
	await answerStep(person, 'send_otp', { username: 'DORM01' })
	const otp = await codeOf('DORM01')
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
])('%j is no code: said beside the field, and the broker is not asked', async ([otp = '', words = '']) => {
	const person = visitor()
	await answerStep(person, 'send_otp', { username: `FORM${otp.length}` })
	open.asked.length = 0
	const answer = await answerStep(person, 'verify_otp', { otp })
	expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(words) as string])
	expect(asked('/v1/user/forgot-password-verify')).toHaveLength(0)
})

test('no step is entered out of order, in another browser, or by a form that another tab has left behind', async () => {
	const stranger = visitor()
	for (const intent of ['verify_otp', 'resend_otp', 'reset', 'nonsense'])
		expect(
			(await forgot(stranger, { intent, otp: '123456', new_password: 'Fresh#5678', confirm_password: 'Fresh#5678' })).headers.get(
				'location',
			),
		).toBe('/forgot-password')
	const person = await atNewPassword('NEW001')
	const old = step((await person.visit('/forgot-password')).html)
	expect((await forgot(person, { intent: 'verify_otp', step: old, otp: '123456' })).status).toBe(303)
	await forgot(person, { intent: 'send_otp', username: 'NEW001' })
	open.asked.length = 0
	const late = await forgot(person, { intent: 'reset', step: old, new_password: 'Fresh#5678', confirm_password: 'Fresh#5678' })
	expect(late.headers.get('location')).toBe('/forgot-password')
	expect(open.asked.filter(({ url }) => url.includes('password'))).toEqual([])
	await answerStep(person, 'start_again', {})
	expect((await person.visit('/forgot-password')).html).toContain('Step <!-- -->1')
})

test('the key of a reset is in no page, no data and no address, and dies with its ten minutes', async () => {
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

test('a broker that fails is said, and the step stays', async () => {
	const person = visitor()
	open.breakBroker(() => new Response(null, { status: 500 }))
	const answer = await answerStep(person, 'send_otp', { username: 'DEMO01' })
	expect([answer.status, await answer.text()]).toEqual([
		502,
		expect.stringContaining('could not complete this request. Try again in a few minutes.') as string,
	])
})

test('the login page leads there', async () => {
	expect((await visitor().visit('/login')).html).toContain('<a href="/forgot-password">Forgot password?</a>')
})

test('nobody’s telephone is flooded: the sixth code for one client in fifteen minutes is refused, for nobody too', async () => {
	for (const username of ['CLOS01', 'NOBOD2']) {
		for (let sent = 0; sent < 5; sent++) expect((await answerStep(visitor(), 'send_otp', { username })).status).toBe(303)
		open.asked.length = 0
		const answer = await answerStep(visitor(), 'send_otp', { username })
		expect([answer.status, Number(answer.headers.get('retry-after')) > 60, open.asked]).toEqual([429, true, []])
	}
})

test('a reset whose answer got lost says that it may have been done, ends the sessions, and trying again says what to do', async () => {
	const [session, person] = [await signedIn('NEW001'), await atNewPassword('NEW001')]
	const answering = (status: number, message: string) =>
		open.breakBroker((request) =>
			request.url.includes('reset-password') ? Response.json({ status: 'error', message, data: null }, { status }) : undefined,
		)
	const fresh = { new_password: 'Fresh#5678', confirm_password: 'Fresh#5678' }
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

test('a tab that only tells that somebody is there does not use up why the session ended', async () => {
	const [tab, other] = [await signedIn('DEMO01', 'Fresh#5678'), await signedIn('DEMO01', 'Fresh#5678')]
	const csrf = /name="csrf" value="([^"]+)"/.exec((await tab.visit('/dashboard')).html)?.[1] ?? ''
	expect((await change(other, 'Fresh#5678', 'Other#2345')).headers.get('location')).toBe('/login')
	const told = await tab.postRaw('/session/activity', { csrf }, { 'x-activity': '1', 'sec-fetch-dest': 'empty' })
	expect([told.status, await told.json()]).toEqual([401, { location: expect.stringMatching(/^\/login\?/) as string }])
	expect((await tab.visit('/login')).html).toContain('Your password was changed')
})

test('a password that was forgotten by e-mail ends the sessions of its client, by whatever name they were begun', async () => {
	const email = await emailOf('DEMO01')
	// The portal learns from the login by e-mail whose it is.
	const [byCode, byEmail] = [await signedIn('DEMO01', 'Other#2345'), await signedIn(email, 'Other#2345')]
	const person = visitor()
	await answerStep(person, 'send_otp', { username: email })
	expect((await answerStep(person, 'verify_otp', { otp: await codeOf('DEMO01') })).status).toBe(303)
	const done = await answerStep(person, 'reset', { new_password: 'Third#5678', confirm_password: 'Third#5678' })
	expect(done.headers.get('location')).toBe('/login')
	// The broker is not asked by this page, so it is the portal itself that knows.
	open.asked.length = 0
	for (const session of [byCode, byEmail]) expect((await session.send('/change-password')).headers.get('location')).toContain('/login')
	expect(open.asked).toHaveLength(0)
})

import { afterEach, expect, test, vi } from 'vitest'
import { hidden } from '#tests/support/account'
import { openPortalForFile, Visitor } from '#tests/support/portal'
import { listAttributes, readAll, readTitle } from '#tests/support/readers'

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

function change(person: Visitor, old_password: string, new_password: string, confirm_password = new_password) {
	return person.post('/dashboard?dialog=change-password', '/change-password?from=%2Freports%2Fledger', {
		old_password,
		new_password,
		confirm_password,
	})
}

test('any address of the shell can show the dialog, and the rest of the page is then out of reach', async () => {
	const person = await signedIn('DEMO01')
	for (const path of [
		'/?dialog=change-password',
		'/dashboard?year=2025-2026&dialog=change-password',
		'/reports/ledger?q=a&dialog=change-password',
	]) {
		const { html, status } = await person.visit(path)
		expect(status).toBe(200)
		expect(readAll(html, 'dialog[open][aria-modal="true"]')).toHaveLength(1)
		expect(readAll(html, '.shell[inert]')).toHaveLength(1)
		expect(readAll(html, 'dialog label')).toEqual(['Current password', 'New password', 'Confirm password'])
		expect(readAll(html, 'h1')).toHaveLength(1)
	}
	const { html } = await person.visit('/reports/ledger?q=a&dialog=change-password')
	expect(readAll(html, 'dialog a[href="/reports/ledger?q=a"]')).toEqual(['Close'])
	expect(readAll((await person.visit('/dashboard')).html, 'dialog')).toEqual([])
	expect((await person.visit('/dashboard')).html).toContain('/dashboard?dialog=change-password')
})

test('missing and unequal values get the messages of the specification, without a call', async () => {
	const person = await signedIn('DEMO01')
	const empty = await change(person, '', '')
	const html = await empty.text()
	expect(empty.status).toBe(400)
	expect(readTitle(html)).toMatch(/^Error: Change Password · /)
	expect(html).toContain('There is a problem')
	for (const words of ['Current Password is required', 'New Password is required', 'Confirm Password is required'])
		expect(html.split(words).length - 1).toBeGreaterThanOrEqual(2)
	expect(readAll(html, 'a[href="/reports/ledger"]')).toContain('Close')

	const unequal = await change(person, 'Sent#Old99', 'Sent#New99', 'Sent#New98')
	const text = await unequal.text()
	expect(unequal.status).toBe(400)
	const words = 'New password and confirm password must be different'
	expect(readAll(text, '[role=alert] a[href="#change-password-confirm_password"]')).toEqual([words])
	expect(readAll(text, '#change-password-confirm_password-error').join()).toContain(words)
	expect(listAttributes(text, '[aria-invalid="true"]', 'name')).toEqual(['confirm_password'])
	expect(readAll(text, '#change-password-confirm_password-help')).toEqual(['Type the new password again.'])
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
	expect(readAll(html, '.toast.tone-error')).toHaveLength(1)
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
	// The first sentence is in the form and in a toast.
	expect(html.split(said[0]).length - 1).toBeGreaterThanOrEqual(2)
	expect(readAll(html, '.toast.tone-error')).toHaveLength(1)
	expect(html).not.toContain('Password changed')
	open.breakBroker(undefined)
	expect((await person.send('/dashboard')).status).toBe(200)
})

test('success says so and ends every session, and the old password stops working', async () => {
	const [person, other, csv] = [await signedIn('CASH01'), await signedIn('CASH01'), await signedIn('CASH01')]
	const next = ' पासवर्ड, with blanks & ünïcode '
	const done = await change(person, PASSWORD, next)
	expect([done.status, done.headers.get('location')]).toEqual([303, '/login'])
	expect(await asked('/v1/user/update-password')[0]?.json()).toEqual({ old_password: PASSWORD, new_password: next })
	expect((await person.visit('/login')).html).toContain('Password changed successfully. Please log in with your new password.')

	// This page makes no call, so the portal itself must know.
	open.asked.length = 0
	expect((await csv.send('/change-password')).headers.get('location')).toContain('/login')
	expect(open.asked).toHaveLength(0)
	const ended = await other.send('/reports/ledger')
	expect([ended.status, ended.headers.get('location')]).toEqual([302, '/login?redirectTo=%2Freports%2Fledger'])
	expect((await other.visit('/login')).html).toContain('Your password was changed')

	expect((await visitor().login('CASH01', PASSWORD)).status).toBe(422)
	expect((await visitor().login('CASH01', next)).status).toBe(303)
})

test('a 401 of the broker to the form leads back to the page below the dialog after the next login', async () => {
	const person = await signedIn('DEMO01')
	open.breakBroker(({ url }) =>
		url.includes('update-password') ? Response.json({ status: 'error', message: 'Expired', data: null }, { status: 401 }) : undefined,
	)
	const { headers } = await change(person, PASSWORD, 'Other#2345')
	expect(headers.get('location')).toBe('/login?redirectTo=%2Freports%2Fledger')
})

test('a 401 of the broker ends the session with the broker’s message', async () => {
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

test('the sixth guess at the current password is not sent to the broker; logins are counted separately', async () => {
	const person = await signedIn('NEW001')
	for (let guess = 0; guess < 5; guess++) expect((await change(person, `guess ${guess}`, 'Other#2345')).status).toBe(422)
	open.asked.length = 0
	const answer = await change(person, PASSWORD, 'Other#2345')
	expect(answer.status).toBe(429)
	expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60)
	expect(asked('/v1/user/update-password')).toHaveLength(0)
	expect((await visitor().login('NEW001')).status).toBe(303)
})

test('neither the page nor the form leads to another site, and a form without its token is refused', async () => {
	const person = await signedIn('DEMO01')
	for (const from of ['//evil.test', 'https:evil.test', '/\\evil.test', '/change-password']) {
		const { html } = await person.visit(`/change-password?from=${encodeURIComponent(from)}`)
		expect(readAll(html, 'a[href="/dashboard"]')).toContain('Close')
	}
	const fields = { old_password: PASSWORD, new_password: 'Other#2345', confirm_password: 'Other#2345' }
	expect((await person.postRaw('/change-password', fields)).status).toBe(403)
	expect((await visitor().send('/change-password')).headers.get('location')).toBe('/login?redirectTo=%2Fchange-password')
})

test('a keep-alive post does not remove the message that says why the session ended', async () => {
	const [tab, other] = [await signedIn('DEMO01'), await signedIn('DEMO01')]
	const csrf = hidden((await tab.visit('/dashboard')).html, 'csrf')
	expect((await change(other, PASSWORD, 'Other#2345')).headers.get('location')).toBe('/login')
	const told = await tab.postRaw('/session/activity', { csrf }, { 'x-activity': '1', 'sec-fetch-dest': 'empty' })
	expect([told.status, await told.json()]).toEqual([401, { location: expect.stringMatching(/^\/login\?/) as string }])
	expect((await tab.visit('/login')).html).toContain('Your password was changed')
})

test('two presses of the button are one change, and both say that it is done', async () => {
	const person = await signedIn('CLOS01')
	const csrf = hidden((await person.visit('/change-password')).html, 'csrf')
	open.asked.length = 0
	const fields = { csrf, old_password: PASSWORD, new_password: 'Twice#5678', confirm_password: 'Twice#5678' }
	const answers = await Promise.all([1, 2].map(() => person.postRaw('/change-password', fields)))
	expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
		[303, '/login'],
		[303, '/login'],
	])
	expect(asked('/v1/user/update-password')).toHaveLength(1)
})

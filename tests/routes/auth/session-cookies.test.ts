import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { openPortalForFile, Visitor } from '#tests/support/portal'
import { seal } from '~/session/sealed-cookie.server'

/* The session's cookies: where they are valid, who can read or change them, and what they never contain. */

const open = openPortalForFile()
beforeEach(() => {
	open.asked.length = 0
	open.lines.length = 0
})

const visitor = () => new Visitor(open.portal)

async function signedIn(code = 'DEMO01') {
	const person = visitor()
	expect((await person.login(code)).status).toBe(303)
	return person
}

/** The broker's session token. The portal may never show it. */
const tokensSeen = () => [...new Set(open.asked.flatMap((request) => request.headers.get('auth-token') ?? []))]

test('cookies are bound to TLS and this host, unreadable to scripts, and small enough for one session', async () => {
	const person = visitor()
	const answers = [
		await person.login(),
		await person.send('/dashboard'),
		await person.post('/dashboard', '/theme', { theme: 'dark', redirectTo: '/' }),
		await person.post('/dashboard', '/logout', {}),
	]
	const cookies = answers.flatMap((answer) => answer.headers.getSetCookie())
	expect(cookies.length).toBeGreaterThan(4)
	for (const cookie of cookies) {
		// The report link has its own path, which a __Host- name may not have; logout clears it too.
		const isLink = /^__Secure-weblink\d?=/.test(cookie)
		expect(cookie).toMatch(isLink ? /; Path=\/client(;|$)/ : /^__Host-[\w.]+=.*; Path=\/(;|$)/)
		for (const flag of [/; Secure/i, /; HttpOnly/i, /; SameSite=Lax/i]) expect(cookie).toMatch(flag)
		expect(cookie).not.toMatch(/; Domain/i)
		expect(cookie.split(';')[0]?.length).toBeLessThan(4096)
	}
})

test('the session cookie cannot be read, and no two are alike', async () => {
	const [a, b] = [await signedIn(), await signedIn()].map((person) => person.cookies.get('__Host-session') ?? '')
	await (await signedIn()).visit('/dashboard')
	expect(tokensSeen().length).toBeGreaterThan(0)
	for (const part of (a ?? '').split('.')) {
		for (const encoding of ['base64url', 'base64', 'hex'] as const) {
			const text = Buffer.from(part, encoding).toString('latin1')
			expect(text).not.toMatch(/DEMO01|clientCode|authToken/)
		}
	}
	const tail = (value = '') => value.split('.').slice(2).join('.')
	expect([...tail(a)].filter((letter, index) => letter === tail(b)[index]).length).toBeLessThan(tail(a).length * 0.1)
})

test.for<[string, (value: string) => string]>([
	['its first letter changed', (value) => `X${value.slice(1)}`],
	[
		'its middle changed',
		(value) => `${value.slice(0, value.length / 2)}${value.at(value.length / 2) === 'A' ? 'B' : 'A'}${value.slice(value.length / 2 + 1)}`,
	],
	['its last letter changed', (value) => `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`],
	['a part missing', (value) => value.slice(0, -20)],
	['doubled', (value) => value + value],
	['e30=', () => 'e30='],
	['JSON', () => '{"clientCode":"DEMO01"}'],
	['broken escapes', () => '%FF%FE'],
	['five kilobytes', () => 'A'.repeat(5000)],
])('a session cookie with %s is no session', async ([, change]) => {
	const person = await signedIn()
	person.cookies.set('__Host-session', change(person.cookies.get('__Host-session') ?? ''))
	const answer = await person.send('/dashboard')
	expect([answer.status, answer.headers.get('location')]).toEqual([302, '/login?redirectTo=%2Fdashboard'])
	expect(answer.headers.getSetCookie().join()).toContain('__Host-session=; Max-Age=0')
})

test.for<[string, (good: string) => [string, string]]>([
	['a good one first', (good) => [good, 'e30=']],
	['a good one last', (good) => ['e30=', good]],
	['the same one twice', (good) => [good, good]],
])('two session cookies of one name are no session: %s', async ([, pick]) => {
	const person = await signedIn()
	const [first, second] = pick(person.cookies.get('__Host-session') ?? '')
	const activity = `__Host-activity=${person.cookies.get('__Host-activity')}`
	const answer = await person.send('/dashboard', { headers: { cookie: `__Host-session=${first}; ${activity}; __Host-session=${second}` } })
	expect([answer.status, answer.headers.get('location')]).toEqual([302, '/login?redirectTo=%2Fdashboard'])
	expect(answer.headers.getSetCookie().join()).toContain('__Host-session=; Max-Age=0')
})

test('a value sealed for another purpose is no session', async () => {
	const person = await signedIn()
	const session = {
		authToken: 'x'.repeat(20),
		token: 'x',
		clientCode: 'DEMO01',
		userName: 'X',
		userId: 'X',
		sessionId: 'x',
		product: 'X',
		isDormate: false,
		id: randomUUID(),
		startedAt: Date.now(),
	}
	person.cookies.set('__Host-session', await seal('toast', JSON.stringify(session)))
	expect((await person.send('/dashboard')).headers.get('location')).toContain('/login')
})

test('login ignores all cookies of its request', async () => {
	const attacker = await signedIn('CASH01')
	const person = visitor()
	for (const [name, value] of attacker.cookies) person.cookies.set(name, value)
	await person.post('/error404', '/logout', {})
	for (const [name, value] of attacker.cookies) if (/session|activity/.test(name)) person.cookies.set(name, value)
	await person.login('DEMO01')
	expect(person.cookies.get('__Host-session')).not.toBe(attacker.cookies.get('__Host-session'))
	expect((await person.visit('/dashboard')).html).toContain('DEMO01')
})

test('the broker’s token is in no page, no data and no header except the sealed cookie', async () => {
	const person = await signedIn()
	const pages = await Promise.all(
		['/dashboard', '/dashboard.data', '/reports/ledger', '/reports/ledger.data', '/reports/ledger/deducted'].map((path) =>
			person.send(path),
		),
	)
	const texts = await Promise.all(pages.map(async (page) => JSON.stringify([...page.headers]) + (await page.text())))
	const tokens = tokensSeen()
	expect(tokens.length).toBeGreaterThan(0)
	for (const text of texts) for (const token of tokens) expect(text).not.toContain(token)
	for (const line of open.lines) for (const token of tokens) expect(line).not.toContain(token)
})

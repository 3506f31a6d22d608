import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPortalForFile, Visitor } from '#tests/support/portal'
import { findAttribute, readText } from '#tests/support/readers'

const open = openPortalForFile()
beforeEach(() => {
	open.asked.length = 0
	open.lines.length = 0
})
afterEach(() => {
	open.breakBroker(undefined)
	vi.useRealTimers()
})

const visitor = () => new Visitor(open.portal)
const asked = (path: string) => open.asked.filter((request) => new URL(request.url).pathname === path)
const answering = (status: number, message: string) => () => Response.json({ status: 'error', message, data: null }, { status })

async function signedIn(code = 'DEMO01') {
	const person = visitor()
	expect((await person.login(code)).status).toBe(303)
	return person
}

test('after logout a copied cookie stops working everywhere, and the broker was called once', async () => {
	const person = await signedIn()
	const copy = visitor()
	for (const [name, value] of person.cookies) copy.cookies.set(name, value)
	const answer = await person.post('/dashboard', '/logout', {})
	expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login'])
	expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"')
	expect(asked('/v2/user/logout')).toHaveLength(1)
	for (const path of ['/dashboard', '/reports/ledger', '/downloads/ledger/csv']) {
		copy.cookies.set('__Host-session', copy.cookies.get('__Host-session') ?? '')
		const dead = await copy.send(path, { headers: { cookie: [...copy.cookies].map(([name, value]) => `${name}=${value}`).join('; ') } })
		expect(dead.headers.get('location'), path).toContain('/login')
	}
	expect((await person.visit('/login')).html).toContain('You have been logged out.')
})

test('a new session begins with the current financial year, also for another client of the same browser', async () => {
	const person = await signedIn('DEBT01')
	const readYear = async () => findAttribute((await person.visit('/dashboard')).html, 'select[name="year"] option[selected]', 'value')
	const current = await readYear()
	await person.visit('/dashboard?year=2023-2024')
	expect(await readYear()).toBe('2023-2024')
	await person.post('/dashboard', '/logout', {})
	await person.login('CASH01')
	expect(await readYear()).toBe(current)
})

test.for<[string, () => Response | Promise<Response>]>([
	['500', answering(500, 'no')],
	['503', answering(503, 'no')],
	['nothing', () => new Promise<Response>(() => {})],
])('logout ends the session in the portal when the broker answers %s, and a message says so', async ([, answer]) => {
	const person = await signedIn()
	const copy = visitor()
	for (const [name, value] of person.cookies) copy.cookies.set(name, value)
	open.breakBroker((request) => (request.url.includes('/v2/user/logout') ? answer() : undefined))
	await person.post('/dashboard', '/logout', {})
	expect((await person.visit('/login')).html).toContain('Logout failed. Please,try again.')
	expect((await person.send('/dashboard')).headers.get('location')).toContain('/login')
	// The broker has not ended the token, so only the portal can refuse a copied cookie.
	expect((await copy.send('/change-password')).headers.get('location')).toContain('/login')
})

test('a GET to the logout address changes nothing', async () => {
	const person = await signedIn()
	await person.send('/logout')
	expect((await person.send('/dashboard')).status).toBe(200)
})

test('two hours without activity end the session on the server; a page every hour and 59 minutes does not', async () => {
	const person = await signedIn()
	vi.useFakeTimers({ toFake: ['Date'] })
	const minutes = (count: number) => vi.setSystemTime(Date.now() + count * 60_000)
	minutes(119)
	expect((await person.send('/reports/ledger')).status).toBe(200)
	minutes(119)
	expect((await person.send('/reports/ledger')).status).toBe(200)
	minutes(121)
	const answer = await person.send('/reports/ledger')
	expect(answer.headers.get('location')).toBe('/login?redirectTo=%2Freports%2Fledger&reason=idle')
	expect((await person.visit('/login?reason=idle')).html).toContain('You were logged out after 2 hours without activity.')
})

test.for([
	['the timer of a page', { reason: 'idle' }, '/logout'],
	['a person who presses Logout', {}, '/logout'],
	['a visit', undefined, '/reports/ledger'],
] as const)('an idle session that %s ends is dead for a copy of its cookies that was in use', async ([who, fields, path]) => {
	const person = await signedIn()
	const csrf = findAttribute((await person.visit('/dashboard')).html, 'input[name="csrf"]', 'value') ?? ''
	const copy = visitor()
	for (const [name, value] of person.cookies) copy.cookies.set(name, value)
	vi.useFakeTimers({ toFake: ['Date'] })
	vi.setSystemTime(Date.now() + 119 * 60_000)
	expect((await copy.send('/reports/ledger')).status).toBe(200)
	vi.setSystemTime(Date.now() + 2 * 60_000)
	const ended = fields ? await person.postRaw(path, { csrf, ...fields }) : await person.send(path)
	expect(ended.headers.get('location')).toContain('reason=idle')
	if (fields) expect(ended.status).toBe(303)
	expect((await copy.send('/reports/ledger')).headers.get('location')).toContain('/login')
	// A visit cannot wait for the broker; the token is in dead cookies only.
	expect(asked('/v2/user/logout'), who).toHaveLength(fields ? 1 : 0)
})

test('an answer of the session check about another client changes nothing', async () => {
	const person = await signedIn()
	open.rewriteCalls('/v2/user/verify-user', ({ data }) => void Object.assign(data as object, { clientCode: 'CASH01', isDormate: true }))
	expect((await person.send('/dashboard')).status).toBe(200)
	open.rewriteCalls('/v2/user/verify-user', ({ data }) => void Object.assign(data as object, { isDormate: true }))
	// The portal repeats a check without an answer after ten seconds.
	const now = performance.now.bind(performance)
	vi.spyOn(performance, 'now').mockImplementation(() => now() + 11_000)
	// The cache of checks sees the new time within a millisecond.
	await vi.waitFor(async () => expect((await person.send('/dashboard')).headers.get('location')).toBe('/rekyc'))
	vi.restoreAllMocks()
})

test('a session that began while the clock was six hours ahead is not longer than twelve hours', async () => {
	vi.useFakeTimers({ toFake: ['Date'] })
	const now = Date.now()
	vi.setSystemTime(now + 6 * 3_600_000)
	const person = await signedIn()
	expect((await person.send('/reports/ledger')).status).toBe(200)
	vi.setSystemTime(now)
	expect((await person.send('/reports/ledger')).headers.get('location')).toContain('/login')
})

test('twelve hours end the session, however active; a clock set back by an hour does not', async () => {
	const person = await signedIn()
	vi.useFakeTimers({ toFake: ['Date'] })
	vi.setSystemTime(Date.now() - 3_600_000)
	expect((await person.send('/reports/ledger')).status).toBe(200)
	vi.setSystemTime(Date.now() + 3_600_000)
	for (let hour = 1; hour < 12; hour++) {
		vi.setSystemTime(Date.now() + 3_600_000)
		open.breakBroker((request) =>
			request.url.includes('verify-user')
				? answering(500, 'x')()
				: request.url.includes('/reports/ledger')
					? Response.json({ status: 'success', message: '', data: { filtered_df: [], totals_df: [{ DR_AMT: 0, CR_AMT: 0, BALANCE: 0 }] } })
					: answering(500, 'x')(),
		)
		expect((await person.send('/reports/ledger')).status).toBe(200)
	}
	vi.setSystemTime(Date.now() + 3_600_000)
	const location = (await person.send('/reports/ledger')).headers.get('location') ?? ''
	expect(location).toBe('/login?redirectTo=%2Freports%2Fledger&reason=limit')
	expect(readText((await person.visit(location)).html)).toContain(
		'You were logged out 12 hours after you logged in. Log in again to continue.',
	)
})

test('the last quarter of an hour of the twelve hours shows when the session ends', async () => {
	vi.useFakeTimers({ toFake: ['Date'] })
	// 21:58 in India, so the session ends at 09:58.
	const start = Date.parse('2026-11-22T16:28:00Z')
	vi.setSystemTime(start)
	const late = await signedIn()
	const textAt = async (minutes: number) => {
		vi.setSystemTime(start + minutes * 60_000)
		return readText((await late.visit('/reports/ledger')).html)
	}
	for (let hour = 1; hour < 12; hour++) expect(await textAt(hour * 60)).not.toContain('You will be logged out')
	// 12 hours less 16 minutes, and less 14.
	expect(await textAt(704)).not.toContain('You will be logged out')
	expect(await textAt(706)).toContain(
		'You will be logged out at 09:58 IST, 12 hours after you logged in. Finish what you are doing before then.',
	)
})

test('a slow response does not restore an old session', async () => {
	const person = await signedIn()
	let release: () => void = () => {}
	const held = new Promise<void>((resolve) => (release = resolve))
	open.breakBroker(async (request) => {
		if (request.url.includes('/v2/dashboard/holding')) await held
		return undefined as never
	})
	const before = person.cookieHeader()
	const slow = person.send('/dashboard', { headers: { cookie: before } })
	await person.post('/reports/ledger', '/logout', {})
	release()
	await slow
	expect((await person.send('/dashboard')).headers.get('location')).toContain('/login')
})

test('a 401 on any call signs out with the broker’s message, at once for a document', async () => {
	const person = await signedIn()
	open.breakBroker((request) =>
		request.url.includes('/v2/dashboard/holding') ? answering(401, 'Session ended because of a login elsewhere')() : undefined,
	)
	const answer = await person.send('/dashboard')
	expect([answer.status, answer.headers.get('location')]).toEqual([302, '/login?redirectTo=%2Fdashboard'])
	expect((await person.visit('/login')).html).toContain('Session ended because of a login elsewhere')
})

test('a 401 without a message says that the token has expired, and a script waits two seconds', async () => {
	const person = await signedIn()
	open.breakBroker((request) => (request.url.includes('/reports/ledger') ? new Response(null, { status: 401 }) : undefined))
	const answer = await person.send('/reports/ledger.data', { headers: { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' } })
	const text = await answer.text()
	expect(text).toContain('Token has expired, Pls Login again!')
	expect(text).toContain('/login?redirectTo=%2Freports%2Fledger')
	expect(answer.headers.getSetCookie().join()).toContain('__Host-session=; Max-Age=0')
})

test.for([400, 403, 404, 409, 422, 429, 500, 502, 503])('%i on every call except verify-user ends no session', async (status) => {
	const person = await signedIn()
	open.breakBroker((request) => (request.url.includes('verify-user') ? undefined : answering(status, 'Not now')()))
	await person.send('/dashboard')
	await person.send('/reports/ledger')
	open.breakBroker(undefined)
	expect((await person.send('/dashboard')).status).toBe(200)
})

test.for([400, 401, 403, 404, 422])('verify-user answering %i ends the session with the broker’s message', async (status) => {
	const person = await signedIn()
	open.breakBroker((request) => (request.url.includes('verify-user') ? answering(status, 'This session is not valid')() : undefined))
	expect((await person.send('/dashboard')).headers.get('location')).toContain('/login')
	expect((await person.send('/reports/ledger')).headers.get('location')).toContain('/login')
	expect((await person.visit('/login')).html).toContain('This session is not valid')
})

test.for<[string, () => Response]>([
	['403 and {}', () => Response.json({}, { status: 403 })],
	['400 and HTML', () => new Response('<html>', { status: 400 })],
	['422 in other words', () => Response.json({ error: 'x' }, { status: 422 })],
])('verify-user answering %s ends the session', async ([, answer]) => {
	const person = await signedIn()
	open.breakBroker((request) => (request.url.includes('verify-user') ? answer() : undefined))
	expect((await person.send('/dashboard')).headers.get('location')).toContain('/login')
	expect((await person.visit('/login')).html).toContain('Please log in again.')
})

test.for<[string, () => Response]>([
	['429', answering(429, 'Slow down')],
	['500', answering(500, 'Oops')],
	['HTML', () => new Response('<html>')],
	['half a JSON', () => new Response('{"status":')],
])('verify-user answering %s does not end the session', async ([, answer]) => {
	const person = await signedIn()
	open.breakBroker((request) => (request.url.includes('verify-user') ? answer() : undefined))
	expect((await person.send('/dashboard')).status).toBe(200)
})

test.for<[string, () => Response | Promise<Response>]>([
	['fails', answering(500, 'Oops')],
	['hangs', () => new Promise<Response>(() => {})],
])('verify-user that %s is not called again by every page', async ([, answer]) => {
	const person = await signedIn()
	open.breakBroker((request) => (request.url.includes('verify-user') ? answer() : undefined))
	for (const path of ['/dashboard', '/reports/ledger', '/dashboard']) expect((await person.send(path)).status).toBe(200)
	expect(asked('/v2/user/verify-user')).toHaveLength(1)
})

test('the broker is asked about a session at most once a minute', async () => {
	const person = await signedIn()
	for (const path of ['/dashboard', '/reports/ledger', '/dashboard']) await person.send(path)
	expect(asked('/v2/user/verify-user')).toHaveLength(1)
})

test('a dormant client reaches only re-KYC and logout', async () => {
	const person = await signedIn('DORM01')
	for (const path of ['/', '/dashboard', '/reports/ledger', '/reports/ledger.data', '/reports/ledger/deducted', '/downloads/ledger/pdf']) {
		const answer = await person.send(path)
		expect(answer.headers.get('location') ?? (await answer.text()), path).toContain('/rekyc')
	}
	const { html } = await person.visit('/rekyc')
	expect(html).toContain('Re-KYC required')
	expect(html).toContain('Start re-KYC')
	expect((await person.post('/rekyc', '/logout', {})).headers.get('location')).toBe('/login')
})

test('no header of the visitor reaches the broker, and none of the broker’s reaches the visitor', async () => {
	const person = new Visitor(open.portal, { 'x-forwarded-for': '10.1.1.1', 'x-secret': 'visitor' })
	await person.login()
	open.breakBroker((request) =>
		request.url.includes('/v2/dashboard/holding')
			? Response.json(
					{ status: 'success', message: '', data: { total_amount: 1, invested_amount: 1, day_change: 0 } },
					{ headers: { 'set-cookie': 'evil=1', 'x-broker-secret': '1', server: 'backoffice' } },
				)
			: undefined,
	)
	const answer = await person.send('/dashboard')
	expect(answer.headers.get('x-broker-secret')).toBeNull()
	expect(answer.headers.getSetCookie().join()).not.toContain('evil')
	for (const request of open.asked)
		expect([...request.headers.keys()].filter((name) => /cookie|forwarded|origin|referer|x-secret|sec-fetch/.test(name))).toEqual([])
})

import { beforeEach, expect, test } from 'vitest'
import { openPortalForFile, ORIGIN, Visitor } from '#tests/support/portal'
import { findAttribute, firstLink, hidden, listAttributes, readAll, readText, readTitle } from '#tests/support/readers'

const open = openPortalForFile()
beforeEach(() => {
	open.asked.length = 0
	open.lines.length = 0
})

const visitor = (headers?: Record<string, string>) => new Visitor(open.portal, headers)
const asked = (path: string) => open.asked.filter((request) => new URL(request.url).pathname === path)
const tokenIn = (html: string) => hidden(html, 'csrf')

test('a page ends with its document, and nothing follows it', async () => {
	const { html } = await visitor().visit('/login')
	expect(html.endsWith('</body></html>')).toBe(true)
	expect(html.split('</html>')).toHaveLength(2)
	expect(html).toContain('streamController')
})

test('a token works in one browser, and only before or only after the login', async () => {
	const [person, other] = [visitor(), visitor()]
	const before = tokenIn((await person.visit('/login')).html)
	const others = tokenIn((await other.visit('/login')).html)
	for (const csrf of ['', 'x', others])
		expect((await person.postRaw('/login', { csrf, username: 'DEMO01', password: 'Demo@1234' })).status).toBe(403)
	expect(open.asked).toHaveLength(0)
	await person.login()
	expect((await person.postRaw('/theme', { csrf: before, theme: 'dark' })).status).toBe(403)
	const inside = tokenIn((await person.visit('/dashboard')).html)
	await person.postRaw('/logout', { csrf: inside })
	expect((await person.postRaw('/theme', { csrf: inside, theme: 'dark' })).status).toBe(403)
})

test('a tab of an earlier session logs out, when the browser says that its page is ours', async () => {
	const person = visitor()
	await person.login()
	const old = tokenIn((await person.visit('/dashboard')).html)
	// Another tab logs in again.
	await person.login()
	expect((await person.postRaw('/logout', { csrf: old }, { 'sec-fetch-site': 'none' })).status).toBe(403)
	expect((await person.visit('/dashboard')).status).toBe(200)
	const answer = await person.postRaw('/logout', { csrf: old })
	expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login'])
	expect((await person.send('/dashboard')).headers.get('location')).toContain('/login')
})

test('a second login form leads into the session of the first, when the browser says that its page is ours', async () => {
	const person = visitor()
	const csrf = tokenIn((await person.visit('/login')).html)
	await person.login()
	open.asked.length = 0
	const form = { csrf, username: 'CASH01', password: 'Demo@1234', redirectTo: '/reports/ledger' }
	expect((await person.postRaw('/login', form, { 'sec-fetch-site': 'none' })).status).toBe(403)
	const answer = await person.postRaw('/login', form)
	expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard'])
	expect(asked('/v2/user/login')).toEqual([])
	expect(readText((await person.visit('/dashboard')).html)).toContain('You are logged in already.')
})

test('a file asked for before the login is offered by a page after it', async () => {
	const person = visitor()
	const file = '/downloads/ledger/csv?year=2024-2025'
	const to = (await person.send(file)).headers.get('location') ?? ''
	expect(to).toBe(`/login?${new URLSearchParams({ redirectTo: file })}`)
	const redirectTo = findAttribute((await person.visit(to)).html, '#login [name="redirectTo"]', 'value')
	const place = (await person.post(to, '/login', { username: 'DEMO01', password: 'Demo@1234', redirectTo })).headers.get('location') ?? ''
	const { html, status } = await person.visit(place)
	expect([status, readTitle(html)]).toEqual([200, 'Downloads · Khata'])
	const link = firstLink(html, file)
	expect((await person.send(link)).headers.get('content-type')).toContain('text/csv')
	// The address offers nothing but our files.
	for (const wrong of ['https://evil.test/downloads/x', '//evil.test/downloads/x', '/logout', 'javascript:alert(1)'])
		expect((await person.visit(`/reports/downloads?${new URLSearchParams({ file: wrong })}`)).html).not.toContain('Download it')
})

test('a hundred tabs and the back button share the token', async () => {
	const person = visitor()
	await person.login()
	const first = tokenIn((await person.visit('/dashboard')).html)
	for (let tab = 0; tab < 100; tab++) expect(tokenIn((await person.visit('/error404')).html)).toBe(first)
	expect((await person.postRaw('/theme', { csrf: first, theme: 'light' })).status).toBe(303)
	expect((await person.postRaw('/theme', { csrf: first, theme: 'dark' })).status).toBe(303)
})

test('two browsers of one client have two sessions, and a logout ends only one', async () => {
	const [phone, desk] = [visitor(), visitor()]
	await phone.login()
	await desk.login()
	await phone.post('/dashboard', '/logout', {})
	expect((await phone.send('/dashboard')).status).toBe(302)
	expect((await desk.send('/dashboard')).status).toBe(200)
})

test('cookies are cleared with the flags they were set with', async () => {
	const person = visitor()
	await person.login()
	// The key of a form, whose name may contain a reference.
	await person.visit('/funds')
	const cleared = (await person.post('/dashboard', '/logout', {})).headers.getSetCookie().filter((cookie) => cookie.includes('Max-Age=0'))
	expect(cleared.map((cookie) => cookie.split('=')[0]).sort()).toEqual([
		'__Host-activity',
		'__Host-once-pay-in',
		'__Host-session',
		'__Secure-weblink',
		'__Secure-weblink2',
		'__Secure-weblink3',
	])
	for (const cookie of cleared) for (const flag of ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax']) expect(cookie).toContain(flag)
})

test('the reply to a wrong password does not reveal which codes exist', async () => {
	const shapes = []
	for (const code of ['CASH01', 'DORM01', 'NOBODY7']) {
		const answer = await visitor().login(code, 'wrong')
		const text = (await answer.text())
			.replaceAll(code, 'CODE')
			.replace(/nonce="[^"]+"|value="eyJ[^"]+"|value="[\w.-]{43}"|[0-9A-F]{4}-[0-9A-F]{6}|\\"[\w-]{43}\\"/g, '')
		shapes.push({
			status: answer.status,
			names: [...answer.headers.keys()].sort(),
			cookies: answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0]),
			text,
		})
	}
	expect(shapes[1]).toEqual(shapes[0])
	expect(shapes[2]).toEqual(shapes[0])
})

test('a locked code keeps its sessions, and stays locked for another address', async () => {
	const person = visitor()
	await person.login('DEBT01')
	for (let times = 0; times < 5; times++) await visitor({ 'x-forwarded-for': `10.0.0.${times}` }).login('DEBT01', 'wrong')
	expect((await visitor({ 'x-forwarded-for': '10.9.9.9' }).login('DEBT01')).status).toBe(429)
	expect((await person.send('/dashboard')).status).toBe(200)
})

test('the limits count posts to every spelling of the login address', async () => {
	for (const address of ['/login?index', '/login/', '/login?redirectTo=%2F', '/login', '/login'])
		await visitor().post('/login', address, { username: 'NOBODY9', password: 'wrong' })
	open.asked.length = 0
	for (const address of ['/login', '/login/', '/login?index'])
		expect((await visitor().post('/login', address, { username: 'nobody9', password: 'wrong' })).status).toBe(429)
	expect(open.asked).toHaveLength(0)
})

test.for([
	['no boundary', 'multipart/form-data', 'x'],
	['a boundary that never comes', 'multipart/form-data; boundary=b', 'x'],
	['half a form', 'multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="username"\r\n\r\nDEMO'],
] as const)('a form with %s is refused with 400, without a call', async ([, type, body]) => {
	const headers = { 'content-type': type, origin: ORIGIN }
	for (const address of ['/login', '/forgot-password']) {
		const answer = await visitor().send(address, { method: 'POST', body, headers })
		expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('was not fully received')])
	}
	expect(open.asked).toHaveLength(0)
})

test('five of sixty simultaneous wrong passwords reach the broker', async () => {
	const people = await Promise.all(
		Array.from({ length: 60 }, async () => {
			const person = visitor()
			return { person, csrf: tokenIn((await person.visit('/login')).html) }
		}),
	)
	open.asked.length = 0
	const answers = await Promise.all(
		people.map(({ person, csrf }) => person.postRaw('/login', { csrf, username: 'NOBODY8', password: 'wrong' })),
	)
	expect(open.asked).toHaveLength(5)
	expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(5).fill(422), ...Array<number>(55).fill(429)])
	for (const answer of answers.filter(({ status }) => status === 429)) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60)
})

test.for(['//evil.test', 'https:evil.test', '/\\evil.test', '/%5Cevil.test', 'javascript:alert(1)', '/login', '/\t/evil.test'])(
	'logging in never leads to %s',
	async (wanted) => {
		const asked = await visitor().visit(`/login?redirectTo=${encodeURIComponent(wanted)}`)
		// The form's field is the last one. The theme control also has one, which leads back to this page.
		expect(listAttributes(asked.html, '[name="redirectTo"]', 'value').at(-1)).toBe('/dashboard')
		expect((await visitor().login('DEMO01', 'Demo@1234', wanted)).headers.get('location')).toBe('/dashboard')
	},
)

test.for([
	['a long password', 'DEMO01', 'p'.repeat(10_000)],
	['a code of another kind', '../etc', 'x'],
	['full-width digits', 'ＤＥＭＯ０１', 'x'],
	['a code with a line break', 'DEMO01\r\n{"event":"login"}', 'x'],
] as const)('%s is answered in the form, and the broker is not asked', async ([, username, password]) => {
	const answer = await visitor().login(username, password)
	expect(answer.status).toBe(400)
	expect(await answer.text()).toContain('There is a problem')
	expect(open.asked).toHaveLength(0)
	for (const line of open.lines) expect(() => JSON.parse(line) as unknown).not.toThrow()
})

test('a login while the broker is down says that the password is not the problem', async () => {
	open.breakBroker((request) => (request.url.includes('/login') ? new Response('<html>', { status: 500 }) : undefined))
	const answer = await visitor().login()
	expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('Nothing is wrong with your password') as string])
	open.breakBroker(undefined)
})

test.for([400, 401, 403])(
	'a login that the broker refuses with %i and no message says that the code or the password is wrong',
	async (status) => {
		open.failCalls('/v2/user/login', () => new Response(null, { status }))
		const answer = await visitor().login(`BARE${status}`, 'wrong')
		const html = await answer.text()
		expect([answer.status, html]).toEqual([422, expect.stringContaining('The client code or the password is not right') as string])
		expect(html).not.toContain('Nothing is wrong with your password')
		open.breakBroker(undefined)
	},
)

test.for([404, 429])('a login that gets %i without a message does not blame the password', async (status) => {
	open.failCalls('/v2/user/login', () => new Response(null, { status }))
	expect(await (await visitor().login(`BARE${status}`, 'wrong')).text()).not.toContain('password is not right')
	open.breakBroker(undefined)
})

test('each request is one log line, under the reference in its reply', async () => {
	const person = visitor({ 'user-agent': 'secret-agent' })
	const answer = await person.send('/login?UserId=secret-user&SessionId=secret-session')
	const line = JSON.parse(open.lines.at(-1) ?? '{}') as Record<string, unknown>
	expect(line).toMatchObject({
		event: 'request',
		method: 'GET',
		path: '/login',
		status: 200,
		reference: answer.headers.get('x-request-id'),
	})
	expect(JSON.stringify(line)).not.toMatch(/secret/)
})

test('a visitor cannot choose the reference or the address that the log shows', async () => {
	const answer = await visitor({ 'x-request-id': 'FORGED', 'x-forwarded-for': '6.6.6.6' }).send('/login')
	expect(answer.headers.get('x-request-id')).not.toBe('FORGED')
	expect(open.lines.at(-1)).not.toMatch(/FORGED|6\.6\.6\.6/)
})

test('no CORS for any origin', async () => {
	const preflight = await open.portal.request(`${ORIGIN}/login`, {
		method: 'OPTIONS',
		headers: { host: 'portal.test', origin: 'https://evil.test', 'access-control-request-method': 'POST' },
	})
	expect(preflight.status).toBe(403)
	expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('login leads to the dashboard, or to the page the client wanted', async () => {
	const answer = await visitor().login()
	expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard'])
	const person = visitor()
	const sent = await person.send('/reports/ledger?q=bill')
	expect([sent.status, sent.headers.get('location')]).toEqual([302, '/login?redirectTo=%2Freports%2Fledger%3Fq%3Dbill'])
	expect((await person.login('demo01', 'Demo@1234', '/reports/ledger?q=bill')).headers.get('location')).toBe('/reports/ledger?q=bill')
	expect((await person.send('/login')).headers.get('location')).toBe('/dashboard')
})

test('a wrong password shows the broker’s message, keeps the code, never the password; status 422', async () => {
	const answer = await visitor().login('CASH01', 'Wrong#9876')
	const html = await answer.text()
	expect(answer.status).toBe(422)
	expect(html).toContain('There is a problem')
	expect(html).toContain('Invalid username or password')
	expect(html).toContain('value="CASH01"')
	expect(readTitle(html)).toMatch(/^Error: Login · /)
	expect(html).not.toContain('Wrong#9876')
	expect(answer.headers.getSetCookie().join()).not.toContain('session=')
})

test('missing values are shown at their field and linked from the summary', async () => {
	const answer = await visitor().login('', '')
	const html = await answer.text()
	expect(answer.status).toBe(400)
	expect(asked('/v2/user/login')).toHaveLength(0)
	for (const words of ['Enter your client code', 'Enter your password']) expect(html.split(words).length - 1).toBeGreaterThanOrEqual(2)
	expect(readAll(html, 'a[href="#login-username"]')).toEqual(['Enter your client code'])
	expect(listAttributes(html, 'input[aria-invalid="true"]', 'name')).toEqual(['username', 'password'])
})

test('the sixth wrong password of one code is not sent to the broker, however the code is written', async () => {
	const spellings = ['NEW001', 'new001', ' New001 ', 'NEW001', 'nEW001']
	const wrong = []
	for (const code of spellings) wrong.push((await visitor().login(code, 'x')).status)
	expect(new Set(wrong)).toEqual(new Set([422]))
	open.asked.length = 0
	const answer = await visitor().login('NEW001', 'Demo@1234')
	expect(answer.status).toBe(429)
	expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60)
	expect(await answer.text()).toContain('Too many wrong passwords')
	expect(asked('/v2/user/login')).toHaveLength(0)
	expect((await visitor().login('DEMO01')).status).toBe(303)
})

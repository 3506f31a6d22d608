import { pino } from 'pino'
import { beforeEach, expect, test, vi } from 'vitest'
import { createPortal } from '#server/portal'
import { loadPortal } from '#tests/support/built-portal'
import { openPortalForFile, ORIGIN, Visitor } from '#tests/support/portal'
import { settings } from '~/config/env.server'
import { hidden } from '#tests/support/readers'

const open = openPortalForFile()
beforeEach(() => void (open.asked.length = 0))

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const POSTS = [
	'/login',
	'/login.data',
	'/login?index',
	'/login?_data=routes%2Fauth%2Flogin',
	'/logout',
	'/theme',
	'/session/activity',
	'/dashboard',
	'/downloads/ledger/csv',
]

const strangers: [string, Record<string, string>][] = [
	['another origin', { origin: 'https://evil.test' }],
	['origin null', { origin: 'null' }],
	['a sibling', { origin: 'https://other.portal.test' }],
	['our name as a prefix', { origin: 'https://portal.test.evil.test' }],
	['another port', { origin: 'https://portal.test:8443' }],
	['plain http', { origin: 'http://portal.test' }],
	['a forwarded host', { origin: 'https://evil.test', 'x-forwarded-host': 'evil.test' }],
	['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
	['a same-site fetch', { 'sec-fetch-site': 'same-site' }],
	['another site’s page', { referer: 'https://evil.test/page' }],
]

/** One request without browser headers. */
const bare = (path: string, init: RequestInit) =>
	open.portal.request(ORIGIN + path, { ...init, headers: { host: 'portal.test', ...(init.headers as Record<string, string>) } })

test.for(strangers)('every address refuses a post from %s, and makes no broker call', async ([, headers]) => {
	for (const path of POSTS) {
		const answer = await bare(path, { method: 'POST', body: 'username=DEMO01&password=x', headers: { ...FORM, ...headers } })
		expect(answer.status, path).toBe(403)
	}
	for (const method of ['PUT', 'PATCH', 'DELETE'])
		expect((await bare('/login', { method, body: 'a=b', headers: { ...FORM, ...headers } })).status).toBe(403)
	expect(open.asked).toHaveLength(0)
})

test('a text browser, which sends no origin, needs the form’s token', async () => {
	for (const path of ['/login', '/logout', '/theme']) {
		const answer = await bare(path, { method: 'POST', body: 'username=DEMO01&password=Demo%401234', headers: FORM })
		expect(answer.status, path).toBe(403)
	}
	expect(open.asked).toHaveLength(0)
	expect(open.lines.filter((line) => line.includes('Demo@1234'))).toEqual([])
})

test('a post from another site writes an audit line with the address and the reference', async () => {
	open.lines.length = 0
	const answer = await bare('/funds/withdraw?x=1', { method: 'POST', body: 'amount=5', headers: { ...FORM, origin: 'https://evil.test' } })
	const lines = open.lines.map((line) => JSON.parse(line) as Record<string, unknown>)
	expect(lines.filter(({ event }) => event === 'csrf_refused')).toEqual([
		expect.objectContaining({ level: 40, reference: answer.headers.get('x-request-id'), address: 'unknown', code: 'another_site' }),
	])
	expect(open.lines.join('')).not.toMatch(/evil\.test|amount/)
})

test('accepts the portal’s own origin', async () => {
	const visitor = new Visitor(open.portal)
	expect((await visitor.post('/login', '/theme', { theme: 'dark', redirectTo: '/login' })).status).toBe(303)
})

test.for([
	['PUT', 405],
	['PATCH', 405],
	['DELETE', 405],
	['OPTIONS', 405],
] as const)('refuses the method %s', async ([method, status]) => {
	expect((await bare('/login', { method, headers: { origin: ORIGIN, ...FORM } })).status).toBe(status)
})

test('does not read a body of a type other than a form', async () => {
	const post = (headers: Record<string, string>, body = '{}') =>
		bare('/login', { method: 'POST', body, headers: { origin: ORIGIN, ...headers } })
	expect((await post({ 'content-type': 'text/plain' })).status).toBe(403)
	expect((await post({ 'content-type': 'application/json' })).status).toBe(415)
	expect((await post({ ...FORM, 'content-encoding': 'gzip' })).status).toBe(415)
	expect((await post(FORM, `username=${'a'.repeat(120_000)}`)).status).toBe(413)
})

test('knows its own host name in other letters and with the usual port', async () => {
	const statuses = []
	for (const host of ['Portal.Test', 'portal.test:443', 'portal.test:80', 'portal.test.', 'a@portal.test', 'portal.test/', ''])
		statuses.push([host, (await open.portal.request(`${ORIGIN}/login`, { headers: { host } })).status])
	expect(statuses).toEqual([
		['Portal.Test', 200],
		['portal.test:443', 200],
		['portal.test:80', 421],
		['portal.test.', 421],
		['a@portal.test', 421],
		['portal.test/', 421],
		['', 421],
	])
})

test('refuses requests for another host name', async () => {
	const answer = await open.portal.request('https://evil.test/login', { headers: { host: 'evil.test' } })
	expect(answer.status).toBe(421)
})

test.for(['cross-site', 'same-site'])('a %s page cannot load data or files, but may link to a page', async (site) => {
	const get = (path: string, mode: string) => bare(path, { headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode } })
	for (const path of ['/dashboard.data', '/downloads/ledger/pdf', '/login']) expect((await get(path, 'no-cors')).status, path).toBe(403)
	expect((await get('/login', 'navigate')).status).toBe(200)
})

test.for([
	['content-length', '5'],
	['transfer-encoding', 'chunked'],
] as const)('refuses a GET that announces a body by %s', async ([name, value]) => {
	const answer = await bare('/login', { headers: { [name]: value } })
	expect([answer.status, answer.headers.get('connection')]).toEqual([400, 'close'])
})

test.for(['/%E0%A4%A', '/%00', '/reports/%0d%0aX:1'])('returns 400 for the unreadable address %s', async (path) => {
	expect((await bare(path, {})).status).toBe(400)
})

test.for(['__Host-csrf=', '__Host-csrf=;', '__Host-csrf=x', '__Host-csrf=.', '__Host-csrf=""'])(
	'ignores the cookie %s as a token, and replaces it',
	async (cookie) => {
		const page = await bare('/login', { headers: { cookie } })
		expect(page.status).toBe(200)
		expect(hidden(await page.text(), 'csrf')).toMatch(/^[\w-]{43}$/)
		expect(page.headers.getSetCookie().join()).toMatch(/__Host-csrf=[^;]{50,}/)
		const post = await bare('/login', { method: 'POST', body: 'csrf=&username=DEMO01', headers: { ...FORM, origin: ORIGIN, cookie } })
		expect(post.status).toBe(403)
	},
)

test.for(['/theme', '/session/activity', '/theme.data', '/session/activity.data'])('%s accepts only a form', async (path) => {
	const answer = await bare(path, {})
	expect(answer.status).toBe(405)
	if (!path.endsWith('.data')) expect(answer.headers.get('allow')).toBe('POST')
})

test.for<[string, string]>([
	['203.0.113.9', '203.0.113.9'],
	['evil, 2001:db8::1', '2001:db8::1'],
	['203.0.113.9, <script>', 'unknown'],
	['evil, 203.0.113.9:443', '203.0.113.9'],
	['[2001:db8::1]:443', '2001:db8::1'],
	['203.0.113.999:443', 'unknown'],
	['[203.0.113.9]', 'unknown'],
	['localhost', 'unknown'],
	['', 'unknown'],
])('X-Forwarded-For of %j is the address %s', async ([forwarded, address]) => {
	const lines: string[] = []
	const log = pino({ base: undefined }, { write: (line: string) => void lines.push(line) })
	const build = await loadPortal()
	const portal = createPortal({ settings: { ...settings, TRUST_PROXY: true }, build, log, clientFiles: 'build/client' })
	await portal.request(`${ORIGIN}/healthz`, { headers: { host: 'portal.test', 'x-forwarded-for': forwarded } })
	expect(lines.map((line) => (JSON.parse(line) as { address: string }).address)).toEqual([address])
})

test('refuses an address that is too long', async () => {
	expect((await bare(`/login?x=${'a'.repeat(40_000)}`, {})).status).toBe(414)
})

test.for([
	'/.env',
	'/.git/config',
	'/package.json',
	'/server.ts',
	'/build/server/index.js',
	'/assets/',
	'/assets/nothing.js',
	'/dashboard/x.css',
	'/dashboard;.js',
	'/control',
])('%s returns 404', async (path) => {
	const answer = await bare(path, {})
	expect(answer.status).toBe(404)
	expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
})

test.for(['/login', '/nowhere', '/maintenance', '/dashboard', '/theme', '/assets/nothing.js', '/favicon.ico', '/healthz'])(
	'%s has the security headers',
	async (path) => {
		const answer = await bare(path, {})
		const policy = answer.headers.get('content-security-policy') ?? ''
		expect(policy).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/]{22,}={0,2}'/)
		expect(policy).not.toContain('unsafe')
		expect(policy).toContain("frame-ancestors 'none'")
		expect(policy).toContain("form-action 'self' https://esign.test")
		expect(Object.fromEntries(answer.headers)).toMatchObject({
			'x-content-type-options': 'nosniff',
			'x-frame-options': 'DENY',
			'referrer-policy': 'same-origin',
			'cross-origin-resource-policy': 'same-origin',
			'strict-transport-security': expect.stringMatching(/max-age=\d{8}/) as string,
			'x-request-id': expect.any(String) as string,
		})
		expect(answer.headers.get('access-control-allow-origin')).toBeNull()
		expect(answer.headers.get('x-powered-by')).toBeNull()
		if (!path.startsWith('/favicon')) expect(answer.headers.get('cache-control')).toMatch(/no-store/)
	},
)

test('each page has a new nonce, on every script and on the stylesheet', async () => {
	const nonces = await Promise.all(
		[1, 2].map(async () => {
			const answer = await bare('/login', {})
			const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1]
			const html = await answer.text()
			for (const [tag] of html.matchAll(/<(?:script|style)\b[^>]*>/g)) expect(tag).toContain(`nonce="${nonce}"`)
			expect(html).not.toMatch(/\son\w+=|javascript:|\sstyle=/i)
			return nonce
		}),
	)
	expect(nonces[0]).not.toBe(nonces[1])
})

test('accepts browsers’ reports of blocked content, and limits how many', async () => {
	const report = (body: string) =>
		bare('/csp-report', { method: 'POST', body, headers: { origin: ORIGIN, 'content-type': 'application/csp-report' } })
	expect((await report('{"csp-report":{}}')).status).toBe(204)
	expect((await report('x'.repeat(110_000))).status).toBe(413)
	const isReport = (line: string) => line.includes('"csp_report"')
	open.lines.length = 0
	for (let at = 0; at < 25; at++) expect((await report('{"csp-report":{}}')).status).toBe(204)
	// Twenty in a minute, and two were sent above.
	expect(open.lines.filter(isReport)).toHaveLength(18)
})

test('calls the broker at most once in five seconds, for any number of readiness checks', async () => {
	const ready = async () => (await bare('/readyz', {})).status
	expect(await Promise.all(Array.from({ length: 20 }, ready))).toEqual(Array.from({ length: 20 }, () => 200))
	open.breakBroker(() => new Response(null, { status: 500 }))
	expect(await ready()).toBe(200)
	expect(open.asked).toHaveLength(1)
	const now = performance.now()
	const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 5001)
	expect(await ready()).toBe(503)
	expect(open.asked).toHaveLength(2)
	// A refusal without a message is an answer too.
	open.breakBroker(() => new Response(null, { status: 401 }))
	clock.mockReturnValue(now + 10_002)
	expect(await ready()).toBe(200)
	clock.mockRestore()
	open.breakBroker(undefined)
})

test('an address of thousands of segments, or a list of thousands of pages, is refused before Remix reads it', async () => {
	const read = async (path: string) => {
		const started = process.cpuUsage()
		const { status } = await bare(path, {})
		const { user, system } = process.cpuUsage(started)
		return { status, ms: (user + system) / 1000 }
	}
	const { html } = await new Visitor(open.portal).visit('/login')
	const [, version = ''] = /"version":"([^"]+)"|manifest-(\w+)\.js/.exec(html)?.filter(Boolean) ?? []
	const manifest = (pages: string) => read(`/__manifest?version=${version}&${pages}`)
	expect((await manifest('p=%2Ffunds%2Fwithdraw&p=%2Freports%2Fledger')).status).toBe(200)
	for (const [path, status] of [
		['/a'.repeat(3900), 404],
		[`/reports${'/a'.repeat(3000)}`, 404],
		[`/dashboard.data${'/a'.repeat(3000)}`, 404],
	] as const) {
		const found = await read(path)
		expect(found.status).toBe(status)
		// Remix takes 600 ms for the first one.
		expect(found.ms).toBeLessThan(200)
	}
	for (const pages of [`p=${'/a'.repeat(3500)}`, `p=${'%2Fa'.repeat(1800)}`, 'p=/a&'.repeat(1500), 'p=0&'.repeat(1250)]) {
		const found = await manifest(pages)
		expect(found.status).toBe(400)
		expect(found.ms).toBeLessThan(200)
	}
})

test('an address that begins with two slashes has no page, whose own links would lead to another site', async () => {
	for (const path of ['//evil.test/x?dialog=change-password', '/.//evil.test/x', '//']) {
		const answer = await bare(path, {})
		expect([path, answer.status, await answer.text()]).toEqual([path, 404, 'Not found'])
	}
})

test('Remix’s older way to load data is refused', async () => {
	for (const path of ['/dashboard?_data=root', '/login?_data=routes%2Fauth%2Flogin', '/nothing?a=1&_data']) {
		expect((await bare(path, {})).status, path).toBe(400)
	}
})

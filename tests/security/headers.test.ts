import { readdirSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { openPortalForFile, ORIGIN, signedIn, Visitor } from '#tests/support/portal'
import { listAttributes } from '#tests/support/readers'

/* Headers of every kind of response: the checks of Mozilla's Observatory. */

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open, 'NEW001')
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN }
const ASSET = `/assets/${readdirSync('build/client/assets').find((file) => file.endsWith('.js'))}`
const SINCE = new Date(Date.now() + 86_400_000).toUTCString()

const send = (path: string, init: RequestInit = {}) =>
	open.portal.request(ORIGIN + path, { ...init, headers: { host: 'portal.test', ...(init.headers as Record<string, string>) } })
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
	send(path, { method: 'POST', body, headers: { ...FORM, ...headers } })

/** Every kind of response: its name, how to get it, and its status. */
const CLASSES: [string, () => Response | Promise<Response>, number][] = [
	['a page', () => send('/login'), 200],
	['the head of a page', () => send('/login', { method: 'HEAD' }), 200],
	['a private page', () => client.send('/dashboard'), 200],
	['the data of a private page', () => client.send('/dashboard.data'), 200],
	['a download', () => client.send('/downloads/ledger/csv'), 200],
	['an asset', () => send(ASSET), 200],
	['an asset that the browser has', () => send(ASSET, { headers: { 'if-modified-since': SINCE, 'if-none-match': '*' } }), 200],
	['an icon', () => send('/favicon.svg'), 200],
	['an icon that the browser has', () => send('/favicon.svg', { headers: { 'if-modified-since': SINCE, 'if-none-match': '*' } }), 200],
	['a part of an icon', () => send('/favicon.svg', { headers: { range: 'bytes=0-9' } }), 206],
	['the list of routes', () => send('/__manifest?p=%2Flogin&version=0'), 204],
	['a health check', () => send('/healthz'), 200],
	['a report of the browser', () => post('/csp-report', '{}', { 'content-type': 'application/csp-report' }), 204],
	['a redirect to the login page', () => send('/dashboard'), 302],
	['a redirect of the data', () => send('/dashboard.data'), 202],
	['a redirect after a post', () => client.post('/dashboard', '/theme', { theme: 'dark', redirectTo: '/dashboard' }), 303],
	['an unreadable address', () => send('/%E0%A4%A'), 400],
	['a wrong password', () => new Visitor(open.portal).login('NOBODY1', 'wrong'), 422],
	['a post of another site', () => send('/login', { method: 'POST', headers: { ...FORM, origin: 'https://evil.test' }, body: 'a=b' }), 403],
	['a form without its token', () => post('/login', 'username=a'), 403],
	['a page that is not there', () => send('/nothing'), 404],
	['an asset that is not there', () => send('/assets/nothing.js'), 404],
	['another method', () => send('/login', { method: 'PUT', headers: { origin: ORIGIN }, body: 'a' }), 405],
	['a form that is too large', () => post('/login', 'a'.repeat(200_000)), 413],
	['an address that is too long', () => send(`/login?a=${'a'.repeat(9000)}`), 414],
	['a body that is no form', () => post('/login', '{}', { 'content-type': 'application/json' }), 415],
	['another host', () => send('/login', { headers: { host: 'evil.test' } }), 421],
	[
		'a broker that fails',
		() => {
			open.breakBroker(() => new Response('<html>', { status: 500 }))
			return client.send('/reports/holding/INE002A01018')
		},
		502,
	],
	['maintenance', () => send('/maintenance'), 503],
]

test.for(CLASSES)('%s has every security header', async ([, ask, status]) => {
	const { status: answered, headers } = await ask()
	expect(answered).toBe(status)
	const policy = new Map((headers.get('content-security-policy') ?? '').split('; ').map((rule) => [rule.split(' ')[0], rule]))
	expect(policy.get('default-src')).toBe("default-src 'none'")
	expect(policy.get('frame-ancestors')).toBe("frame-ancestors 'none'")
	expect(policy.get('base-uri')).toBe("base-uri 'none'")
	expect(policy.get('form-action')).toMatch(/^form-action 'self'( https?:\/\/[\w.:]+)*$/)
	expect(policy.get('script-src')).toMatch(/^script-src 'self' 'nonce-[A-Za-z0-9+/]{22,}={0,2}'$/)
	expect(policy.get('style-src')).toMatch(/^style-src 'self' 'nonce-[A-Za-z0-9+/]{22,}={0,2}'$/)
	expect(policy.has('upgrade-insecure-requests')).toBe(true)
	expect(headers.get('content-security-policy')).not.toMatch(/unsafe-|\*|(?:^| )(?:https?:|blob:)(?= |;|$)|script-src[^;]*data:/)

	const [, age] = /^max-age=(\d+); includeSubDomains$/.exec(headers.get('strict-transport-security') ?? '') ?? []
	expect(Number(age)).toBeGreaterThanOrEqual(31_536_000)
	expect(headers.get('x-content-type-options')).toBe('nosniff')
	expect(headers.get('x-frame-options')).toBe('DENY')
	expect(headers.get('referrer-policy')).toBe('same-origin')
	expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
	expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
	expect(headers.get('permissions-policy')).toContain('camera=()')
	expect(headers.get('x-request-id')).toMatch(/^[0-9A-F]{4}-[0-9A-F]{6}$/)
	expect([...headers.keys()].filter((name) => /^access-control-|^x-powered-by$|^server$|^x-aspnet/.test(name))).toEqual([])
	expect(headers.get('cache-control')).toMatch(/no-store|immutable|^public, max-age=3600$/)
	for (const cookie of headers.getSetCookie())
		expect(cookie).toMatch(/^__Host-(?=.*; Secure)(?=.*; HttpOnly)(?=.*; SameSite=Lax)(?!.*; Domain)/)
})

test('pages load nothing from another origin, so nothing can be replaced in transit', async () => {
	for (const path of ['/login', '/dashboard']) {
		const { html } = await client.visit(path)
		const loaded = ['src', 'href'].flatMap((name) => listAttributes(html, 'script, img, link, iframe, source', name))
		expect(loaded.length).toBeGreaterThan(0)
		expect(loaded.filter((address) => !/^\/(?!\/)|^data:image/.test(address))).toEqual([])
	}
})

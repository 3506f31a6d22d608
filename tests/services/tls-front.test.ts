import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { createServer as createNodeServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { type RequestOptions } from 'node:https'
import { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Front, startNginx } from '#scripts/deployment/nginx'
import { HOST, HTTP_PORT, openTls, TLS_PORT } from './tls-client'

/* The portal behind the proxy configuration that we ship, on loopback, over real TLS. */

type Open = Awaited<ReturnType<typeof import('#tests/support/portal').openPortal>>
let open: Open
let server: Server
let front: Front
/** The headers of each request as they come through the proxy. */
const received: IncomingHttpHeaders[] = []

beforeAll(async () => {
	// Settings are read on import. TRUST_PROXY=1 is the README's setting for one proxy in front.
	vi.stubEnv('TRUST_PROXY', '1')
	const { openPortal } = await import('#tests/support/portal')
	const { createServer } = await import('#server/http')
	open = await openPortal()
	server = createServer(open.portal)
	server.on('request', (request) => received.push(request.headers))
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	front = await startNginx({ tls: TLS_PORT, http: HTTP_PORT, upstreams: [(server.address() as AddressInfo).port], host: HOST })
})
afterAll(async () => {
	await front.stop()
	server.close()
	server.closeAllConnections()
	await open.close()
})
beforeEach(() => {
	open.asked.length = 0
	open.lines.length = 0
	received.length = 0
})

const visits = openTls(() => front.certificate)
const { ask, handshake, sendBytes } = visits
afterAll(() => visits.close())

const readStatus = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])

test('accepts TLS 1.2 and 1.3 and nothing older', async () => {
	expect(await handshake('TLSv1.3')).toBe('TLSv1.3')
	expect(await handshake('TLSv1.2')).toBe('TLSv1.2')
	for (const old of ['TLSv1', 'TLSv1.1'] as const) expect(await handshake(old)).toMatch(/^refused ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION/)
})

test('plain http answers 301 to https at the same host, path and query', async () => {
	for (const host of [HOST, 'evil.test']) {
		const answer = await ask('/reports/ledger?x=1', { port: HTTP_PORT, headers: { host } })
		expect([answer.status, answer.headers.location]).toEqual([301, `https://${HOST}/reports/ledger?x=1`])
	}
	expect(open.lines).toEqual([])
})

const ONCE = [
	'strict-transport-security',
	'content-security-policy',
	'x-content-type-options',
	'x-frame-options',
	'referrer-policy',
	'cross-origin-opener-policy',
	'cross-origin-resource-policy',
	'cache-control',
]

test.for<[string, string, RequestOptions, number]>([
	['a page', '/login', {}, 200],
	['a redirect', '/dashboard', {}, 302],
	['no such page', '/nothing', {}, 404],
	['an asset', '/favicon.svg', {}, 200],
	['another method', '/login', { method: 'PUT' }, 405],
	['what nginx itself refuses', '/login', { method: 'TRACE' }, 405],
	['a body that nginx finds too large', '/login', { method: 'POST', headers: { 'content-length': 60_000_000 } }, 413],
	['another host', '/login', { headers: { host: 'evil.test' } }, 421],
	['an address of 10 KB', `/login?x=${'a'.repeat(10_000)}`, {}, 414],
	['an address of 40 KB', `/login?x=${'a'.repeat(40_000)}`, {}, 414],
	['headers of 36 KB', '/login', { headers: { 'x-a': 'a'.repeat(18_000), 'x-b': 'a'.repeat(18_000) } }, 431],
	['a header of 40 KB', '/login', { headers: { 'x-a': 'a'.repeat(40_000) } }, 431],
])('every security header is sent once on %s', async ([, path, options, status]) => {
	const answer = await ask(path, { ...options, agent: false })
	expect(answer.status).toBe(status)
	const names = answer.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
	for (const name of ONCE)
		expect(
			names.filter((each) => each === name),
			name,
		).toHaveLength(1)
	expect(answer.headers['strict-transport-security']).toMatch(/^max-age=(3153[6-9]|315[4-9]|31[6-9]|3[2-9]|[4-9])\d+; includeSubDomains$/)
	expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
	expect(answer.headers.server ?? 'nginx').toBe('nginx')
	expect(answer.headers['x-powered-by']).toBeUndefined()
})

test('nginx says in words that a body is too large', async () => {
	const { body } = await ask('/login', { method: 'POST', headers: { 'content-length': 60_000_000 }, agent: false })
	expect(body).toMatch(/^This is more than the portal accepts\. Please go back/)
})

test('a client logs in, reads a page and saves a file, with cookies only for this host and TLS', async () => {
	const client = visits.createClient()
	const login = await client.post('/login', '/login', { username: 'DEMO01', password: 'Demo@1234', redirectTo: '' })
	expect([login.status, login.headers.location]).toEqual([303, '/dashboard'])
	expect(client.flags.length).toBeGreaterThan(1)
	for (const cookie of client.flags)
		expect(cookie).toMatch(/^__Host-[^;]+; (?=.*Path=\/)(?=.*Secure)(?=.*HttpOnly)(?=.*SameSite=Lax)(?!.*Domain)/)
	expect((await client.get('/dashboard')).body).toContain('<h1>Dashboard</h1>')
	const file = await client.get('/downloads/ledger/pdf')
	expect([file.status, file.headers['content-type']]).toEqual([200, 'application/pdf'])
	expect(file.body.slice(0, 5)).toBe('%PDF-')
	expect((await client.post('/dashboard', '/logout', {})).headers.location).toBe('/login')
})

test.for([26, 80])('a file of %d MB is refused by the form that it was selected in', async (megabytes) => {
	const client = visits.createClient()
	await client.post('/login', '/login', { username: 'CASH01', password: 'Demo@1234', redirectTo: '' })
	await client.post('/myaccount/income', '/myaccount/income', { income: '1-5 Lakh' })
	const { body } = await client.get('/myaccount/income/otp')
	const { hidden } = await import('#tests/support/account')
	const part = (head: string, value: string) => `--b\r\ncontent-disposition: form-data; ${head}\r\n\r\n${value}\r\n`
	const kept = ['csrf', 'step', 'idempotency_key'].map((name) => part(`name="${name}"`, hidden(body, name))).join('')
	const file = part('name="file"; filename="a.pdf"\r\ncontent-type: application/pdf', `%PDF-1.4\n${' '.repeat(megabytes * 1024 * 1024)}`)
	const answer = await client.postMultipart('/myaccount/income/otp', `${kept}${part('name="otp"', '123456')}${file}--b--\r\n`)
	expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('The selected file must be smaller than 5MB') as string])
})

test('accepts 28 KB of cookies, the maximum of a session and its forms', async () => {
	const cookie = Array.from({ length: 8 }, (_, at) => `__Host-draft-${at}=${'a'.repeat(3600)}`).join('; ')
	expect((await ask('/login', { headers: { cookie } })).status).toBe(200)
})

test('a forged X-Forwarded-For is overwritten, so that the log and the limits use the real address', async () => {
	const forged = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.test', forwarded: 'for=10.0.0.1', 'x-real-ip': '10.0.0.1' }
	for (let times = 1; times <= 6; times++) {
		const client = visits.createClient({ ...forged, 'x-forwarded-for': `10.0.0.${times}, 10.1.1.${times}` })
		const answer = await client.post('/login', '/login', { username: `NOBODY${times}`, password: 'wrong', redirectTo: '' })
		expect(answer.status).toBe(422)
	}
	expect(received.length).toBeGreaterThanOrEqual(12)
	for (const headers of received) {
		expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https', 'x-forwarded-host': HOST })
		expect([headers.forwarded, headers['x-real-ip']]).toEqual([undefined, undefined])
	}
	const addresses = open.lines.flatMap((line) => (JSON.parse(line) as { address?: string }).address ?? [])
	expect(addresses.length).toBeGreaterThanOrEqual(12)
	expect(new Set(addresses)).toEqual(new Set(['127.0.0.1']))
	expect(open.lines.join()).not.toMatch(/10\.[01]\./)
})

const HEAD = `Host: ${HOST}\r\n`

test.for<[string, string, number]>([
	['a plain request', `GET /login HTTP/1.1\r\n${HEAD}\r\n`, 200],
	[
		'a length and a transfer coding',
		`POST /login HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
		400,
	],
	['two lengths', `POST /login HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`, 400],
	[
		'two transfer codings',
		`POST /login HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
		400,
	],
	['an unknown transfer coding', `POST /login HTTP/1.1\r\n${HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, 501],
	['a folded header', `GET /login HTTP/1.1\r\n${HEAD}X-A: 1\r\n 2\r\n\r\n`, 400],
	['a space before the colon', `GET /login HTTP/1.1\r\nHost : ${HOST}\r\n\r\n`, 400],
	['two hosts', `GET /login HTTP/1.1\r\n${HEAD}Host: evil.test\r\n\r\n`, 400],
	['no host', 'GET /login HTTP/1.1\r\n\r\n', 400],
	['another host in an absolute address', `GET https://evil.test/login HTTP/1.1\r\n${HEAD}\r\n`, 200],
	['TRACE', `TRACE /login HTTP/1.1\r\n${HEAD}\r\n`, 405],
	['PROPFIND', `PROPFIND /login HTTP/1.1\r\n${HEAD}\r\n`, 405],
	['a control character in a header', `GET /login HTTP/1.1\r\n${HEAD}X-A: a\0b\r\n\r\n`, 400],
])('%s is answered once through the proxy', async ([, bytes, status]) => {
	const answer = await sendBytes(bytes)
	expect(readStatus(answer)).toBe(status)
	expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1)
})

test('lines that end in a bare LF reach the portal as one ordinary request, or not at all', async () => {
	const hidden = 'GET /hidden HTTP/1.1\nHost: portal.test\n\n'
	const answer = await sendBytes(`GET /login HTTP/1.1\nHost: ${HOST}\nX-A: 1\n\n`)
	expect([200, 400]).toContain(readStatus(answer))
	// A second request inside the announced body stays a part of the body.
	await sendBytes(`POST /login HTTP/1.1\r\n${HEAD}Content-Length: ${hidden.length}\r\n\r\n${hidden}`)
	expect(open.lines.map((line) => JSON.parse(line) as { path?: string }).filter(({ path }) => path === '/hidden')).toEqual([])
})

test('accepts HTTP/2', async () => {
	const session = connectHttp2(`https://127.0.0.1:${TLS_PORT}`, { servername: HOST, ca: front.certificate })
	const stream = session.request({ ':path': '/login', ':authority': HOST })
	const [headers] = (await once(stream, 'response')) as [{ ':status': number }]
	expect(headers[':status']).toBe(200)
	session.destroy()
})

test('no log of the proxy contains a query', async () => {
	await ask('/client/reports?UserId=DEMO01&SessionId=secret-of-a-link&Product=CONNECT')
	await vi.waitFor(() => expect(front.logs()).toContain('GET /client/reports '), { interval: 20 })
	expect(front.logs()).not.toContain('secret-of-a-link')
})

test('nginx shows a message with the security headers while the portal is down', async () => {
	const away = await startNginx({ tls: TLS_PORT + 1, http: HTTP_PORT + 1, upstreams: [9], host: HOST })
	const answer = await ask('/login', { port: TLS_PORT + 1, agent: false, ca: away.certificate }).finally(away.stop)
	expect([answer.status, answer.body]).toEqual([503, expect.stringContaining('Please try again in a few minutes.') as string])
	for (const name of ONCE) expect(answer.headers[name], name).toBeDefined()
})

/** A process of the portal, as far as nginx sees it. Port 0 is any free port. */
async function serveOn(port: number): Promise<{ port: number; stop: () => void }> {
	const process = createNodeServer((_, response) => void response.end('served'))
	await once(process.listen(port, '127.0.0.1'), 'listening')
	return {
		port: (process.address() as AddressInfo).port,
		stop() {
			process.close()
			process.closeAllConnections()
		},
	}
}

test('processes may restart one right after the other', async () => {
	const [first, second] = [await serveOn(0), await serveOn(0)]
	const upstreams = [first.port, second.port]
	const two = await startNginx({ tls: TLS_PORT + 1, http: HTTP_PORT + 1, upstreams, host: HOST })
	const answer = async () => (await ask('/login', { port: TLS_PORT + 1, agent: false, ca: two.certificate })).status
	first.stop()
	// Each process is asked in its turn, so nginx sees that one is away.
	expect([await answer(), await answer(), await answer()]).toEqual([200, 200, 200])
	const again = await serveOn(first.port)
	second.stop()
	expect(await answer().finally(two.stop)).toBe(200)
	again.stop()
})

const findAsset = (ending: string) => `/assets/${readdirSync('build/client/assets').find((file) => file.endsWith(ending)) ?? ''}`
const SCRIPT = [findAsset('.js'), 'text/javascript; charset=utf-8'] as const
const STYLES = [findAsset('.css'), 'text/css; charset=utf-8'] as const

test.for([
	['br', 'br', '.br', SCRIPT],
	['gzip, deflate, br', 'br', '.br', SCRIPT],
	['gzip', 'gzip', '.gz', SCRIPT],
	['', undefined, '', SCRIPT],
	['br', 'br', '.br', STYLES],
	['gzip', 'gzip', '.gz', STYLES],
	['', undefined, '', STYLES],
] as const)(
	'a file of a page comes from disk, in the compression that the browser accepts: %s, %s',
	async ([accepted, encoding, ending, [file, type]]) => {
		const answer = await ask(file, { headers: { 'accept-encoding': accepted } })
		expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding])
		expect(Number(answer.headers['content-length'])).toBe(statSync(`build/client${file}${ending}`).size)
		expect(answer.headers['content-type']).toBe(type)
		expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
		if (encoding) expect(answer.headers.vary?.toLowerCase()).toContain('accept-encoding')
		for (const name of ONCE)
			expect(
				answer.rawHeaders.filter((each) => each.toLowerCase() === name),
				name,
			).toHaveLength(1)
		// No request reached the portal.
		expect(received).toEqual([])
	},
)

test('a file that the browser still has stays cacheable', async () => {
	const [file] = SCRIPT
	const { headers } = await ask(file)
	const answer = await ask(file, { headers: { 'if-none-match': headers.etag } })
	expect([answer.status, answer.headers['cache-control']]).toEqual([304, 'public, max-age=31536000, immutable'])
	expect(received).toEqual([])
})

test('nginx requests a missing script from the portal, and its error is not cached', async () => {
	const answer = await ask('/assets/of-another-version-12345678.js', { headers: { 'accept-encoding': 'br' } })
	expect([answer.status, answer.headers['cache-control'], answer.headers['content-encoding']]).toEqual([404, 'no-store', undefined])
	expect(received).toHaveLength(1)
})

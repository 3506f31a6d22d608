import { once } from 'node:events'
import { type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer } from '#server/http'
import { openPortalForFile } from '#tests/support/portal'

const open = openPortalForFile()
let server: Server
let port = 0
beforeAll(async () => {
	server = createServer(open.portal)
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	port = (server.address() as AddressInfo).port
})
afterAll(() => {
	server.close()
	server.closeAllConnections()
})

/** The bytes of the response, until the server closes or has answered once. */
async function raw(bytes: string, wait: 'answer' | 'close' = 'answer'): Promise<string> {
	const socket = connect(port, '127.0.0.1')
	let text = ''
	socket.setEncoding('latin1').on('data', (chunk: string) => {
		text += chunk
		if (wait === 'answer' && text.includes('\r\n\r\n')) socket.destroy()
	})
	socket.on('error', () => {})
	socket.write(bytes, 'latin1')
	await once(socket, 'close')
	return text
}

const readStatus = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
/** A session of long tokens and all drafts, each at its maximum length. */
const COOKIES = Array.from({ length: 8 }, (_, at) => `__Host-draft-${at}=${'a'.repeat(3600)}`).join('; ')
const HOST = 'Host: portal.test\r\n'

test.for<[string, string, number]>([
	['a plain request', `GET /login HTTP/1.1\r\n${HOST}\r\n`, 200],
	['every cookie that a browser may hold', `GET /login HTTP/1.1\r\n${HOST}Cookie: ${COOKIES}\r\n\r\n`, 200],
	['two hosts', `GET /login HTTP/1.1\r\n${HOST}Host: evil.test\r\n\r\n`, 400],
	['no host', 'GET /login HTTP/1.1\r\n\r\n', 400],
	['another host', 'GET /login HTTP/1.1\r\nHost: evil.test\r\n\r\n', 421],
	['the whole address', `GET https://portal.test/login HTTP/1.1\r\n${HOST}\r\n`, 200],
	['the whole address of another host', `GET https://evil.test/login HTTP/1.1\r\n${HOST}\r\n`, 400],
	['an address with a name in it', `GET https://u@portal.test/login HTTP/1.1\r\n${HOST}\r\n`, 400],
	['a health check with a name in it', `GET https://u@portal.test/healthz HTTP/1.1\r\n${HOST}\r\n`, 400],
	[
		'a length and a transfer coding',
		`POST /login HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
		400,
	],
	['two lengths', `POST /login HTTP/1.1\r\n${HOST}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`, 400],
	['a folded header', `GET /login HTTP/1.1\r\n${HOST}X-A: 1\r\n 2\r\n\r\n`, 400],
	['a bare LF', `GET /login HTTP/1.1\nHost: portal.test\n\n`, 400],
	['a space before the colon', `GET /login HTTP/1.1\r\nHost : portal.test\r\n\r\n`, 400],
	['TRACE', `TRACE /login HTTP/1.1\r\n${HOST}\r\n`, 405],
	['PROPFIND', `PROPFIND /login HTTP/1.1\r\n${HOST}\r\n`, 405],
	['headers without end', `GET /login HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
	[
		'an announced flood',
		`POST /login HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000000\r\n\r\n`,
		413,
	],
])('%s', async ([, bytes, status]) => {
	expect(readStatus(await raw(bytes))).toBe(status)
})

test('refuses a body that exceeds the limit without a content-length', async () => {
	const head = `POST /login HTTP/1.1\r\n${HOST}Origin: https://portal.test\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n`
	const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`
	expect(readStatus(await raw(`${head}${chunk.repeat(10)}0\r\n\r\n`))).toBe(413)
})

test('disconnects slow senders while it serves others', async () => {
	const slow = Array.from({ length: 50 }, (_, index) => {
		const socket = connect(port, '127.0.0.1')
		socket.on('error', () => {})
		socket.resume()
		socket.write(index % 2 ? 'GET /login HTTP/1.1\r\nHost: por' : `GET /login HTTP/1.1\r\n${HOST}X-Slow: `)
		return once(socket, 'close')
	})
	const started = Date.now()
	expect(readStatus(await raw(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`))).toBe(200)
	await Promise.all(slow)
	expect(Date.now() - started).toBeLessThan(20_000)
	expect(readStatus(await raw(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`))).toBe(200)
}, 30_000)

test('one process accepts at most as many connections as docs/operations.md says', () => {
	expect(server.maxConnections).toBe(2000)
})

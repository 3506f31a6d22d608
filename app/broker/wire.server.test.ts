import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { type Adapter } from './adapter.server'
import { exchange } from './wire.server'

/* Over a real connection. */

let stop = () => {}
afterEach(() => stop())

async function open(answer: RequestListener) {
	const server = createServer(answer).listen(0, '127.0.0.1')
	await once(server, 'listening')
	stop = () => {
		server.closeAllConnections()
		server.close()
	}
	const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`)
	const call = { path: '/x', service: 'broker', method: 'GET', url, headers: {} } as const
	return (signal = new AbortController().signal, adapter?: Adapter) => exchange(adapter, call, 'json', signal)
}

test.for<[string, (bytes: string) => Buffer]>([
	['gzip', gzipSync],
	['br', brotliCompressSync],
	['deflate', deflateSync],
	['GZIP', gzipSync],
	['identity', Buffer.from],
	['constructor', Buffer.from],
])('reads a body that is coded as %s, also behind an adapter', async ([coding, encode]) => {
	const send = await open((_, response) => response.setHeader('content-encoding', coding).end(encode('₹ 12.50')))
	expect(await text((await send()).body)).toBe('₹ 12.50')
	let seen = ''
	const adapter: Adapter = async (call, sendOn) => {
		const reply = await sendOn(call)
		seen = await reply.clone().text()
		return reply
	}
	expect(await text((await send(undefined, adapter)).body)).toBe('₹ 12.50')
	expect(seen).toBe('₹ 12.50')
})

test('accepts only codings that it can read', async () => {
	const send = await open(({ headers }, response) => response.end(headers['accept-encoding']))
	expect(await text((await send()).body)).toBe('gzip, br')
})

test('does not follow a redirect', async () => {
	const asked: string[] = []
	const send = await open(({ url = '' }, response) => {
		asked.push(url)
		response.writeHead(302, { location: '/elsewhere' }).end()
	})
	const { status, headers, body } = await send()
	await text(body)
	expect([status, headers.location, asked]).toEqual([302, '/elsewhere', ['/x']])
})

test('a body that nobody reads may break off, and the process goes on', async () => {
	const send = await open((_, response) => {
		response.writeHead(200).write('half')
		setTimeout(() => response.destroy(), 20)
	})
	const { body } = await send()
	await expect.poll(() => body.errored).toBeInstanceOf(Error)
	await expect(text(body)).rejects.toThrow(/other side closed|terminated/)
})

test('a body that nobody reads ends with the call, and the process goes on', async () => {
	let isClosed = false
	const send = await open((_, response) => {
		response.once('close', () => void (isClosed = true))
		response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('half').subarray(0, 12))
	})
	const abort = new AbortController()
	const { body } = await send(abort.signal)
	abort.abort()
	await expect.poll(() => isClosed).toBe(true)
	await expect(text(body)).rejects.toThrow(/abort/)
})

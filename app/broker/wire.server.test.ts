import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { type Adapter, type AdapterCall, AdapterFailure, type SendCall } from './adapter.server'
import { type Body, exchange, type Lane, UnreadableHead } from './wire.server'

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
	return (signal = new AbortController().signal, adapter?: Adapter, lane: Lane = 'json') => exchange(adapter, call, lane, signal)
}

async function read({ next }: Body): Promise<string> {
	const pieces: Uint8Array[] = []
	for (let piece = await next(); piece; piece = await next()) pieces.push(piece)
	return Buffer.concat(pieces).toString()
}

/** Without its last bytes, which hold a check of the text. */
const cutShort = (text: string) => gzipSync(text).subarray(0, -8)

test.for<[string, (text: string) => Buffer]>([
	['gzip', gzipSync],
	['br', brotliCompressSync],
	['GZIP ', gzipSync],
	['gzip', cutShort],
	['identity', Buffer.from],
	['constructor', Buffer.from],
])('reads a body that is coded as %s', async ([coding, encode]) => {
	const send = await open((_, response) => response.setHeader('content-encoding', coding).end(encode('₹ 12.50')))
	expect(await read((await send()).body)).toBe('₹ 12.50')
})

test.for<[string, (text: string) => Buffer]>([
	['gzip', (text) => gzipSync(text)],
	['br', (text) => brotliCompressSync(text)],
])('a file that is coded as %s and cut short is an error, not a file', async ([coding, encode]) => {
	const whole = encode('%PDF-'.repeat(10_000))
	for (const [bytes, said] of [
		[whole, '%PDF-'.repeat(10_000)],
		[whole.subarray(0, -4), undefined],
	] as const) {
		const send = await open((_, response) => response.setHeader('content-encoding', coding).end(bytes))
		const { body } = await send(undefined, undefined, 'download')
		expect(await read(body).catch(() => undefined)).toBe(said)
		stop()
	}
})

test('an adapter gets a decoded reply, and may read a copy of it', async () => {
	const send = await open((_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('₹ 12.50')))
	let seen = ''
	const adapter: Adapter = async (call, sendOn) => {
		const reply = await sendOn(call)
		seen = await reply.clone().text()
		return reply
	}
	expect(await read((await send(undefined, adapter)).body)).toBe('₹ 12.50')
	expect(seen).toBe('₹ 12.50')
})

test('an adapter that has read the reply it returns has failed', async () => {
	const send = await open((_, response) => response.end('whole'))
	const adapter: Adapter = async (call, sendOn) => {
		const reply = await sendOn(call)
		reply.body?.getReader()
		return reply
	}
	await expect(send(undefined, adapter)).rejects.toThrow(AdapterFailure)
})

test.for([undefined, (call: AdapterCall, sendOn: SendCall) => sendOn(call)])(
	'an empty reply may say that it is coded (%s)',
	async (adapter) => {
		const send = await open((_, response) => response.writeHead(204, { 'content-encoding': 'gzip' }).end())
		const { status, body } = await send(undefined, adapter)
		expect([status, await read(body)]).toEqual([204, ''])
	},
)

test('accepts only codings that it can read', async () => {
	const send = await open(({ headers }, response) => response.end(headers['accept-encoding']))
	expect(await read((await send()).body)).toBe('gzip, br')
})

test('does not follow a redirect', async () => {
	const asked: string[] = []
	const send = await open(({ url = '' }, response) => {
		asked.push(url)
		response.writeHead(302, { location: '/elsewhere' }).end()
	})
	const { status, headers, body } = await send()
	await read(body)
	expect([status, headers.location, asked]).toEqual([302, '/elsewhere', ['/x']])
})

test('a head that cannot be read is not a lost connection', async () => {
	const send = await open((_, response) => response.setHeader('constructor', 'x').end('whole'))
	await expect(send()).rejects.toThrow(UnreadableHead)
})

test('an abort ends a call that waits for a connection', async () => {
	const send = await open(() => {})
	const first = new AbortController()
	const inUse = Array.from({ length: 128 }, () => send(first.signal).catch(() => 'ended'))
	await expect(send(AbortSignal.timeout(100))).rejects.toThrow(/timeout/)
	first.abort()
	expect(new Set(await Promise.all(inUse))).toEqual(new Set(['ended']))
})

test('a body that nobody reads may break off, and the process goes on', async () => {
	const send = await open((_, response) => {
		response.writeHead(200).write('half')
		setTimeout(() => response.destroy(), 20)
	})
	const { body } = await send()
	await pause(60)
	await expect(read(body)).rejects.toThrow(/other side closed|terminated/)
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
	await expect(read(body)).rejects.toThrow(/abort/)
})

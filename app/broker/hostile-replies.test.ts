import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod/v4'
import { connectBroker, readFailure } from './client.server'

/* Replies that are too large, too deep or malformed. They are sent over a real connection, because the harm happens there. */

let stop = () => {}
/** The portal's log lines, for the message of a failed test. */
let told: unknown[] = []
afterEach(() => {
	stop()
	told = []
})

async function outcome(answer: RequestListener, path = '') {
	const server = createServer(answer).listen(0, '127.0.0.1')
	await once(server, 'listening')
	stop = () => {
		server.closeAllConnections()
		server.close()
	}
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
	const baseUrls = { broker: url, ekyc: url, edis: url, ipo: url, payment: url }
	const broker = connectBroker(
		{ baseUrls, timeoutMs: 5000, tell: (...line) => void told.push(line) },
		{ requestId: randomUUID(), onExpired: async () => new Response(null, { status: 302 }) },
	)
	return broker.get('/v1/x', z.object({ n: z.number() })).catch(async (error: unknown) => {
		const failure = await readFailure(error)
		return failure && [failure.status, failure.message]
	})
}

const JSON_TYPE = { 'content-type': 'application/json' }
const GARBLED = [502, 'The broker’s system sent an unexpected response.']
const envelope = (data: string) => `{"status":"success","message":"ok","data":${data}}`
const DEEP = 2_000_000

test.for<[string, RequestListener, unknown[]]>([
	[
		'nested two million deep',
		(_, response) => response.writeHead(200, JSON_TYPE).end(envelope('['.repeat(DEEP) + ']'.repeat(DEEP))),
		GARBLED,
	],
	['opened two million times and never closed', (_, response) => response.writeHead(200, JSON_TYPE).end('[{"a":'.repeat(DEEP)), GARBLED],
	['with NaN', (_, response) => response.writeHead(200, JSON_TYPE).end(envelope('{"n":NaN}')), GARBLED],
	['with Infinity', (_, response) => response.writeHead(200, JSON_TYPE).end(envelope('{"n":1e999}')), GARBLED],
	[
		'with twenty thousand headers',
		(_, response) => {
			response.socket?.write('HTTP/1.1 200 OK\r\n')
			for (let n = 0; n < 20_000; n += 1) response.socket?.write(`x-header-${n}: ${n}\r\n`)
			response.socket?.end(`\r\n${envelope('{"n":1}')}`)
		},
		[503, 'We could not reach the broker’s system.'],
	],
	[
		'that says gzip and is none',
		(_, response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(envelope('{"n":1}')),
		GARBLED,
	],
	[
		'whose gzip ends early',
		(_, response) =>
			response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(envelope('{"n":1}')).subarray(0, 20)),
		GARBLED,
	],
])('a reply %s is a failure, and the portal goes on', async ([, answer, said]) => {
	const seen = await outcome(answer)
	expect(seen, JSON.stringify(told)).toEqual(said)
})

const many = (times: number, text: string) => Array.from({ length: times }, () => text).join(',')

/* They are a few megabytes, or some kilobytes as gzip, and took the memory or the time of the whole process. */
test.for<[string, string]>([
	['one element with a million lists', `{"n":1,"x":[[${many(1_000_000, '[]')}]]}`],
	['a list of a million lists that nobody wants', `{"n":1,"x":[${many(1_000_000, '[]')}]}`],
	['lists of lists below the depth of rows', `{"n":1,"x":{"y":{"z":[${many(600_000, '[]')}]}}}`],
	['an object with two hundred thousand names', `{"n":1,${Array.from({ length: 200_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
	[
		'many small objects beside each other',
		`{"n":1,"x":{${Array.from({ length: 19_000 }, (_, n) => `"k${n}":[${many(40, '1')}]`).join(',')}}}`,
	],
])('refuses a reply with %s before it is parsed', async ([, data]) => {
	expect(data.length).toBeGreaterThan(512 * 1024)
	const seen = await outcome((_, response) =>
		response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(envelope(data))),
	)
	expect(seen).toEqual(GARBLED)
	expect(JSON.stringify(told)).toMatch(/TooManyValues/)
})

const MB = 1024 * 1024
const ZEROS = Buffer.alloc(MB, '0')
const BOMB = gzipSync(Buffer.concat(Array.from({ length: 400 }, () => ZEROS)))

/** Sends 400 MB as fast as the reader takes it, and counts the bytes taken. */
function sendHuge(sent: { bytes: number }): RequestListener {
	return (_, response) => {
		response.writeHead(200, JSON_TYPE)
		const write = () => {
			while (!response.destroyed && sent.bytes < 400 * MB) {
				sent.bytes += MB
				if (!response.write(ZEROS)) return void response.once('drain', write)
			}
			response.end()
		}
		write()
	}
}

test.for(['plain', 'packed'] as const)('cuts 400 MB of JSON, %s, at 64 MB and takes little memory', async (how) => {
	const sent = { bytes: 0 }
	const packed: RequestListener = (_, response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(BOMB)
	const before = process.memoryUsage().rss
	let most = 0
	const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5)
	const said = await outcome(how === 'plain' ? sendHuge(sent) : packed)
	clearInterval(watch)
	expect(said).toEqual(GARBLED)
	expect(sent.bytes).toBeLessThan(100 * MB)
	expect(most - before).toBeLessThan(200 * MB)
})

test('keeps the path in the address of a broker behind a gateway', async () => {
	const paths: (string | undefined)[] = []
	const answer: RequestListener = (request, response) => {
		paths.push(request.url)
		response.writeHead(200, JSON_TYPE).end(envelope('{"n":1}'))
	}
	expect(await outcome(answer, '/gateway/khata')).toEqual({ n: 1 })
	expect(paths).toEqual(['/gateway/khata/v1/x'])
})

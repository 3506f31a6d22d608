import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { z } from 'zod/v4'
import { connectBroker } from './client.server'
import { parseLong } from './long-replies.server'

/** The text in pieces of that many bytes, as it arrives over the network. */
async function* inPieces(json: string, size = 64 * 1024): AsyncGenerator<Uint8Array> {
	const bytes = Buffer.from(json)
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const rows = (row: string, times: number) => Array.from({ length: times }, () => row).join(',')

test('parses long JSON to the same value as JSON.parse, wherever its lists and texts are', async () => {
	const text = fc.string({ unit: 'binary', maxLength: 20 })
	const row = fc.dictionary(text, fc.oneof(text, fc.double(), fc.constant(null), fc.array(text, { maxLength: 3 })), { maxKeys: 5 })
	const reply = fc.record({
		before: text,
		data: fc.oneof(fc.array(row, { minLength: 1 }), fc.record({ rows: fc.array(row, { minLength: 1 }), more: row })),
	})
	await fc.assert(
		fc.asyncProperty(reply, fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 100, max: 100_000 }), async (json, times, size) => {
			const { data } = json
			const more = Array.from({ length: times }, () => (Array.isArray(data) ? data : data.rows)).flat()
			const whole = JSON.stringify({ ...json, data: Array.isArray(data) ? more : { ...data, rows: more } })
			expect(await parseLong(inPieces(whole, size))).toEqual(JSON.parse(whole))
		}),
		{ numRuns: 10 },
	)
})

test.for<[string, string]>([
	['a list that ends with a comma', `{"data":[${rows('{"a":1}', 50_000)},]}`],
	['a list with a hole', `{"data":[${rows('{"a":1}', 50_000)},,{"a":1}]}`],
	['a list that is closed as an object', `{"data":[${rows('{"a":1}', 50_000)}}}`],
	['a list that is not closed', `{"data":[${rows('{"a":1}', 50_000)}`],
	['a list that is not closed, and ends with a comma', `{"data":[${rows(`{"a":"${'x'.repeat(2000)}"}`, 64)},}`],
	['a text that is not closed', `{"data":[${rows('{"a":1}', 50_000)},"]}`],
	['more after its end', `{"data":[${rows('{"a":1}', 50_000)}]}]`],
])('%s is no JSON', async ([, json]) => {
	await expect(parseLong(inPieces(json))).rejects.toBeInstanceOf(SyntaxError)
})

test('never mistakes text of the reply for a list that was cut out', async () => {
	const json = `{"__proto__":[${rows('{"a":"\\\\\\"],[{\\u20b9"}', 40_000)}],"b":"0","c":{"d":[[1,[2]],{}]}}`
	expect(JSON.stringify(await parseLong(inPieces(json)))).toBe(JSON.stringify(JSON.parse(json)))
})

test('parses text that arrives one byte at a time to the same values', async () => {
	const json = `{"before":"₹\\"[","data":{"rows":[${rows('{"a":"₹ \\\\"}', 8000)}],"none":[]}}`
	expect(await parseLong(inPieces(json, 1))).toEqual(JSON.parse(json))
})

test('parses one long value in a time that grows with its length', async () => {
	const json = JSON.stringify({ data: 'x'.repeat(16 * 1024 * 1024) })
	const started = performance.now()
	expect(await parseLong(inPieces(json, 4096))).toEqual(JSON.parse(json))
	// 0.2 s on two cores; joining everything with each piece would copy 32 GB.
	expect(performance.now() - started).toBeLessThan(5000)
})

/** Replies of 1 MB, made while they are received. Names in `stalled` stop after 700 KB. `taken` counts bytes by name. */
function brokerOfLongReplies(stalled: string[], timeoutMs: number) {
	const taken: Record<string, number> = {}
	vi.stubGlobal('fetch', async (url: URL, { signal }: RequestInit) => {
		const name = url.pathname.slice(1)
		taken[name] = 0
		const text = Buffer.from(JSON.stringify({ status: 'success', message: ' '.repeat(1024 * 1024), data: name }))
		const body = new ReadableStream<Uint8Array>(
			{
				pull(controller) {
					const at = taken[name] ?? 0
					if (stalled.includes(name) && at > 700 * 1024) return new Promise(() => {})
					if (at >= text.length) return controller.close()
					controller.enqueue(text.subarray(at, at + 64 * 1024))
					taken[name] = at + 64 * 1024
				},
			},
			{ highWaterMark: 0 },
		)
		signal?.throwIfAborted()
		return new Response(body)
	})
	const url = 'http://broker.test'
	const wire = { baseUrls: { broker: url, ekyc: url, edis: url, ipo: url, payment: url }, timeoutMs, tell: () => {} }
	const broker = connectBroker(wire, { sessionId: 's1', requestId: 'R-1', onExpired: async () => new Response() })
	const get = (name: string) => broker.get(`/${name}`, z.string()).catch((thrown: unknown) => (thrown as Response).status)
	return { taken, get }
}

test('receives two long replies at once, and the third when one of them has failed', async () => {
	// Both stall from the start and fail after 600 ms.
	const { taken, get } = brokerOfLongReplies(['a', 'b'], 600)
	const [a, b] = [get('a'), get('b')]
	await expect.poll(() => [taken.a, taken.b].every((bytes = 0) => bytes > 700 * 1024)).toBe(true)
	const waiting = ['c', 'd', 'e'].map(get)
	// Each arrives in seventeen pieces, and each piece takes a turn or two.
	for (let turn = 0; turn < 200; turn++) await setImmediate()
	for (const name of ['c', 'd', 'e']) {
		expect(taken[name]).toBeGreaterThan(512 * 1024)
		expect(taken[name]).toBeLessThan(600 * 1024)
	}
	expect(await Promise.all([a, b, ...waiting])).toEqual([504, 504, 'c', 'd', 'e'])
	vi.unstubAllGlobals()
})

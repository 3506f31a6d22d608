import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { z } from 'zod/v4'
import { connectBroker } from './client.server'
import { parseJson } from './long-replies.server'

/** Long enough to be read in slices: spaces count. */
const long = (json: string) => Buffer.from(json + ' '.repeat(600_000))
const rows = (row: string, times: number) => Array.from({ length: times }, () => row).join(',')

test('long JSON is what JSON.parse makes of it, wherever its lists and texts are', async () => {
	const text = fc.string({ unit: 'binary', maxLength: 20 })
	const row = fc.dictionary(text, fc.oneof(text, fc.double(), fc.constant(null), fc.array(text, { maxLength: 3 })), { maxKeys: 5 })
	const reply = fc.record({
		before: text,
		data: fc.oneof(fc.array(row, { minLength: 1 }), fc.record({ rows: fc.array(row, { minLength: 1 }), more: row })),
	})
	await fc.assert(
		fc.asyncProperty(reply, fc.integer({ min: 1, max: 3000 }), async (json, times) => {
			const { data } = json
			const more = Array.from({ length: times }, () => (Array.isArray(data) ? data : data.rows)).flat()
			const whole = JSON.stringify({ ...json, data: Array.isArray(data) ? more : { ...data, rows: more } })
			expect(await parseJson(long(whole))).toEqual(JSON.parse(whole))
		}),
		{ numRuns: 10 },
	)
})

test.for<[string, string]>([
	['a list that ends with a comma', `{"data":[${rows('{"a":1}', 50_000)},]}`],
	['a list with a hole', `{"data":[${rows('{"a":1}', 50_000)},,{"a":1}]}`],
	['a list that is closed as an object', `{"data":[${rows('{"a":1}', 50_000)}}}`],
	['a list that is not closed', `{"data":[${rows('{"a":1}', 50_000)}`],
	['a text that is not closed', `{"data":[${rows('{"a":1}', 50_000)},"]}`],
	['more after its end', `{"data":[${rows('{"a":1}', 50_000)}]}]`],
])('%s is no JSON', async ([, json]) => {
	await expect(parseJson(long(json))).rejects.toBeInstanceOf(SyntaxError)
})

test('a reply’s own words are never taken for a list that was cut out', async () => {
	const json = `{"__proto__":[${rows('{"a":"\\\\\\"],[{\\u20b9"}', 40_000)}],"b":"0","c":{"d":[[1,[2]],{}]}}`
	expect(JSON.stringify(await parseJson(long(json)))).toBe(JSON.stringify(JSON.parse(json)))
})

/** Replies of 1 MB that are made as they are received. Of a name in `stalled`, no more comes after 700 KB. `taken` counts bytes by name. */
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

test('two long replies are received at once, and the next when one of them has failed', async () => {
	// The two stand still from the start, and fail after 600 ms.
	const { taken, get } = brokerOfLongReplies(['a', 'b'], 600)
	const [a, b] = [get('a'), get('b')]
	await expect.poll(() => [taken.a, taken.b].every((bytes = 0) => bytes > 700 * 1024)).toBe(true)
	const waiting = ['c', 'd', 'e'].map(get)
	// The whole of one comes in seventeen pieces, each of which takes a turn or two.
	for (let turn = 0; turn < 200; turn++) await setImmediate()
	for (const name of ['c', 'd', 'e']) {
		expect(taken[name]).toBeGreaterThan(512 * 1024)
		expect(taken[name]).toBeLessThan(600 * 1024)
	}
	expect(await Promise.all([a, b, ...waiting])).toEqual([504, 504, 'c', 'd', 'e'])
	vi.unstubAllGlobals()
})

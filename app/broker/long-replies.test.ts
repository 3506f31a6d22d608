import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod/v4'
import { cells, rows as rowsOf, unreadIn } from '#contract/tolerant'
import { standInForBroker } from '#tests/support/test-wire'
import { connectBroker } from './client.server'
import { parseLong } from './long-json.server'
import { startReply } from './long-replies.server'
import { LedgerReport } from '#contract/ledger'

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
])('refuses %s', async ([, json]) => {
	await expect(parseLong(inPieces(json))).rejects.toBeInstanceOf(SyntaxError)
})

test('never mistakes text of the reply for one of its lists', async () => {
	const json = `{"__proto__":[${rows('{"a":"\\\\\\"],[{\\u20b9"}', 40_000)}],"b":"0","c":{"d":[[1,[2]],{}]}}`
	expect(JSON.stringify(await parseLong(inPieces(json)))).toBe(JSON.stringify(JSON.parse(json)))
})

test('parses text that arrives one byte at a time to the same values', async () => {
	const json = `{"before":"₹\\"[","data":{"rows":[${rows('{"a":"₹ \\\\"}', 8000)}],"none":[]}}`
	expect(await parseLong(inPieces(json, 1))).toEqual(JSON.parse(json))
})

test('parses one long value in time proportional to its length', async () => {
	const json = JSON.stringify({ data: 'x'.repeat(16 * 1024 * 1024) })
	const started = performance.now()
	expect(await parseLong(inPieces(json, 4096))).toEqual(JSON.parse(json))
	// 0.2 s on two cores; joining everything with each piece would copy 32 GB.
	expect(performance.now() - started).toBeLessThan(5000)
})

/**
 * Of every three rows, the first is complete, the second has a word in place of its number, and the third has no name and cannot be read.
 * 0.9 MB.
 */
const mixed = Array.from({ length: 20_000 }, (_, n) => ({
	name: n % 3 === 2 ? undefined : `row ${n}`,
	count: n % 3 === 1 ? 'many' : n,
	note: 'x'.repeat(20),
}))

test.for<[string, (list: unknown) => unknown, boolean]>([
	['data', (list) => ({ status: 'success', data: list }), true],
	['a field of data', (list) => ({ status: 'success', data: { before: { sum: 1 }, list } }), false],
	['the first field of data', (list) => ({ status: 'success', data: { list, after: [] } }), true],
	['a second field of data', (list) => ({ status: 'success', data: { other: mixed, list } }), false],
	['data, behind a list of the same name elsewhere', (list) => ({ meta: { list: mixed }, data: { list } }), true],
])('reads the rows of a list that is %s to the same result, and counts the bad ones once', async ([, wrap, isEarly]) => {
	let read = 0
	const counted = z.string().transform((name) => {
		read += 1
		return name
	})
	const list = rowsOf(z.object({ name: counted, ...cells({ count: z.number() }), note: z.string() }))
	const whole = wrap(mixed) as { data: unknown }
	const reply = startReply(Array.isArray(whole.data) ? list : z.object({ list }), 'R-1')
	const json = (await parseLong(inPieces(JSON.stringify(whole)), reply.readRows)) as { data: unknown }
	// At most 32 KB of rows wait for the end of the text.
	expect(read > 10_000).toBe(isEarly)
	const { parsed, unread } = await reply.finish(json.data)
	// Of 20,000 rows 6,666 have no name (n = 2, 5, … 19,997), and 6,667 have a word as count (n = 1, 4, … 19,999).
	expect(unread).toEqual({ count: 13_333, fields: { name: 6666, count: 6667 } })
	const found = (Array.isArray(whole.data) ? parsed.data : (parsed.data as { list: unknown }).list) as unknown[]
	expect(found).toEqual(
		mixed.flatMap(({ name, count, note }, n) => (n % 3 === 2 ? [] : [{ name, count: n % 3 === 1 ? null : count, note }])),
	)
	expect(unreadIn(found)).toEqual({ rows: 6666, cells: 6667, reference: 'R-1' })
})

test('reads the rows of a ledger, the longest reply, while they arrive', () => {
	const row = { VOUCHER_DATE: '2026-04-01', VOUCHER_NO: 'BL1', VOUCHER_TYPE: 'BILL', COCD: 'MCX', DR_AMT: 1, CR_AMT: 0, BALANCE: -1 }
	const { readRows } = startReply(LedgerReport, 'R-1')
	const list: unknown[] = []
	expect(readRows(list, '{"status":"success","data":{"filtered_df":', [row])).toBe(true)
	expect(list).toEqual([expect.objectContaining({ VOUCHER_NO: 'BL1', DR_AMT: 100 })])
})

test('reads at most two hundred short rows at once, and as many rows as large books have', async () => {
	const batches: number[] = []
	const keep = (list: unknown[], _: string, items: readonly unknown[]) => {
		batches.push(items.length)
		for (const item of items) list.push(item)
		return true
	}
	const row = JSON.stringify(Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`field_${n}`, n])))
	const short = (await parseLong(inPieces(`{"data":[${rows('{}', 300_000)}]}`), keep)) as { data: unknown[] }
	const large = (await parseLong(inPieces(`{"data":[${rows(row, 150_000)}]}`), keep)) as { data: unknown[] }
	expect([short.data.length, large.data.length]).toEqual([300_000, 150_000])
	expect(Math.max(...batches)).toBeLessThanOrEqual(200)
})

/**
 * A broker with replies of 1 MB, made while they are received. A reply named in `stalled` stops after 700 KB. `taken` counts the bytes by
 * name.
 */
function brokerOfLongReplies(stalled: string[], timeoutMs: number) {
	const taken: Record<string, number> = {}
	const end = standInForBroker(({ url }) => {
		const name = new URL(url).pathname.slice(1)
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
		return new Response(body)
	})
	const url = 'http://broker.test'
	const wire = { baseUrls: { broker: url, ekyc: url, edis: url, ipo: url, payment: url }, timeoutMs, tell: () => {} }
	/** Each name is a client of its own unless a client is given. */
	const connect = (clientCode: string = randomUUID()) =>
		connectBroker(wire, { sessionId: clientCode, clientCode, requestId: randomUUID(), onExpired: async () => new Response() })
	const get = (name: string, clientCode?: string) =>
		connect(clientCode)
			.get(`/${name}`, z.string())
			.catch((thrown: unknown) => (thrown as Response).status)
	return { taken, get, end }
}

test('receives two long replies at once, and the third when one of them has failed', async () => {
	// Both stall from the start and fail after 600 ms.
	const { taken, get, end } = brokerOfLongReplies(['a', 'b'], 600)
	const [a, b] = [get('a'), get('b')]
	await expect.poll(() => [taken.a, taken.b].every((bytes = 0) => bytes > 700 * 1024)).toBe(true)
	const waiting = ['c', 'd', 'e'].map((name) => get(name))
	// Each arrives in seventeen pieces, and each piece takes a turn or two.
	for (let turn = 0; turn < 200; turn++) await setImmediate()
	for (const name of ['c', 'd', 'e']) {
		expect(taken[name]).toBeGreaterThan(512 * 1024)
		expect(taken[name]).toBeLessThan(700 * 1024)
	}
	expect(await Promise.all([a, b, ...waiting])).toEqual([504, 504, 'c', 'd', 'e'])
	end()
})

test('a client with two slow replies has one of the two places, so another client is not held up', async () => {
	const { taken, get, end } = brokerOfLongReplies(['a', 'b'], 600)
	const slow = [get('a', 'SLOW01'), get('b', 'SLOW01')]
	await expect.poll(() => [taken.a, taken.b].every((bytes = 0) => bytes > 512 * 1024)).toBe(true)
	let areSlowDone = false
	void Promise.all(slow).then(() => (areSlowDone = true))
	expect(await get('c', 'OTHER1')).toBe('c')
	expect(await get('d', 'OTHER1')).toBe('d')
	expect(areSlowDone).toBe(false)
	expect(await Promise.all(slow)).toEqual([504, 504])
	end()
})

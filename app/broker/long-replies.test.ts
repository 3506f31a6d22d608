import fc from 'fast-check'
import { expect, test } from 'vitest'
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

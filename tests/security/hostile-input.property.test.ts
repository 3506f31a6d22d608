import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runs } from '#sandbox/testing/runs'
import { hidden } from '#tests/support/account'
import { openPortal, ORIGIN, signedIn, type Visitor } from '#tests/support/portal'
import { PLACES } from '#tests/support/site-map'

/* Any names and values in a form or a query get a quick response of normal page size, and never cause an unexpected error. */

/** Values for the parameters of an address: existing ones, where possible. */
const SAMPLES: Record<string, string> = {
	':report/:format': 'holding/xlsx',
	':report': 'holding',
	':format': 'csv',
	':change': 'mobile',
	':symbol': 'KONKANLOG',
	':application': '1000000001',
	':isin': 'INE002A01018',
	':bill': 'NSE0001',
	':type': 'MCX',
	':reference': 'ES-NONE',
	':table': 'account',
	'*': 'nowhere',
}

const places = PLACES.map(({ route, hasAction }) => ({
	address: Object.entries(SAMPLES).reduce((text, [open, sample]) => text.replace(open, sample), `/${route}`),
	isForm: hasAction,
}))
const addresses = [...new Set(places.map(({ address }) => address))]
const forms = [...new Set(places.filter(({ isForm }) => isForm).map(({ address }) => address))]

const MAX_MS = 2000
const MAX_PAGE = 300_000
/** The test makes the largest download twice, also on a busy machine. */
const TEST_MS = 60_000

let opened: Awaited<ReturnType<typeof openPortal>>
let visitor: Visitor
beforeAll(async () => {
	opened = await openPortal()
	visitor = await signedIn(opened, 'DEMO01')
})
afterAll(() => opened.close())

const DEEP = `a${'.a'.repeat(20_000)}`
const SUFFIXES = [
	...['', '', '[]', '[0]', '[99]', '[100]', '[40000000]', '[4294967294]', '[-1]', '[1e9]', '[0][0][0][0]', '['.repeat(40)],
	...['.a', '.0', '.40000000', '.length', '.map', '.toString', '.constructor.prototype.polluted', '.__proto__.polluted'],
]
const NAMES = [
	'',
	'__proto__',
	'__proto__[polluted]',
	'constructor',
	'toString',
	'__intent__',
	'__state__',
	'sort',
	'page',
	'year',
	'q',
	DEEP,
]
const VALUES = [
	...['', '0', '-1', '1e309', 'NaN', '9'.repeat(400), '\0', '\u202E', '\uD800', 'null', '[]', '<script>alert(1)</script>', '%00'],
	...['a'.repeat(8000), '"'.repeat(8000), '2026-02-31', '{"type":"insert","payload":{"name":"nominees[40000000]"}}'],
	'{"type":"update","payload":{"name":"__proto__","value":{"polluted":"yes"}}}',
]

function hostile(names: readonly string[]) {
	const name = fc.oneof(
		{ weight: 4, arbitrary: fc.tuple(fc.constantFrom('x', ...names), fc.constantFrom(...SUFFIXES)).map((parts) => parts.join('')) },
		{ weight: 1, arbitrary: fc.constantFrom(...NAMES) },
		{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 120 }) },
	)
	const value = fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: 'binary', maxLength: 200 }))
	return fc.array(fc.tuple(name, value), { maxLength: 12 })
}

type Fields = [name: string, value: string][]

/** Measures a response as a client waits for it: a whole page or its data, or the beginning of a file. */
async function measure(send: () => Promise<Response>) {
	const started = performance.now()
	const answer = await send()
	const isFile = /^application\/(pdf|zip|vnd)|^text\/csv/.test(answer.headers.get('content-type') ?? '')
	const size = isFile ? 0 : (await answer.arrayBuffer()).byteLength
	if (isFile) await answer.body?.cancel()
	return { status: answer.status, isFile, size, ms: performance.now() - started }
}

type Measured = Awaited<ReturnType<typeof measure>>

/** The maintenance page's 503 and the time of a large file also occur without hostile fields, so they do not count. */
function findProblem(what: string, answer: Measured, usual: Measured): string | undefined {
	const { status, size, ms } = answer
	if (status >= 500 && status !== usual.status) return `${status} for ${what}`
	// The data address of a file returns the whole file.
	if (size > MAX_PAGE && !usual.isFile) return `${size} bytes for ${what}`
	// A file of a year takes seconds, and the time may double. An array index that freezes the process takes far longer.
	if (ms > MAX_MS + usual.ms * (usual.isFile ? 3 : 1)) return `${ms} ms for ${what}`
	return 'polluted' in {} ? `polluted by ${what}` : undefined
}

test.each(forms)(
	'the form at %s accepts any fields without an error',
	async (address) => {
		// The session ends with a logout.
		const sender = address === '/logout' ? await signedIn(opened, 'DEMO01') : visitor
		const usual = await measure(() => sender.send(address))
		const { html } = await sender.visit(address)
		const csrf = hidden(html, 'csrf') || hidden((await sender.visit('/dashboard')).html, 'csrf')
		expect(csrf).not.toBe('')
		const names = [
			...new Set([...html.matchAll(/<(?:input|select|textarea|button)\b[^>]*? name="([^"]+)"/g)].flatMap(([, name]) => name ?? [])),
		]
		const intents = [...html.matchAll(/name="intent"[^>]*? value="([^"]+)"/g)].flatMap(([, intent]) => intent ?? [])
		const own = names.find((name) => !['csrf', 'theme', 'redirectTo', 'year'].includes(name)) ?? 'username'
		const property = fc.asyncProperty(
			hostile(names),
			fc.constantFrom('', ...intents),
			fc.boolean(),
			async (fields: Fields, intent, isData) => {
				const body = new URLSearchParams([['csrf', csrf], ...(intent ? [['intent', intent]] : []), ...fields]).toString()
				const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN }
				const answer = await measure(() => sender.send(isData ? `${address}.data` : address, { method: 'POST', body, headers }))
				expect(findProblem(body.slice(0, 2000), answer, usual)).toBeUndefined()
			},
		)
		const many = Array.from({ length: 600 }, (_, at): [string, string] => [`x${at}[99][99]`, 'y'])
		await fc.assert(property, {
			numRuns: runs(5, 40),
			examples: [
				...[`${own}[40000000]`, `${own}[4294967294]`, 'x[100000]', '__intent__', '__state__', DEEP].map(
					(name): [Fields, string, boolean] => [[[name, 'x']], '', false],
				),
				[many.slice(0, 500), '', false],
				[many, '', true],
			],
		})
	},
	TEST_MS,
)

test.each(addresses)(
	'accepts any query at %s',
	async (address) => {
		const dataAddress = address === '/' ? address : `${address}.data`
		// The data address of a pack returns the pack, which takes longer.
		const usual = await measure(() => visitor.send(address))
		const usualData = await measure(() => visitor.send(dataAddress))
		const property = fc.asyncProperty(
			hostile(['from', 'to', 'segment', 'form', 'ref', 'status', 'dialog', 'amount', 'action']),
			fc.boolean(),
			async (fields: Fields, isData) => {
				const query = new URLSearchParams(fields).toString()
				const target = `${isData ? dataAddress : address}?${query}`
				const normal = isData ? { ...usualData, isFile: usual.isFile } : usual
				expect(findProblem(target.slice(0, 2000), await measure(() => visitor.send(target)), normal)).toBeUndefined()
			},
		)
		await fc.assert(property, {
			// A file takes longer, and its address has only a year or a few filters.
			numRuns: address.startsWith('/downloads/') ? runs(2, 4) : runs(3, 20),
			examples: [
				[[['from[60000000]', 'x']], false],
				[[['from[60000000]', 'x']], true],
			],
		})
	},
	TEST_MS,
)

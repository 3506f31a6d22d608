import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hidden } from '#tests/support/account'
import { openPortalForFile, ORIGIN, signedIn, Visitor } from '#tests/support/portal'
import { fillRoute, PLACES } from '#tests/support/site-map'

/* How much of a body the portal reads, and from which visitors (security 50 and 55). */

const opened = openPortalForFile()

const KB = 1024
const URL_ENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=b'

/** Addresses whose forms are also for visitors without a session. */
const PUBLIC = ['/login', '/logout', '/forgot-password', '/theme', '/client/reports']

/** A value for each parameter of an address. */
const PARAMS: Record<string, string> = { change: 'bank', symbol: 'NOTHERE', application: 'A1', report: 'holding', bill: 'B1', type: 'MCX' }

/** Every address of the site map that accepts a post. */
const ACTIONS = PLACES.filter(({ hasAction }) => hasAction).map((place) => fillRoute(place, PARAMS))

/** A body in chunks that counts the bytes read. Each chunk is made only when it is read. */
function openBody(pieces: Iterable<Uint8Array>) {
	const taken = { bytes: 0, pieces: 0 }
	const left = pieces[Symbol.iterator]()
	const body = new ReadableStream<Uint8Array>(
		{
			pull(controller) {
				const { done, value } = left.next()
				if (done) return controller.close()
				taken.pieces += 1
				taken.bytes += (value as Uint8Array).length
				controller.enqueue(value as Uint8Array)
			},
		},
		{ highWaterMark: 0 },
	)
	return { body, taken }
}

function* repeat(text: string, megabytes: number) {
	const piece = Buffer.from(text.repeat(Math.floor((64 * KB) / text.length)))
	for (let sent = 0; sent < megabytes * KB * KB; sent += piece.length) yield piece
}

const post = (visitor: Visitor, path: string, type: string, body: ReadableStream<Uint8Array>, headers: Record<string, string> = {}) =>
	visitor.send(path, { method: 'POST', body, headers: { 'content-type': type, origin: ORIGIN, ...headers }, duplex: 'half' } as RequestInit)

describe('without a session', () => {
	test('every private action redirects to login, and the body is not read', async () => {
		expect(ACTIONS.length).toBeGreaterThan(25)
		expect(ACTIONS).toEqual(expect.arrayContaining(PUBLIC))
		const cookies = [undefined, '__Host-session=nonsense; __Host-activity=nonsense']
		const read: string[] = []
		for (const path of ACTIONS.filter((each) => !PUBLIC.includes(each) && each !== '/maintenance')) {
			for (const address of [path, `${path}.data`]) {
				for (const type of [URL_ENCODED, MULTIPART]) {
					for (const cookie of cookies) {
						const { body, taken } = openBody(repeat('a=&', 1))
						const answer = await post(new Visitor(opened.portal), address, type, body, cookie ? { cookie } : {})
						const leadsToLogin = [answer.headers.get('location') ?? '', await answer.text()].some((text) => text.includes('/login'))
						if (taken.pieces > 0 || !leadsToLogin) read.push(`${address} ${type} ${answer.status} ${taken.bytes}`)
					}
				}
			}
		}
		expect(read).toEqual([])
	})

	test('refuses a form of 24 MB unread, or stops reading after 100 KB', async () => {
		for (const path of [...PUBLIC, '/myaccount/bank', '/myaccount/segments', '/myaccount/income', '/myaccount/closure']) {
			for (const type of [URL_ENCODED, MULTIPART]) {
				const announced = openBody(repeat('a=&', 24))
				const length = { 'content-length': String(24 * KB * KB) }
				const refused = await post(new Visitor(opened.portal), path, type, announced.body, length)
				expect([path, refused.status, refused.headers.get('connection')]).toEqual([path, 413, 'close'])
				// The portal discards some of the body after its response, because a browser shows the response only then.
				const chunked = openBody(repeat('a=&', 24))
				const answer = await post(new Visitor(opened.portal), path, type, chunked.body)
				expect([path, [302, 400, 403, 413].includes(answer.status)]).toEqual([path, true])
				await answer.text()
				for (const { taken } of [announced, chunked]) expect(taken.bytes).toBeLessThan(1300 * KB)
			}
		}
	})
})

const field = (name: string, value: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

describe('a multipart form', () => {
	test('is read correctly however it is split into chunks', async () => {
		const visitor = new Visitor(opened.portal)
		const { html } = await visitor.visit('/login')
		const whole = Buffer.from(`${field('csrf', hidden(html, 'csrf'))}${field('theme', 'dark')}${field('redirectTo', '/login')}--b--\r\n`)
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat({ max: whole.length }), { maxLength: 8 }), async (cuts) => {
				const edges = [0, ...cuts.sort((one, other) => one - other), whole.length]
				const pieces = edges.slice(1).map((edge, at) => whole.subarray(edges[at], edge))
				const { body } = openBody(pieces.filter(({ length }) => length > 0))
				expect((await post(visitor, '/theme', MULTIPART, body)).status).toBe(303)
			}),
			{ numRuns: 60 },
		)
	})

	test.each<[string, string]>([
		['a header that the boundary follows', '--b\r\ncontent-disposition: form-data; name="otp"\r\n--b--\r\n'],
		['a second header that the boundary follows', `${field('otp', '1')}--b\r\ncontent-disposition: form-data; name="x"\r\n--b--\r\n`],
		['a header of a file that the boundary follows', '--b\r\ncontent-disposition: form-data; name="f"; filename="a.pdf"\r\n--b--\r\n'],
		['no end', field('otp', '1')],
		['a cut header', '--b\r\ncontent-dispo'],
		['no part at all', '--b'],
		['an end alone', '--b--\r\n'],
		['nothing', ''],
		['another boundary', '--c\r\ncontent-disposition: form-data; name="otp"\r\n\r\n1\r\n--c--\r\n'],
		['a header of 100 KB', `--b\r\ncontent-disposition: form-data; name="${'n'.repeat(99 * KB)}"\r\n\r\n1\r\n--b--`],
		['a field without a name', '--b\r\ncontent-disposition: form-data\r\n\r\n1\r\n--b--\r\n'],
		['a file without a name', '--b\r\ncontent-disposition: form-data; filename="a.pdf"\r\n\r\n1\r\n--b--\r\n'],
		['a cut part that is no form data', '--b\r\ncontent-disposition: attachment; name="otp"\r\n\r\n1'],
		['a cut part without a disposition', '--b\r\ncontent-type: text/plain\r\n\r\n1'],
		['a cut name of two lines', '--b\r\ncontent-disposition: form-data; name="o%0Dtp"\r\n\r\n1'],
		['1,000 parts', `${field('a', '').repeat(1000)}--b--\r\n`],
	])('with %s is answered', async (_, text) => {
		const visitor = new Visitor(opened.portal)
		for (const path of ['/login', '/theme']) {
			const answer = await post(visitor, path, MULTIPART, openBody(text === '' ? [] : [Buffer.from(text)]).body)
			// This form lost its token with the rest, so it is refused for the missing token.
			expect([400, 403]).toContain(answer.status)
		}
	})

	test('of any parts, cut at any byte, is answered', async () => {
		const header = fc.constantFrom(
			...['', 'form-data', 'form-data; name="a"', 'form-data; filename="a.pdf"', 'form-data; name="a"; filename=""', 'attachment', ';;='],
			...['form-data; name="a', "form-data; name*=utf-8''a", 'form-data; name=a; name=b', 'FORM-DATA; NAME="a"; FILENAME="b\r.pdf"'],
		)
		const part = fc
			.tuple(
				header,
				fc.constantFrom('', 'content-type: application/octet-stream\r\n', 'content-type:\r\n', ': x\r\n', 'x\r\n'),
				fc.constantFrom('\r\n', ''),
				fc.constantFrom('1', '', '\r\n', '--b', '\r\n--'),
			)
			.map(([disposition, more, gap, value]) => `${disposition && `content-disposition: ${disposition}\r\n`}${more}${gap}${value}\r\n`)
		const form = fc.tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom('--b--\r\n', '--b--', '--b', '--b--\r\nan epilogue', ''))
		const client = await signedIn(opened, 'CASH01')
		const otp = '/myaccount/income/otp'
		await client.post('/myaccount/income', '/myaccount/income', { income: '1-5 Lakh' })
		const { html } = await client.visit(otp)
		const own = field('csrf', hidden(html, 'csrf')) + field('step', hidden(html, 'step'))
		await fc.assert(
			fc.asyncProperty(form, fc.nat({ max: 60 }), fc.nat({ max: 400 }), async ([parts, end], cut, split) => {
				const text = parts.map((each) => `--b\r\n${each}`).join('') + end
				const answers = [
					[new Visitor(opened.portal), '/theme', ''],
					// With files.
					[client, otp, own],
				] as const
				for (const [visitor, path, first] of answers) {
					const whole = Buffer.from(first + text)
					const body = whole.subarray(0, Math.max(1, whole.length - (cut < 30 ? 0 : cut - 30)))
					const pieces = [body.subarray(0, split), body.subarray(split)].filter(({ length }) => length > 0)
					expect([303, 400, 403]).toContain((await post(visitor, path, MULTIPART, openBody(pieces).body)).status)
				}
			}),
			{ numRuns: 300 },
		)
	})

	test('gets a 400 when it has no boundary', async () => {
		const visitor = new Visitor(opened.portal)
		expect((await post(visitor, '/login', 'multipart/form-data', openBody([Buffer.from('--b--\r\n')]).body)).status).toBe(400)
	})
})

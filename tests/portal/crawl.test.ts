import { readdirSync, readFileSync } from 'node:fs'
import { matchRoutes } from 'react-router'
import { beforeAll, expect, test } from 'vitest'
import { openPortalForFile, ORIGIN, signedIn, type Visitor } from '#tests/support/portal'
import { fillRoute, PLACES } from '#tests/support/site-map'

/* A browser may prefetch every address of the site map, page and data. A prefetch must change nothing and reveal no secret. */

type Answer = { path: string; status: number; headers: [string, string][]; text: string }

const open = openPortalForFile()
let client: Visitor
let tokens: string[]
const answers: Answer[] = []
const reached = new Set<string>()
let outboxBefore = ''

/** How browsers mark a prefetch. */
const AHEAD = { 'sec-purpose': 'prefetch', purpose: 'prefetch' }

const readOutbox = async () => (await fetch('http://127.0.0.1:4999/outbox?client=DEMO01')).text()

beforeAll(async () => {
	client = await signedIn(open)
	await client.send('/dashboard')
	tokens = [...new Set(open.asked.flatMap((request) => request.headers.get('auth-token') ?? []))]
	outboxBefore = await readOutbox()
	open.asked.length = 0
	await crawl()
	// The crawl tries one format of a file. This one is called where a bundle is also made.
	await (await client.send('/downloads/pnl/zip', { headers: AHEAD })).body?.cancel()
}, 240_000)

/** Every address of the site map, as pages link to it. An address that no page links has a made-up value for each parameter. */
async function crawl() {
	const all = PLACES.map(({ route }) => ({ path: `/${route}` }))
	const waiting = all.map(({ path }) => path).filter((path) => !/[:*]/.test(path))
	const look = async (address: string) => {
		const { pathname } = new URL(address, ORIGIN)
		const pattern = matchRoutes(all, pathname)?.[0]?.route.path ?? ''
		// The reports have one route, and each its own call.
		const place = pattern === '/reports/:report' ? pathname : pattern
		if (reached.has(place) || pathname === '/logout') return
		reached.add(place).add(pattern)
		for (const path of [address, toData(address)]) {
			const answer = await client.send(path, { headers: AHEAD })
			const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
			answers.push({ path, status: answer.status, headers: [...answer.headers], text })
			for (const [, href = ''] of text.matchAll(/<a\b[^>]*?\bhref="(\/[^"#]*)/g)) waiting.push(href.replaceAll('&amp;', '&'))
		}
	}
	for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) await look(address)
	for (const place of PLACES) await look(fillRoute(place))
}

function toData(address: string): string {
	const { pathname, search } = new URL(address, ORIGIN)
	return `${pathname === '/' ? '/_root' : pathname}.data${search}`
}

test('no page, data, file or header contains the broker’s token', () => {
	expect(tokens.length).toBeGreaterThan(0)
	expect(answers.length).toBeGreaterThan(100)
	expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(60)
	expect(answers.filter(({ status }) => status >= 500).map(({ path, status }) => `${status} ${path}`)).toEqual([
		'503 /maintenance',
		'503 /maintenance.data',
	])
	const forms = tokens.flatMap((token) => [token, encodeURIComponent(token), Buffer.from(token).toString('base64url').slice(0, -2)])
	for (const { path, headers, text } of answers) {
		for (const form of forms) {
			expect(text.includes(form), path).toBe(false)
			expect(JSON.stringify(headers).includes(form), path).toBe(false)
		}
	}
	for (const file of readdirSync('build/client/assets').filter((name) => name.endsWith('.js'))) {
		const text = readFileSync(`build/client/assets/${file}`, 'utf8')
		for (const form of forms) expect(text.includes(form), file).toBe(false)
	}
})

test('sends the token to the broker in a header, never in an address', () => {
	expect(open.asked.length).toBeGreaterThan(30)
	for (const { url } of open.asked) for (const token of tokens) expect(url).not.toContain(token)
})

/** The broker's posts that only read. Every other post, and every PUT or DELETE, changes something. */
const READS = new Set([
	'/edis/v1/get_pdf',
	'/ipo/v1/get-ipo-details',
	'/v1/acc-closing-details',
	'/v1/reports/contract-bills-file',
	'/v1/reports/contractbills',
	'/v1/reports/ledger',
	'/v1/reports/pnl',
	'/v1/reports/pnl-segment',
	'/v1/user/dashboard',
	'/v1/user/report/incometax',
	'/v1/user/report/pnl',
])
/** With `process_type` `old` it fetches a bundle, with `new` it makes one. */
const PNL_BUNDLE = '/v2/service/reports/pnl-summary'

async function isRead(request: Request): Promise<boolean> {
	const { pathname } = new URL(request.url)
	if (request.method === 'GET') return true
	if (pathname !== PNL_BUNDLE) return request.method === 'POST' && READS.has(pathname)
	return ((await request.clone().json()) as { process_type?: string }).process_type === 'old'
}

test('a prefetch changes nothing', async () => {
	const bundle = (process_type: string) => new Request(`${ORIGIN}${PNL_BUNDLE}`, { method: 'POST', body: JSON.stringify({ process_type }) })
	expect([await isRead(bundle('old')), await isRead(bundle('new'))]).toEqual([true, false])
	expect(open.asked.filter(({ url }) => new URL(url).pathname === PNL_BUNDLE)).toHaveLength(1)
	const changes: string[] = []
	for (const request of open.asked) if (!(await isRead(request))) changes.push(`${request.method} ${new URL(request.url).pathname}`)
	expect([...new Set(changes)]).toEqual([])
	expect(open.asked.filter(({ url }) => url.includes('/v2/user/logout'))).toEqual([])
	expect(await readOutbox()).toBe(outboxBefore)
	await client.send('/logout', { headers: AHEAD })
	expect((await client.send('/dashboard')).status).toBe(200)
})

/**
 * The autofill names of the HTML Standard (4.10.18.7.1) that our forms use, each with the types of `input` that its control group allows.
 * `tel-national` is in the group Text, so an `input` of type `tel` may not have it.
 */
const AUTOFILL: Record<string, RegExp> = {
	off: /^(?!hidden|checkbox|radio|submit|button)/,
	username: /^(text|email)$/,
	'current-password': /^(text|password)$/,
	'new-password': /^(text|password)$/,
	'one-time-code': /^(text|password)$/,
	tel: /^(text|tel)$/,
	email: /^(text|email)$/,
}

test('every field that browsers may fill in has an autofill name of the HTML Standard', () => {
	const fields = answers.flatMap(({ path, text }) =>
		path.includes('.data')
			? []
			: [...text.matchAll(/<(input|select|textarea)\b[^>]*\bautocomplete="([^"]*)"[^>]*>/gi)].map(([tag, , word = '']) => ({
					path,
					word,
					type: /\btype="([^"]*)"/.exec(tag)?.[1] ?? 'text',
				})),
	)
	expect(new Set(fields.map(({ word }) => word)).size).toBeGreaterThan(3)
	expect(fields.filter(({ word, type }) => !AUTOFILL[word]?.test(type))).toEqual([])
})

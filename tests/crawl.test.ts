import { readdirSync, readFileSync } from 'node:fs'
import { matchRoutes, type RouteObject } from 'react-router'
import { afterAll, beforeAll, expect, test } from 'vitest'
import routes from '../app/routes'
import { openPortal, ORIGIN, Visitor } from './portal'

/* One client's browser looks ahead at every address of the site map, page and data: what it may find there, and what that may do. */

type Entry = { path?: string; index?: boolean; children?: Entry[] }
type Answer = { path: string; status: number; headers: [string, string][]; text: string }

let open: Awaited<ReturnType<typeof openPortal>>
let client: Visitor
let tokens: string[]
const answers: Answer[] = []
const reached = new Set<string>()
let outboxBefore = ''

/** As browsers mark what they fetch before anybody has clicked. */
const AHEAD = { 'sec-purpose': 'prefetch', purpose: 'prefetch' }

const readOutbox = async () => (await fetch('http://127.0.0.1:4999/outbox?client=DEMO01')).text()

beforeAll(async () => {
	open = await openPortal()
	client = new Visitor(open.portal)
	await client.login()
	await client.send('/dashboard')
	tokens = [...new Set(open.asked.flatMap((request) => request.headers.get('auth-token') ?? []))]
	outboxBefore = await readOutbox()
	open.asked.length = 0
	await crawl()
}, 240_000)
afterAll(() => open.close())

/** Every address of the site map: those that pages link to as linked, the rest with a made-up value in place of a parameter. */
async function crawl() {
	const all = toObjects(routes as Entry[])
	const patterns = listPatterns(routes as Entry[])
	const waiting = patterns.filter((pattern) => !/[:*]/.test(pattern))
	const look = async (address: string) => {
		const { pathname } = new URL(address, ORIGIN)
		const pattern =
			matchRoutes(all, pathname)
				?.map(({ route }) => route.path ?? '')
				.filter(Boolean)
				.join('/') ?? ''
		if (reached.has(pattern) || pathname === '/logout') return
		reached.add(pattern)
		for (const path of [address, toData(address)]) {
			const answer = await client.send(path, { headers: AHEAD })
			const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
			answers.push({ path, status: answer.status, headers: [...answer.headers], text })
			for (const [, href = ''] of text.matchAll(/<a\b[^>]*?\bhref="(\/[^"#]*)/g)) waiting.push(href.replaceAll('&amp;', '&'))
		}
	}
	for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) await look(address)
	for (const pattern of patterns) await look(pattern.replace(/:\w+|\*/g, 'x'))
}

function toData(address: string): string {
	const { pathname, search } = new URL(address, ORIGIN)
	return `${pathname === '/' ? '/_root' : pathname}.data${search}`
}

function toObjects(entries: Entry[]): RouteObject[] {
	return entries.map(({ path, index, children }) =>
		index ? { index: true, path: undefined } : { path, children: children && toObjects(children) },
	)
}

function listPatterns(entries: Entry[], base = ''): string[] {
	return entries.flatMap(({ path, children }) => {
		const full = path ? `${base}/${path}` : base
		return children ? [...(path ? [full] : []), ...listPatterns(children, full)] : [full || '/']
	})
}

test('the broker’s token is in no page, no data, no file and no header', () => {
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

test('the token goes to the broker in a header and never in an address', () => {
	expect(open.asked.length).toBeGreaterThan(30)
	for (const { url } of open.asked) for (const token of tokens) expect(url).not.toContain(token)
})

test('looking ahead changes nothing', async () => {
	// The broker's reads that are posts: each of its other posts, and every PUT or DELETE, changes something.
	const reads = /^\/v1\/user\/dashboard$|^\/v1\/acc-closing-details$|\/get[-_][\w-]+$|downloads?|report|pnl|contract|holding|ledger/i
	const changes = open.asked.filter(({ method, url }) => method !== 'GET' && !reads.test(new URL(url).pathname))
	expect([...new Set(changes.map(({ method, url }) => `${method} ${new URL(url).pathname}`))]).toEqual([])
	expect(open.asked.filter(({ url }) => url.includes('/v2/user/logout'))).toEqual([])
	expect(await readOutbox()).toBe(outboxBefore)
	await client.send('/logout', { headers: AHEAD })
	expect((await client.send('/dashboard')).status).toBe(200)
})

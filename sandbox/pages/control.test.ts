import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { envelope } from '#contract/common'
import { LedgerReport } from '#contract/ledger'
import { type LoggedRequest } from '#sandbox/api/request-log'
import { readRows } from '#sandbox/book/rows'
import { type Books } from '#sandbox/db/open'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
let sandbox: ReturnType<typeof createTestSandbox>
let ask: Awaited<ReturnType<typeof sandbox.signIn>>
beforeAll(async () => {
	books = await openTestBooks()
	sandbox = createTestSandbox(books)
	ask = await sandbox.signIn('DEMO01')
})
beforeEach(() => sandbox.control('DELETE', '/control/faults'))
afterAll(() => books.close())

const LEDGER = '/v2/service/reports/ledger?dataYear=2025'
const fail = (kind: string, more: object = {}) =>
	sandbox.control('POST', '/control/faults', { operation: 'getLedgerReport', kind, ...more })

describe('a fault', () => {
	test.each([
		['500', 500],
		['503', 503],
		['401', 401],
		['404', 404],
		['429', 429],
		['redirect', 302],
		['html500', 500],
	])('of kind %s answers %i, as many times as requested', async (kind, status) => {
		await fail(kind, { count: 1 })
		expect((await ask(LEDGER)).status).toBe(status)
		expect((await ask(LEDGER)).status).toBe(200)
	})

	test.each(['html', 'badjson', 'empty'])('of kind %s is 200 and not JSON', async (kind) => {
		await fail(kind)
		const response = await ask(LEDGER)
		expect(response.status).toBe(200)
		await expect(response.json()).rejects.toThrow(SyntaxError)
	})

	test.each(['nulljson', 'wrongtypes'])('of kind %s is JSON that the contract refuses', async (kind) => {
		await fail(kind)
		expect(envelope(LedgerReport).safeParse(await (await ask(LEDGER)).json()).success).toBe(false)
	})

	test('of kind mismatch changes the last balance and the total by one paisa', async () => {
		const read = async () => envelope(LedgerReport).parse(await (await ask(LEDGER)).json()).data
		const right = await read()
		await fail('mismatch')
		const wrong = await read()
		expect((wrong.totals_df[0]?.BALANCE ?? 0) - (right.totals_df[0]?.BALANCE ?? 0)).toBe(1)
		expect((wrong.filtered_df.at(-1)?.BALANCE ?? 0) - (right.filtered_df.at(-1)?.BALANCE ?? 0)).toBe(1)
		expect(wrong.filtered_df.slice(0, -1)).toEqual(right.filtered_df.slice(0, -1))
	})

	test('of kind xss puts markup into the narrations, within the contract', async () => {
		await fail('xss')
		const { data } = envelope(LedgerReport).parse(await (await ask(LEDGER)).json())
		expect(data.filtered_df[0]?.NARRATION).toContain('<script>')
	})

	test('of kind reset breaks the connection in the middle of the body', async () => {
		await fail('reset')
		const response = await ask(LEDGER)
		expect(response.status).toBe(200)
		await expect(response.text()).rejects.toThrow('Connection reset')
	})

	test('of kind stall sends a part and then nothing; hang sends nothing', async () => {
		await fail('stall', { count: 1 })
		const stalled = (await ask(LEDGER)).body?.getReader()
		expect((await stalled?.read())?.value?.length).toBeGreaterThan(0)
		const nothing = Symbol('nothing')
		const patience = () => new Promise((resolve) => setTimeout(() => resolve(nothing), 150))
		expect(await Promise.race([stalled?.read(), patience()])).toBe(nothing)
		await fail('hang', { count: 1 })
		expect(await Promise.race([ask(LEDGER), patience()])).toBe(nothing)
	})

	test('of kind slow waits; huge has the requested size', async () => {
		await fail('slow', { ms: 80, count: 1 })
		const started = performance.now()
		expect((await ask(LEDGER)).status).toBe(200)
		expect(performance.now() - started).toBeGreaterThan(75)
		await fail('huge', { mb: 2 })
		const bytes = Buffer.from(await (await ask(LEDGER)).arrayBuffer())
		expect(bytes.length).toBe(2 * 1_048_576)
		expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
	})

	test('affects only the named client and call; a login is matched by its user name', async () => {
		await fail('500', { client: 'NEW001' })
		expect((await ask(LEDGER)).status).toBe(200)
		await sandbox.control('DELETE', '/control/faults')
		await sandbox.control('POST', '/control/faults', { operation: 'login', kind: '503', client: 'CASH01' })
		expect((await sandbox.logIn('cash01')).status).toBe(503)
		expect((await sandbox.logIn('NEW001')).status).toBe(200)
	})
})

describe('the control page', () => {
	test('adds and clears faults by a form, and refuses a form of another site', async () => {
		const post = (fields: Record<string, string>, origin = 'http://localhost') =>
			sandbox.app.request('/control', { method: 'POST', body: new URLSearchParams(fields), headers: { origin } })
		const added = await post({ intent: 'add_fault', operation: 'login', kind: 'slow', ms: '10', client: '', count: '' })
		expect(added.status).toBe(303)
		const page = await (await sandbox.app.request('/control')).text()
		expect(page).toContain('slow 10 ms')
		expect((await post({ intent: 'clear_faults' }, 'https://elsewhere.example')).status).toBe(403)
		await post({ intent: 'clear_faults' })
		expect((await sandbox.control('GET', '/control/faults')).data).toEqual([])
	})

	test('refuses a fault that does not exist', async () => {
		const headers = { 'content-type': 'application/json' }
		expect((await sandbox.app.request('/control/faults', { method: 'POST', body: '{"kind":"flood"}', headers })).status).toBe(422)
	})

	test.each([
		['another host', 'http://rebound.example/control/faults', 'application/json', 403],
		['a loopback address as a part of another name', 'http://127.0.0.1.rebound.example/control/faults', 'application/json', 403],
		['a form', 'http://localhost/control/faults', 'application/x-www-form-urlencoded', 415],
		['plain text, which a page of another site may send', 'http://127.0.0.1:4000/control/faults', 'text/plain', 415],
		['JSON at the IPv6 loopback', 'http://[::1]:4000/control/faults', 'application/json; charset=utf-8', 200],
	])('the JSON call with %s gets the right status', async (_, url, type, status) => {
		const body = JSON.stringify({ operation: 'login', kind: 'slow' })
		expect((await sandbox.app.request(url, { method: 'POST', headers: { 'content-type': type }, body })).status).toBe(status)
		expect((await sandbox.control('GET', '/control/faults')).data).toHaveLength(status === 200 ? 1 : 0)
	})

	test.each(['/control/log', '/control/clock', '/control/report-links'])('%s refuses requests for another host name', async (path) => {
		const method = path.endsWith('links') ? 'POST' : 'GET'
		const headers = { 'content-type': 'application/json' }
		const body = method === 'POST' ? '{"client":"DEMO01"}' : undefined
		expect((await sandbox.app.request(`http://rebound.example${path}`, { method, headers, body })).status).toBe(403)
	})

	test('logs each call without its token', async () => {
		await sandbox.control('DELETE', '/control/log')
		await ask(LEDGER, { headers: { 'hard-refresh': 'true' } })
		const [entry, ...others] = (await sandbox.control('GET', '/control/log')).data as LoggedRequest[]
		expect(others).toEqual([])
		expect(entry).toMatchObject({ method: 'GET', operation: 'getLedgerReport', query: { dataYear: '2025' }, status: 200, aborted: false })
		const fingerprint = `sha256:${createHash('sha256').update(ask.token).digest('hex').slice(0, 16)}`
		expect(entry?.headers).toMatchObject({ 'auth-token': fingerprint, 'client-code': 'DEMO01', 'hard-refresh': 'true' })
		await ask(`${LEDGER}&SessionId=${ask.token}&authToken=${ask.token}`)
		for (const path of ['/control/log', '/control']) expect(await (await sandbox.app.request(path)).text()).not.toContain(ask.token)
	})
})

test('a moved clock does at once what has come due for clients who are signed in, and for others at their next call', async () => {
	const listDone = () =>
		readRows<{ client: string; day: string }>(
			books,
			sql`SELECT client, day::text AS day FROM settled_accounts WHERE day > '2026-11-21' ORDER BY 1`,
		)
	expect(await listDone()).toEqual([])
	await sandbox.signIn('CASH01')
	await sandbox.control('POST', '/control/expire', { client: 'CASH01' })
	await sandbox.control('POST', '/control/clock', { days: 7 })
	// DEMO01 is signed in since the start of the file. The payouts of a day are done at 18:30, and the day of 28 November may be done or not.
	const done = await listDone()
	expect(done.map(({ client }) => client)).toContain('DEMO01')
	expect(done.map(({ client }) => client)).not.toContain('CASH01')
	expect(done.every(({ day }) => day >= '2026-11-27')).toBe(true)
})

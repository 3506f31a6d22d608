import { beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod/v4'
import { measureCall } from '~/lib/telemetry'
import { connectBroker, orNone, orNoneOffered, whenAbsent } from './client.server'
import { createOperationMemory, isAbsence, judgeAbsence, findOptionalReading } from './optional.server'
import { ok, onExpired, refusalReply, reportCall, testConfig, Thing } from './test-broker'

/* Which answers mean that a broker lacks an optional operation, and for how long that is believed. */

vi.mock('~/lib/telemetry', { spy: true })

const MINUTE = 60_000
const MANDATES = '/v1/ours/mandates'
const NOTE = '/v1/ours/contract-note'
const bare = (status: number) => new Response('', { status })
const page = () => new Response('<!doctype html><title>Broker</title>', { headers: { 'content-type': 'text/html' } })

let now = 0
let answer: () => Response
let asked = 0
let visits = 0
beforeEach(() => {
	now = 1_000_000
	asked = 0
	reportCall.mockClear()
	vi.mocked(measureCall).mockClear()
	vi.stubGlobal('fetch', async () => {
		asked += 1
		return answer()
	})
})

/** A portal connected to a broker of its own. */
function connect() {
	const operations = createOperationMemory(() => now)
	const broker = () =>
		connectBroker({ ...testConfig, operations }, { token: 't', clientCode: 'C1', sessionId: 's', requestId: `A-${++visits}`, onExpired })
	const get = (path = MANDATES) =>
		broker()
			.get(path, Thing)
			.then(
				({ n }) => n,
				(error: unknown) => (isAbsence(error) ? 'absent' : error instanceof Response ? error.status : (error as { status: number }).status),
			)
	return { get, broker, operations }
}

const told = () => reportCall.mock.calls.filter(([, { event }]) => event === 'broker_operation_absent').length

test.each([
	['a 404 that names the path', () => refusalReply(404, 'Cannot GET /v1/ours/mandates')],
	['405 without words', () => bare(405)],
	['501 without words', () => bare(501)],
])('%s: absent for ten minutes, asked again after them, logged once', async (_name, reply) => {
	const { get } = connect()
	answer = reply
	expect(await get()).toBe('absent')
	now += 10 * MINUTE - 1
	expect(await get()).toBe('absent')
	expect(asked).toBe(1)
	// What is not sent is no call in the metrics either.
	expect(vi.mocked(measureCall).mock.calls.length).toBe(1)
	now += 1
	expect(await get()).toBe('absent')
	expect(asked).toBe(2)
	expect(told()).toBe(1)
	now += 10 * MINUTE
	answer = () => ok({ n: 7 })
	expect(await get()).toBe(7)
})

test('a 404 without words, 403 and a page are believed for the one answer', async () => {
	const { get } = connect()
	answer = () => bare(404)
	expect(await get()).toBe('absent')
	answer = () => bare(403)
	expect(await get()).toBe('absent')
	answer = page
	expect(await get()).toBe('absent')
	answer = () => ok({ n: 1 })
	expect(await get()).toBe(1)
})

test('a server’s own words about the call are no words of the broker', async () => {
	for (const said of [
		'Not Found',
		'404 page not found',
		'Cannot GET /v1/ours/mandates',
		'No static resource v1/ours/mandates.',
		'no Route matched with those values',
		'Method Not Allowed',
		'Missing Authentication Token',
		'The requested URL was not found.',
	]) {
		const { get } = connect()
		answer = () => refusalReply(said === 'Missing Authentication Token' ? 403 : 404, said)
		expect([said, await get()]).toEqual([said, 'absent'])
	}
})

test('the broker’s words are a refusal like any other', async () => {
	const { get } = connect()
	answer = () => refusalReply(404, 'No such order.')
	expect(await get()).toBe(404)
	answer = () => refusalReply(403, 'Your account is frozen.')
	expect(await get()).toBe(403)
	answer = () => refusalReply(501, 'Settlement is running.')
	expect(await get()).toBe(502)
	answer = () => ok({ n: 2 })
	expect(await get()).toBe(2)
})

test('JSON that breaks off is a failure', async () => {
	const { get } = connect()
	answer = () => new Response('{"status":"success","data":{"n"', { headers: { 'content-type': 'application/json' } })
	expect(await get()).toBe(502)
	answer = () => new Response('{"status":"success","data":{"n"')
	expect(await get()).toBe(502)
})

test('an operation that has worked is there: a page, 405 and 501 are its failure', async () => {
	const { get } = connect()
	answer = () => ok({ n: 3 })
	expect(await get()).toBe(3)
	answer = page
	expect(await get()).toBe(502)
	answer = () => bare(501)
	expect(await get()).toBe(502)
	answer = () => bare(404)
	expect(await get()).toBe(404)
	// After a day it may have been taken away.
	now += 24 * 60 * MINUTE
	expect(await get()).toBe('absent')
})

test('what one client has not, or types, cannot hide anything from the others', async () => {
	for (const path of [NOTE, MANDATES, '/v1/ours/ipo-applications']) {
		const { get } = connect()
		answer = () => bare(404)
		expect(await get(path)).toBe('absent')
		answer = () => ok({ n: 4 })
		expect(await get(path)).toBe(4)
	}
})

test('each connection has its own memory, and can forget', async () => {
	const [one, other] = [connect(), connect()]
	answer = () => bare(405)
	expect(await one.get()).toBe('absent')
	answer = () => ok({ n: 5 })
	expect([await one.get(), await other.get()]).toEqual(['absent', 5])
	one.operations.forget()
	expect(await one.get()).toBe(5)
})

test('required operations, and posts that change something, are never absent', async () => {
	const { get, broker } = connect()
	answer = () => bare(404)
	expect(await get('/v1/quick-links')).toBe(404)
	for (const status of [404, 405, 501]) {
		answer = () => bare(status)
		const error: unknown = await broker()
			.post('/v1/ours/cancel-mandate', z.null(), { body: {}, idempotencyKey: `k${status}` })
			.catch((thrown: unknown) => thrown)
		expect(isAbsence(error)).toBe(false)
	}
	expect(findOptionalReading('POST', '/v1/ours/cancel-mandate')).toBeUndefined()
	expect(findOptionalReading('POST', '/v1/reports/ledger')?.id).toBe('downloadLedger')
})

test('a file: absent on a page, a failure on anything else that is no file', async () => {
	const { broker } = connect()
	const open = () =>
		broker()
			.download('GET', '/v1/ours/change-form', 'application/pdf')
			.catch((error: unknown) => error)
	answer = page
	expect(isAbsence(await open())).toBe(true)
	answer = () => new Response('oops', { headers: { 'content-type': 'application/pdf' } })
	expect(isAbsence(await open())).toBe(false)
})

test('a page that would lead to an operation asks until it knows', async () => {
	const { broker, get } = connect()
	const offers = () => broker().offers('listMandates', () => broker().get(MANDATES, Thing))
	answer = () => bare(500)
	expect(await offers()).toBe(true)
	answer = page
	expect(await offers()).toBe(false)
	answer = () => ok({ n: 6 })
	expect(await get()).toBe(6)
	const before = asked
	answer = page
	expect(await offers()).toBe(true)
	expect(asked).toBe(before)
})

test('an absence is "none" where nothing would be said of it, and thrown where something would', async () => {
	const { broker } = connect()
	answer = () => bare(404)
	const get = () => broker().get(MANDATES, z.array(Thing))
	expect(await get().catch(orNone([]))).toEqual([])
	expect(await get().catch(whenAbsent('absent'))).toBe('absent')
	expect(
		isAbsence(
			await get()
				.catch(orNoneOffered([]))
				.catch((error: unknown) => error),
		),
	).toBe(true)
})

test('a 404 that names the path is of the operation', () => {
	const note = findOptionalReading('GET', NOTE)
	expect(note && judgeAbsence(note, 404, 'Cannot GET /v1/ours/contract-note')).toBe('lasting')
	expect(note && judgeAbsence(note, 404, 'Not Found')).toBe('once')
	expect(note && judgeAbsence(note, 404, 'There is no bill X-1.')).toBeUndefined()
})

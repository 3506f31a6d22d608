import { beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod/v4'
import { bare, connect, countTold, fake, MANDATES, MINUTE, NOTE, page, resetFake } from '#tests/support/test-absences'
import { ok, refusalReply, Thing } from '#tests/support/test-broker'
import { measureCall } from '~/lib/telemetry'
import { orNone, orNoneOffered, whenAbsent } from './client.server'
import { findOptionalReading, isAbsence, judgeAbsence } from './optional.server'

/* Which answers mean that a broker lacks an optional operation, and how long this counts for all clients. */

vi.mock('~/lib/telemetry', { spy: true })

beforeEach(() => {
	resetFake()
	vi.mocked(measureCall).mockClear()
})

test.each([
	['a 404 that names the path', () => refusalReply(404, 'Cannot GET /v1/ours/mandates')],
	['a 405 without a message', () => bare(405)],
	['a 501 without a message', () => bare(501)],
])('%s: absent for ten minutes, called again after that, logged once', async (_name, reply) => {
	const { get } = connect()
	fake.answer = reply
	expect(await get()).toBe('absent')
	fake.now += 10 * MINUTE - 1
	expect(await get()).toBe('absent')
	expect(fake.asked).toBe(1)
	// A call that is not sent is not in the metrics either.
	expect(vi.mocked(measureCall).mock.calls.length).toBe(1)
	fake.now += 1
	expect(await get()).toBe('absent')
	expect(fake.asked).toBe(2)
	expect(countTold()).toBe(1)
	fake.now += 10 * MINUTE
	fake.answer = () => ok({ n: 7 })
	expect(await get()).toBe(7)
})

test('a standard message of a server does not count as a message of the broker', async () => {
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
		fake.answer = () => refusalReply(said === 'Missing Authentication Token' ? 403 : 404, said)
		expect([said, await get()]).toEqual([said, 'absent'])
	}
})

test('a response with a message of the broker is a normal refusal', async () => {
	const { get } = connect()
	fake.answer = () => refusalReply(404, 'No such order.')
	expect(await get()).toBe(404)
	fake.answer = () => refusalReply(403, 'Your account is frozen.')
	expect(await get()).toBe(403)
	fake.answer = () => refusalReply(501, 'Settlement is running.')
	expect(await get()).toBe(502)
	fake.answer = () => ok({ n: 2 })
	expect(await get()).toBe(2)
})

test('JSON that breaks off is a failure', async () => {
	const { get } = connect()
	fake.answer = () => new Response('{"status":"success","data":{"n"', { headers: { 'content-type': 'application/json' } })
	expect(await get()).toBe(502)
	fake.answer = () => new Response('{"status":"success","data":{"n"')
	expect(await get()).toBe(502)
})

test('once an operation has worked, a page, a 405 or a 501 is a failure, for a day', async () => {
	const { get } = connect()
	fake.answer = () => ok({ n: 3 })
	expect(await get()).toBe(3)
	fake.answer = page
	expect(await get()).toBe(502)
	fake.answer = () => bare(501)
	expect(await get()).toBe(502)
	fake.answer = () => bare(404)
	expect(await get()).toBe(404)
	// After a day the broker may have removed it.
	fake.now += 24 * 60 * MINUTE
	expect(await get()).toBe('absent')
})

test('an absent response to one client hides nothing from another client', async () => {
	for (const path of [NOTE, MANDATES, '/v1/ours/ipo-applications']) {
		const { get } = connect()
		fake.answer = () => bare(404)
		expect(await get(path)).toBe('absent')
		fake.answer = () => ok({ n: 4 })
		expect(await get(path, 'C2')).toBe(4)
	}
})

test('each connection remembers its own absences, and can clear them', async () => {
	const [one, other] = [connect(), connect()]
	fake.answer = () => bare(405)
	expect(await one.get()).toBe('absent')
	fake.answer = () => ok({ n: 5 })
	expect([await one.get(), await other.get()]).toEqual(['absent', 5])
	one.operations.forget()
	expect(await one.get()).toBe(5)
})

test('required operations, and posts that change something, are never absent', async () => {
	const { get, broker } = connect()
	fake.answer = () => bare(404)
	expect(await get('/v1/quick-links')).toBe(404)
	for (const status of [404, 405, 501]) {
		fake.answer = () => bare(status)
		const error: unknown = await broker()
			.post('/v1/ours/cancel-mandate', z.null(), { body: {}, idempotencyKey: `k${status}` })
			.catch((thrown: unknown) => thrown)
		expect(isAbsence(error)).toBe(false)
	}
	expect(findOptionalReading('POST', '/v1/ours/cancel-mandate')).toBeUndefined()
	expect(findOptionalReading('POST', '/v1/reports/ledger')?.id).toBe('downloadLedger')
})

test('a file operation that returns an HTML page is absent; other wrong bytes are a failure', async () => {
	const { broker } = connect()
	const open = () =>
		broker()
			.download('GET', '/v1/ours/change-form', 'pdf', { query: { reference: 'M1' } })
			.catch((error: unknown) => error)
	fake.answer = page
	expect(isAbsence(await open())).toBe(true)
	fake.answer = () => new Response('oops', { headers: { 'content-type': 'application/pdf' } })
	expect(isAbsence(await open())).toBe(false)
})

test('a page that links an operation calls it until it knows whether the operation exists', async () => {
	const { broker, get } = connect()
	const offers = () => broker().offers('listMandates', () => broker().get(MANDATES, Thing))
	fake.answer = () => bare(500)
	expect(await offers()).toBe(true)
	fake.answer = page
	expect(await offers()).toBe(false)
	fake.answer = () => ok({ n: 6 })
	expect(await get(MANDATES, 'C2')).toBe(6)
	const before = fake.asked
	fake.answer = page
	expect(await offers()).toBe(true)
	expect(fake.asked).toBe(before)
})

test('an absence becomes an empty list or a given value, or is thrown for a part that the page must explain', async () => {
	const { broker } = connect()
	fake.answer = () => bare(404)
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

test('a 404 that names the path means that the operation is absent for all clients', () => {
	const note = findOptionalReading('GET', NOTE)
	expect(note && judgeAbsence(note, 404, 'Cannot GET /v1/ours/contract-note')).toBe('all')
	expect(note && judgeAbsence(note, 404, 'Not Found')).toBe('client')
	expect(note && judgeAbsence(note, 404, 'There is no bill X-1.')).toBeUndefined()
})

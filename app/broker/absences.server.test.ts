import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod/v4'
import { OPTIONAL_OPERATIONS } from '#contract/operations'
import { bare, connect, countTold, fake, MANDATES, MINUTE, NOTE, page, resetFake } from '#tests/support/test-absences'
import { ok, refusalReply } from '#tests/support/test-broker'
import { standInForBroker } from '#tests/support/test-wire'
import { findOptionalReading, isMemorable } from './optional.server'

/* How long an answer that may be meant for one client counts as an absence for that client. */

/** Parameters that select a part of the broker's data, and do not name one record. */
const CHOICES = ['source', 'year', 'dataYear', 'from_date', 'to_date', 'company_code', 'type_name']

beforeEach(resetFake)

describe.each([
	['a 404 without a message', () => bare(404)],
	['a 403 without a message', () => bare(403)],
	['a page', page],
])('%s', (_name, reply) => {
	test('counts as absent for ten minutes for that client only, and is logged once', async () => {
		const { get } = connect()
		fake.answer = reply
		expect(await get()).toBe('absent')
		fake.now += 10 * MINUTE - 1
		expect(await get()).toBe('absent')
		expect(fake.asked).toBe(1)
		expect(await get(MANDATES, 'C2')).toBe('absent')
		expect(fake.asked).toBe(2)
		fake.now += 1
		expect(await get()).toBe('absent')
		expect(fake.asked).toBe(3)
		expect(countTold()).toBe(1)
	})

	test.each([
		['a change', () => ok(null)],
		['a refused change', () => refusalReply(422, 'No.')],
		['a change without a reply', () => bare(500)],
	])('no longer counts after %s by that client', async (_change, outcome) => {
		const { get, broker } = connect()
		fake.answer = reply
		for (const client of ['C1', 'C2']) expect(await get(MANDATES, client)).toBe('absent')
		fake.answer = outcome
		await broker()
			.post('/v1/ours/cancel-mandate', z.null(), { idempotencyKey: 'k' })
			.catch(() => undefined)
		fake.asked = 0
		fake.answer = () => ok({ n: 1 })
		expect(await get(MANDATES, 'C2')).toBe('absent')
		expect(fake.asked).toBe(0)
		expect(await get()).toBe(1)
	})

	test('is asked for again by Refresh, and the new reply counts', async () => {
		const { get } = connect()
		fake.answer = reply
		expect(await get()).toBe('absent')
		fake.answer = () => ok({ n: 8 })
		expect(await get(MANDATES, 'C1', { hardRefresh: true })).toBe(8)
		expect(await get()).toBe(8)
	})

	test('does not count for the same operation with other parameters', async () => {
		const { get } = connect()
		const FACTS = '/v1/ours/tax-facts'
		fake.answer = reply
		expect(await get(FACTS, 'C1', { query: { year: '2019' } })).toBe('absent')
		fake.answer = () => ok({ n: 9 })
		expect(await get(FACTS, 'C1', { query: { year: '2025' } })).toBe(9)
	})

	test.each([
		[NOTE, { bill: 'NC1' }],
		['/v1/ours/lots', { isin: 'INE002A01018' }],
		['/v1/ours/holding-actions', { isin: 'INE002A01018' }],
		['/v1/ours/esign', { ref: 'E1' }],
		['/v1/ours/change-form', { reference: 'M1' }],
		['/v1/ours/ipo-applications', { application_no: 'KH1' }],
		['/v1/ours/penny-drop', {}],
	])('counts only for that one response of %s', async (path, query) => {
		const { get } = connect()
		fake.answer = reply
		expect(await get(path, 'C1', { query })).toBe('absent')
		fake.answer = () => ok({ n: 4 })
		expect(await get(path, 'C1', { query })).toBe(4)
	})
})

test('an absent reply to a call sent before a change is not remembered after it', async () => {
	const { get, broker } = connect()
	const waiting: ((reply: Response) => void)[] = []
	standInForBroker(({ method }) => (method === 'GET' ? new Promise<Response>((resolve) => waiting.push(resolve)) : ok(null)))
	const before = get()
	await vi.waitUntil(() => waiting.length === 1)
	await broker().post('/v1/ours/cancel-mandate', z.null(), { idempotencyKey: 'k' })
	waiting[0]?.(bare(404))
	expect(await before).toBe('absent')
	const after = get()
	await vi.waitUntil(() => waiting.length === 2)
	waiting[1]?.(ok({ n: 2 }))
	expect(await after).toBe(2)
})

test('a change that returns a file clears absences; a request that only makes a file does not', async () => {
	const { get, broker } = connect()
	fake.answer = () => bare(404)
	expect(await get()).toBe('absent')
	const send = (call: object) => broker().download('POST', '/v1/modifications/income-modification', 'pdf', call)
	await send({ body: {} }).catch(() => undefined)
	fake.asked = 0
	expect(await get()).toBe('absent')
	expect(fake.asked).toBe(0)
	await send({ form: [['income', 'Below 1 Lakh']] }).catch(() => undefined)
	fake.answer = () => ok({ n: 3 })
	expect(await get()).toBe(3)
})

test('a 403 counts as absent even when another client uses the operation; a 404 and a page do not', async () => {
	const { get } = connect()
	fake.answer = () => ok({ n: 1 })
	expect(await get(MANDATES, 'C2')).toBe(1)
	fake.answer = () => bare(403)
	expect(await get()).toBe('absent')
	expect(await get()).toBe('absent')
	expect(fake.asked).toBe(2)
	fake.answer = () => bare(404)
	for (const _ of [1, 2]) expect(await get(MANDATES, 'C3')).toBe(404)
	fake.answer = page
	for (const _ of [1, 2]) expect(await get(MANDATES, 'C3')).toBe(502)
	expect(fake.asked).toBe(6)
})

test('an operation absent for one client is called again once it works for another', async () => {
	const { get } = connect()
	fake.answer = () => bare(404)
	expect(await get()).toBe('absent')
	fake.answer = () => ok({ n: 1 })
	expect([await get(MANDATES, 'C2'), await get()]).toEqual([1, 1])
})

test('keeps the latest 5000 absences of single clients', async () => {
	const { get } = connect()
	fake.answer = () => bare(404)
	// 5000 are kept.
	for (let client = 0; client <= 5000; client++) await get(MANDATES, `K${client}`)
	fake.asked = 0
	await get(MANDATES, 'K5000')
	await get(MANDATES, 'K1')
	expect(fake.asked).toBe(0)
	await get(MANDATES, 'K0')
	expect(fake.asked).toBe(1)
})

test('an absence without a client counts only for that response', async () => {
	const { get } = connect()
	fake.answer = () => bare(404)
	for (const _ of [1, 2]) expect(await get(MANDATES, '')).toBe('absent')
	expect(fake.asked).toBe(2)
})

test('every parameter of an optional operation is listed as naming a thing or choosing a part', () => {
	const readings = OPTIONAL_OPERATIONS.filter(({ method, path }) => findOptionalReading(method, path))
	const named = readings.flatMap((operation) => {
		const examples = JSON.parse(readFileSync(`docs/broker-examples/${operation.id}.json`, 'utf8')) as { request: { query?: object } }[]
		const parameters = new Set(examples.flatMap(({ request }) => Object.keys(request.query ?? {})))
		return [...parameters]
			.filter((name) => !CHOICES.includes(name))
			.map((name) => `${operation.id} ${name} ${isMemorable(operation, { [name]: 'x' })}`)
	})
	expect(named.sort()).toEqual([
		'downloadChangeForm reference false',
		'getContractNote bill false',
		'getEsignStatus ref false',
		'listHoldingActions isin false',
		'listLots isin false',
	])
	expect(readings.filter((operation) => !isMemorable(operation)).map(({ id }) => id)).toEqual(['requestPasswordReset', 'getPennyDrop'])
})

import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Books, openBooks } from '#sandbox/db/open'
import { type SandboxEnv } from '#sandbox/types'
import { enforceIdempotency } from './idempotency'
import { sendData, sendRefusal, Refused } from './responses'

let books: Books
beforeAll(async () => {
	books = await openBooks()
})
afterAll(() => books.close())

/** A call that counts how often its work was done. */
function createCounter(work: () => Promise<void> = () => Promise.resolve()) {
	let made = 0
	let ahead = 0
	let arrived = 0
	const app = new Hono<SandboxEnv>()
	app.use(
		async (c, next) => {
			arrived += 1
			c.set('operation', { id: 'requestPayout', summary: 'Pay out', changes: true })
			c.set('client', { code: c.req.header('client-code') ?? 'DEMO01', name: '', isDormant: false, tokenHash: '' })
			await next()
		},
		enforceIdempotency({ books, clock: { now: () => new Date(Date.UTC(2026, 10, 21) + ahead) } }),
	)
	app.post('/pay', async (c) => {
		made += 1
		await work()
		return sendData(c, 'Paid', { made, body: await c.req.text() })
	})
	app.onError((error, c) => sendRefusal(c, error instanceof Refused ? error : new Refused(500, 'Failed')))
	const pay = (key: string, body: BodyInit, headers: Record<string, string> = {}) =>
		app.request('/pay', { method: 'POST', body, headers: { 'idempotency-key': key, ...headers } })
	return { pay, passTime: (ms: number) => void (ahead += ms), count: () => made, arrivals: () => arrived }
}

test('does a change once, and repeats its first response', async () => {
	const { pay, count, passTime } = createCounter()
	const first = await (await pay('key-000000000001', '{"amount":1}')).text()
	const again = await pay('key-000000000001', '{"amount":1}')
	expect(await again.text()).toBe(first)
	expect(again.headers.get('idempotency-replayed')).toBe('true')
	expect((await pay('key-000000000001', '{"amount":2}')).status).toBe(409)
	expect((await pay('key-000000000001', '{"amount":1}', { 'client-code': 'NEW001' })).status).toBe(200)
	expect(count()).toBe(2)
	passTime(86_400_001)
	expect(await (await pay('key-000000000001', '{"amount":1}')).json()).toMatchObject({ data: { made: 3 } })
})

test('makes a repeat wait for the first call', async () => {
	let finish = () => {}
	const { pay, count, arrivals } = createCounter(() => new Promise((resolve) => (finish = resolve)))
	const answers = [1, 2, 3].map(async () => (await pay('key-000000000002', 'same')).text())
	await vi.waitFor(() => expect([count(), arrivals()]).toEqual([1, 3]))
	finish()
	expect(new Set(await Promise.all(answers)).size).toBe(1)
	expect(count()).toBe(1)
})

test('forgets a failed call, which changed nothing', async () => {
	let isBroken = true
	const { pay } = createCounter(async () => {
		if (isBroken) throw new Error('No database')
	})
	expect((await pay('key-000000000003', 'x')).status).toBe(500)
	isBroken = false
	expect((await pay('key-000000000003', 'x')).status).toBe(200)
})

test('repeats a call whose process died, once, and ignores a late result of the dead call', async () => {
	const finishes: (() => void)[] = []
	const { pay, count, arrivals, passTime } = createCounter(() => new Promise((resolve) => void finishes.push(resolve)))
	const dead = pay('key-000000000005', 'same')
	await vi.waitFor(() => expect(finishes).toHaveLength(1))
	passTime(59_000)
	const waiting = pay('key-000000000005', 'same')
	await vi.waitFor(() => expect(arrivals()).toBe(2))
	passTime(2_000)
	expect((await pay('key-000000000005', 'other')).status).toBe(409)
	const repeats = [pay('key-000000000005', 'same'), pay('key-000000000005', 'same')]
	await vi.waitFor(() => expect(finishes).toHaveLength(2))
	finishes[0]?.()
	expect(await (await dead).json()).toMatchObject({ data: { made: 2 } })
	finishes[1]?.()
	const answers = await Promise.all([waiting, ...repeats].map(async (answer) => (await answer).text()))
	expect(new Set(answers).size).toBe(1)
	expect(count()).toBe(2)
	expect((await pay('key-000000000005', 'same')).headers.get('idempotency-replayed')).toBe('true')
})

test('compares the fields of a form, not its random boundary', async () => {
	const { pay, count } = createCounter()
	const form = (amount: string) => {
		const data = new FormData()
		data.set('amount', amount)
		return data
	}
	expect((await pay('key-000000000004', form('1'))).status).toBe(200)
	expect((await pay('key-000000000004', form('1'))).status).toBe(200)
	expect((await pay('key-000000000004', form('2'))).status).toBe(409)
	expect((await pay('short', 'x')).status).toBe(422)
	expect(count()).toBe(1)
})

test('repeats work left unfinished by a dead process once, for all callers', async () => {
	let isDead = true
	const { pay, count, passTime } = createCounter(() => (isDead ? new Promise(() => {}) : Promise.resolve()))
	void pay('key-000000000009', 'same')
	await vi.waitFor(() => expect(count()).toBe(1))
	isDead = false
	passTime(60_001)
	expect((await pay('key-000000000009', 'another')).status).toBe(409)
	const answers = await Promise.all([1, 2, 3].map(async () => (await pay('key-000000000009', 'same')).json()))
	expect(answers).toEqual([1, 2, 3].map(() => expect.objectContaining({ data: { made: 2, body: 'same' } }) as unknown))
	expect(count()).toBe(2)
})

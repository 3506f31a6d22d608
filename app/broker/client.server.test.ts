import { randomUUID } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod/v4'
import { cells, rows, unreadIn } from '#contract/tolerant'
import { connectTestBroker, ok, onExpired, refusalReply, reportCall, Thing, testConfig } from '#tests/support/test-broker'
import { restoreNetwork, standInForBroker } from '#tests/support/test-wire'
import { BrokerRefusal, connectBroker, readFailure } from './client.server'

beforeEach(() => reportCall.mockClear())
afterEach(() => {
	restoreNetwork()
	vi.useRealTimers()
})

const outcome = (answer: Response) =>
	connectTestBroker(() => answer)
		.broker.get('/v1/x', Thing)
		.catch((thrown: unknown) => thrown)

test('returns a reply that matches the contract', async () => {
	expect(await outcome(ok({ n: 1 }))).toEqual({ n: 1 })
})

test.for([400, 403, 409, 410, 422, 423, 429])('turns a %i with a message into a refusal with that message', async (status) => {
	const thrown = await outcome(refusalReply(status, 'At most 5 lots.'))
	expect(thrown).toBeInstanceOf(BrokerRefusal)
	expect(thrown).toMatchObject({ status, message: 'At most 5 lots.' })
	expect(reportCall).not.toHaveBeenCalled()
})

test('treats an error inside a 200 as a refusal', async () => {
	expect(await outcome(Response.json({ status: 'error', message: 'No.', data: null }))).toBeInstanceOf(BrokerRefusal)
})

test('turns a 401 into a redirect to login with the broker’s message', async () => {
	const thrown = (await outcome(refusalReply(401, 'Token has expired'))) as Response
	expect([thrown.status, await thrown.text()]).toEqual([302, 'Token has expired'])
})

test.for<[string, () => Response, number]>([
	['404 is no data', () => refusalReply(404, 'No Data Found!'), 404],
	['500 is a failure', () => refusalReply(500), 502],
	['503 stays 503', () => refusalReply(503), 503],
	['HTML with status 200', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), 502],
	['HTML with status 500', () => new Response('<html>', { status: 500 }), 502],
	['half of a JSON text', () => new Response('{"status":"succ'), 502],
	['an empty body', () => new Response(''), 502],
	['null', () => Response.json(null), 502],
	['an array', () => Response.json([1]), 502],
	['a string', () => Response.json('x'), 502],
	['no data', () => ok(null), 502],
	['a wrong type', () => ok({ n: 'one' }), 502],
	['NaN', () => new Response('{"status":"success","message":"","data":{"n":NaN}}'), 502],
	['another prototype', () => new Response('{"status":"success","message":"","data":{"__proto__":{"n":1}}}'), 502],
	['a redirect, which is never followed', () => new Response(null, { status: 302, headers: { location: 'http://evil.test/' } }), 502],
])('%s', async ([, answer, status]) => {
	const thrown = (await outcome(answer())) as Response
	expect(thrown).toBeInstanceOf(Response)
	expect(thrown.status).toBe(status)
	expect(await thrown.json()).toMatchObject({
		reference: expect.stringMatching(/^[\da-f-]{36}$/) as string,
		message: expect.any(String) as string,
	})
	expect(reportCall).toHaveBeenCalledTimes(1)
})

test.for<[string, () => Response, object]>([
	['a 500 with a message is the broker’s answer', () => refusalReply(500, 'Limit service failed'), { answered: 500, isAnswer: true }],
	['a 500 without a message is not its answer', () => new Response('<html>', { status: 500 }), { answered: 500, isAnswer: false }],
	['a gateway’s 502 is not the broker’s answer', () => refusalReply(502, 'Upstream failed'), { answered: 502, isAnswer: false }],
	['a 503 is not the broker’s answer', () => refusalReply(503, 'Busy'), { answered: 503, isAnswer: false }],
	['a 504 is not the broker’s answer', () => refusalReply(504, 'Too slow'), { answered: 504, isAnswer: false }],
	['a 404 with a message is the broker’s answer', () => refusalReply(404, 'No such bank'), { answered: 404, isAnswer: true }],
	['half a response is not its answer, but has a status', () => new Response('{"status":"succ'), { answered: 200, isAnswer: false }],
	['an invalid response is not its answer, but has a status', () => ok({ n: 'one' }), { answered: 200, isAnswer: false }],
])('%s', async ([, answer, said]) => {
	expect(await readFailure(await outcome(answer()))).toMatchObject(said)
})

test('logs no status when no response arrives', async () => {
	const { broker } = connectTestBroker(() => new Promise(() => {}))
	const failure = await readFailure(await broker.get('/v1/x', Thing).catch((error: unknown) => error))
	expect(failure).toMatchObject({ status: 504, isAnswer: false })
	expect(failure).not.toHaveProperty('answered')
})

test('treats a failure inside a successful envelope as a refusal', async () => {
	expect(await outcome(ok({ status: 'failed', message: 'Not today' }))).toMatchObject({ status: 422, message: 'Not today' })
})

test('logs a failure without the client’s data', async () => {
	await outcome(ok({ n: 'ABCPS1234K', token: 'token-of-the-client' }))
	await outcome(refusalReply(500, 'PAN ABCPS1234K of a.b@example.com failed'))
	expect(JSON.stringify(reportCall.mock.calls)).not.toMatch(/ABCPS1234K|token-of-the-client|a\.b@example/)
})

test('turns a missing reply into a 504 after the timeout and aborts the request', async () => {
	const { broker, asked } = connectTestBroker(() => new Promise(() => {}))
	const thrown = (await broker.get('/v1/x', Thing).catch((error: unknown) => error)) as Response
	expect(thrown.status).toBe(504)
	expect(asked[0]?.signal.aborted).toBe(true)
})

test('a hanging broker is late for a page whose browser has left, too, and only once for the next one', async () => {
	const { visit, asked } = connectTestBroker(() => new Promise(() => {}))
	const left = connectBroker(testConfig, {
		sessionId: 's1',
		clientCode: 'KH10042',
		requestId: 'R-G',
		leaving: AbortSignal.abort(),
		onExpired,
	})
	const late = [left, visit()].map((broker) => broker.get('/v1/hangs', Thing).catch((thrown: unknown) => (thrown as Response).status))
	expect(await Promise.all(late)).toEqual([504, 504])
	expect(asked).toHaveLength(1)
	expect(reportCall).toHaveBeenCalledWith('error', expect.objectContaining({ event: 'broker_failed', reference: 'R-G' }), expect.anything())
})

test('turns a JSON reply that stops half way into a 504, but does not cut a slow file', async () => {
	const stalled = () =>
		new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"status":')) }))
	expect(((await outcome(stalled())) as Response).status).toBe(504)

	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
	const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
	const sender = writable.getWriter()
	const { broker, asked } = connectTestBroker(() => new Response(readable, { headers: { 'content-type': 'application/pdf' } }))
	const file = broker.download('GET', '/v1/file', 'pdf')
	await sender.write(new TextEncoder().encode('%PDF-'))
	const text = new Response(await file).text()
	await vi.advanceTimersByTimeAsync(testConfig.timeoutMs * 10)
	await sender.write(new TextEncoder().encode('end'))
	await sender.close()
	expect(await text).toBe('%PDF-end')
	expect(asked[0]?.signal.aborted).toBe(false)
})

test('turns a JSON reply that arrives slowly without end into a 504, and aborts the request', async () => {
	let clock: ReturnType<typeof setInterval> | undefined
	const drip = new ReadableStream({
		start: (controller) => void (clock = setInterval(() => controller.enqueue(new Uint8Array([0x20])), testConfig.timeoutMs / 6)),
		cancel: () => clearInterval(clock),
	})
	const { broker, asked } = connectTestBroker(() => new Response(drip, { headers: { 'content-type': 'application/json' } }))
	const thrown = (await broker.get('/v1/x', Thing).catch((error: unknown) => error)) as Response
	expect(thrown.status).toBe(504)
	expect(asked[0]?.signal.aborted).toBe(true)
})

test('turns a file without a first byte into a 504 and aborts the request', async () => {
	const silent = new Response(new ReadableStream({}), { headers: { 'content-type': 'application/pdf' } })
	const { broker, asked } = connectTestBroker(() => silent)
	const thrown = (await broker.download('GET', '/v1/file', 'pdf').catch((error: unknown) => error)) as Response
	expect(thrown.status).toBe(504)
	expect(asked[0]?.signal.aborted).toBe(true)
})

test('turns a refused connection into a 503; repeats a GET once and a POST never', async () => {
	let calls = 0
	standInForBroker(() => Promise.reject(new Error(`connect ECONNREFUSED ${++calls}`)))
	const broker = connectBroker(testConfig, { requestId: randomUUID(), onExpired })
	expect(((await broker.get('/v1/x', Thing).catch((error: unknown) => error)) as Response).status).toBe(503)
	expect(calls).toBe(2)
	expect(((await broker.post('/v1/x', Thing).catch((error: unknown) => error)) as Response).status).toBe(503)
	expect(calls).toBe(3)
})

test('sends the headers and query of each kind of call, and no header of the visitor', async () => {
	const { broker, asked } = connectTestBroker(() => ok({ n: 1 }), 'R-H')
	await broker.get('/v1/x', Thing, { query: { a: '../b?c#d', none: undefined }, hardRefresh: true })
	await broker.post('/edis/v1/x', Thing, { body: { b: 1 }, idempotencyKey: 'key-0123456789abcdef' })
	expect(asked[0]?.url).toBe('http://broker.test/v1/x?source=connect&a=..%2Fb%3Fc%23d')
	expect(Object.fromEntries(asked[0]?.headers ?? [])).toEqual({
		accept: 'application/json',
		'accept-encoding': 'gzip, br',
		'auth-token': 'token-of-the-client',
		'client-code': 'KH10042',
		'hard-refresh': 'true',
		'user-agent': 'khata',
		'x-request-id': 'R-H',
	})
	expect(Object.fromEntries(asked[1]?.headers ?? [])).toMatchObject({
		authtoken: 'token-of-the-client',
		'content-type': 'application/json',
		'idempotency-key': 'key-0123456789abcdef',
	})
	expect(await asked[1]?.json()).toEqual({ b: 1 })
})

test('never passes on a file of the wrong kind', async () => {
	for (const answer of [() => new Response('<html>not a pdf'), () => ok({ n: 1 }), () => new Response('')]) {
		const thrown = (await connectTestBroker(answer)
			.broker.download('GET', '/v1/file', 'pdf')
			.catch((error: unknown) => error)) as Response
		expect(thrown.status).toBe(502)
	}
	const refused = await connectTestBroker(() => refusalReply(422, 'No ledger for that year'))
		.broker.download('GET', '/v1/file', 'pdf')
		.catch((error: unknown) => error)
	expect(refused).toMatchObject({ message: 'No ledger for that year' })
})

test('leaves no listener on a visit when its files are read, cancelled or refused', async () => {
	const visit = new AbortController()
	connectTestBroker((request) => (request.url.includes('refused') ? refusalReply(422) : new Response('%PDF-1.7 end')))
	const broker = connectBroker(testConfig, { requestId: 'R-L', sessionId: 'many-files', leaving: visit.signal, onExpired })
	const ask = (path: string) => broker.download('GET', path, 'pdf')
	for (let files = 0; files < 12; files++) {
		expect(await new Response(await ask('/v1/file')).text()).toBe('%PDF-1.7 end')
		await (await ask('/v1/file')).cancel()
		await expect(ask('/v1/refused')).rejects.toBeInstanceOf(BrokerRefusal)
	}
	expect(getEventListeners(visit.signal, 'abort')).toHaveLength(0)
})

test('recognises maintenance when the broker answers 503 to everything', async () => {
	const visit = async (others: () => Response) => {
		const asked: string[] = []
		const { broker } = connectTestBroker(({ url }) => {
			asked.push(new URL(url).pathname)
			return asked.at(-1) === '/v1/x' || asked.at(-1) === '/v1/y' ? refusalReply(503) : others()
		})
		const failed = await Promise.all(['/v1/x', '/v1/y'].map((path) => broker.get(path, Thing).catch((thrown: unknown) => thrown)))
		const told = (await Promise.all(failed.map((each) => (each as Response).json()))) as { isMaintenance?: boolean }[]
		// One more call for both.
		expect(asked.toSorted()).toEqual(['/v1/x', '/v1/y', '/v2/user/verify-user'])
		return told.map(({ isMaintenance }) => isMaintenance)
	}
	expect(await visit(() => refusalReply(503))).toEqual([true, true])
	expect(await visit(() => ok({ n: 1 }))).toEqual([false, false])
	expect(await visit(() => refusalReply(401))).toEqual([false, false])
})

test('logs unreadable parts of a reply once, by field name and never by value', async () => {
	const Things = rows(z.object({ id: z.string(), ...cells({ n: z.number(), m: z.number() }) }))
	const answer = [{ id: 'a', n: 1, m: 2 }, { id: 'b', n: 'PRIVATE', m: null }, { n: 3, m: 4 }, 'PRIVATE']
	const read = await connectTestBroker(() => ok(answer), 'R-A').broker.get('/v1/things', Things)
	expect(read).toEqual([
		{ id: 'a', n: 1, m: 2 },
		{ id: 'b', n: null, m: null },
	])
	expect(unreadIn(read)).toEqual({ rows: 2, cells: 2, reference: 'R-A' })
	const told = { event: 'broker_rows_unread', reference: 'R-A', path: '/v1/things', count: 4, fields: { n: 1, m: 1, id: 1, row: 1 } }
	expect(reportCall.mock.calls).toEqual([['error', told, expect.any(String)]])
})

test('checks rows strictly when no reply is being read', () => {
	const Things = rows(z.object({ id: z.string(), ...cells({ n: z.number() }) }), 1)
	expect(Things.safeParse([{ id: 'a', n: null }]).success).toBe(false)
	expect(
		Things.safeParse([
			{ id: 'a', n: 1 },
			{ id: 'b', n: 2 },
		]).success,
	).toBe(false)
	expect(z.toJSONSchema(Things, { io: 'input' })).toMatchObject({ type: 'array', maxItems: 1, items: { required: ['id', 'n'] } })
})

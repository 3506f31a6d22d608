import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { connectTestBroker, onExpired, refusalReply, testConfig } from '#tests/support/test-broker'
import { restoreNetwork } from '#tests/support/test-wire'
import { type Broker, connectBroker } from './client.server'
import { isBrokerAnswering } from './health.server'

afterEach(() => {
	restoreNetwork()
	vi.useRealTimers()
	vi.restoreAllMocks()
})

/** Moves the clock, because a result is kept for five seconds. */
let now = performance.now()
const later = () => vi.spyOn(performance, 'now').mockReturnValue((now += 5001))

const page = (status: number) => new Response('<!doctype html><p>It works!', { status, headers: { 'content-type': 'text/html' } })

test.for<[what: string, reply: () => Response, isReady: boolean]>([
	['a 401 with words', () => refusalReply(401, 'No session'), true],
	['a 401 without words', () => new Response(null, { status: 401 }), true],
	['a 403 with words', () => refusalReply(403, 'No session'), true],
	['a 404 with words', () => refusalReply(404, 'No session'), true],
	['a 429 without words', () => new Response(null, { status: 429 }), true],
	['a 404 without words', () => page(404), false],
	['a 403 without words', () => page(403), false],
	['a page with status 200', () => page(200), false],
	['a redirect', () => new Response(null, { status: 301, headers: { location: 'https://broker.test/' } }), false],
	['a 500 with words', () => refusalReply(500, 'Out of memory'), false],
	['a gateway’s 502', () => page(502), false],
])('%s', async ([, reply, isReady]) => {
	later()
	connectTestBroker(reply)
	expect(await isBrokerAnswering(connectBroker(testConfig, { requestId: randomUUID(), onExpired }))).toBe(isReady)
})

test('a broker that never answers is not ready after three seconds, also without a timeout of its calls', async () => {
	later()
	vi.useFakeTimers()
	const answer = isBrokerAnswering({ get: () => new Promise(() => undefined) } as unknown as Broker)
	await vi.advanceTimersByTimeAsync(3000)
	expect(await Promise.race([answer, Promise.resolve('waits')])).toBe(false)
})

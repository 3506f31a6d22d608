import { expect, test, vi } from 'vitest'
import { type Broker } from './client.server'
import { isBrokerAnswering } from './health.server'

test('a broker that never answers is not ready after three seconds, also without a timeout of its calls', async () => {
	vi.useFakeTimers()
	const answer = isBrokerAnswering({ get: () => new Promise(() => undefined) } as unknown as Broker)
	await vi.advanceTimersByTimeAsync(3000)
	expect(await Promise.race([answer, Promise.resolve('waits')])).toBe(false)
	vi.useRealTimers()
})

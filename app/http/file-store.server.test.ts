import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFileStore } from './file-store.server'

let now = 1000
function wait(ms: number) {
	now += ms
	vi.advanceTimersByTime(ms)
}

// The store holds `performance` itself, so replacing the global would have no effect.
beforeEach(() => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
	vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
	vi.useRealTimers()
	vi.restoreAllMocks()
})

test('a file leaves the memory when its time is over, even without a request for it', async () => {
	const files = createFileStore({ maxBytes: 1000, lifeMs: 60_000 })
	await files.put('a', Buffer.alloc(400))
	wait(59_000)
	expect([files.heldBytes(), await files.has('a'), (await files.get('a'))?.length]).toEqual([400, true, 400])
	wait(2000)
	expect(files.heldBytes()).toBe(0)
	expect([await files.has('a'), await files.get('a')]).toEqual([false, undefined])
})

test('the oldest file makes room, and a dropped file is gone', async () => {
	const files = createFileStore({ maxBytes: 1000, lifeMs: 60_000 })
	for (const place of ['a', 'b', 'c']) await files.put(place, Buffer.alloc(400))
	expect([await files.has('a'), await files.has('b'), await files.has('c')]).toEqual([false, true, true])
	await files.drop('b')
	expect([files.heldBytes(), await files.get('b')]).toEqual([400, undefined])
})

import { expect, test } from 'vitest'
import { runInQueue } from './reply-queue.server'

/** A long reply that is read until `end` is called. */
function read(client: string) {
	let end = () => {}
	const ended = new Promise<void>((resolve) => (end = resolve))
	const done = runInQueue(client, async (enter) => {
		await enter()
		await ended
		return client
	})
	return { done, end: () => end() }
}

test('a client with eight long replies gets no ninth, and others do', async () => {
	const own = Array.from({ length: 8 }, () => read('BULK01'))
	await expect(read('BULK01').done).rejects.toMatchObject({ status: 429, message: expect.stringContaining('8 long reports') as string })
	const other = read('DEMO01')
	for (const each of [...own, other]) each.end()
	expect(await other.done).toBe('DEMO01')
	await Promise.all(own.map(({ done }) => done))
	const again = read('BULK01')
	again.end()
	expect(await again.done).toBe('BULK01')
})

test('a short reply does not count', async () => {
	const own = Array.from({ length: 8 }, () => read('BULK01'))
	expect(await runInQueue('BULK01', async () => 'short')).toBe('short')
	for (const each of own) each.end()
	await Promise.all(own.map(({ done }) => done))
})

import { expect, test } from 'vitest'
import { watchEnd } from './transfers.server'

/** A file of so many pieces, always there at once. */
function createFile(pieces: number): ReadableStream<Uint8Array> {
	let left = pieces
	return new ReadableStream<Uint8Array>({
		pull(controller) {
			if (left-- > 0) controller.enqueue(new Uint8Array(1024))
			else controller.close()
		},
	})
}

test('a hundred files that move at once leave every turn of the event loop to others after a piece', async () => {
	let read = 0
	const perTurn: number[] = []
	const files = { areRead: false }
	const readAll = async (body: ReadableStream<Uint8Array>) => {
		for await (const piece of body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) if (piece.length > 0) read += 1
	}
	const all = Promise.all(Array.from({ length: 100 }, () => readAll(watchEnd(createFile(20), () => {})))).finally(
		() => (files.areRead = true),
	)
	let before = 0
	while (!files.areRead) {
		await new Promise((resolve) => setImmediate(resolve))
		perTurn.push(read - before)
		before = read
	}
	await all
	expect(read).toBe(2000)
	// The watcher's own turn and the files' may fall on either side of each other.
	expect(Math.max(...perTurn)).toBeLessThanOrEqual(2)
})

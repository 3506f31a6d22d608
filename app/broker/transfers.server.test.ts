import { expect, test } from 'vitest'
import { openTransfer } from './transfers.server'

/** A file of that many pieces, all available at once. */
function createFile(pieces: number): ReadableStream<Uint8Array> {
	let left = pieces
	return new ReadableStream<Uint8Array>({
		pull(controller) {
			if (left-- > 0) controller.enqueue(new Uint8Array(1024))
			else controller.close()
		},
	})
}

test('a hundred files at once yield to other work after each piece', async () => {
	let read = 0
	const perTurn: number[] = []
	const files = { areRead: false }
	const readAll = async (client: string) => {
		const body = await openTransfer(client, undefined, async () => createFile(20))
		for await (const piece of body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) if (piece.length > 0) read += 1
	}
	const all = Promise.all(Array.from({ length: 100 }, (_, n) => readAll(`KH${n}`))).finally(() => (files.areRead = true))
	let before = 0
	while (!files.areRead) {
		await new Promise((resolve) => setImmediate(resolve))
		perTurn.push(read - before)
		before = read
	}
	await all
	expect(read).toBe(2000)
	// The order of the watcher's turn and the files' turns is not fixed.
	expect(Math.max(...perTurn)).toBeLessThanOrEqual(2)
})

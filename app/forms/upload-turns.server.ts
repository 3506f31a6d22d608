/*
 * Posts with files, in turns for each client. What a browser sends of a file passes through memory, also when the file is refused, so a
 * hundred at once would be a hundred files passing through. A post that waits is not read: its file stays with the browser and the network.
 */

/** Posts of one client that are read or answered at once: more than the five codes that are checked at once. */
const MOST_AT_ONCE = 6

type Turns = { running: number; waiting: Set<() => void> }

/** By client code. */
const clients = new Map<string, Turns>()

/**
 * Waits until fewer than six posts with files of this client are under way. `leaving` ends the post: it aborts when the reply is over or the
 * browser has gone. Resolves also when the browser leaves meanwhile.
 */
export async function waitForUploadTurn(client: string, leaving: AbortSignal): Promise<void> {
	if (leaving.aborted) return
	const turns = clients.get(client) ?? { running: 0, waiting: new Set() }
	clients.set(client, turns)
	await new Promise<void>((resolve) => {
		let isRunning = false
		const begin = () => {
			isRunning = true
			turns.running += 1
			turns.waiting.delete(begin)
			resolve()
		}
		const end = () => {
			if (isRunning) turns.running -= 1
			turns.waiting.delete(begin)
			resolve()
			// Browsers that leave together are all gone before the next post begins.
			setImmediate(() => beginNext(client, turns))
		}
		leaving.addEventListener('abort', end, { once: true })
		if (turns.running < MOST_AT_ONCE) begin()
		else turns.waiting.add(begin)
	})
}

function beginNext(client: string, turns: Turns): void {
	for (const begin of turns.waiting) {
		if (turns.running >= MOST_AT_ONCE) return
		begin()
	}
	if (turns.running === 0 && clients.get(client) === turns) clients.delete(client)
}

/*
 * Posts with files take turns. The bytes of a file pass through memory, also when the file is refused, so a hundred posts at once would
 * pass a hundred files through memory. A post that waits is not read: its file stays with the browser and the network.
 */

/** Posts of one client that are read or answered at once: more than the five codes that are checked at once. */
const MOST_OF_A_CLIENT = 6
/** Posts of all clients that are read at once. This limit does not apply to a client's first post, so no client waits for another. */
const MOST_AT_ONCE = 24

type Turns = { running: number; waiting: Set<() => void> }

/** By client code. */
const clients = new Map<string, Turns>()
let running = 0

const canBegin = (turns: Turns) => turns.running === 0 || (turns.running < MOST_OF_A_CLIENT && running < MOST_AT_ONCE)

/**
 * Waits until this client has no other post with files under way, or fewer than six and all clients together fewer than 24. `leaving`
 * ends the post: it aborts when the reply is over or the browser has gone. Also resolves when the browser leaves during the wait.
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
			running += 1
			turns.waiting.delete(begin)
			resolve()
		}
		const end = () => {
			if (isRunning) {
				turns.running -= 1
				running -= 1
			}
			turns.waiting.delete(begin)
			resolve()
			// Browsers that leave together are all gone before the next post begins.
			setImmediate(beginNext)
		}
		leaving.addEventListener('abort', end, { once: true })
		if (canBegin(turns)) begin()
		else turns.waiting.add(begin)
	})
}

function beginNext(): void {
	for (const [client, turns] of clients) {
		for (const begin of turns.waiting) {
			if (!canBegin(turns)) break
			begin()
		}
		if (turns.running === 0) clients.delete(client)
	}
}

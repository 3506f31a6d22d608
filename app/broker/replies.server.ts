import { LRUCache } from 'lru-cache'

/*
 * Answers of the broker that serve more than one question. Every key begins with the session, so that logout can drop what is its own.
 * A failure serves one: it carries the reference of one visit, and its body can be read once. Whoever waited for it asks for themselves.
 */

type Reply = { asked: Promise<unknown>; rows: number }

/** Replies with many rows serve the next pages of the same table for a minute. The bound is a number of rows over all clients. */
const replies = new LRUCache<string, Reply>({ max: 500, ttl: 60_000, maxSize: 400_000, sizeCalculation: ({ rows }) => Math.max(1, rows) })

/** Questions that are on their way: the same one of the same session, asked again meanwhile by a reload or a second tab, waits for the same answer. */
const underWay = new Map<string, Promise<unknown>>()

export function keyOf(sessionId: string | undefined, path: string, asked: unknown): string {
	return `${sessionId} ${path} ${JSON.stringify(asked)}`
}

/** Nothing that this session was told serves it again. */
export function forgetReports(sessionId: string): void {
	for (const key of [...replies.keys()]) if (key.startsWith(`${sessionId} `)) replies.delete(key)
}

/** What is on its way for this session is no answer to what is asked from now on. */
export function endSharing(sessionId: string | undefined): void {
	for (const key of underWay.keys()) if (key.startsWith(`${sessionId} `)) underWay.delete(key)
}

/** The reply that is kept under the key, else a fresh one, which replaces it; a failure is not kept. `rows` is what it weighs. */
export async function keep<Data>(
	key: string,
	ask: () => Promise<Data>,
	countRows: (data: Data) => number,
	{ isFresh }: { isFresh: boolean },
): Promise<Data> {
	const kept = isFresh ? undefined : (replies.get(key)?.asked as Promise<Data> | undefined)
	if (kept) return kept.catch(() => ask())
	const asked = ask()
	replies.set(key, { asked, rows: 1 })
	// Unless it was forgotten or replaced meanwhile.
	const isStill = () => replies.peek(key)?.asked === asked
	asked.then(
		(data) => isStill() && replies.set(key, { asked, rows: countRows(data) }, { noUpdateTTL: true }),
		() => isStill() && replies.delete(key),
	)
	return asked
}

/** The answer that is on its way under the key, else one's own. */
export async function share<Data>(key: string, ask: () => Promise<Data>): Promise<Data> {
	const asked = underWay.get(key) as Promise<Data> | undefined
	if (asked) return asked.catch(() => ask())
	const own = ask().finally(() => underWay.get(key) === own && underWay.delete(key))
	underWay.set(key, own)
	return own
}

import { LRUCache } from 'lru-cache'

/*
 * Answers of the broker that serve more than one question. Every key begins with the session, so that logout can drop what is its own.
 * A failure serves one: it carries the reference of one visit, and its body can be read once. Whoever waited for it asks for themselves.
 */

type Reply = { asked: Promise<unknown>; rows: number }

/** Rows that are kept of all clients together: a row of a ledger takes 400 bytes, and the longest ledger known has 105,000 of them. */
const MOST_ROWS = 120_000

/** Replies with many rows serve the next pages of the same table for a minute. */
const replies = new LRUCache<string, Reply>({ max: 500, ttl: 60_000, maxSize: MOST_ROWS, sizeCalculation: ({ rows }) => Math.max(1, rows) })

export function formatReplyKey(sessionId: string | undefined, path: string, asked: unknown): string {
	return `${sessionId} ${path} ${JSON.stringify(asked)}`
}

/** Nothing that this session was told serves it again. */
export function forgetReports(sessionId: string): void {
	for (const key of [...replies.keys()]) if (key.startsWith(`${sessionId} `)) replies.delete(key)
}

/** Nothing that anybody was told serves again: the broker's day has changed. */
export function forgetAllReports(): void {
	replies.clear()
}

/** The reply that is kept under the key, else a fresh one, which replaces it; a failure is not kept. `rows` is what it weighs. */
export async function cacheReply<Data>(
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

import { LRUCache } from 'lru-cache'
import { retryUnlessLate } from './sharing.server'

/*
 * Replies of the broker that are cached. Every key begins with the session, so that logout can drop them. Failures are not cached: a
 * failure carries the reference of one visit, and its body can be read once. Other callers send their own request, unless the broker took
 * too long.
 */

type Reply = { asked: Promise<unknown>; rows: number }

/** Maximum rows cached for all clients together: a ledger row takes 400 bytes, and the longest known ledger has 105,000. */
const MOST_ROWS = 120_000

/** Replies with many rows serve the next pages of the same table for a minute. */
const replies = new LRUCache<string, Reply>({ max: 500, ttl: 60_000, maxSize: MOST_ROWS, sizeCalculation: ({ rows }) => Math.max(1, rows) })

export function formatReplyKey(sessionId: string | undefined, path: string, asked: unknown): string {
	return `${sessionId} ${path} ${JSON.stringify(asked)}`
}

/** Drops every cached reply of this session. */
export function forgetReports(sessionId: string): void {
	for (const key of [...replies.keys()]) if (key.startsWith(`${sessionId} `)) replies.delete(key)
}

/** Drops every cached reply: the broker's day has changed. */
export function forgetAllReports(): void {
	replies.clear()
}

/**
 * Returns the cached reply of this key; otherwise, or when `isFresh`, sends the call and caches its reply. Failures are not cached.
 * `countRows` gives the size of the reply in the cache.
 */
export async function cacheReply<Data>(
	key: string,
	ask: () => Promise<Data>,
	countRows: (data: Data) => number,
	{ isFresh }: { isFresh: boolean },
): Promise<Data> {
	const kept = isFresh ? undefined : (replies.get(key)?.asked as Promise<Data> | undefined)
	if (kept) return kept.catch((error: unknown) => retryUnlessLate(error, ask))
	const asked = ask()
	replies.set(key, { asked, rows: 1 })
	// False when the entry was dropped or replaced in the meantime.
	const isStill = () => replies.peek(key)?.asked === asked
	asked.then(
		(data) => isStill() && replies.set(key, { asked, rows: countRows(data) }, { noUpdateTTL: true }),
		() => isStill() && replies.delete(key),
	)
	return asked
}

import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { forgetReports } from '~/broker/client.server'
import { forgetQuestions } from '~/broker/sharing.server'
import { redis } from '~/config/redis.server'
import { limitEntries } from '~/lib/limit-entries'

/** Milliseconds; longer than a reply is cached (60 s). After that no process has a reply from before the change. */
const CHANGE_MS = 70_000

/** By session: the last change after which this process dropped the cached replies. */
const applied = new LRUCache<string, string>({ ...limitEntries(50_000), ttl: CHANGE_MS })

/** Drops what was read before the change: the cached replies, and the reads under way, which would be cached when they come. */
function forgetEarlier(sessionId: string, change: string): void {
	applied.set(sessionId, change)
	forgetReports(sessionId)
	forgetQuestions(sessionId)
}

/**
 * Call this after a change that cached replies may show. Drops the session's cached replies: in this process at once, in every other
 * process at the session's next request.
 */
export async function publishChange(sessionId: string): Promise<void> {
	const change = randomUUID()
	forgetEarlier(sessionId, change)
	await redis?.set(`changed:${sessionId}`, change, 'PX', CHANGE_MS).catch(() => undefined)
}

/** Drops the session's cached replies when `change`, the last change that any process has reported, is new to this process. */
export function applyChange(sessionId: string, change: string | null | undefined): void {
	if (!change || applied.get(sessionId) === change) return
	forgetEarlier(sessionId, change)
}

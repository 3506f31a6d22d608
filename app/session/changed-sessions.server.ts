import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { forgetReports } from '~/broker/client.server'
import { redis } from '~/config/redis.server'
import { limitEntries } from '~/lib/limit-entries'

/** Milliseconds; longer than a reply is cached (60 s). After that no process has a reply from before the change. */
const CHANGE_MS = 70_000

/** The last change of a session that this process has heeded. */
const heeded = new LRUCache<string, string>({ ...limitEntries(50_000), ttl: CHANGE_MS })

/**
 * The client has changed something that cached replies may show: drops those of the session, here at once and in each other process at the
 * session's next request.
 */
export async function tellChange(sessionId: string): Promise<void> {
	const change = randomUUID()
	heeded.set(sessionId, change)
	forgetReports(sessionId)
	await redis?.set(`changed:${sessionId}`, change, 'PX', CHANGE_MS).catch(() => undefined)
}

/** Drops the cached replies of the session when this change, which is the last one told by any process, is new here. */
export function heedChange(sessionId: string, change: string | null | undefined): void {
	if (!change || heeded.get(sessionId) === change) return
	heeded.set(sessionId, change)
	forgetReports(sessionId)
}

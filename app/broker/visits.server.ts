import { LRUCache } from 'lru-cache'
import { copyResponse } from './sharing.server'

/*
 * A post that cannot look up what it needs shows its page again, and that page asks the same. What failed a moment ago, after its retry or
 * its whole timeout, would be asked twice more: the client would wait twice as long, and a broker that is down would get twice the calls.
 */

/** By the id of the visit: its questions that ended in a failure. A visit lives no longer than a few timeouts. */
const failed = new LRUCache<string, Map<string, Response>>({ max: 1000, ttl: 300_000 })

/** The id of a visit that was given none, in development. */
const NONE = 'unknown'

/** What one visit has asked in vain. */
export function createVisit(requestId: string) {
	return {
		/** Asks, unless this visit has asked the same in vain (502, 503 or 504): then that is the answer, under its one reference. */
		async question<Answer>(name: unknown[], ask: () => Promise<Answer>): Promise<Answer> {
			const key = JSON.stringify(name)
			const earlier = failed.get(requestId)?.get(key)
			if (earlier) throw await copyResponse(earlier)
			return ask().catch(async (error: unknown) => {
				if (error instanceof Response && error.status >= 500 && requestId !== NONE) {
					const all = failed.get(requestId) ?? new Map<string, Response>()
					failed.set(requestId, all.set(key, await copyResponse(error)))
				}
				throw error
			})
		},

		/** After a change that was answered the broker is there again, and what was asked before it may be otherwise now. */
		forget: () => void failed.delete(requestId),
	}
}

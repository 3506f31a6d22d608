import { LRUCache } from 'lru-cache'
import { copyResponse } from './sharing.server'

/*
 * A post that fails to look up something shows its page again, and that page makes the same call. Without this, a call that had just failed
 * after its retry or timeout would be made twice more: the client would wait twice as long, and a failing broker would get twice the calls.
 */

/** Failed calls by visit id. A visit lasts at most a few timeouts. */
const failed = new LRUCache<string, Map<string, Response>>({ max: 1000, ttl: 300_000 })

/** The request id in development, where no server sets one. */
const NONE = 'unknown'

/** The failed calls of one visit. */
export function createVisit(requestId: string) {
	return {
		/** Makes the call, unless the same call failed in this visit (502, 503 or 504): then throws that failure with its reference. */
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

		/** After a successful change the broker is available again, and earlier results may have changed. */
		forget: () => void failed.delete(requestId),
	}
}

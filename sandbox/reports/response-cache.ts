import { type Context } from 'hono'
import { LRUCache } from 'lru-cache'
import { toIndianDay } from '#contract/values/dates'
import { readStamp } from '#sandbox/book/read-stamp'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'

/** Size of the cache in characters of JSON: about ten years of the busiest client. */
const KEPT_SIZE = 48_000_000

export type ResponseCache = ReturnType<typeof createResponseCache>

/**
 * Caches responses while the books do not change: the key holds the client, the call with its query, the day, and the newest rows of the
 * books. `hard-refresh: true` computes them again.
 */
export function createResponseCache({ books, clock }: SandboxParts) {
	const cache = new LRUCache<string, string>({ maxSize: KEPT_SIZE, sizeCalculation: (text) => text.length + 1 })

	/** The JSON of what `make` returns, new or cached. `asked` holds everything that the response depends on besides client and call. */
	async function readText(c: Context<SandboxEnv>, asked: unknown, make: () => Promise<unknown>): Promise<string> {
		const key = JSON.stringify([c.var.client.code, c.var.operation?.id, asked, toIndianDay(clock.now()), await readStamp(books)])
		let text = c.req.header('hard-refresh') === 'true' ? undefined : cache.get(key)
		if (text === undefined) {
			text = JSON.stringify(await make())
			cache.set(key, text)
		}
		return text
	}

	return {
		readText,
		/** Sends that JSON in the usual envelope. `beside` are fields next to `data`; they are never cached. */
		async send(c: Context<SandboxEnv>, message: string, asked: unknown, make: () => Promise<unknown>, beside: object = {}) {
			const head = JSON.stringify({ status: 'success', message, ...beside }).slice(0, -1)
			return c.body(`${head},"data":${await readText(c, asked, make)}}`, 200, { 'content-type': 'application/json' })
		},
	}
}

import { LRUCache } from 'lru-cache'
import { log } from '~/log.server'
import { redis } from '~/redis.server'

/**
 * A file that came as the answer to a form, until the page after the form has fetched it: a page's answer cannot be a file, and what was
 * done cannot be asked for twice. Redis keeps it for all processes; without Redis, or while it does not answer, this process keeps it.
 */
const LIFE_MS = 900_000
const kept = new LRUCache<string, Buffer>({
	maxSize: 32 * 1024 * 1024,
	sizeCalculation: ({ length }) => Math.max(1, length),
	ttl: LIFE_MS,
})

const MAX_BYTES = 2 * 1024 * 1024

const placeOf = (sessionId: string, name: string) => `file:${sessionId}:${name}`

/**
 * Keeps a small file for a session, under a name, for 15 minutes. A larger one is let go, and so is one that breaks off: what it is the
 * answer to has been done, and the broker has the file still.
 */
export async function keepFile(sessionId: string, name: string, body: ReadableStream<Uint8Array>): Promise<void> {
	const chunks: Uint8Array[] = []
	let size = 0
	try {
		for await (const chunk of body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
			size += chunk.length
			if (size > MAX_BYTES) return
			chunks.push(chunk)
		}
	} catch {
		return log.warn({ event: 'file_broken_off', of: name }, 'A file that came as an answer broke off')
	}
	const place = placeOf(sessionId, name)
	const file = Buffer.concat(chunks)
	const isShared = await redis?.set(place, file, 'PX', LIFE_MS).catch(() => undefined)
	if (isShared) kept.delete(place)
	else kept.set(place, file)
}

/** The file, or undefined when there is none or its 15 minutes are over. */
export async function keptFile(sessionId: string, name: string): Promise<ReadableStream<Uint8Array> | undefined> {
	const place = placeOf(sessionId, name)
	const file = kept.get(place) ?? (await redis?.getBuffer(place).catch(() => null))
	return file ? new Blob([new Uint8Array(file)]).stream() : undefined
}

export async function hasFile(sessionId: string, name: string): Promise<boolean> {
	const place = placeOf(sessionId, name)
	return kept.has(place) || (await redis?.exists(place).catch(() => 0)) === 1
}

import { LRUCache } from 'lru-cache'
import { log } from '~/log.server'

/**
 * A file that came as the answer to a form, until the page after the form has fetched it: a page's answer cannot be a file, and what was
 * done cannot be asked for twice. Of this process alone; elsewhere the broker is asked for it again.
 */
const kept = new LRUCache<string, Buffer>({ maxSize: 32 * 1024 * 1024, sizeCalculation: ({ length }) => Math.max(1, length), ttl: 900_000 })

const MAX_BYTES = 2 * 1024 * 1024

/**
 * Keeps a small file for a session, under a name. A larger one is let go, and so is one that breaks off: what it is the answer to has been
 * done, and the broker has the file still.
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
	kept.set(`${sessionId} ${name}`, Buffer.concat(chunks))
}

export function keptFile(sessionId: string, name: string): ReadableStream<Uint8Array> | undefined {
	const file = kept.get(`${sessionId} ${name}`)
	return file && new Blob([new Uint8Array(file)]).stream()
}

export function hasFile(sessionId: string, name: string): boolean {
	return kept.has(`${sessionId} ${name}`)
}

import { log } from '~/config/logger.server'
import { createFileStore } from './file-store.server'

/*
 * A file that came as the answer to a form, until the page after the form has fetched it: a page's answer cannot be a file, and what was
 * done cannot be asked for twice.
 */
const store = createFileStore({ maxBytes: 32 * 1024 * 1024, lifeMs: 900_000 })

const MAX_BYTES = 2 * 1024 * 1024

const formatPlace = (sessionId: string, name: string) => `file:${sessionId}:${name}`

/**
 * Keeps a small file for a session, under a name, for 15 minutes. A larger one is let go, and so is one that breaks off: what it is the
 * answer to has been done, and the broker has the file still.
 */
export async function savePendingFile(sessionId: string, name: string, body: ReadableStream<Uint8Array>): Promise<void> {
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
	await store.put(formatPlace(sessionId, name), Buffer.concat(chunks))
}

/** The file, or undefined when there is none or its 15 minutes are over. */
export async function readPendingFile(sessionId: string, name: string): Promise<ReadableStream<Uint8Array> | undefined> {
	const file = await store.get(formatPlace(sessionId, name))
	return file ? new Blob([new Uint8Array(file)]).stream() : undefined
}

export function hasPendingFile(sessionId: string, name: string): Promise<boolean> {
	return store.has(formatPlace(sessionId, name))
}

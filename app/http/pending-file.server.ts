import { log } from '~/config/logger.server'
import { createFileStore } from './file-store.server'

/*
 * Keeps a file that came as the reply to a form, until the next page fetches it. The reply to a page's form cannot be a file, and the
 * work must not be repeated to get the file.
 */
const store = createFileStore({ maxBytes: 32 * 1024 * 1024, lifeMs: 900_000 })

const MAX_BYTES = 2 * 1024 * 1024

const formatPlace = (sessionId: string, name: string) => `file:${sessionId}:${name}`

/**
 * Keeps a file of at most 2 MB for a session, under a name, for 15 minutes. A larger file, or one that breaks off, is not kept and is no
 * error, because the work is done. Returns the file when only this process has it, so that a page can contain it.
 */
export async function savePendingFile(sessionId: string, name: string, body: ReadableStream<Uint8Array>): Promise<Buffer | undefined> {
	const chunks: Uint8Array[] = []
	let size = 0
	try {
		for await (const chunk of body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
			size += chunk.length
			if (size > MAX_BYTES) return undefined
			chunks.push(chunk)
		}
	} catch {
		log.warn({ event: 'file_broken_off', of: name }, 'A file that came as an answer broke off')
		return undefined
	}
	const file = Buffer.concat(chunks)
	return (await store.put(formatPlace(sessionId, name), file)) ? undefined : file
}

/** The file, or undefined when there is none or its 15 minutes are over. */
export async function readPendingFile(sessionId: string, name: string): Promise<ReadableStream<Uint8Array> | undefined> {
	const file = await store.get(formatPlace(sessionId, name))
	return file ? new Blob([new Uint8Array(file)]).stream() : undefined
}

export function hasPendingFile(sessionId: string, name: string): Promise<boolean> {
	return store.has(formatPlace(sessionId, name))
}

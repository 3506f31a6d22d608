import { createHash } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import { type FormFile } from '~/broker/form-body.server'
import { createFileStore } from '~/http/file-store.server'
import { UploadProblem } from './file-type.server'
import { type UploadedFile } from './uploads.server'

/*
 * Holds the files of a form that the client checks on another page before the broker is called. No other uploads are held. The files are
 * in memory, or in Redis if there is one, for half an hour, and never on a disk (docs/decisions/015).
 */

const held = createFileStore({ maxBytes: 64 * 1_048_576, lifeMs: 1_800_000 })

/**
 * Clients whose files are arriving now. The files are in memory before any limit applies, so few clients may send at once, each one form.
 */
const arriving = new Set<string>()
const MOST_ARRIVING = 6

type Held = { name: string; filename: string; type: string; bytes: Uint8Array }

/** Characters of a file's name, because a cookie keeps it. */
const MOST_SHOWN = 60
const shorten = (name: string) => (name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN - 1)}…` : name)

/** `1.2 MB`, or `34 kB`; never `1000 kB`. */
function formatSize(bytes: number): string {
	const kilobytes = Math.ceil(bytes / 1000)
	return kilobytes >= 1000 ? `${(bytes / 1_000_000).toFixed(1)}\u00A0MB` : `${kilobytes}\u00A0kB`
}

const formatPlace = (client: string, form: string) => `upload:${client}:${form}`

/**
 * Holds the files of a client's form, in place of earlier ones. Returns their SHA-256, and `shown`: the name and the size of each in words,
 * by its field. Throws an UploadProblem for an invalid file, and at `busyField` while other files arrive.
 */
export async function holdUploads(client: string, form: string, files: AsyncIterable<UploadedFile>, busyField: string) {
	if (arriving.has(client) || arriving.size >= MOST_ARRIVING)
		throw new UploadProblem(busyField, 'Other files are still being uploaded – try again in a minute')
	arriving.add(client)
	try {
		const all: Held[] = []
		const shown: Record<string, string> = {}
		for await (const { body, chosen, ...file } of files) {
			const chunks: Uint8Array[] = []
			for await (const chunk of body) chunks.push(chunk)
			const bytes = Buffer.concat(chunks)
			shown[file.name] = `${shorten(chosen)}, ${formatSize(bytes.length)}`
			all.push({ ...file, bytes })
		}
		const packed = serialize(all)
		await held.put(formatPlace(client, form), packed)
		return { sha256: createHash('sha256').update(packed).digest('base64url'), shown }
	} finally {
		arriving.delete(client)
	}
}

/** The files with that SHA-256, to be sent to the broker; undefined after half an hour, or when other files have replaced them. */
export async function readHeldUploads(client: string, form: string, sha256: string): Promise<FormFile[] | undefined> {
	const packed = await held.get(formatPlace(client, form))
	if (!packed || createHash('sha256').update(packed).digest('base64url') !== sha256) return undefined
	return (deserialize(packed) as Held[]).map(({ bytes, ...file }) => ({ ...file, body: streamBytes(bytes) }))
}

export function dropUploads(client: string, form: string): Promise<void> {
	return held.drop(formatPlace(client, form))
}

async function* streamBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes
}

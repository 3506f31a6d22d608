import { on, once } from 'node:events'
import { type ReadableStream as NodeWebStream } from 'node:stream/web'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { movePiece } from '~/lib/turns'
import { isFieldName } from './form-fields.server'

/* Reads the body of a post. A body may stop, be malformed or never end; the reader always gets a result or a 400. */

/** A file in a form, by its field's name. */
export type FilePart = { name: string; filename: string; stream: BusboyFileStream }

const MULTIPART = 'multipart/form-data'
const LIMITS = { fieldNameSize: 100, fieldSize: 8192, fields: 60, parts: 70, headerPairs: 20, headerSize: 8192 }

/** Throws a 400: the body is not a form of ours, or part of it is missing. */
export function throwBadForm(): never {
	throw Response.json({ message: 'The form was not fully received. Go back and try again.' }, { status: 400 })
}

/** The fields of a form without files. Throws a 400. */
export async function readFields(request: Request): Promise<FormData> {
	if (isMultipart(request)) {
		const multipart = openMultipart(request, 0)
		try {
			await multipart.next()
			return multipart.form
		} finally {
			multipart.close()
		}
	}
	const form = new FormData()
	for (const [name, value] of new URLSearchParams(await request.text().catch(throwBadForm))) form.append(name, value)
	return form
}

export function isMultipart(request: Request): boolean {
	return (request.headers.get('content-type') ?? '').trimStart().toLowerCase().startsWith(MULTIPART)
}

/** Reads `multipart/form-data` while it arrives: its fields, and up to `mostFiles` files one after the other. Throws a 400. */
export function openMultipart(request: Request, mostFiles: number) {
	const busboy = construct(request, mostFiles)
	const form = new FormData()
	/** The files that have begun and not ended. */
	const unread = new Set<BusboyFileStream>()
	let isSpoilt = false

	/** Stops reading. Code that waits for the next file or its bytes gets the error. */
	function fail(error: Error) {
		busboy.destroy(error)
		for (const stream of unread) stream.destroy(error)
	}
	function spoil() {
		isSpoilt = true
		fail(new Error('More than a form of ours holds'))
	}

	for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) busboy.on(event, spoil)
	// Busboy's types are wrong: a part without a name has none.
	busboy.on('field', (name: string | undefined, value, isNameCut, isCut) => {
		if (name === undefined || isNameCut || isCut || !isFieldName(name)) spoil()
		else form.append(name, value)
	})
	busboy.on('file', (name: string | undefined, stream) => {
		unread.add(stream)
		// A stream without a reader would end the process with its error.
		stream.on('error', () => {})
		for (const event of ['end', 'close']) stream.once(event, () => unread.delete(stream))
		if (name === undefined) spoil()
	})
	busboy.on('error', () => {})
	const parts = on(busboy, 'file', { close: ['finish'] })
	/** Passes the body to busboy as fast as it accepts it. Unread bytes stay with the connection. */
	async function feed(body: AsyncIterable<Uint8Array>) {
		for await (const piece of body) {
			await movePiece()
			if (busboy.destroyed) return
			if (!busboy.write(piece)) await once(busboy, 'drain')
		}
		busboy.end()
	}
	void feed((request.body ?? new Blob().stream()) as NodeWebStream<Uint8Array>).catch(fail)

	return {
		/** The fields received so far: those before the file that `next` returned, or all. */
		form,
		/** The next selected file; undefined at the end of the form. Skips a file without a name: an empty file input sends one. */
		async next(): Promise<FilePart | undefined> {
			for (;;) {
				const { done, value } = await parts.next().catch(throwBadForm)
				if (isSpoilt) return throwBadForm()
				if (done) return undefined
				const [name, stream, filename] = value as [string, BusboyFileStream, string | undefined]
				if (filename) return { name, filename, stream }
				stream.resume()
			}
		},
		/** Stops the parser. The rest of the body is dropped while the reply is sent (server/body-limit.ts). */
		close() {
			fail(new Error('The form is answered'))
		},
	}
}

function construct(request: Request, mostFiles: number) {
	try {
		// One more than allowed, so that busboy reports a form with too many files, but not a form with exactly the maximum.
		const limits = { ...LIMITS, files: mostFiles && mostFiles + 1 }
		return new Busboy({ headers: { 'content-type': request.headers.get('content-type') ?? '' }, limits })
	} catch {
		return throwBadForm()
	}
}

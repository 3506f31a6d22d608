import { randomUUID } from 'node:crypto'

/**
 * A file as chunks, to be sent to the broker. Only the files of a transfer are held whole before that (pending-uploads.server). Name and
 * type are the portal's, never the browser's.
 */
export type FormFile = { name: string; filename: string; type: string; body: AsyncIterable<Uint8Array> }
export type FormField = { name: string; value: string }

/** A form for the broker, in order. It can be read once. */
export type Form = AsyncIterable<FormField | FormFile> | Iterable<FormField | FormFile>

/** An encoded form. `problem` says why it could not be read to its end, such as an upload that is too large. */
type EncodedForm = {
	contentType: string
	body: ReadableStream<Uint8Array>
	problem(): Error | undefined
	/** Called for every part that is sent. */
	onPart(told: () => void): void
	/** Stops reading: a broker that answers early does not need the rest. */
	close(): void
}

/** The fields that have a value, as text. */
export function listFields(values: Record<string, string | boolean | undefined>): FormField[] {
	return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value: String(value) }]))
}

/** Characters that a name may hold without ending its header. */
const quoted = (text: string) => `"${text.replaceAll(/["\r\n]/g, '_')}"`

/** Encodes a form as `multipart/form-data`, no faster than it is read. */
export function encodeForm(form: Form): EncodedForm {
	const boundary = `khata-${randomUUID()}`
	let problem: Error | undefined
	let tell = () => {}

	async function* write(): AsyncGenerator<Uint8Array> {
		for await (const part of form) {
			const isFile = 'body' in part
			const file = isFile ? `; filename=${quoted(part.filename)}\r\ncontent-type: ${part.type.replaceAll(/[\r\n]/g, '')}` : ''
			yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name=${quoted(part.name)}${file}\r\n\r\n`)
			if (isFile) yield* part.body
			else yield Buffer.from(part.value)
			yield Buffer.from('\r\n')
		}
		yield Buffer.from(`--${boundary}--\r\n`)
	}

	const written = write()
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					const { done, value } = await written.next()
					tell()
					if (done) controller.close()
					else controller.enqueue(value)
				} catch (error) {
					problem = error instanceof Error ? error : new Error('The form could not be read')
					controller.error(problem)
				}
			},
			async cancel() {
				await written.return(undefined)
			},
		},
		{ highWaterMark: 0 },
	)
	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		body,
		problem: () => problem,
		onPart: (told) => void (tell = told),
		close: () => void written.return(undefined).catch(() => {}),
	}
}

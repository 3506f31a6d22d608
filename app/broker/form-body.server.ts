import { randomUUID } from 'node:crypto'

/**
 * A file for the broker, as chunks. Only the files of a closure with transfer are held whole before they are sent
 * (pending-uploads.server). The portal sets the name and the type; the browser's are never used.
 */
export type FormFile = { name: string; filename: string; type: string; body: AsyncIterable<Uint8Array> }
export type FormField = { name: string; value: string }

/** The parts of a form for the broker, in order. They can be read once. */
export type Form = AsyncIterable<FormField | FormFile> | Iterable<FormField | FormFile>

/** An encoded form. `problem` returns the error that stopped its reading, such as an upload that is too large. */
type EncodedForm = {
	contentType: string
	body: ReadableStream<Uint8Array>
	problem(): Error | undefined
	/** Sets a function that is called before each chunk is sent. */
	onPart(told: () => void): void
	/** Stops reading the form: a broker that answers early does not need the rest. */
	close(): void
}

/** The fields that have a value, as text. */
export function listFields(values: Record<string, string | boolean | undefined>): FormField[] {
	return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value: String(value) }]))
}

/** The text in quotes. Replaces quotes and line ends, which could end the header. */
const quoted = (text: string) => `"${text.replaceAll(/["\r\n]/g, '_')}"`

/** Encodes a form as `multipart/form-data`. Each chunk is encoded only when the stream is read. */
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

import { type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { Refused } from './responses'

/** A file as the back office stores it. */
export type Upload = { name: string; type: string; size: number; base64: string }

const MEGABYTE = 1_048_576
const MOST_MEGABYTES = 5

/** The first bytes of each kind of file, in latin1. The name of a file does not prove its kind. */
const BEGINNINGS = { 'application/pdf': '%PDF-', 'image/jpeg': '\u00FF\u00D8\u00FF', 'image/png': '\u0089PNG\r\n\u001A\n' } as const

/**
 * One file of a multipart form, checked by its content. Throws the broker's refusals: 422 when it is missing, empty or password-protected,
 * 413 when it is too large, 415 when it is of another kind.
 */
export async function readUpload(form: FormData, field: string): Promise<Upload> {
	const file = form.get(field)
	const refuse = (status: 413 | 415 | 422, message: string) => new Refused(status, message, { fields: [{ name: field, message }] })
	if (!(file instanceof File)) throw refuse(422, 'The file is missing')
	if (file.size > MOST_MEGABYTES * MEGABYTE) throw refuse(413, `File is larger than ${MOST_MEGABYTES} MB`)
	const bytes = Buffer.from(await file.arrayBuffer())
	if (bytes.length === 0) throw refuse(422, 'The file is empty')
	const type = (Object.keys(BEGINNINGS) as (keyof typeof BEGINNINGS)[]).find((each) =>
		bytes.subarray(0, 8).toString('latin1').startsWith(BEGINNINGS[each]),
	)
	if (type === undefined) throw refuse(415, 'Only PDF, JPG and PNG files are allowed')
	if (type === 'application/pdf' && bytes.includes('/Encrypt')) throw refuse(422, 'The file is password protected')
	return { name: file.name.slice(0, 100), type, size: bytes.length, base64: bytes.toString('base64') }
}

/** The multipart form of a request; throws 415 for any other body. */
export async function readMultipartForm(c: Context): Promise<FormData> {
	try {
		return await c.req.formData()
	} catch {
		throw new Refused(415, 'A multipart form is expected')
	}
}

/** Two files of 5 MB and the fields around them. */
const MAX_FORM_BYTES = 11 * MEGABYTE

const limit = bodyLimit({
	maxSize: MAX_FORM_BYTES,
	onError: () => {
		throw new Refused(413, 'File is larger than 5 MB')
	},
})

/** Refuses a form that is too large or malformed before anything else reads it. */
export const limitForms = createMiddleware(async (c, next) => {
	if (!c.req.header('content-type')?.startsWith('multipart/form-data')) return await next()
	return await limit(c, async () => {
		await readMultipartForm(c)
		await next()
	})
})

import { type Context } from 'hono'
import { type ContentfulStatusCode } from 'hono/utils/http-status'
import { type z } from 'zod/v4'
import { type ErrorEnvelope } from '#contract/common'

type RefusalData = z.input<typeof ErrorEnvelope>['data']

/** A refusal of the broker. Throw it anywhere in a request. */
export class Refused extends Error {
	constructor(
		readonly status: ContentfulStatusCode,
		message: string,
		readonly data: RefusalData = null,
		readonly headers: Record<string, string> = {},
	) {
		super(message)
	}
}

export const CALL_FAILED = 'Something went wrong! Please try again later'
export const NO_DATA = 'No Data Found!'

/** Sends data in the broker's envelope. */
export function sendData(c: Context, message: string, data: unknown): Response {
	return c.json({ status: 'success', message, data })
}

/** Sends a refusal in the broker's envelope. */
export function sendRefusal(c: Context, refused: Refused): Response {
	return c.json({ status: 'error', message: refused.message, data: refused.data ?? null }, refused.status, refused.headers)
}

/** A 422 refusal of an invalid request that names the field. */
export function invalidField(name: string, message: string): Refused {
	return new Refused(422, 'Request is not valid', { fields: [{ name, message }] })
}

function parse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
	const parsed = schema.safeParse(given)
	if (parsed.success) return parsed.data
	const fields = parsed.error.issues.slice(0, 20).map((issue) => ({ name: issue.path.join('.') || 'body', message: issue.message }))
	throw new Refused(422, 'Request is not valid', { fields })
}

/** The validated query; throws the broker's 422. */
export function parseQuery<Schema extends z.ZodType>(c: Context, schema: Schema): z.output<Schema> {
	return parse(schema, c.req.query())
}

/** The validated JSON body; throws the broker's 422, also for invalid JSON. */
export async function parseBody<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
	const text = await c.req.text()
	let given: unknown = {}
	try {
		if (text.trim() !== '') given = JSON.parse(text)
	} catch {
		throw invalidField('body', 'Body is not JSON')
	}
	return parse(schema, given)
}

/** The validated text fields of a multipart form, without files; throws the broker's 422. */
export function parseFields<Schema extends z.ZodType>(form: FormData, schema: Schema): z.output<Schema> {
	return parse(schema, Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')))
}

/** One request of the portal and the reply of the broker, shortened for a reader. */
export type Example = {
	request: {
		method: string
		path: string
		query?: Record<string, string>
		headers: Record<string, string>
		body?: unknown
		/** A multipart form: text fields, and files by their name and type. */
		form?: Record<string, string>
	}
	reply: { status: number; type: string; body?: unknown; file?: string }
}

/** Maximum number of rows shown of a list. */
const MOST_ROWS = 2
/** Lists that are not shortened, because their length is fixed: the five windows of advance tax. */
const WHOLE = new Set(['windows'])
/** Maximum characters of a text in JSON, such as a file. A multiple of four, so that the text is still valid base64. */
const MOST_TEXT = 400

/** Headers of the portal that are not specific to the call. */
const HIDDEN = new Set(['accept', 'x-request-id', 'traceparent', 'tracestate', 'content-type', 'user-agent'])

/**
 * Returns a call as an example. Lists keep their first rows and long texts their beginning. A file is described by its first four
 * characters.
 */
export async function shorten(asked: Request, replied: Response): Promise<Example> {
	const { pathname, searchParams } = new URL(asked.url)
	const type = asked.headers.get('content-type') ?? ''
	const request: Example['request'] = { method: asked.method, path: pathname, headers: {} }
	if (searchParams.size > 0) request.query = Object.fromEntries(searchParams)
	for (const [name, value] of asked.headers) if (!HIDDEN.has(name)) request.headers[name] = value
	if (type) request.headers['content-type'] = type.replace(/boundary=.*/, 'boundary=…')
	if (type.includes('json')) request.body = await asked.json()
	if (type.startsWith('multipart/')) request.form = await readFields(asked)
	const replyType = (replied.headers.get('content-type') ?? '').split(';')[0] ?? ''
	const reply: Example['reply'] = { status: replied.status, type: replyType }
	if (replyType.includes('json')) reply.body = cut(await replied.json())
	else reply.file = describeFile(Buffer.from(await replied.arrayBuffer()))
	return { request, reply }
}

async function readFields(asked: Request): Promise<Record<string, string>> {
	const fields: Record<string, string> = {}
	for (const [name, value] of await asked.formData())
		fields[name] = typeof value === 'string' ? value : `(file ${value.name}, ${value.type})`
	return fields
}

function describeFile(bytes: Buffer): string {
	const start = bytes.toString('latin1', 0, 4).replaceAll(/[^\x20-\x7E]/g, '.')
	return `(a file that starts with ${start})`
}

function cut(value: unknown, isWhole = false): unknown {
	if (typeof value === 'string') return value.length > MOST_TEXT ? value.slice(0, MOST_TEXT) : value
	if (Array.isArray(value)) return value.slice(0, isWhole ? undefined : MOST_ROWS).map((each) => cut(each))
	if (typeof value !== 'object' || value === null) return value
	return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cut(each, WHOLE.has(name))]))
}

/** Matches random values: tokens, ids and the random end of a reference, whose beginning is kept. */
const RANDOM = [
	/eyJ[\w-]+\.[\w-]+\.[\w-]+/g,
	/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
	/(?<=\b[A-Z]{2,3}-)[0-9A-F]{8,16}\b/g,
	/(?<=\b[A-Z]{2,3}\d{6}-)[0-9A-F]{6}\b/g,
	// The exchange's number of a bid: a date and eight digits.
	/(?<=\b20\d{6})\d{8}\b/g,
	/(?<![\w-])[\w-]{32,}(?![\w-])/g,
]
const TOKEN_FIELD = /^(auth-?token|token|pwdResetToken|pwd-reset-token|sessionId)$/i

/**
 * Returns the same examples with random values replaced by made-up ones. The same value always gets the same replacement, so that a
 * reader can follow it and the same code writes the same files. A made-up value has the length that the contract requires.
 */
export function steady(examples: Map<string, Example[]>): Map<string, Example[]> {
	const madeUp = new Map<string, string>()
	const name = (value: string): string => {
		const known = madeUp.get(value)
		if (known !== undefined) return known
		const number = String(madeUp.size + 1)
		const made = /^[0-9A-F]{6,16}$/.test(value) ? number.padStart(value.length, '0') : `example-value-${number.padStart(4, '0')}`
		madeUp.set(value, made)
		return made
	}
	const replace = (value: unknown, field = ''): unknown => {
		if (Array.isArray(value)) return value.map((each) => replace(each, field))
		if (typeof value === 'object' && value !== null) {
			return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replace(each, key)]))
		}
		// A file in base64 is not an id.
		if (typeof value !== 'string' || value.length >= MOST_TEXT || field === 'path') return value
		if (TOKEN_FIELD.test(field) && value.length > 15) return name(value)
		return RANDOM.reduce((text, pattern) => text.replaceAll(pattern, name), value)
	}
	return new Map([...examples].map(([id, list]) => [id, replace(list) as Example[]]))
}

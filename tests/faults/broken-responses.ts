import { randomUUID } from 'node:crypto'

/** A recorded reply of the sandbox. */
export type Recorded = { status: number; headers: [string, string][]; bytes: Uint8Array }

/** The broker's message: it must reach the client. */
export const WORDS = 'Settlement is running. Please try again after 6.30 pm'

export type ResponseFault = {
	name: string
	/** The response in place of the recorded one; undefined when the fault does not apply to it. */
	answer: (recorded: Recorded, request: Request) => Response | undefined | Promise<Response | undefined>
	/** The broker sends a reason for the failure. */
	hasWords?: boolean
	/** The response is correct in the end, or except for some rows. */
	isUsable?: boolean
	/** The page may not show the broken part. */
	mayFit?: boolean
	/** What else is wrong with a page that shows this reply. */
	findWrong?: (html: string) => string[]
	/** The page waits for a timeout and uses no processor time. */
	isLong?: boolean
	/** The page takes seconds of processor time, so it is read alone, and that time is checked. */
	isHeavy?: boolean
	/** The most milliseconds that a page may take; the limit of judge.ts when left out. */
	limitMs?: number
}

const JSON_TYPE = { 'content-type': 'application/json' }
const PAUSE_MS = 100

function refuse(status: number): ResponseFault {
	const answer = () => Response.json({ status: 'error', message: WORDS, data: null }, { status })
	return { name: `${status} JSON`, answer, hasWords: true }
}

function answerText(name: string, status: number, text: string, type: string): ResponseFault {
	return { name, answer: () => new Response(text, { status, headers: { 'content-type': type } }) }
}

export const replay = ({ status, headers, bytes }: Recorded) =>
	new Response(status === 204 || status === 304 ? null : new Uint8Array(bytes), { status, headers })

const isJson = ({ headers }: Recorded) => headers.some(([name, value]) => name === 'content-type' && value.includes('json'))

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type Row = { [name: string]: Json }

/** The recorded JSON with its `data` changed; undefined when it is not JSON or there is nothing to change. */
function changeData(recorded: Recorded, change: (data: Json) => Json | undefined): Response | undefined {
	if (!isJson(recorded)) return undefined
	const whole = JSON.parse(new TextDecoder().decode(recorded.bytes)) as { data?: Json }
	const data = whole.data === undefined || whole.data === null ? undefined : change(whole.data)
	return data === undefined ? undefined : Response.json({ ...whole, data }, { status: recorded.status })
}

const isRow = (value: Json | undefined): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Changes the first list of rows; the others stay. */
function changeRows(data: Json, change: (rows: Row[]) => Json[]): Json | undefined {
	if (Array.isArray(data)) return data.length > 0 && data.every(isRow) ? change(data) : undefined
	if (!isRow(data)) return undefined
	for (const [name, value] of Object.entries(data)) {
		const changed = value === null ? undefined : changeRows(value, change)
		if (changed !== undefined) return { ...data, [name]: changed }
	}
	return undefined
}

function changeTypes(value: Json): Json {
	if (Array.isArray(value)) return value.map(changeTypes)
	if (isRow(value)) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, changeTypes(each)]))
	return typeof value === 'number' ? 'twelve' : typeof value === 'string' ? 42 : typeof value === 'boolean' ? 'maybe' : value
}

/** Removes the first field of the first object that has one. */
function dropField(data: Json): Json | undefined {
	if (Array.isArray(data)) {
		const [first, ...rest] = data
		const changed = first === undefined ? undefined : dropField(first)
		return changed === undefined ? undefined : [changed, ...rest]
	}
	if (!isRow(data)) return undefined
	const [name, ...others] = Object.keys(data)
	return name === undefined ? undefined : Object.fromEntries(others.map((other) => [other, data[other] ?? null]))
}

/** The recorded JSON with its first list repeated up to this many rows, as text, because making text from as many objects is slow. */
async function repeatRows(recorded: Recorded, most: number): Promise<Response | undefined> {
	const mark = randomUUID()
	let row = ''
	const changed = changeData(recorded, (data) =>
		changeRows(data, (rows) => {
			row = rows.map((each) => JSON.stringify(each)).join()
			return [mark, rows.length]
		}),
	)
	if (!changed) return undefined
	const [before = '', after = ''] = (await changed.text()).split(`"${mark}",`)
	const times = Math.ceil(most / Number.parseInt(after, 10))
	return new Response(`${before}${`${row},`.repeat(times - 1)}${row}${after.replace(/^\d+/, '')}`, { headers: JSON_TYPE })
}

function createStream(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>): ReadableStream<Uint8Array> {
	return new ReadableStream({ pull })
}

export const LONG_LIST: ResponseFault = {
	name: '100,000 rows',
	isHeavy: true,
	mayFit: true,
	answer: (recorded) => repeatRows(recorded, 100_000),
}

/** A fifth of the rows in a fifth of the time. Work that grows with the square of the rows takes far longer here too. */
export const SHORTER_LIST: ResponseFault = {
	name: '20,000 rows',
	isHeavy: true,
	mayFit: true,
	limitMs: 3000,
	answer: (recorded) => repeatRows(recorded, 20_000),
}

/** The faults of a call, each with what the page must then show. */
export const FAULTS: readonly ResponseFault[] = [
	{
		name: 'slow',
		isUsable: true,
		answer: async (recorded) => {
			await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
			return replay(recorded)
		},
	},
	{
		name: 'never',
		isLong: true,
		answer: (_, { signal }) =>
			new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })),
	},
	...[400, 401, 403, 404, 409, 429, 500, 502, 503].map(refuse),
	answerText('500 HTML', 500, '<!doctype html><title>Oops</title><h1>Whitelabel Error Page</h1>', 'text/html'),
	answerText('500 empty', 500, '', 'application/json'),
	answerText('502 HTML', 502, '<html><center><h1>502 Bad Gateway</h1></center><hr>nginx/1.18.0</html>', 'text/html'),
	answerText('503 HTML', 503, '<html><h1>503 Service Temporarily Unavailable</h1></html>', 'text/html'),
	{
		name: 'malformed',
		answer: ({ status, bytes }) => new Response(bytes.slice(0, Math.floor(bytes.length / 2)), { status, headers: JSON_TYPE }),
	},
	{ name: 'wrong type', mayFit: true, answer: (recorded) => changeData(recorded, changeTypes) },
	{ name: 'missing field', mayFit: true, answer: (recorded) => changeData(recorded, dropField) },
	{
		name: 'one bad row',
		isUsable: true,
		answer: (recorded) =>
			changeData(recorded, (data) =>
				changeRows(data, (rows) => [...rows, Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, null]))]),
			),
	},
	LONG_LIST,
	{
		name: 'drip',
		isLong: true,
		answer: (_, { signal }) =>
			new Response(
				createStream(async (controller) => {
					await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
					if (signal.aborted) controller.error(signal.reason)
					else controller.enqueue(new Uint8Array([0x20]))
				}),
				{ headers: JSON_TYPE },
			),
	},
	{
		name: 'reset before',
		answer: () => {
			throw new Error('connect ECONNREFUSED')
		},
	},
	{
		name: 'reset in the middle',
		answer: ({ status, headers, bytes }) => {
			let isSent = false
			const body = createStream((controller) => {
				if (isSent) controller.error(new Error('terminated'))
				else controller.enqueue(bytes.slice(0, Math.max(1, Math.floor(bytes.length / 2))))
				isSent = true
			})
			return new Response(body, { status, headers: headers.filter(([name]) => name !== 'content-length') })
		},
	},
	{ name: 'redirect loop', answer: (_, { url }) => new Response(null, { status: 302, headers: { location: url } }) },
]

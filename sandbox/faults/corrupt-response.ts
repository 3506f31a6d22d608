/** Faults that run the call and damage its response. */
export const FAULTS_AFTER = ['badjson', 'wrongtypes', 'xss', 'mismatch', 'reset', 'stall'] as const

const PAUSE_MS = 50
const SCRIPT = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`

/** The same response, damaged. `destroy` closes the connection; undefined when there is none, as in tests without a port. */
export async function corruptResponse(kind: string, response: Response, destroy: (() => void) | undefined): Promise<Response> {
	const headers = new Headers(response.headers)
	headers.delete('content-length')
	const respond = (body: ReadableStream<Uint8Array> | string) => new Response(body, { status: response.status, headers })
	switch (kind) {
		case 'badjson': {
			const text = await response.text()
			return respond(text.slice(0, Math.floor(text.length / 2)))
		}
		case 'wrongtypes':
			return respond(changeJson(await response.text(), spoilType))
		case 'xss':
			return respond(changeJson(await response.text(), plantScript))
		case 'mismatch':
			return respond(spoilBalance(await response.text()))
		case 'reset':
			return respond(
				cutBody(response, (controller) => {
					if (destroy) destroy()
					else controller.error(new Error('Connection reset'))
				}),
			)
		case 'stall':
			return respond(cutBody(response, () => undefined))
		default:
			return response
	}
}

type Change = (value: unknown, key: string) => unknown

function changeJson(text: string, change: Change): string {
	const walk = (value: unknown, key: string): unknown => {
		if (Array.isArray(value)) return value.map((each) => walk(each, key))
		if (value === null || typeof value !== 'object') return change(value, key)
		return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, name)]))
	}
	const parsed: unknown = JSON.parse(text)
	return JSON.stringify(walk(parsed, ''))
}

function spoilType(value: unknown, key: string): unknown {
	if (key === 'status' || key === 'message') return value
	return typeof value === 'number' ? '12,34' : typeof value === 'string' ? 42 : typeof value === 'boolean' ? 'maybe' : value
}

function plantScript(value: unknown, key: string): unknown {
	return typeof value === 'string' && /name|narration|title|body|reason/i.test(key) ? `${SCRIPT}${value}`.slice(0, 80) : value
}

/** Adds one paisa to the last balance and to the total, which a reader that checks the sums notices. */
function spoilBalance(text: string): string {
	const addPaisa = (part: string) =>
		part.replace(
			/("BALANCE":)(-?\d+(?:\.\d+)?)(?!.*"BALANCE")/s,
			(_, name: string, amount: string) => `${name}${(Number(amount) + 0.01).toFixed(2)}`,
		)
	const [rows, totals] = text.split('"totals_df"')
	return totals === undefined ? text : `${addPaisa(rows ?? '')}"totals_df"${addPaisa(totals)}`
}

/** Sends the first part of a body, then does `then`. */
function cutBody(response: Response, then: (controller: ReadableStreamDefaultController<Uint8Array>) => void): ReadableStream<Uint8Array> {
	const reader = response.body?.getReader()
	let isSent = false
	return new ReadableStream({
		async pull(controller) {
			if (!isSent) {
				const chunk = await reader?.read()
				const bytes = chunk?.value ?? new Uint8Array(1)
				controller.enqueue(bytes.slice(0, Math.max(1, Math.floor(bytes.length / 2))))
				isSent = true
				return
			}
			await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
			await reader?.cancel()
			then(controller)
			// A stall keeps its reader waiting: nothing more is sent, and the body does not end.
			await new Promise(() => undefined)
		},
	})
}

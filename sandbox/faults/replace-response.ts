/** Faults that send a response instead of running the call. */
export const FAULTS_INSTEAD = [
	'hang',
	'500',
	'503',
	'html',
	'html500',
	'empty',
	'nulljson',
	'401',
	'404',
	'429',
	'redirect',
	'huge',
] as const

const JSON_TYPE = { 'content-type': 'application/json' }
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' }
const MEGABYTE = 1_048_576

function refusal(status: number, message: string, data: object | null = null, headers: Record<string, string> = {}): Response {
	return new Response(JSON.stringify({ status: 'error', message, data }), { status, headers: { ...JSON_TYPE, ...headers } })
}

/** The response of a fault that replaces the call; undefined for a fault that damages the call's own response. */
export function replaceResponse(fault: { kind: string; mb: number }, signal: AbortSignal): Promise<Response> | Response | undefined {
	switch (fault.kind) {
		case 'hang':
			return new Promise((resolve) => signal.addEventListener('abort', () => resolve(refusal(503, 'Hung up')), { once: true }))
		case '500':
			return refusal(500, 'Something went wrong! Please try again later')
		case '503':
			return refusal(503, 'System is under maintenance. Please try again after some time', null, { 'retry-after': '60' })
		case '401':
			return refusal(401, 'Token has expired')
		case '404':
			return refusal(404, 'No Data Found!')
		case '429':
			return refusal(429, 'Too many requests. Please try again later', { retry_after: 300 }, { 'retry-after': '300' })
		case 'html':
			return new Response('<!doctype html><title>Gateway</title><h1>It works!</h1>', { headers: HTML_TYPE })
		case 'html500':
			return new Response('<!doctype html><title>502</title><h1>Bad gateway</h1>', { status: 500, headers: HTML_TYPE })
		case 'empty':
			return new Response('', { headers: JSON_TYPE })
		case 'nulljson':
			return new Response('null', { headers: JSON_TYPE })
		case 'redirect':
			return new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/login' } })
		case 'huge':
			return hugeFile(fault.mb)
		default:
			return undefined
	}
}

/** A file of this many megabytes that begins like a PDF. It is made as fast as it is read. */
function hugeFile(megabytes: number): Response {
	const block = new Uint8Array(65_536).fill(0x20)
	let left = megabytes * MEGABYTE
	const body = new ReadableStream<Uint8Array>({
		pull(controller) {
			if (left === 0) return controller.close()
			const part = block.slice(0, Math.min(block.length, left))
			if (left === megabytes * MEGABYTE) part.set(new TextEncoder().encode('%PDF-1.7\n'))
			left -= part.length
			controller.enqueue(part)
		},
	})
	const headers = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="HUGE_LEDGER.pdf"' }
	return new Response(body, { headers })
}

import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type Context } from 'hono'
import { accepts } from 'hono/accepts'

const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 18 }

/**
 * A page is compressed at once, and not in a thread: the way there and back cost more than the work, which is 0.5 ms for a dashboard and
 * 2 ms for a ledger page of 100 rows. A better quality of brotli, or a larger window, needs memory that the system must clear for each
 * page.
 */
const ENCODERS = new Map<string, (whole: Uint8Array) => Uint8Array<ArrayBuffer>>([
	['br', (whole) => new Uint8Array(brotliCompressSync(whole, { params: BROTLI }))],
	['gzip', (whole) => new Uint8Array(gzipSync(whole, { level: 5 }))],
])

/**
 * Compresses pages, their data and the list of routes (`/__manifest`, 5 KB of JSON), which are small and complete. Files are left alone.
 */
export async function compress(c: Context, response: Response): Promise<Response> {
	const type = response.headers.get('content-type') ?? ''
	if (!/^(text\/(html|x-script)|application\/json)/.test(type) || !response.body) return response
	const encoding = chooseEncoding(c)
	const encode = ENCODERS.get(encoding)
	if (!encode) return response
	const headers = new Headers(response.headers)
	headers.set('content-encoding', encoding)
	headers.append('vary', 'accept-encoding')
	const { status, statusText } = response
	return new Response(encode(new Uint8Array(await response.arrayBuffer())), { status, statusText, headers })
}

/** Our order counts: browsers list gzip first and give each the same weight. */
function chooseEncoding(c: Context): string {
	return accepts(c, {
		header: 'Accept-Encoding',
		supports: [...ENCODERS.keys()],
		default: 'identity',
		match: (accepted, { supports, default: none }) =>
			supports.find((name) => accepted.some(({ type, q }) => type.toLowerCase() === name && q > 0)) ?? none,
	})
}

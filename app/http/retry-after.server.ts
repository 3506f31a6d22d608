import { type HeadersFunction } from '@remix-run/node'

/** A document carries the Retry-After of whatever its action or loader answered with; Remix passes on cookies alone by itself. */
export const retryAfter: HeadersFunction = ({ actionHeaders, loaderHeaders, errorHeaders }) => {
	const wait = errorHeaders?.get('retry-after') ?? actionHeaders.get('retry-after') ?? loaderHeaders.get('retry-after')
	return new Headers(wait ? { 'retry-after': wait } : undefined)
}

/** The answer to a GET of an address that takes forms only. */
export function methodNotAllowed(): Response {
	return new Response('This address takes forms only.', { status: 405, headers: { allow: 'POST' } })
}

import { type HeadersFunction } from '@remix-run/node'

/** Passes the Retry-After header of an action or loader on to the document; Remix passes on only cookies. */
export const retryAfter: HeadersFunction = ({ actionHeaders, loaderHeaders, errorHeaders }) => {
	const wait = errorHeaders?.get('retry-after') ?? actionHeaders.get('retry-after') ?? loaderHeaders.get('retry-after')
	return new Headers(wait ? { 'retry-after': wait } : undefined)
}

/** The reply to a GET of an address that accepts only forms. */
export function methodNotAllowed(): Response {
	return new Response('This address takes forms only.', { status: 405, headers: { allow: 'POST' } })
}

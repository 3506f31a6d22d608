import { type HeadersFunction } from '@remix-run/node'

/** A document carries the Retry-After of whatever its action or loader answered with; Remix passes on cookies alone by itself. */
export const retryAfter: HeadersFunction = ({ actionHeaders, loaderHeaders, errorHeaders }) => {
	const wait = errorHeaders?.get('retry-after') ?? actionHeaders.get('retry-after') ?? loaderHeaders.get('retry-after')
	return new Headers(wait ? { 'retry-after': wait } : undefined)
}

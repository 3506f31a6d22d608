import { type HeadersFunction, type ServerBuild } from '@remix-run/node'

/** Remix passes only the cookies of an action or loader on to the document. */
const headers: HeadersFunction = ({ actionHeaders, loaderHeaders, errorHeaders }) => {
	const wait = errorHeaders?.get('retry-after') ?? actionHeaders.get('retry-after') ?? loaderHeaders.get('retry-after')
	return new Headers(wait ? { 'retry-after': wait } : undefined)
}

/** The same build with documents that have the Retry-After header of their action or loader. No page can forget it. */
export function passRetryAfter(build: ServerBuild): ServerBuild {
	const routes = Object.entries(build.routes).map(([id, route]) => [id, route && { ...route, module: { ...route.module, headers } }])
	return { ...build, routes: Object.fromEntries(routes) }
}

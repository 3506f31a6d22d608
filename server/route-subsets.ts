import { createRequestHandler, type ServerBuild } from '@remix-run/node'

type Handle = ReturnType<typeof createRequestHandler>
type Routes = ServerBuild['routes']

/**
 * Remix flattens, ranks and compiles its whole site map twice for every request: an eighth of a page's time, and more with every route. The
 * first segment of an address already says which routes can match, so each area of the portal gets a handler with only its own routes. Any
 * other address goes to the handler of all routes.
 */
export function createSubsetHandler(build: ServerBuild, mode: string): Handle {
	const whole = createRequestHandler(build, mode)
	const subsets = new Set(Object.keys(build.routes).flatMap((id) => findRoutePath(build.routes, id) ?? []))
	const handlers = new Map(
		[...subsets].map((subset) => [subset, createRequestHandler({ ...build, routes: routesIn(build.routes, subset) }, mode)]),
	)
	const notFound = createRequestHandler({ ...build, routes: routesIn(build.routes, '') }, mode)
	return async (request, context) => {
		const [, subset = ''] = /^\/([\w-]*)(?:\.data)?(?:\/|$)/.exec(new URL(request.url).pathname) ?? []
		const response = await (handlers.get(subset) ?? whole)(request, context)
		if (!isMissingFile(request, response)) return response
		await response.body?.cancel()
		return notFound(request, context)
	}
}

/**
 * Whether a person opened the address of a file that does not exist. Remix answers with the plain text of the loader, because such a route
 * has no component; the person gets the not-found page. A script that fetches a file reads the text.
 */
function isMissingFile(request: Request, response: Response): boolean {
	const isPlain = response.headers.get('content-type')?.startsWith('text/plain') ?? false
	return response.status === 404 && isPlain && request.method === 'GET' && !request.headers.has('x-download')
}

/** The routes that can match in an area: the area's routes, the routes of no area (for "not found"), and their layouts. */
function routesIn(routes: Routes, subset: string): Routes {
	const own = Object.keys(routes).filter((id) => (findRoutePath(routes, id) ?? subset) === subset)
	const kept = new Set(own.flatMap((id) => listAncestors(routes, id)))
	return Object.fromEntries(Object.entries(routes).filter(([id]) => kept.has(id)))
}

/** The first segment of a route's address; undefined for a layout without one, a parameter and a splat. */
function findRoutePath(routes: Routes, id: string): string | undefined {
	const path = listAncestors(routes, id)
		.map((each) => routes[each]?.path)
		.find(Boolean)
	const [first] = path?.split('/') ?? []
	return first && /^[\w-]+$/.test(first) ? first : undefined
}

/** A route and its parents, the outermost first. */
function listAncestors(routes: Routes, id: string): string[] {
	const { parentId } = routes[id] ?? {}
	return parentId === undefined ? [id] : [...listAncestors(routes, parentId), id]
}

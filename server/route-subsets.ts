import { createRequestHandler, type ServerBuild } from '@remix-run/node'

type Handle = ReturnType<typeof createRequestHandler>
type Routes = ServerBuild['routes']

/**
 * Remix flattens, ranks and compiles its whole site map twice for every request, at an eighth of a page's time and more with
 * every route. The first segment of an address already says which routes can answer it, so each area of the portal gets a handler
 * that knows its own routes alone. Whatever is not plainly in one area goes to the handler of all.
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
 * Whether a person opened the address of a file that does not exist. Remix answers with the bare words of the loader, since such a route
 * draws nothing; the person gets the page that says so. A script that fetches a file reads the words.
 */
function isMissingFile(request: Request, response: Response): boolean {
	const isPlain = response.headers.get('content-type')?.startsWith('text/plain') ?? false
	return response.status === 404 && isPlain && request.method === 'GET' && !request.headers.has('x-download')
}

/** The routes that can match in an area: its own, those of no area (the way to "not found"), and the frames around them. */
function routesIn(routes: Routes, subset: string): Routes {
	const own = Object.keys(routes).filter((id) => (findRoutePath(routes, id) ?? subset) === subset)
	const kept = new Set(own.flatMap((id) => listAncestors(routes, id)))
	return Object.fromEntries(Object.entries(routes).filter(([id]) => kept.has(id)))
}

/** The first segment of a route's address; undefined for a frame without one, a parameter and a splat. */
function findRoutePath(routes: Routes, id: string): string | undefined {
	const path = listAncestors(routes, id)
		.map((each) => routes[each]?.path)
		.find(Boolean)
	const [first] = path?.split('/') ?? []
	return first && /^[\w-]+$/.test(first) ? first : undefined
}

/** A route and everything around it, the outermost first. */
function listAncestors(routes: Routes, id: string): string[] {
	const { parentId } = routes[id] ?? {}
	return parentId === undefined ? [id] : [...listAncestors(routes, parentId), id]
}

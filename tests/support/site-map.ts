import { readFileSync } from 'node:fs'
import routes from '~/routes'

/* The site map for the tests of all pages. */

type Entry = { path?: string; index?: boolean; file: string; children?: Entry[] }

export type RoutePlace = {
	/** Without the first slash: `myaccount/:change/otp`; empty for the first page. */
	route: string
	/** Relative to app/. */
	file: string
	/** Matches the addresses of this place, with the first slash. */
	pattern: RegExp
	/** True when it accepts posts. */
	hasAction: boolean
}

/** Every address of the portal. Layout routes have none. */
export const PLACES: readonly RoutePlace[] = listPlaces(routes as Entry[])

function listPlaces(entries: readonly Entry[], parent = ''): RoutePlace[] {
	return entries.flatMap(({ path = '', index, file, children = [] }) => {
		const route = [parent, path].filter(Boolean).join('/')
		const inside = listPlaces(children, route)
		if (!path && !index) return inside
		const pattern = new RegExp(`^/${route.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)
		const hasAction = /export (async function|function|const) action\b/.test(readFileSync(`app/${file}`, 'utf8'))
		return [{ route, file, pattern, hasAction }, ...inside]
	})
}

/** An address of a place with these values for its parameters; `x` for a missing one. */
export function fillRoute({ route }: RoutePlace, values: Record<string, string> = {}): string {
	return `/${route.replace(/:(\w+)|\*/g, (_, name: string | undefined) => values[name ?? '*'] ?? 'x')}`
}

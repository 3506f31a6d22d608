import { existsSync } from 'node:fs'
import { type MiddlewareHandler } from 'hono'
import { type Settings } from '~/config/env.server'
import { type Env, HEALTH } from './guard'

/** How the maintenance page's loader learns which page a script wanted. */
const ASKED_FOR = 'x-maintenance-at'

/** While maintenance is on, by setting or by a flag file that may come and go, every page is the maintenance page. */
export function maintenance({ MAINTENANCE, MAINTENANCE_FILE }: Settings): MiddlewareHandler<Env> {
	let isOn = MAINTENANCE
	let lookedAt = 0

	return async (c, next) => {
		if (MAINTENANCE_FILE && !MAINTENANCE && Date.now() - lookedAt > 1000) {
			isOn = existsSync(MAINTENANCE_FILE)
			lookedAt = Date.now()
		}
		// Which modules draw a page is asked before its data; without an answer a script could not even say what goes on.
		if (!isOn || HEALTH.has(c.req.path) || c.req.path === '/maintenance' || c.req.path === '/__manifest') return next()
		// 302 would be remembered as the way things are; the page answers 503 at its own address.
		const asked = new URL(c.req.url)
		const headers = new Headers(c.req.raw.headers)
		headers.delete(ASKED_FOR)
		if (!asked.pathname.endsWith('.data')) {
			c.req.raw = new Request(new URL('/maintenance', asked), { headers })
			return next()
		}
		// A script that asks for a page's data could make nothing of another page's: it is told to load the whole page instead.
		asked.searchParams.delete('_routes')
		headers.set(ASKED_FOR, asked.pathname.replace(/\/_root\.data$|\.data$/, '') + asked.search || '/')
		c.req.raw = new Request(new URL('/maintenance.data', asked), { method: c.req.method, headers })
		return next()
	}
}

import { existsSync } from 'node:fs'
import { type MiddlewareHandler } from 'hono'
import { type Settings } from '~/config/parse-settings.server'
import { type Env, HEALTH } from './guard'

/** Tells the maintenance page's loader which page a script wanted. */
const ASKED_FOR = 'x-maintenance-at'

/**
 * During maintenance every page is the maintenance page. A setting turns it on, or a flag file, which is looked for at most once a
 * second.
 */
export function maintenance({ MAINTENANCE, MAINTENANCE_FILE }: Settings): MiddlewareHandler<Env> {
	let isOn = MAINTENANCE
	let lookedAt = -Infinity

	return async (c, next) => {
		// Not Date.now(): somebody may set the clock back.
		if (MAINTENANCE_FILE && !MAINTENANCE && performance.now() - lookedAt > 1000) {
			isOn = existsSync(MAINTENANCE_FILE)
			lookedAt = performance.now()
		}
		// A script asks for a page's modules before its data; without a reply it could not show anything.
		if (!isOn || HEALTH.has(c.req.path) || c.req.path === '/maintenance' || c.req.path === '/__manifest') return next()
		c.set('isMaintenance', true)
		// A 302 could be cached; the page answers 503 at its own address.
		const asked = new URL(c.req.url)
		const headers = new Headers(c.req.raw.headers)
		headers.delete(ASKED_FOR)
		if (!asked.pathname.endsWith('.data')) {
			c.req.raw = new Request(new URL('/maintenance', asked), { headers })
			return next()
		}
		// A script that requests a page's data cannot use another page's: it must load the whole page.
		asked.searchParams.delete('_routes')
		headers.set(ASKED_FOR, asked.pathname.replace(/\/_root\.data$|\.data$/, '') + asked.search || '/')
		c.req.raw = new Request(new URL('/maintenance.data', asked), { method: c.req.method, headers })
		return next()
	}
}

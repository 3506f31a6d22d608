import { existsSync } from 'node:fs'
import { type MiddlewareHandler } from 'hono'
import { type Settings } from '~/settings.server'
import { type Env, HEALTH } from './guard'

/** While maintenance is on, by setting or by a flag file that may come and go, every page is the maintenance page. */
export function maintenance({ MAINTENANCE, MAINTENANCE_FILE }: Settings): MiddlewareHandler<Env> {
	let isOn = MAINTENANCE
	let lookedAt = 0

	return async (c, next) => {
		if (MAINTENANCE_FILE && !MAINTENANCE && Date.now() - lookedAt > 1000) {
			isOn = existsSync(MAINTENANCE_FILE)
			lookedAt = Date.now()
		}
		if (!isOn || HEALTH.has(c.req.path) || c.req.path === '/maintenance') return next()
		// 302 would be remembered as the way things are; the page answers 503 at its own address.
		c.req.raw = new Request(new URL('/maintenance', c.req.url), { headers: c.req.raw.headers })
		return next()
	}
}

import { Hono } from 'hono'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { bills } from './bills'
import { downloads } from './downloads'
import { holding } from './holding'
import { createResponseCache } from './response-cache'
import { pnl } from './pnl'
import { scrips } from './scrips'
import { tax } from './tax'

/** Every statement of the account, computed from the book. */
export function reports(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	const kept = createResponseCache(parts)
	routes.route('/', holding(parts, kept))
	routes.route('/', scrips(parts, kept))
	routes.route('/', bills(parts, kept))
	routes.route('/', pnl(parts, kept))
	routes.route('/', tax(parts, kept))
	routes.route('/', downloads(parts))
	return routes
}

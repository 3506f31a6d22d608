import { Hono } from 'hono'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { ddpi } from './ddpi'
import { pledge } from './pledge'
import { edis } from './edis'

/** Calls on the demat account: verifying for a sale, pledging, the standing instruction. */
export function depository(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	routes.route('/', edis(parts))
	routes.route('/', pledge(parts))
	routes.route('/', ddpi(parts))
	return routes
}

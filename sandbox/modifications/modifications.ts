import { Hono } from 'hono'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { bank } from './bank'
import { contact } from './contact'
import { history } from './history'
import { income } from './income'
import { nominee } from './nominee'
import { segment } from './segment'
import { createSteps } from './steps'

/** Every change of a profile that a client may request. */
export function modifications(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	const steps = createSteps(parts)
	for (const part of [contact, bank, income, segment, nominee]) routes.route('/', part(parts, steps))
	routes.route('/', history(parts))
	return routes
}

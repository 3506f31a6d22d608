import { Hono } from 'hono'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { fundLimits } from './limits'
import { mandateCalls } from './mandates'
import { movementCalls } from './movements'
import { payinCalls } from './payins'
import { payoutCalls } from './payouts'
import { computeWithdrawable } from './withdrawable'

/** Money in and out of the ledgers. */
export function funds(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	for (const calls of [computeWithdrawable, fundLimits, payinCalls, payoutCalls, mandateCalls, movementCalls])
		routes.route('/', calls(parts))
	return routes
}

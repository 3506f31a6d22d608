import { createMiddleware } from 'hono/factory'
import { OPTIONAL_OPERATIONS } from '#contract/operations'
import { type SandboxSettings } from '#sandbox/settings'
import { type SandboxEnv } from '#sandbox/types'

const optional = new Set(OPTIONAL_OPERATIONS.map(({ id }) => id))

/**
 * Makes the sandbox a broker with only the required operations. A call to an optional operation gets the reply of a server that does not
 * have it.
 */
export function hideOptional(style: SandboxSettings['onlyRequired']) {
	return createMiddleware<SandboxEnv>(async (c, next) => {
		const { operation } = c.var
		if (style === undefined || operation === undefined || !optional.has(operation.id)) return next()
		if (style === 'html') return c.html('<!doctype html><title>Broker</title><p>Welcome.</p>')
		return c.text(style === '404' ? '404 page not found' : '', style === '404' ? 404 : 501)
	})
}

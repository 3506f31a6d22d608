import { settings } from '~/config/env.server'
import { log } from '~/config/logger.server'
import { readRequestId } from './request-id.server'
import { isLoopback, PLAIN_ADDRESS } from '~/lib/web-address'

const OPAQUE = /^[A-Za-z0-9._~-]{16,512}$/

/**
 * The target of an e-sign response: an allowed address as it is; the configured e-sign page for an opaque value. Undefined for anything
 * else, which is logged by its host only and must not be followed (security 32).
 */
export function esignAddress(request: Request, response: string): string | undefined {
	if (!OPAQUE.test(response)) return allowedAddress(request, response)
	if (!settings.ESIGN_URL) return blocked(request, 'no ESIGN_URL')
	const address = new URL(settings.ESIGN_URL)
	address.searchParams.set('response', response)
	return address.href
}

/** An address from the broker when its origin is allowed; else undefined, and its host is logged. */
export function allowedAddress(request: Request, address: string): string | undefined {
	if (!PLAIN_ADDRESS.test(address) || !URL.canParse(address)) return blocked(request, 'no address')
	const url = new URL(address)
	const origins = [...settings.REDIRECT_ORIGINS, ...(settings.ESIGN_URL ? [settings.ESIGN_URL] : [])].map((each) => new URL(each).origin)
	const isSafe = url.protocol === 'https:' || isLoopback(url.hostname)
	return isSafe && origins.includes(url.origin) ? url.href : blocked(request, url.host.slice(0, 100))
}

function blocked(request: Request, host: string): undefined {
	log.error({ event: 'redirect_blocked', reference: readRequestId(request), host }, 'The broker named a place that no client is sent to')
}

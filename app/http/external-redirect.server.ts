import { type Broker } from '~/broker/client.server'
import { settings } from '~/config/env.server'
import { log } from '~/config/logger.server'
import { isLoopback, PLAIN_ADDRESS } from '~/lib/web-address'

/** The broker of the visit. The log has its reference. */
type Visit = Pick<Broker, 'reference'>

const OPAQUE = /^[A-Za-z0-9._~-]{16,512}$/

/**
 * The target of an e-sign response: an allowed address as it is; the configured e-sign page for an opaque value. Undefined for anything
 * else, which is logged by its host only and must not be followed (security 32).
 */
export function esignAddress(broker: Visit, response: string): string | undefined {
	if (!OPAQUE.test(response)) return allowedAddress(broker, response)
	if (!settings.ESIGN_URL) return blocked(broker, 'no ESIGN_URL')
	const address = new URL(settings.ESIGN_URL)
	address.searchParams.set('response', response)
	return address.href
}

/** An address from the broker when its origin is allowed; else undefined, and its host is logged. */
export function allowedAddress(broker: Visit, address: string): string | undefined {
	if (!PLAIN_ADDRESS.test(address) || !URL.canParse(address)) return blocked(broker, 'no address')
	const url = new URL(address)
	const origins = [...settings.REDIRECT_ORIGINS, ...(settings.ESIGN_URL ? [settings.ESIGN_URL] : [])].map((each) => new URL(each).origin)
	const isSafe = url.protocol === 'https:' || isLoopback(url.hostname)
	return isSafe && origins.includes(url.origin) ? url.href : blocked(broker, url.host.slice(0, 100))
}

function blocked({ reference }: Visit, host: string): undefined {
	log.error({ event: 'redirect_blocked', reference, host }, 'The broker named a place that no client is sent to')
}

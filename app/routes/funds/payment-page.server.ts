import { z } from 'zod/v4'
import { type Broker } from '~/broker/client.server'
import { allowedAddress } from '~/http/external-redirect.server'
import { createDraft } from '~/session/drafts.server'

/*
 * Lets the client continue a payment when a new tab was blocked or the payment page was closed by mistake. Who knows the address of a
 * payment page can use it, so it is never in an address of the portal. It is sealed in a cookie of this browser, for this client and the
 * last payment only.
 */

const drafts = createDraft('payment-page', 'payin', z.object({ ref: z.string(), page: z.string() }))
/** A payment page is open for half an hour. When a broker closes it earlier, that page says so. */
const LIFE_MS = 1_800_000

/** Appends the Set-Cookie that keeps the address to `headers`. An address that is too long for a cookie is not kept. */
export async function keepPaymentPage(client: string, ref: string, page: string, headers: Headers): Promise<void> {
	await drafts.keep(client, { ref, page }, Date.now() + LIFE_MS, headers).catch(() => undefined)
}

/**
 * Returns the address of this client's payment page; undefined when this browser does not have it any more, or its address is not
 * allowed.
 */
export async function readPaymentPage(request: Request, broker: Broker, ref: string): Promise<string | undefined> {
	const kept = await drafts.read(request, broker.clientCode)
	return kept?.ref === ref ? allowedAddress(broker, kept.page) : undefined
}

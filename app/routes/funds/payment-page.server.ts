import { z } from 'zod/v4'
import { allowedAddress } from '~/http/external-redirect.server'
import { createDraft } from '~/session/sealed-cookie.server'

/*
 * Lets the client continue a payment: a new tab may be blocked, and a payment page closed by mistake. The address of a payment page is
 * worth money, so it is never in an address of ours; it stays sealed in this browser, for the same client and the last payment only.
 */

const drafts = createDraft('payment-page', 'payin', z.object({ ref: z.string(), page: z.string() }))
/** A payment page is open for half an hour; a broker that closes it earlier says so there. */
const LIFE_MS = 1_800_000

/** The Set-Cookie that keeps the address, appended to those given; an address too long for a cookie is not kept. */
export async function keepPaymentPage(client: string, ref: string, page: string, headers: Headers): Promise<void> {
	await drafts.keep(client, { ref, page }, Date.now() + LIFE_MS, headers).catch(() => undefined)
}

/** The payment page of this client's payment; undefined when it is no longer known here, or its address is not allowed. */
export async function readPaymentPage(request: Request, client: string, ref: string): Promise<string | undefined> {
	const kept = await drafts.read(request, client)
	return kept?.ref === ref ? allowedAddress(request, kept.page) : undefined
}

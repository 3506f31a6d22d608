import { parse, serialize } from 'hono/utils/cookie'
import { z } from 'zod/v4'
import { allowedAddress } from '~/redirects.server'
import { cookieName, cookieOptions, seal, unseal } from '~/seal.server'

/*
 * Where a payment that was begun goes on: a new tab may be blocked, and a payment page closed by mistake. Its address is worth money, so it
 * never stands in an address of ours; it stays in this browser, sealed, for the same client and the last payment alone.
 */

const COOKIE = cookieName('payment-page')
/** A payment page is open for half an hour (domain.md B-14); a broker that closes it earlier says so there. */
const LIFE_S = 1800
/** A browser keeps 4,096 bytes a cookie. */
const LONGEST = 2048

const Kept = z.object({ client: z.string(), ref: z.string(), page: z.string() })

/** The Set-Cookie that keeps the address, appended to those given; one that is too long for a cookie is not kept. */
export async function keepPaymentPage(client: string, ref: string, page: string, headers: Headers): Promise<void> {
	if (page.length > LONGEST) return
	const sealed = await seal('payin', JSON.stringify({ client, ref, page } satisfies z.infer<typeof Kept>))
	headers.append('set-cookie', serialize(COOKIE, sealed, { ...cookieOptions, sameSite: 'Lax', maxAge: LIFE_S }))
}

/** The payment page of this client's payment; undefined when it is not known here any more, or no longer a place to send anybody to. */
export async function paymentPageOf(request: Request, client: string, ref: string): Promise<string | undefined> {
	const sealed = parse(request.headers.get('cookie') ?? '')[COOKIE]
	const text = sealed && (await unseal('payin', sealed))
	const kept = text ? Kept.safeParse(JSON.parse(text)).data : undefined
	return kept?.client === client && kept.ref === ref ? allowedAddress(request, kept.page) : undefined
}

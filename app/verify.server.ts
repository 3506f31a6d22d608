import { redirect } from '@remix-run/node'
import { LRUCache } from 'lru-cache'
import { verifyUser } from '~/broker/auth.server'
import { BrokerRefusal } from '~/broker/client.server'
import { brokerOf, endSession, type Session, sessionHeaders } from '~/session.server'
import { flashCookie } from '~/toast.server'

/** Sessions the broker vouched for within the last minute. Another process of the portal asks for itself. */
const vouchedFor = new LRUCache<string, true>({ max: 50_000, ttl: 60_000 })

/**
 * Asks the broker whether the session still holds, at most once a minute. That it is wrong (a 4xx other than 429, or
 * status "error") ends it with the broker's message; that the broker cannot say (5xx, a timeout, nonsense) does not.
 */
export async function verifySession(request: Request, session: Session): Promise<void> {
	if (vouchedFor.has(session.id)) return
	const user = await askWhether(request, session)
	if (!user) return
	vouchedFor.set(session.id, true)
	if (user.isDormate) throw redirect('/rekyc', { headers: await sessionHeaders(request, { ...session, isDormate: true }) })
}

/** For the page of a dormant client: throws the way to the dashboard once the broker says that re-KYC is done. Asked each time. */
export async function requireDormant(request: Request, session: Session): Promise<void> {
	const user = await askWhether(request, session)
	if (!user || user.isDormate) return
	const headers = await sessionHeaders(request, { ...session, isDormate: false })
	headers.append('set-cookie', await flashCookie({ kind: 'success', message: 'Re-KYC is complete. Your account is active again.' }))
	throw redirect('/dashboard', { headers })
}

/** What the broker says of the session, or undefined when it cannot say. Throws the way out when it says that the session is wrong. */
async function askWhether(request: Request, session: Session) {
	try {
		return await verifyUser(brokerOf(request, session))
	} catch (error) {
		if (error instanceof BrokerRefusal && error.status !== 429) throw await refuse(request, error.message)
		if (error instanceof Response && error.status === 404) throw await refuse(request, 'Please log in again.')
		if (error instanceof Response && (error.status < 500 || (await isMaintenance(error)))) throw error
		return undefined
	}
}

async function refuse(request: Request, message: string): Promise<Response> {
	const headers = await endSession(request)
	headers.append('set-cookie', await flashCookie({ kind: 'error', message }))
	return redirect('/login', { headers })
}

async function isMaintenance(response: Response): Promise<boolean> {
	const body: unknown = await response
		.clone()
		.json()
		.catch(() => undefined)
	return typeof body === 'object' && body !== null && 'isMaintenance' in body && body.isMaintenance === true
}

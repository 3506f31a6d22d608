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
	try {
		const { isDormate } = await verifyUser(brokerOf(request, session))
		vouchedFor.set(session.id, true)
		if (isDormate) throw redirect('/rekyc', { headers: await sessionHeaders(request, { ...session, isDormate }) })
	} catch (error) {
		if (error instanceof BrokerRefusal && error.status !== 429) throw await refuse(request, error.message)
		if (error instanceof Response && error.status === 404) throw await refuse(request, 'Please log in again.')
		if (error instanceof Response && (error.status < 500 || (await isMaintenance(error)))) throw error
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

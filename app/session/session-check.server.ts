import { redirect } from '@remix-run/node'
import { LRUCache } from 'lru-cache'
import { verifyUser } from '~/broker/auth.server'
import { BrokerRefusal, readFailure } from '~/broker/client.server'
import { log } from '~/config/logger.server'
import { readRequestId } from '~/http/request-id.server'
import { limitEntries } from '~/lib/limit-entries'
import { SIDE_CALL_MS, withTimeout } from '~/lib/with-timeout'
import { connectSession, endSession, type Session, sessionHeaders } from './session.server'
import { redirectWithToast } from './toast.server'

/** Sessions the broker confirmed in the last minute. Each portal process asks for itself. */
const confirmed = new LRUCache<string, true>({ ...limitEntries(50_000), ttl: 60_000 })

/** Sessions that the broker could not check in the last 10 s. Not every page repeats the check. */
const unchecked = new LRUCache<string, true>({ ...limitEntries(50_000), ttl: 10_000 })

/**
 * Asks the broker whether the session is valid, at most once a minute. A 4xx other than 429, or status "error", ends it with the broker's
 * message. A failure to answer (5xx, an unreadable success, nothing within 3 s) does not, and the check is repeated after 10 s.
 */
export async function checkSession(request: Request, session: Session): Promise<void> {
	if (confirmed.has(session.id) || unchecked.has(session.id)) return
	// An answer after the timeout is ignored when it is a failure; a late refusal still ends the session.
	const user = await withTimeout(askWhether(request, session), SIDE_CALL_MS).catch((error: unknown) => {
		if (error instanceof Response && error.status === 504) return undefined
		throw error
	})
	if (!user) return void unchecked.set(session.id, true)
	confirmed.set(session.id, true)
	if (user.isDormate) throw redirect('/rekyc', { headers: await sessionHeaders(request, { ...session, isDormate: true }) })
}

/** For the page of a dormant client: throws a redirect to the dashboard once the broker says that re-KYC is done. Asks every time. */
export async function requireDormant(request: Request, session: Session): Promise<void> {
	const user = await askWhether(request, session)
	if (!user || user.isDormate) return
	const headers = await sessionHeaders(request, { ...session, isDormate: false })
	const toast = { kind: 'success', message: 'Re-KYC is complete. Your account is active again.' } as const
	throw await redirectWithToast('/dashboard', toast, { status: 302, headers })
}

/** The broker's answer on the session, or undefined when it cannot answer. Throws the redirect to login when the session is invalid. */
async function askWhether(request: Request, session: Session) {
	try {
		const user = await verifyUser(connectSession(request, session))
		if (user.clientCode === session.clientCode) return user
		// An answer about another client says nothing about this one.
		log.error({ event: 'session_check_of_another', reference: readRequestId(request) }, 'The broker confirmed another client')
		return undefined
	} catch (error) {
		if (error instanceof BrokerRefusal && error.status !== 429) throw await refuse(request, error.message)
		const failure = await readFailure(error)
		const status = failure?.answered ?? 0
		if (status >= 400 && status < 500) throw await refuse(request, failure?.isAnswer ? failure.message : 'Please log in again.')
		if (error instanceof Response && error.status < 500) throw error
		return undefined
	}
}

async function refuse(request: Request, message: string): Promise<Response> {
	const headers = await endSession(request)
	return await redirectWithToast('/login', { kind: 'error', message }, { status: 302, headers })
}

import { randomUUID } from 'node:crypto'
import { redirect } from '@remix-run/node'
import { LRUCache } from 'lru-cache'
import { z } from 'zod/v4'
import { type LoginData } from '#contract/auth'
import { connectBroker } from '~/broker/client.server'
import { brokerConfig, operations } from '~/broker/config.server'
import { settings } from '~/config/env.server'
import { log } from '~/config/logger.server'
import { cameFrom } from '~/http/came-from.server'
import { findDisconnectSignal } from '~/http/client-disconnect.server'
import { readRequestId } from '~/http/request-id.server'
import { isDownload, ownPath } from '~/lib/own-path'
import { auditOnce } from './audit.server'
import { denySession, findEndReason } from './ended-sessions.server'
import { createPlainCookie, createSplitCookie, isStale, seal, unsealAs } from './sealed-cookie.server'
import { flashCookie, redirectWithToast } from './toast.server'

/**
 * The values of the broker's session, without the key of a password reset, which stays in the step that uses it. And the portal's own:
 * the login name, the start, and an id that logout can revoke.
 */
const Session = z.object({
	authToken: z.string(),
	token: z.string(),
	clientCode: z.string(),
	userName: z.string(),
	userId: z.string(),
	sessionId: z.string(),
	product: z.string(),
	isDormate: z.boolean(),
	/** The name typed at login: a code or an e-mail. */
	username: z.string().optional(),
	id: z.string(),
	startedAt: z.number(),
})
export type Session = z.infer<typeof Session>

const Activity = z.object({ id: z.string(), at: z.number() })

/** A broker's tokens may be longer than one cookie. */
const sessionCookie = createSplitCookie('session', 4)
const activityCookie = createPlainCookie('activity')
/** Minimum time in milliseconds between two updates of the time of last use. It is at most an eighth of the idle limit. */
export const REFRESH_ACTIVITY_MS = Math.min(60_000, settings.IDLE_MS / 8)

/** A clock may be wrong by this much, for instance by summer time, without ending a session. */
const CLOCK_TOLERANCE_MS = 3_600_000

/** The broker without a session. */
export function connectAnonymousBroker(request: Request) {
	return connectBroker(brokerConfig, { requestId: readRequestId(request), onExpired: async () => redirect('/login') })
}

/** The session of this request; undefined when there is none or it is altered, too old, idle too long or logged out. */
export async function getSession(request: Request): Promise<Session | undefined> {
	return (await readSession(request)).session
}

/** The session that a logout ends: valid, or idle too long. It grants nothing else. */
export async function getEndingSession(request: Request): Promise<{ session?: Session; isIdle: boolean }> {
	const { session, idle } = await readSession(request)
	return { session: session ?? idle, isIdle: idle !== undefined }
}

/** The client of this browser's session, valid or expired: used to return typed values to that client only. It grants nothing. */
export async function readLastClient(request: Request): Promise<string | undefined> {
	return (await unsealAs(Session, 'session', sessionCookie.read(request)))?.clientCode
}

type Reading = {
	session?: Session
	isStale?: boolean
	/** The session was idle too long. */
	idle?: Session
	/** The session has reached its maximum age. */
	isTooOld?: boolean
	/** The password was changed, which ends every session. */
	hasNewPassword?: boolean
	/** The last activity, in milliseconds since 1970. */
	seenAt?: number
}

/** Remix gives each loader and action a request of its own, so an action's reading is never used by the loaders after it. */
const readings = new WeakMap<Request, Promise<Reading>>()

/** Reads the session once for each loader or action: each reading asks Redis. */
function readSession(request: Request): Promise<Reading> {
	const reading = readings.get(request) ?? readAgain(request)
	readings.set(request, reading)
	return reading
}

async function readAgain(request: Request): Promise<Reading> {
	const sealed = sessionCookie.read(request)
	if (!sealed) return {}
	const session = await unsealAs(Session, 'session', sealed)
	if (!session) {
		log.warn({ event: 'session_invalid', reference: readRequestId(request) }, 'A session could not be read')
		return {}
	}
	const now = Date.now()
	// A start in the future comes from a clock that was wrong, and would make the session longer.
	if (now - session.startedAt > settings.SESSION_MAX_MS || session.startedAt - now > CLOCK_TOLERANCE_MS) return { isTooOld: true }
	const end = await findEndReason(session)
	if (end) return { hasNewPassword: end === 'password' }
	const activity = await unsealAs(Activity, 'activity', activityCookie.read(request) ?? '')
	// The cookie may be of an earlier session: a slow page of that one, which came after this login, has set it again.
	const seenAt = Math.max(session.startedAt, activity?.id === session.id ? activity.at : 0)
	if (now - seenAt > settings.IDLE_MS) return { idle: session }
	return { session, isStale: isStale(sealed), seenAt }
}

/** The session, else throws the redirect to login and back. Also for the pages of a dormant client. */
export async function requireLogin(request: Request): Promise<Session> {
	const { session, idle, isTooOld, hasNewPassword } = await readSession(request)
	if (session) return session
	// Every loader of the page, and every later visit, finds that the session has ended.
	if (idle) await auditOnce(idle.id, 'idle_logout', request, idle.clientCode)
	throw await loginRedirect(request, idle ? 'idle' : isTooOld ? 'limit' : hasNewPassword ? 'password' : undefined)
}

/**
 * Throws the redirect to login unless the request carries a session that this portal made. Actions call this before they read a body. An
 * expired session passes: its typed values may be kept for its client (form-recovery.server.ts).
 */
export async function requireKnownClient(request: Request): Promise<void> {
	if ((await readLastClient(request)) === undefined) throw await loginRedirect(request)
}

/**
 * Every private page calls this first. Returns the session, else throws the redirect to login and back. A dormant client is redirected to
 * /rekyc.
 */
export async function requireSession(request: Request): Promise<Session> {
	const session = await requireLogin(request)
	if (session.isDormate) throw redirect('/rekyc')
	return session
}

/** The broker with the session of the signed-in client. A page needs it to call the broker. */
export async function requireBroker(request: Request) {
	return connectSession(request, await requireSession(request))
}

export function connectSession(request: Request, session: Session) {
	return connectBroker(brokerConfig, {
		token: session.authToken,
		clientCode: session.clientCode,
		sessionId: session.id,
		requestId: readRequestId(request),
		leaving: findDisconnectSignal(request),
		onExpired: (message) => expire(request, session, message),
	})
}

/**
 * A new session for a client who has just logged in with that username. Earlier cookies of the request are not used. Its
 * cookies are appended to `headers`.
 */
export async function startSession(
	request: Request,
	{ authToken, token, clientCode, userName, userId, sessionId, product, isDormate }: LoginData,
	username?: string,
	headers = new Headers(),
): Promise<Headers> {
	operations.forgetClient(clientCode)
	const session: Session = {
		authToken,
		token,
		clientCode,
		userName: userName || clientCode,
		userId,
		sessionId,
		product,
		isDormate,
		username,
		id: randomUUID(),
		startedAt: Date.now(),
	}
	await sessionHeaders(request, session, headers)
	headers.append('set-cookie', await markActivity(session.id))
	return headers
}

/** Cookies of the same session with other content, such as when the broker says that the client is dormant. */
export async function sessionHeaders(request: Request, session: Session, headers?: Headers): Promise<Headers> {
	return sessionCookie.write(await seal('session', JSON.stringify(session)), {}, headers, request)
}

/**
 * Cookies sent with a page that a person requested: the time of use, at most once a minute, and the session sealed again after a key
 * rotation.
 */
export async function touchHeaders(request: Request): Promise<Headers> {
	const { session, seenAt = 0, isStale: mustReseal } = await readSession(request)
	if (!session) return new Headers()
	const headers = mustReseal ? await sessionHeaders(request, session) : new Headers()
	if (Math.abs(Date.now() - seenAt) > REFRESH_ACTIVITY_MS || mustReseal) headers.append('set-cookie', await markActivity(session.id))
	return headers
}

/** Ends the session, also an idle one (a copy may be in use): revokes its id, drops its cached replies and clears its cookies. */
export async function endSession(request: Request): Promise<Headers> {
	// A password change ends the session between the first reading and this.
	const { session, idle } = await readAgain(request)
	const ending = session ?? idle
	if (ending) await denySession(ending.id)
	const headers = sessionCookie.clear(new Headers(), request)
	if (activityCookie.isIn(request)) headers.append('set-cookie', activityCookie.clear())
	return headers
}

async function loginRedirect(request: Request, reason?: 'idle' | 'limit' | 'password'): Promise<Response> {
	const query = new URLSearchParams({ redirectTo: readPath(request) })
	if (reason === 'idle' || reason === 'limit') query.set('reason', reason)
	const headers = await endSession(request)
	if (reason === 'password') {
		const message = 'Your password was changed, and every session was ended. Please log in again.'
		headers.append('set-cookie', await flashCookie({ kind: 'info', message }))
	}
	const to = `/login?${query}`
	// A script would follow a redirect to the login page, and the message for the person would be shown in that fetched page only.
	const isFetched = request.headers.has('x-download') || request.headers.has('x-activity')
	return isFetched ? Response.json({ location: to }, { status: 401, headers }) : redirect(to, { headers })
}

export const EXPIRED = 'Token has expired, Pls Login again!'

/** By session: the request whose 401 ended it. Each call of that request may get its own 401. */
const expiredIn = new LRUCache<string, string>({ max: 1000, ttl: 300_000 })

/**
 * After a 401 the session is over. A page requested by JavaScript gets a 401 (the shell shows it for two seconds and goes to /login); a
 * document is redirected to /login at once and shows the message there. The 401 may come after a logout and the next login of the browser:
 * then the cookies stay, because they are those of the new session, and a document is requested again.
 */
async function expire(request: Request, session: Session, message = EXPIRED): Promise<Response> {
	const isLate = (await findEndReason(session)) !== undefined && expiredIn.get(session.id) !== readRequestId(request)
	if (!isLate) {
		expiredIn.set(session.id, readRequestId(request))
		await auditOnce(session.id, 'session_expired', request, session.clientCode)
	}
	const headers = isLate ? new Headers() : await endSession(request)
	const path = readPath(request)
	const to = `/login?${new URLSearchParams({ redirectTo: path })}`
	if (request.headers.get('sec-fetch-dest') === 'empty')
		return Response.json({ message, location: to, isExpired: true }, { status: 401, headers })
	if (isLate) return redirect(path)
	return await redirectWithToast(to, { kind: 'error', message }, { status: 302, headers })
}

/**
 * The path to return to after login: for a file the page with its link, if known, because a browser that gets a file stays on the login
 * page; for a POST, its path without the query; for a change of the password, the page below its dialog.
 */
function readPath(request: Request): string {
	const { pathname, search } = new URL(request.url)
	const path = pathname + search
	if (isDownload(pathname)) return cameFrom(request, path)
	if (pathname === '/change-password' && request.method === 'POST') return ownPath(new URL(request.url).searchParams.get('from'))
	return request.method === 'GET' ? path : pathname
}

async function markActivity(id: string): Promise<string> {
	return activityCookie.write(await seal('activity', JSON.stringify({ id, at: Date.now() })))
}

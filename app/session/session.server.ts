import { randomUUID } from 'node:crypto'
import { redirect } from '@remix-run/node'
import { parse, serialize } from 'hono/utils/cookie'
import { LRUCache } from 'lru-cache'
import { z } from 'zod/v4'
import { type LoginData } from '#contract/auth'
import { loadAdapter } from '~/broker/adapter.server'
import { connectBroker, forgetReports, type BrokerConfig } from '~/broker/client.server'
import { settings } from '~/config/env.server'
import { log } from '~/config/logger.server'
import { redis } from '~/config/redis.server'
import { leavingSignal } from '~/http/client-disconnect.server'
import { readRequestId } from '~/http/request-id.server'
import { audit } from './audit.server'
import { findClientByName } from './login-names.server'
import { clearing, cookieInParts, cookieName, cookieOptions, isStale, seal, unsealAs } from './sealed-cookie.server'
import { flashCookie } from './toast.server'

export { readRequestId } from '~/http/request-id.server'

/** The nine values of the broker's session, and ours: when it began, and an id that logout can deny. */
const Session = z.object({
	authToken: z.string(),
	token: z.string(),
	clientCode: z.string(),
	userName: z.string(),
	userId: z.string(),
	sessionId: z.string(),
	product: z.string(),
	isDormate: z.boolean(),
	pwdResetToken: z.string().optional(),
	/** What was typed to log in: a code or an e-mail. */
	username: z.string().optional(),
	id: z.string(),
	startedAt: z.number(),
})
export type Session = z.infer<typeof Session>

const Activity = z.object({ id: z.string(), at: z.number() })

/** A broker's tokens may be longer than one cookie. */
const sessionCookie = cookieInParts('session', 4)
const ACTIVITY = cookieName('activity')
/** The time of the last use is written down so often at most: well within the idle limit, however short that is set. */
export const REFRESH_ACTIVITY_MS = Math.min(60_000, settings.IDLE_MS / 8)

/** Sessions that were logged out before their time: a copied cookie dies with them. Kept until the cookie would be too old anyway. */
const ended = new LRUCache<string, true>({ max: 200_000, ttl: settings.SESSION_MAX_MS, ttlResolution: 1000 })
/** Clients with another password since then: what began before it is over, in whatever browser. */
const endTimes = new LRUCache<string, number>({ max: 200_000, ttl: settings.SESSION_MAX_MS, ttlResolution: 1000 })

export const brokerConfig: BrokerConfig = {
	baseUrls: {
		broker: settings.BROKER_URL,
		ekyc: settings.EKYC_URL ?? settings.BROKER_URL,
		edis: settings.EDIS_URL ?? settings.BROKER_URL,
		ipo: settings.IPO_URL ?? settings.BROKER_URL,
		payment: settings.PAYMENT_URL ?? settings.BROKER_URL,
	},
	timeoutMs: settings.BROKER_TIMEOUT_MS,
	tell: (level, event, message) => log[level](event, message),
	adapter: await loadAdapter(settings.BROKER_ADAPTER),
}

/** The broker before anybody has signed in. */
export function anonymousBroker(request: Request) {
	return connectBroker(brokerConfig, { requestId: readRequestId(request), onExpired: async () => redirect('/login') })
}

/** The session of this request, or undefined: none, tampered with, too old, idle too long, or logged out. */
export async function getSession(request: Request): Promise<Session | undefined> {
	return (await readSession(request)).session
}

/** Whose session this browser carries, over or not: to hand what was typed back to that client and nobody else. It grants nothing. */
export async function readLastClient(request: Request): Promise<string | undefined> {
	return (await unsealAs(Session, 'session', sessionCookie.read(request)))?.clientCode
}

type Reading = {
	session?: Session
	isStale?: boolean
	/** A session that was idle too long. */
	idle?: Session
	/** It has lasted as long as any may. */ isTooOld?: boolean
	hasNewPassword?: boolean
	seenAt?: number
}

async function readSession(request: Request): Promise<Reading> {
	const sealed = sessionCookie.read(request)
	if (!sealed) return {}
	const session = await unsealAs(Session, 'session', sealed)
	if (!session) {
		log.warn({ event: 'session_invalid', reference: readRequestId(request) }, 'A session could not be read')
		return {}
	}
	const now = Date.now()
	if (now - session.startedAt > settings.SESSION_MAX_MS) return { isTooOld: true }
	const end = await findEndReason(session)
	if (end) return { hasNewPassword: end === 'password' }
	const activity = await unsealAs(Activity, 'activity', parse(request.headers.get('cookie') ?? '')[ACTIVITY] ?? '')
	if (activity?.id !== session.id || now - activity.at > settings.IDLE_MS) return { idle: session }
	return { session, isStale: isStale(sealed), seenAt: activity.at }
}

/** The session, or the way to the login page and back. For what a dormant client may do too. */
export async function requireLogin(request: Request): Promise<Session> {
	const { session, idle, isTooOld, hasNewPassword } = await readSession(request)
	if (session) return session
	if (idle) auditEnd('idle_logout', request, idle)
	throw await loginRedirect(request, idle ? 'idle' : isTooOld ? 'limit' : hasNewPassword ? 'password' : undefined)
}

/** Sessions whose end has its audit line. All loaders of a page run at once, and each of them finds the end. */
const audited = new LRUCache<string, true>({ max: 20_000, ttl: settings.SESSION_MAX_MS, ttlResolution: 1000 })

/** Writes one line for the end of a session, however many calls and pages find it. */
function auditEnd(event: 'idle_logout' | 'session_expired', request: Request, { id, clientCode }: Session): void {
	if (audited.has(id)) return
	audited.set(id, true)
	audit(event, request, clientCode)
}

/**
 * Throws the way to the login page unless the request carries a session that this portal has made. Actions ask this before they read a
 * body. A session that is over passes: what was typed may be kept for its client (unsent.server.ts).
 */
export async function requireKnownClient(request: Request): Promise<void> {
	if ((await readLastClient(request)) === undefined) throw await loginRedirect(request)
}

/** Every private page starts with this: the session, or the way to the login page and back. A dormant client goes to /rekyc. */
export async function requireSession(request: Request): Promise<Session> {
	const session = await requireLogin(request)
	if (session.isDormate) throw redirect('/rekyc')
	return session
}

/** The broker in the name of the signed-in client. Whoever forgets this line cannot ask the broker anything. */
export async function requireBroker(request: Request) {
	return connectSession(request, await requireSession(request))
}

export function connectSession(request: Request, session: Session) {
	return connectBroker(brokerConfig, {
		token: session.authToken,
		clientCode: session.clientCode,
		sessionId: session.id,
		requestId: readRequestId(request),
		leaving: leavingSignal(request),
		onExpired: (message) => expire(request, session, message),
	})
}

/** A new session for a client who has just logged in with that username. Whatever cookies came with the request are left behind. */
export async function startSession(
	request: Request,
	{ authToken, token, clientCode, userName, userId, sessionId, product, isDormate }: LoginData,
	username?: string,
): Promise<Headers> {
	const session: Session = {
		authToken,
		token,
		clientCode,
		userName,
		userId,
		sessionId,
		product,
		isDormate,
		username,
		id: randomUUID(),
		startedAt: Date.now(),
	}
	const headers = await sessionHeaders(request, session)
	headers.append('set-cookie', await activityCookie(session.id))
	return headers
}

/** Cookies of the same session with other content, as when the broker says that the client has become dormant. */
export async function sessionHeaders(request: Request, session: Session): Promise<Headers> {
	return sessionCookie.write(await seal('session', JSON.stringify(session)), {}, new Headers(), request)
}

/** Cookies that go with a page a person asked for: the time of it, at most once a minute, and the session sealed anew after a rotation. */
export async function touchHeaders(request: Request): Promise<Headers> {
	const { session, seenAt = 0, isStale: mustReseal } = await readSession(request)
	if (!session) return new Headers()
	const headers = mustReseal ? await sessionHeaders(request, session) : new Headers()
	if (Math.abs(Date.now() - seenAt) > REFRESH_ACTIVITY_MS || mustReseal) headers.append('set-cookie', await activityCookie(session.id))
	return headers
}

/** Ends the session here: its id is denied from now on, its replies are forgotten, its cookies are cleared. */
export async function endSession(request: Request): Promise<Headers> {
	const { session } = await readSession(request)
	if (session) await denySession(session.id)
	const headers = sessionCookie.clear(new Headers(), request)
	if (request.headers.get('cookie')?.includes(`${ACTIVITY}=`)) headers.append('set-cookie', clearing(ACTIVITY))
	return headers
}

async function denySession(id: string): Promise<void> {
	if (ended.has(id)) return
	ended.set(id, true)
	forgetReports(id)
	await tellOthers(`ended:${id}`, '1')
}

/** What other processes could not be told, because Redis did not answer. They are told when it is back. */
const untold = new LRUCache<string, string>({ max: 20_000, ttl: settings.SESSION_MAX_MS, ttlResolution: 1000 })
redis?.on('ready', () => {
	for (const [key, value] of [...untold.entries()]) void tellOthers(key, value)
})

async function tellOthers(key: string, value: string): Promise<void> {
	untold.set(key, value)
	const told = await redis?.set(key, value, 'PX', settings.SESSION_MAX_MS).catch(() => undefined)
	if (told || !redis) untold.delete(key)
}

/**
 * After another password: every session of the client that began before now ends, on pages that call no broker too. `name` is the client
 * code, or the e-mail under which the password was forgotten. The broker does not say whose e-mail that is. The portal knows it when
 * somebody has logged in with it (login-names.server); otherwise sessions begun by client code end at the broker's next 401.
 */
export async function endClientSessions(name: string): Promise<void> {
	const now = Date.now()
	for (const each of new Set([name, await findClientByName(name)])) {
		endTimes.set(each, now)
		await tellOthers(`ended-of:${each}`, String(now))
	}
}

/** What ended this session before its time, if anything did. */
async function findEndReason({ id, clientCode, username = clientCode, startedAt }: Session): Promise<'logout' | 'password' | undefined> {
	if (ended.has(id)) return 'logout'
	const names = [clientCode, username]
	const asked = redis?.mget(`ended:${id}`, ...names.map((name) => `ended-of:${name}`))
	// Another process may have ended it: no reply that was kept is shown, and the broker refuses a token that was logged out.
	const [isEnded, ...since] = (await asked?.catch(() => forgetReports(id))) ?? []
	if (isEnded) return 'logout'
	const last = Math.max(...names.map((name) => endTimes.get(name) ?? 0), ...since.map(Number))
	return startedAt <= last ? 'password' : undefined
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
	// A script would follow a redirect by itself, and the login page that it got would have used up what the person is to read.
	const isFetched = request.headers.has('x-download') || request.headers.has('x-activity')
	return isFetched ? Response.json({ location: to }, { status: 401, headers }) : redirect(to, { headers })
}

export const EXPIRED = 'Token has expired, Pls Login again!'

/**
 * After a 401: the session is over. A page that JavaScript asked for is told so (the shell shows it for two seconds and
 * goes to /login); a document goes to /login at once and finds the message there.
 */
async function expire(request: Request, session: Session, message = EXPIRED): Promise<Response> {
	auditEnd('session_expired', request, session)
	const headers = await endSession(request)
	const to = `/login?${new URLSearchParams({ redirectTo: readPath(request) })}`
	if (request.headers.get('sec-fetch-dest') === 'empty')
		return Response.json({ message, location: to, isExpired: true }, { status: 401, headers })
	headers.append('set-cookie', await flashCookie({ kind: 'error', message }))
	return redirect(to, { headers })
}

/** Where the person was. A post is not a place to return to. */
function readPath(request: Request): string {
	const { pathname, search } = new URL(request.url)
	return request.method === 'GET' ? pathname + search : pathname
}

async function activityCookie(id: string): Promise<string> {
	return serialize(ACTIVITY, await seal('activity', JSON.stringify({ id, at: Date.now() })), cookieOptions)
}

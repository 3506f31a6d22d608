import { randomUUID } from 'node:crypto'
import { redirect } from '@remix-run/node'
import { parse, serialize } from 'hono/utils/cookie'
import { z } from 'zod/v4'
import { ReportLinkQuery, type ReportLinkSession } from '#contract/downloads'
import { currentYear, type FinancialYear, formatYear, parseYear } from '#contract/values/financial-year'
import { type Broker, BrokerRefusal, connectBroker, forgetReports } from '~/broker/client.server'
import { brokerConfig } from '~/broker/config.server'
import { now } from '~/broker/clock.server'
import { validateReportLink } from '~/broker/downloads.server'
import { settings } from '~/config/env.server'
import { log } from '~/config/logger.server'
import { findDisconnectSignal } from '~/http/client-disconnect.server'
import { readRequestId, readVisitor } from '~/http/request-id.server'
import { audit } from './audit.server'
import { askWithLink, TooManyAttempts } from './rate-limits.server'
import { clearCookie, cookieOptions, seal, unsealAs } from './sealed-cookie.server'
import { connectAnonymousBroker, REFRESH_ACTIVITY_MS } from './session.server'

/*
 * A link from another product that opens one report without a login. It has its own cookie, sealed for its own purpose and sent to /client
 * only: it opens no other page, and it neither reads nor replaces the login session of the same browser.
 */
const LINK_PATH = '/client/reports'
export const REFRESHED = 'Token refreshed, please try again'

const WebLink = z.object({
	UserId: z.string(),
	SessionId: z.string(),
	Product: z.string(),
	clientCode: z.string(),
	authToken: z.string(),
	/** The year shown last, `2025-2026`. */
	year: z.string(),
	/** Cache key of the broker's replies. */
	id: z.string(),
	startedAt: z.number(),
	/** The last use, at most REFRESH_ACTIVITY_MS ago; earlier versions did not write it. */
	seenAt: z.number().optional(),
})
type WebLink = z.infer<typeof WebLink>

/** Its path is not `/`, which a `__Host-` name requires. */
const COOKIE = settings.isSecure ? '__Secure-weblink' : 'weblink'
const OPTIONS = { ...cookieOptions, path: '/client' } as const

/**
 * Maximum number of clients with an open link in one browser. Each has a cookie that goes with every request to /client, so they are few.
 */
const NAMES = [COOKIE, `${COOKIE}2`, `${COOKIE}3`]

/** The Set-Cookie headers that delete every link. Logout sends them, although the path of logout never receives these cookies. */
export const clearLinks = (): string[] => NAMES.map((name) => clearCookie(name, OPTIONS))

/** The address of the report that a link opened. It names the link, so that tabs of two clients stay separate. */
const formatAddress = ({ id }: Pick<WebLink, 'id'>) => `${LINK_PATH}?link=${id}`

/** The address of the report of this request. */
export function reportAddress(request: Request): string {
	const id = new URL(request.url).searchParams.get('link')
	return id === null ? LINK_PATH : formatAddress({ id: encodeURIComponent(id) })
}

/** Why a link opens nothing. The page is shown with `status`. `closed`: the address has no link, and none is open here. */
export type LinkProblem = 'incomplete' | 'closed' | 'invalid' | 'expired' | 'limited'

export class LinkRefused extends Error {
	override name = 'LinkRefused'
	constructor(
		readonly problem: LinkProblem,
		private readonly options: { retryAfter?: number; cookie?: string } = {},
	) {
		super(problem)
	}
	get status() {
		return this.problem === 'limited' ? 429 : 403
	}
	/** Deletes the cookie of the refused link only. Retry-After is in seconds. */
	get headers() {
		const { retryAfter = 0, cookie } = this.options
		const headers = new Headers()
		if (cookie) headers.set('set-cookie', clearCookie(cookie, OPTIONS))
		if (retryAfter > 0) headers.set('retry-after', String(retryAfter))
		return headers
	}
}

/** Validates the link in the address, and redirects to the report without it. Undefined when the address has no link. */
export async function openLink(request: Request): Promise<Response | undefined> {
	const { searchParams } = new URL(request.url)
	if (!['UserId', 'SessionId', 'Product'].some((name) => searchParams.has(name))) return undefined
	if (!searchParams.get('UserId') || !searchParams.get('SessionId')) throw new LinkRefused('incomplete')

	const named = ReportLinkQuery.safeParse({
		UserId: searchParams.get('UserId'),
		SessionId: searchParams.get('SessionId'),
		Product: searchParams.get('Product') || undefined,
	})
	async function ask() {
		if (!named.success) throw new LinkRefused('invalid')
		return { ...named.data, ...(await validate(request, named.data)) }
	}
	try {
		const session = await askWithLink(readVisitor(request), ask, (error) => error instanceof LinkRefused)
		const year = formatYear(parseYear(searchParams.get('year'), now()) ?? currentYear(now()))
		const { name, id } = await placeFor(request, session.clientCode)
		const link = { ...session, year, id, startedAt: Date.now(), seenAt: Date.now() }
		return redirect(formatAddress(link), { headers: { 'set-cookie': await sealCookie(name, link) } })
	} catch (error) {
		if (!(error instanceof TooManyAttempts)) throw error
		audit('weblink_limited', request, named.data?.UserId)
		throw new LinkRefused('limited', { retryAfter: error.wait })
	}
}

/** Every refusal is the same, except that an expired link has its own message. A broker failure says nothing about the link. */
async function validate(
	request: Request,
	{ UserId, SessionId, Product }: z.output<typeof ReportLinkQuery>,
	cookie?: string,
): Promise<ReportLinkSession> {
	try {
		// Only these three values: addresses end up in logs.
		return await validateReportLink(connectAnonymousBroker(request), { UserId, SessionId, Product })
	} catch (error) {
		const isNone = error instanceof Response && error.status === 404
		if (!isNone && !(error instanceof BrokerRefusal)) throw error
		if (error instanceof BrokerRefusal && error.status === 429) throw new LinkRefused('limited', { retryAfter: 60 })
		audit('weblink_refused', request, UserId, { status: error.status })
		throw new LinkRefused(error.status === 410 ? 'expired' : 'invalid', { cookie })
	}
}

type Kept = { name: string; link: WebLink }

/** The links open in this browser, latest first. */
async function listLinks(request: Request): Promise<Kept[]> {
	const cookies = parse(request.headers.get('cookie') ?? '')
	const kept = await Promise.all(NAMES.map(async (name) => ({ name, link: await unsealAs(WebLink, 'weblink', cookies[name] ?? '') })))
	return kept.flatMap(({ name, link }) => (link ? [{ name, link }] : [])).sort((a, b) => b.link.startedAt - a.link.startedAt)
}

/**
 * The cookie for a client's new link: replaces an earlier link of the same client, whose tabs use the new one; else a free one; else the
 * oldest.
 */
async function placeFor(request: Request, clientCode: string): Promise<{ name: string; id: string }> {
	const open = await listLinks(request)
	const own = open.find(({ link }) => link.clientCode === clientCode)
	if (own) return { name: own.name, id: own.link.id }
	const free = NAMES.find((name) => !open.some((kept) => kept.name === name))
	return { name: free ?? open.at(-1)?.name ?? COOKIE, id: randomUUID() }
}

/** The link named in the address, else the one opened last. */
async function readLink(request: Request): Promise<Kept> {
	const named = new URL(request.url).searchParams.get('link')
	const kept = (await listLinks(request)).find(({ link }) => named === null || link.id === named)
	if (!kept) throw new LinkRefused('closed')
	const { id, startedAt, seenAt = startedAt } = kept.link
	const now = Date.now()
	if (now - startedAt > settings.SESSION_MAX_MS || now - seenAt > settings.IDLE_MS) {
		forgetReports(id)
		throw new LinkRefused('expired', { cookie: kept.name })
	}
	return kept
}

async function sealCookie(name: string, link: WebLink): Promise<string> {
	return serialize(name, await seal('weblink', JSON.stringify(WebLink.parse(link))), OPTIONS)
}

/** Thrown after a 401 of the broker: a report link never redirects to /login. */
class TokenRefused extends Response {
	constructor(readonly isExpired: boolean) {
		super(null, { status: 401 })
	}
}

function connectWebLink(request: Request, { authToken, clientCode, id }: WebLink): Broker {
	return connectBroker(brokerConfig, {
		token: authToken,
		clientCode,
		sessionId: id,
		requestId: readRequestId(request),
		leaving: findDisconnectSignal(request),
		onExpired: async (message = '') => new TokenRefused(/^token has expired/i.test(message)),
	})
}

/** `url` is the request's URL, with the link's id in it. */
type Work<Result> = (broker: Broker, year: FinancialYear, url: URL) => Promise<Result>
/** Downloads are counted under the client code. */
export type Linked<Result> = {
	result: Result
	clientCode: string
	headers: Headers
	isRefreshed: boolean
	/** When the link closes at the latest. */
	endsAt: number
}

/**
 * Runs the work with the session of the link's client. An expired token is replaced once, by validating the link again, and the work is
 * repeated once. `headers` carry the cookie when it has changed.
 */
export async function withLink<Result>(request: Request, work: Work<Result>): Promise<Linked<Result>> {
	const { name, link: kept } = await readLink(request)
	const asked = parseYear(new URL(request.url).searchParams.get('year'), now())
	const year = asked ?? parseYear(kept.year, now()) ?? currentYear(now())
	const isSeen = Date.now() - (kept.seenAt ?? kept.startedAt) > REFRESH_ACTIVITY_MS
	const link = { ...kept, year: formatYear(year), ...(isSeen ? { seenAt: Date.now() } : {}) }
	const url = new URL(request.url)
	url.searchParams.set('link', link.id)
	const about = { clientCode: link.clientCode, endsAt: link.startedAt + settings.SESSION_MAX_MS }
	try {
		const result = await work(connectWebLink(request, link), year, url)
		const headers = new Headers()
		if (isSeen || link.year !== kept.year) headers.set('set-cookie', await sealCookie(name, link))
		return { ...about, result, headers, isRefreshed: false }
	} catch (error) {
		if (!(error instanceof TokenRefused)) throw error
		if (!error.isExpired) throw new LinkRefused('invalid', { cookie: name })
	}
	log.info({ event: 'weblink_refreshed', reference: readRequestId(request) }, 'The token of a report link has expired')
	const session = await validate(request, link, name)
	// A link stays with one client: the page must not change its client while someone reads it.
	if (session.clientCode !== link.clientCode) throw new LinkRefused('invalid', { cookie: name })
	const fresh = { ...link, ...session, seenAt: Date.now() }
	try {
		const result = await work(connectWebLink(request, fresh), year, url)
		return { ...about, result, headers: new Headers({ 'set-cookie': await sealCookie(name, fresh) }), isRefreshed: true }
	} catch (error) {
		if (error instanceof TokenRefused) throw new LinkRefused('expired', { cookie: name })
		throw error
	}
}

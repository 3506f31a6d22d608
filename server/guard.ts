import { type HttpBindings } from '@hono/node-server'
import { type Context, type HonoRequest, type MiddlewareHandler } from 'hono'
import { type Logger } from 'pino'
import { type Settings } from '~/config/parse-settings.server'
import { isLoopback } from '~/lib/web-address'

export type Env = {
	Bindings: HttpBindings
	Variables: { nonce: string; requestId: string; address: string; leaving?: AbortSignal; isMaintenance?: true }
}

const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data']
const REPORT_TYPES = ['application/csp-report', 'application/reports+json', 'application/json']
export const REPORT_PATH = '/csp-report'
/** Called by load balancers, under any host name. */
export const HEALTH = new Set(['/healthz', '/readyz'])
const MAX_ADDRESS = 8000
/** Segments of a path. Our longest page has five; Remix's time grows with their square: 3,900 take a second and a half. */
const MAX_SEGMENTS = 12
/** Remix's list of routes, where a browser names the pages that it asks for. It asks for one at a time. */
const MANIFEST = '/__manifest'
const MAX_MANIFEST_SEGMENTS = 60

/**
 * Refuses requests that no form of ours can send, before Remix: Remix's own check covers only documents and `.data`, accepts a request
 * without Origin and trusts X-Forwarded-Host. Uses the host of `request.url` only to refuse it: the visitor chooses it.
 */
export function guard(settings: Settings, log: Logger): MiddlewareHandler<Env> {
	const origins = ownOrigins(settings.PUBLIC_URL)
	const hosts = new Set([...origins].map((origin) => new URL(origin).host))
	const { protocol } = new URL(settings.PUBLIC_URL)

	return async (c, next) => {
		const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
		return refuseAddress(c, hosts, protocol) ?? (isRead ? refuseRead(c) : refusePost(c, origins, log)) ?? next()
	}
}

/** Refuses an address of another host, and one that no page of ours has. */
function refuseAddress(c: Context<Env>, hosts: Set<string>, protocol: string): Response | undefined {
	const { incoming } = c.env ?? {}
	const sentHosts = incoming?.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
	if (sentHosts && sentHosts.length !== 1) return c.text('Bad request', 400)
	const target = incoming?.url ?? '/'
	if (!target.startsWith('/') && !isOwnAddress(target, hosts)) return c.text('Bad request', 400)
	const host = readHost(readHeader(c, 'host') ?? new URL(c.req.url).host, protocol)
	if (!HEALTH.has(c.req.path) && !hosts.has(host)) return c.text('Unknown host', 421)
	if (c.req.url.length > MAX_ADDRESS) return c.text('Address too long', 414)
	if (!isReadable(c.req.url)) return c.text('Bad request', 400)
	// The page of such a path would link to itself, and `//host` is the address of another site.
	if (new URL(c.req.url).pathname.startsWith('//')) return c.text('Not found', 404)
	return countSegments(c.req.path) > MAX_SEGMENTS ? c.text('Not found', 404) : undefined
}

function refuseRead(c: Context<Env>): Response | undefined {
	if (isOdd(c.req)) return c.text('Bad request', 400)
	// No page of ours sends this, and nothing would read that body: a slow one would only hold the connection.
	if (Number(readHeader(c, 'content-length') ?? 0) > 0 || readHeader(c, 'transfer-encoding'))
		return c.text('Bad request', 400, { connection: 'close' })
	// Another site may link to a page, but not load its data or files.
	const site = readHeader(c, 'sec-fetch-site')
	const isLoaded = (site === 'cross-site' || site === 'same-site') && readHeader(c, 'sec-fetch-mode') !== 'navigate'
	return isLoaded && !c.req.path.startsWith('/assets/') ? c.text('Forbidden', 403) : undefined
}

/** Refuses a post of another site, every other method, and a body that is no form. */
function refusePost(c: Context<Env>, origins: Set<string>, log: Logger): Response | undefined {
	if (!isOwn(readHeader(c, 'origin'), readHeader(c, 'sec-fetch-site'), readHeader(c, 'referer'), origins)) {
		const { requestId: reference, address } = c.var
		log.warn({ event: 'csrf_refused', reference, address, code: 'another_site' }, 'A post from another site')
		return c.text('This request came from another site.', 403)
	}
	if (c.req.method !== 'POST') return c.text('Method not allowed', 405, { allow: 'GET, HEAD, POST' })
	if (readHeader(c, 'content-encoding')) return c.text('Unsupported media type', 415)
	const type = (readHeader(c, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
	if (type === 'text/plain') return c.text('Forbidden', 403)
	const types = c.req.path === REPORT_PATH ? REPORT_TYPES : FORM_TYPES
	return types.includes(type) ? undefined : c.text('Unsupported media type', 415)
}

const readHeader = (c: Context<Env>, name: string) => c.req.raw.headers.get(name)

/**
 * Whether a POST comes from a page of the portal. False when Sec-Fetch-Site names another site. Otherwise Origin decides; without it
 * Sec-Fetch-Site, and without both the Referer. A text browser may send none of them: then the form's token decides.
 */
function isOwn(origin: string | null, site: string | null, referer: string | null, origins: Set<string>): boolean {
	if (site !== null && site !== 'same-origin' && site !== 'none') return false
	if (origin !== null) return origins.has(origin)
	if (site !== null) return true
	return referer === null || (URL.canParse(referer) && origins.has(new URL(referer).origin))
}

/** On loopback, localhost, 127.0.0.1 and the name in PUBLIC_URL are the same machine; elsewhere only PUBLIC_URL is accepted. */
function ownOrigins(publicUrl: string): Set<string> {
	const { origin, protocol, hostname, port } = new URL(publicUrl)
	if (!isLoopback(hostname)) return new Set([origin])
	return new Set([hostname, 'localhost', '127.0.0.1', '[::1]'].map((host) => `${protocol}//${host}${port ? `:${port}` : ''}`))
}

/** The host as an address writes it: names have no case, and the usual port may be named (RFC 9110, 4.2.3). */
function readHost(host: string, protocol: string): string {
	return /^[\w.:[\]-]+$/.test(host) && URL.canParse(`${protocol}//${host}`) ? new URL(`${protocol}//${host}`).host : ''
}

const countSegments = (path: string) => path.split('/').length - 1

/** A long list of pages for Remix's list of routes; or Remix's older way to load data, which is answered 200 with nothing. */
function isOdd(request: HonoRequest): boolean {
	if (request.path === MANIFEST) {
		const pages = request.queries('p') ?? []
		return pages.reduce((sum, page) => sum + Math.max(1, countSegments(page)), 0) > MAX_MANIFEST_SEGMENTS
	}
	return request.query('_data') !== undefined
}

/** A request may name the whole address in place of the path (RFC 9112, 3.2.2). Then that host counts, not the Host header. */
function isOwnAddress(target: string, hosts: Set<string>): boolean {
	if (!URL.canParse(target)) return false
	const { host, username, password } = new URL(target)
	return hosts.has(host) && username === '' && password === ''
}

function isReadable(url: string): boolean {
	try {
		return !/\p{Cc}/u.test(decodeURIComponent(new URL(url).pathname))
	} catch {
		return false
	}
}

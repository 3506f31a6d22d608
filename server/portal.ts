import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { serveStatic } from '@hono/node-server/serve-static'
import { type ServerBuild } from '@remix-run/node'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { type Logger } from 'pino'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type Settings } from '~/config/parse-settings.server'
import { measureRequest } from '~/lib/telemetry'
import { isLoopback } from '~/lib/web-address'
import { createSubsetHandler } from './route-subsets'
import { type BodyDeadlines, limitBody } from './body-limit'
import { compress } from './compress'
import { type Env, guard, HEALTH, REPORT_PATH } from './guard'
import { securityHeaders } from './headers'
import { noticeLeaving } from './leaving'
import { maintenance } from './maintenance'
import { PUBLIC_FILES, servePublicFiles } from './public-files'
import { createRouteFinder } from './telemetry'
import { passRetryAfter } from './retry-after'
import { createWebManifest } from './web-manifest'

type Parts = {
	settings: Settings
	build: ServerBuild
	log: Logger
	clientFiles: string
	bodyDeadlines?: BodyDeadlines
	/** Whether requests are traced and counted (server/telemetry.ts). */
	isMeasured?: boolean
}

/** The portal as a function of a request: everything in front of Remix, and Remix. It listens on no port, so a test can call it. */
export function createPortal({ settings, build, log, clientFiles, bodyDeadlines, isMeasured = false }: Parts) {
	const app = new Hono<Env>()
	const handle = createSubsetHandler(passRetryAfter(build), settings.NODE_ENV)
	const canonical = new URL(settings.PUBLIC_URL)

	app.use(identify(settings))
	app.use(noticeLeaving(build))
	app.use(logged(log))
	if (isMeasured) app.use(measured(build))
	app.use(securityHeaders(settings))
	app.use(guard(settings, log))
	app.use(limitBody(bodyDeadlines))

	// Anyone may post here, so only some of the posts are logged; the reply is the same.
	const reports = new RateLimiterMemory({ points: 20, duration: 60 })
	app.post(REPORT_PATH, async (c) => {
		// Read to its end and discarded: limitBody answers a body that is too large or too slow.
		await c.req.raw.arrayBuffer().catch(() => undefined)
		const isNews = await reports.consume(c.var.address).then(
			() => true,
			() => false,
		)
		if (isNews) log.warn({ event: 'csp_report', reference: c.var.requestId }, 'A browser reported a blocked resource')
		return c.body(null, 204)
	})
	app.use('/assets/*', cacheForever, serveStatic({ root: clientFiles, precompressed: true }))
	app.all('/assets/*', (c) => c.text('Not found', 404))
	app.get('/manifest.webmanifest', (c) =>
		c.body(JSON.stringify(createWebManifest(settings)), 200, {
			'content-type': 'application/manifest+json',
			'cache-control': 'public, max-age=86400',
		}),
	)
	app.use(PUBLIC_FILES, servePublicFiles(clientFiles))

	// On loopback, one machine has three names. Cookies and the return from e-sign work with only one of them.
	app.get('*', async (c, next) => {
		const { host, hostname } = new URL(c.req.url)
		if (host === canonical.host || !isLoopback(hostname) || HEALTH.has(c.req.path) || c.req.header('sec-fetch-dest') === 'empty')
			return next()
		const { pathname, search } = new URL(c.req.url)
		return c.redirect(canonical.origin + pathname + search, 302)
	})
	app.use(maintenance(settings))
	app.all('*', async (c) => {
		const { headers } = c.req.raw
		headers.set('x-request-id', c.var.requestId)
		headers.set('x-visitor-address', c.var.address)
		const response = await handle(c.req.raw, { nonce: c.var.nonce })
		return compress(c, response)
	})
	app.onError((error, c) => {
		log.error({ event: 'server_failed', reference: c.var.requestId, error: error.name }, 'The server failed')
		return c.text(`Sorry, there is a problem. Try again later. Reference ${c.var.requestId}.`, 500)
	})
	return app
}

/**
 * Sets the nonce and the id of the request, and the visitor's address. The visitor cannot choose them: a header sent under the same name
 * is not used.
 */
function identify(settings: Settings): MiddlewareHandler<Env> {
	return async (c, next) => {
		c.set('nonce', randomBytes(18).toString('base64'))
		c.set('requestId', `${randomBytes(2).toString('hex')}-${randomBytes(3).toString('hex')}`.toUpperCase())
		const forwarded = settings.TRUST_PROXY ? readLastAddress(c.req.header('x-forwarded-for')) : undefined
		c.set('address', forwarded ?? c.env?.incoming?.socket.remoteAddress ?? 'unknown')
		await next()
	}
}

/** An address and a port, as the proxies of Azure write them: 203.0.113.9:51234 or [2001:db8::1]:51234. */
const WITH_PORT = /^(?:\[(?<six>.+)\]|(?<four>[\d.]+)):\d+$/

/** The address in the last entry of X-Forwarded-For, without a port; undefined when it is not an IP address. */
function readLastAddress(header = ''): string | undefined {
	const entry = header.slice(header.lastIndexOf(',') + 1).trim()
	const parts = WITH_PORT.exec(entry)?.groups
	const address = parts?.six ?? parts?.four ?? entry
	return isIP(address) === 0 ? undefined : address
}

/** The status of a request whose browser has left before the reply: Remix stops with a 500, and nothing has failed. */
const LEFT = 499

/** The status for the log and the metrics. The reply is not sent yet, so only the browser can have ended it. */
const readStatus = (c: Context<Env>) => (c.var.leaving?.aborted ? LEFT : c.res.status)

/** One line per request: no query, no header, no cookie. */
function logged(log: Logger): MiddlewareHandler<Env> {
	return async (c, next) => {
		const started = performance.now()
		await next()
		const status = readStatus(c)
		const ms = Math.round(performance.now() - started)
		log[status >= 500 ? 'error' : 'info']({
			event: 'request',
			reference: c.var.requestId,
			method: c.req.method,
			path: c.req.path.slice(0, 200),
			status,
			ms,
			address: c.var.address,
		})
	}
}

/** A metric and a span for each request, under the pattern of its address. Health checks are left out: they would hide slow pages. */
function measured(build: ServerBuild): MiddlewareHandler<Env> {
	const findRoute = createRouteFinder(build)
	return async (c, next) => {
		if (HEALTH.has(c.req.path)) return await next()
		await measureRequest(c.req.raw, async () => {
			await next()
			return { status: readStatus(c), route: c.var.isMaintenance ? '/maintenance' : findRoute(c.req.path) }
		})
	}
}

const cacheForever: MiddlewareHandler<Env> = async (c, next) => {
	await next()
	c.header('cache-control', c.res.ok ? 'public, max-age=31536000, immutable' : 'no-store')
	if (c.res.ok) c.header('vary', 'accept-encoding')
}

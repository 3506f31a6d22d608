import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { requestId } from 'hono/request-id'
import { pino } from 'pino'
import { BUSINESS_DAY } from '#contract/common'
import { toIndianDay } from '#contract/values/dates'
import { createOperationFinder } from './api/describe-operation'
import { type Operation } from './api/operation'
import { enforceIdempotency } from './api/idempotency'
import { hideOptional } from './api/hide-optional'
import { createRequestLog } from './api/request-log'
import { sendRefusal, CALL_FAILED, parseQuery, Refused } from './api/responses'
import { limitForms } from './api/uploads'
import { attention } from './attention/attention'
import { auth } from './auth/login'
import { passwordCalls } from './auth/password-routes'
import { reportLinkCalls } from './auth/report-links'
import { listSignedIn, requireToken } from './auth/sessions'
import { profile } from './clients/profile'
import { createMovableClock } from './clock'
import { closure } from './closure/closure'
import { dashboard } from './dashboard/dashboard'
import { quickLinks } from './dashboard/quick-links'
import { depository } from './depository/depository'
import { esignStatus } from './esign/status'
import { createFaults } from './faults/faults'
import { funds } from './funds/funds'
import { ipo } from './ipo/ipo'
import { modifications } from './modifications/modifications'
import { mtf } from './mtf/mtf'
import { pages } from './pages/pages'
import { ledger } from './reports/ledger'
import { reports } from './reports/reports'
import { createScheduler } from './scheduler/scheduler'
import { type MovableClock, type SandboxApp, type SandboxEnv, type SandboxParts } from './types'

/**
 * A substitute for the broker: its HTTP API and its pages, on one set of books. It shares only the contract with the portal. Tests call
 * `app.request()`, so no port is needed.
 */
export function createSandbox(given: SandboxParts): SandboxApp {
	const clock = createMovableClock(given.books, given.clock)
	const parts: SandboxParts = { ...given, clock }
	const log = pino({ level: parts.settings.logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
	const app = new Hono<SandboxEnv>()
	const faults = createFaults()
	const requests = createRequestLog()
	const scheduler = createScheduler(parts)
	let findOperation: ((method: string, path: string) => Operation | undefined) | undefined

	// A year takes longer than a page of the portal waits for the broker, so it is done here for the clients who are signed in.
	const advanceClock = async (ms: number) => {
		const signedIn = await listSignedIn(parts)
		await clock.advance(ms)
		for (const client of signedIn) await scheduler.doAll(client)
	}

	app.use(tellTime(clock))
	app.use(requestId())
	app.route('/', pages({ ...parts, faults, requests, describe: () => app, advanceClock }))
	// Everything from here on is the broker's API: it needs a token unless an operation's description says otherwise.
	app.use(
		createMiddleware<SandboxEnv>(async (c, next) => {
			findOperation ??= createOperationFinder(app)
			c.set('operation', findOperation(c.req.method, c.req.path))
			c.header('cache-control', 'no-store')
			await next()
		}),
		requests.middleware,
		hideOptional(parts.settings.onlyRequired),
		faults.middleware,
		requireToken(parts),
		scheduler.middleware,
		// Validates the query by the description, even when the handler does not read it.
		createMiddleware<SandboxEnv>(async (c, next) => {
			if (c.var.operation?.query) parseQuery(c, c.var.operation.query)
			await next()
		}),
		limitForms,
		enforceIdempotency(parts),
	)
	app.route('/', auth(parts))
	app.route('/', passwordCalls(parts))
	app.route('/', profile(parts))
	app.route('/', modifications(parts))
	app.route('/', dashboard(parts))
	app.route('/', ledger(parts))
	app.route('/', funds(parts))
	app.route('/', quickLinks())
	app.route('/', ipo(parts))
	app.route('/', reports(parts))
	app.route('/', reportLinkCalls(parts))
	app.route('/', esignStatus(parts))
	app.route('/', closure(parts))
	app.route('/', depository(parts))
	app.route('/', mtf(parts))
	app.route('/', attention(parts))

	app.notFound((c) => sendRefusal(c, new Refused(404, `No such call: ${c.req.method} ${c.req.path}`.slice(0, 300))))
	app.onError((error, c) => {
		if (error instanceof Refused) return sendRefusal(c, error)
		if (error instanceof HTTPException) return sendRefusal(c, new Refused(403, error.message || 'Forbidden'))
		log.error({ err: error, operation: c.var.operation?.id, request: c.var.requestId }, 'a call failed')
		return sendRefusal(c, new Refused(500, CALL_FAILED))
	})
	return app
}

/** Every response has the sandbox's time and day, because its clock may be far from the real time. */
function tellTime(clock: MovableClock) {
	return createMiddleware<SandboxEnv>(async (c, next) => {
		await clock.look()
		await next()
		const now = clock.now()
		c.header('date', now.toUTCString())
		c.header(BUSINESS_DAY, toIndianDay(now))
	})
}

import { type ErrorEnvelope } from '#contract/common'
import { formatMoment } from '#contract/values/moments'
import { redact } from '~/lib/redact'
import { measureCall } from '~/lib/telemetry'
import { TIMED_OUT } from '~/lib/with-timeout'
import { type At, type FindOperation, type OptionalCall } from './absences.server'
import { AdapterFailure } from './adapter.server'
import { readJson, withClock } from './bodies.server'
import { now, recordBrokerTime } from './clock.server'
import {
	BrokerRefusal,
	GARBLED,
	LEFT,
	NOT_COMPLETED,
	NO_DATA,
	describeError,
	isRedirect,
	isUnsent,
	judgeOutcome,
	readError,
} from './failures.server'
import { forgetReports } from './replies.server'
import { type BrokerCall, type BrokerConfig, type Connection, JSON_TYPE, createRequest } from './requests.server'
import { exchange, type Reply, UnreadableHead } from './wire.server'

/* Sends calls to the broker, and turns every reply that is not a success into an error. */

/** After a 503 this call says whether the broker answers 503 to everything. Nearly every page makes it. */
const CHECK = '/v2/user/verify-user'
/** The longest wait for that call, in milliseconds. */
const CHECK_MS = 3000

/** A reply with a success status, the controller that aborts its call, and its operation if it is an optional one. */
export type Sent = { reply: Reply; abort: AbortController; operation: OptionalCall }

export type Sender = ReturnType<typeof createSender>

/** Only this code sends HTTP requests to the broker. `failure` makes the error for a reply that arrived but cannot be used. */
export function createSender(config: BrokerConfig, connection: Connection, findOperation: FindOperation) {
	const { token, sessionId, requestId, leaving, onExpired } = connection
	const failure = createFailure(config, requestId)
	const isMaintenance = watchMaintenance(config, connection)

	/** Sends the call and waits for the first byte. Throws an error for every reply that is not a success. */
	async function sendAndSort(at: At, call: BrokerCall, accept: string, abort: AbortController, operation: OptionalCall): Promise<Sent> {
		const { method, path } = at
		const { url, headers, body, form } = createRequest(config.baseUrls, connection, path, call, accept)
		const lane = form ? 'upload' : accept === JSON_TYPE ? 'json' : 'download'
		const ask = () =>
			withClock(config.timeoutMs, abort, (restart) => {
				form?.onPart(restart)
				return exchange(config.adapter, { path, service: call.service ?? 'broker', method, url, headers, body }, lane, abort.signal)
			})

		const reply = await ask()
			.catch(async (error: unknown) => {
				// A kept-alive connection that the broker has closed looks like a failure. Only a GET is safe to repeat.
				const isLost = !(error instanceof AdapterFailure || error instanceof UnreadableHead)
				if (method !== 'GET' || call.isOnce || abort.signal.aborted || !isLost) throw error
				await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 100))
				return ask()
			})
			.catch((error: unknown) => {
				throw form?.problem() ?? explainError(failure, error, { abort, leaving: accept === JSON_TYPE ? undefined : leaving }, at)
			})
			.finally(() => form?.close())
		// Only this host's time counts: other services may run on other machines.
		if (!call.service) recordBrokerTime(reply.headers)
		if (reply.status >= 200 && reply.status < 300) return { reply, abort, operation }
		const problem = form?.problem()
		if (!problem) throw await readRefusal(reply, abort, at, operation)
		// A broker may answer after it has read only part of a form, before the upload failed.
		reply.body.stop()
		throw problem
	}

	/** Returns the error that a reply with a failure status stands for. */
	async function readRefusal(reply: Reply, abort: AbortController, at: At, operation: OptionalCall): Promise<unknown> {
		const said = readError(await readJson(reply, abort, config.timeoutMs).catch(() => undefined), token)
		const { status } = reply
		const absence = operation?.judge(status, said?.message)
		if (absence) return absence
		const detail = { ...at, answered: status }
		if (status === 401) {
			// Cached replies of this session must not be shown any more.
			if (sessionId) forgetReports(sessionId)
			if (token) return onExpired(said?.message)
			return said ? new BrokerRefusal(401, said) : failure(502, GARBLED, detail)
		}
		const isSaid = said !== undefined
		if (status === 404) return failure(404, said?.message ?? NO_DATA, detail, { isAnswer: isSaid, isSaid })
		if (status === 429) return new BrokerRefusal(429, said ?? TOO_MANY)
		if (status < 500 && said) return new BrokerRefusal(status, said)
		if (status === 503)
			return failure(503, said?.message ?? NOT_AVAILABLE, detail, { isAnswer: false, isSaid, isMaintenance: await isMaintenance(at) })
		return failure(502, said?.message ?? NOT_COMPLETED, detail, { isAnswer: isSaid && status !== 502 && status !== 504, isSaid })
	}

	return {
		failure,
		async send(at: At, call: BrokerCall, accept: string, abort = new AbortController()): Promise<Sent> {
			// Nothing is sent to an operation that is known to be absent, so nothing is measured.
			const operation = findOperation(at, call)
			operation?.throwIfAbsent()
			return await measureCall(at.method, at.path, () => sendAndSort(at, call, accept, abort, operation), judgeOutcome)
		},
	}
}

/** Returns a function that says whether a call that got a 503 failed as every other call does. It asks once for all calls of a visit. */
function watchMaintenance(config: BrokerConfig, connection: Connection) {
	let asked: Promise<boolean> | undefined
	// Not for the check itself: it may be the only call that fails.
	return async ({ path }: At) => path !== CHECK && (await (asked ??= isCheckUnavailable(config, connection)))
}

async function isCheckUnavailable({ baseUrls, adapter }: BrokerConfig, connection: Connection): Promise<boolean> {
	const { url, headers } = createRequest(baseUrls, connection, CHECK, {}, JSON_TYPE)
	const call = { path: CHECK, service: 'broker', method: 'GET', url, headers, body: undefined } as const
	try {
		const { status, body } = await exchange(adapter, call, 'json', AbortSignal.timeout(CHECK_MS))
		body.stop()
		return status === 503
	} catch {
		return false
	}
}

/** Logs a failure once and returns it to be thrown. `answered` and `said` are for readFailure. */
function createFailure(config: BrokerConfig, requestId: string) {
	return (
		status: 404 | 499 | 502 | 503 | 504,
		message: string,
		detail: Record<string, unknown>,
		said: { isAnswer: boolean; isSaid: boolean; isMaintenance?: boolean; isUnsent?: boolean } = { isAnswer: false, isSaid: false },
	): Response => {
		if (status === 404) config.tell('info', { event: 'broker_no_data', reference: requestId, ...detail }, redact(message))
		else if (status === 499) config.tell('info', { event: 'browser_left', reference: requestId, ...detail }, message)
		else config.tell('error', { event: 'broker_failed', reference: requestId, status, ...detail }, redact(message))
		return Response.json(
			{ message, reference: requestId, at: formatMoment(now()), answered: detail.answered, ...said },
			{ status, headers: said.isMaintenance ? { 'retry-after': '300' } : {} },
		)
	}
}

/** The failure of a call that got no reply. Only a file has `leaving`: no other call is broken off when its browser leaves. */
function explainError(
	failure: Sender['failure'],
	error: unknown,
	{ abort, leaving }: { abort: AbortController; leaving: AbortSignal | undefined },
	at: At,
): Response {
	if (abort.signal.aborted && leaving?.aborted) return failure(499, LEFT, at)
	if (abort.signal.aborted) return failure(504, TIMED_OUT, at)
	if (error instanceof AdapterFailure) return failure(502, NOT_COMPLETED, { ...at, adapter: error.message })
	if (isRedirect(error)) return failure(502, NOT_COMPLETED, { ...at, error: describeError(error) })
	if (error instanceof UnreadableHead) return failure(502, GARBLED, { ...at, error: describeError(error) })
	const said = { isAnswer: false, isSaid: false, isUnsent: isUnsent(error) }
	return failure(503, 'We could not reach the broker’s system.', { ...at, error: describeError(error) }, said)
}

const NOT_AVAILABLE = 'The broker’s system is not available right now.'
const TOO_MANY: ErrorEnvelope = { status: 'error', message: 'There were too many requests. Wait a minute, then try again.' }

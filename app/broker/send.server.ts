import { type Socket } from 'node:net'
import { Agent } from 'undici'
import { type ErrorEnvelope } from '#contract/common'
import { redact } from '~/lib/redact'
import { measureCall } from '~/lib/telemetry'
import { type At, type FindOperation, type OptionalCall } from './absences.server'
import { type AdapterCall, AdapterFailure, runAdapter } from './adapter.server'
import { readJson, withClock } from './bodies.server'
import { recordBrokerTime } from './clock.server'
import {
	BrokerRefusal,
	GARBLED,
	LEFT,
	NOT_COMPLETED,
	NO_DATA,
	TIMED_OUT,
	describeError,
	isRedirect,
	judgeOutcome,
	readError,
} from './failures.server'
import { forgetReports } from './replies.server'
import { type BrokerCall, type BrokerConfig, type Connection, JSON_TYPE, createRequest } from './requests.server'

/* Sends calls to the broker, and turns every reply that is not a success into an error. */

/** Bytes read from a connection at once. */
const PIECE_BYTES = 8192
const piece = Buffer.alloc(PIECE_BYTES)

/**
 * Reads into one buffer for all connections and copies the bytes that arrived. Otherwise Node makes a buffer of 64 KB for each read, and
 * each paused file has five of these buffers under way.
 */
const onread = {
	buffer: piece,
	callback(this: Socket, bytes: number): boolean {
		return this.push(Buffer.copyBytesFrom(piece, 0, bytes))
	},
}

/** The portal has its own timeouts. undici's default timeout of five minutes must not cut a slow file. */
const connect = { timeout: 10_000, highWaterMark: PIECE_BYTES, onread }
const createAgent = () =>
	new Agent({
		headersTimeout: 0,
		bodyTimeout: 0,
		connections: 128,
		connect,
	})

/** Separate connections for files: a file takes as long as its reader needs, and no page may wait for it. */
const agents = { json: createAgent(), download: createAgent(), upload: createAgent() }

/** This many consecutive 503s mean maintenance. */
const MAINTENANCE_AFTER = 8
let unavailableInARow = 0

/** A reply with a success status, the controller that aborts its call, and its operation if it is an optional one. */
export type Sent = { response: Response; abort: AbortController; operation: OptionalCall }

export type Sender = ReturnType<typeof createSender>

/** Only this code sends HTTP requests to the broker. `failure` makes the error for a reply that arrived but cannot be used. */
export function createSender(config: BrokerConfig, connection: Connection, findOperation: FindOperation) {
	const { token, sessionId, requestId, leaving, onExpired } = connection
	const failure = createFailure(config, requestId)

	/** Sends the call and waits for the first byte. Throws an error for every reply that is not a success. */
	async function sendAndSort(at: At, call: BrokerCall, accept: string, abort: AbortController, operation: OptionalCall): Promise<Sent> {
		const { method, path } = at
		const { url, init, transport, form } = createRequest(config.baseUrls, connection, path, call, accept)
		const dispatcher = form ? agents.upload : accept === JSON_TYPE ? agents.json : agents.download
		const ask = () =>
			withClock(config.timeoutMs, abort, (restart) => {
				form?.onPart(restart)
				return exchange(
					config,
					{ path, service: call.service ?? 'broker', method, url, ...init },
					{ ...transport, signal: abort.signal, dispatcher },
				)
			})

		const response = await ask()
			.catch(async (error: unknown) => {
				// A kept-alive connection that the broker has closed looks like a failure. Only a GET is safe to repeat.
				if (method !== 'GET' || call.isOnce || abort.signal.aborted || error instanceof AdapterFailure) throw error
				await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 100))
				return ask()
			})
			.catch((error: unknown) => {
				throw form?.problem() ?? explainError(failure, error, { isAborted: abort.signal.aborted, isLeft: leaving?.aborted === true }, at)
			})
			.finally(() => form?.close())
		unavailableInARow = response.status === 503 ? unavailableInARow + 1 : 0
		// Only this host's time counts: other services may run on other machines.
		if (!call.service) recordBrokerTime(response.headers)
		if (response.ok) return { response, abort, operation }
		// A broker may answer after it has read only part of a form, before the upload failed.
		throw form?.problem() ?? (await readRefusal(response, abort, at, operation))
	}

	/** Returns the error that a reply with a failure status stands for. */
	async function readRefusal(response: Response, abort: AbortController, at: At, operation: OptionalCall): Promise<unknown> {
		const said = readError(await readJson(response, abort, config.timeoutMs).catch(() => undefined))
		const { status } = response
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
		if (status === 503) return failure(503, said?.message ?? NOT_AVAILABLE, detail, { isAnswer: false, isSaid })
		const isGateway = status === 502 || status === 504
		return failure(502, said?.message ?? NOT_COMPLETED, detail, { isAnswer: isSaid && !isGateway, isSaid })
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

/** Logs a failure once and returns it to be thrown. `answered` and `said` are for readFailure. */
function createFailure(config: BrokerConfig, requestId: string) {
	return (
		status: 404 | 499 | 502 | 503 | 504,
		message: string,
		detail: Record<string, unknown>,
		said: { isAnswer: boolean; isSaid: boolean } = { isAnswer: false, isSaid: false },
	): Response => {
		if (status === 404) config.tell('info', { event: 'broker_no_data', reference: requestId, ...detail }, redact(message))
		else if (status === 499) config.tell('info', { event: 'browser_left', reference: requestId, ...detail }, message)
		else config.tell('error', { event: 'broker_failed', reference: requestId, status, ...detail }, redact(message))
		const isMaintenance = status === 503 && unavailableInARow >= MAINTENANCE_AFTER
		return Response.json(
			{ message, reference: requestId, isMaintenance, answered: detail.answered, ...said },
			{ status, headers: isMaintenance ? { 'retry-after': '300' } : {} },
		)
	}
}

/** The failure of a call that got no reply. */
function explainError(
	failure: Sender['failure'],
	error: unknown,
	{ isAborted, isLeft }: { isAborted: boolean; isLeft: boolean },
	at: At,
): Response {
	if (isLeft && isAborted) return failure(499, LEFT, at)
	if (isAborted) return failure(504, TIMED_OUT, at)
	if (error instanceof AdapterFailure) return failure(502, NOT_COMPLETED, { ...at, adapter: error.message })
	if (isRedirect(error)) return failure(502, NOT_COMPLETED, { ...at, error: describeError(error) })
	return failure(503, 'We could not reach the broker’s system.', { ...at, error: describeError(error) })
}

type Transport = Omit<RequestInit, 'method' | 'headers' | 'body' | 'signal'> & { signal: AbortSignal; dispatcher: Agent }

/** One exchange with the broker, through the adapter if there is one. A repeat starts from the portal's original call. */
function exchange({ adapter }: BrokerConfig, call: AdapterCall, transport: Transport): Promise<Response> {
	const send = ({ url, method, headers, body }: AdapterCall) => fetch(url, { ...transport, method, headers, body } as RequestInit)
	if (!adapter) return send(call)
	return runAdapter(adapter, { ...call, url: new URL(call.url), headers: new Headers(call.headers) }, send, transport.signal)
}

const NOT_AVAILABLE = 'The broker’s system is not available right now.'
const TOO_MANY: ErrorEnvelope = { status: 'error', message: 'There were too many requests. Wait a minute, then try again.' }

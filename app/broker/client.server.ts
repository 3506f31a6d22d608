import { Agent } from 'undici'
import { z } from 'zod/v4'
import { type ErrorEnvelope } from '#contract/common'
import { redact } from '~/lib/redact'
import { measureCall } from '~/lib/telemetry'
import { type AdapterCall, AdapterFailure, runAdapter } from './adapter.server'
import { type FileType, MAGIC, readJson, checkFileStart, withClock } from './bodies.server'
import { hearTime } from './clock.server'
import { BrokerRefusal, describeError, isRedirect, judgeOutcome, readError } from './failures.server'
import { inQueue, readReply } from './long-replies.server'
import { forgetReports, cacheReply, formatReplyKey } from './replies.server'
import { type BrokerCall, type Connection, JSON_TYPE, createRequest, type BrokerConfig } from './requests.server'
import { shareCalls } from './sharing.server'
import { startTransfer, watchEnd } from './transfers.server'
import { createVisit } from './visits.server'

export { type FileType } from './bodies.server'
export { BrokerRefusal, type Failure, orNone, readFailure } from './failures.server'
export { forgetReports } from './replies.server'
export { type BrokerConfig } from './requests.server'

export type Broker = ReturnType<typeof connectBroker>

/** The client's own timeouts decide; undici's five minutes must not cut a slow file. */
const createAgent = () => new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: 128, connect: { timeout: 10_000 } })

/** Separate connections for files: a file takes as long as its reader needs, and no page may wait for it. */
const agents = { json: createAgent(), download: createAgent(), upload: createAgent() }

/** This many consecutive 503s mean maintenance. */
const MAINTENANCE_AFTER = 8
let unavailableInARow = 0

/**
 * The only code that speaks HTTP to the broker. Each call ends in one of three ways:
 * a value that matches the contract;
 * a thrown BrokerRefusal, for the form to show;
 * a thrown Response: 404 (no data), 499 (the browser left), 502/503/504, each logged once, here; or a redirect to login after a 401.
 */
export function connectBroker(config: BrokerConfig, connection: Connection) {
	const { token, clientCode = '', sessionId, requestId, leaving, onExpired } = connection
	const visit = createVisit(requestId)
	const sharing = shareCalls(sessionId, clientCode, visit.forget)

	/** Logs a failure once and returns it to be thrown. `answered` and `said` are for readFailure. */
	function failure(
		status: 404 | 499 | 502 | 503 | 504,
		message: string,
		detail: Record<string, unknown>,
		said: { isAnswer: boolean; isSaid: boolean } = { isAnswer: false, isSaid: false },
	): Response {
		if (status === 404) config.tell('info', { event: 'broker_no_data', reference: requestId, ...detail }, redact(message))
		else if (status === 499) config.tell('info', { event: 'browser_left', reference: requestId, ...detail }, message)
		else config.tell('error', { event: 'broker_failed', reference: requestId, status, ...detail }, redact(message))
		const isMaintenance = status === 503 && unavailableInARow >= MAINTENANCE_AFTER
		return Response.json(
			{ message, reference: requestId, isMaintenance, answered: detail.answered, ...said },
			{ status, headers: isMaintenance ? { 'retry-after': '300' } : {} },
		)
	}

	const send = (method: string, path: string, call: BrokerCall, accept: string, abort = new AbortController()) =>
		measureCall(method, path, () => sendAndSort(method, path, call, accept, abort), judgeOutcome)

	/** Sends the call, waits for the first byte, and handles everything that is not success. */
	async function sendAndSort(method: string, path: string, call: BrokerCall, accept: string, abort: AbortController) {
		const { url, init, transport, form } = createRequest(config.baseUrls, connection, path, call, accept)
		const at = { method, path }
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
				const problem = form?.problem()
				if (problem) throw problem
				if (leaving?.aborted && abort.signal.aborted) throw failure(499, LEFT, at)
				if (abort.signal.aborted) throw failure(504, 'The broker took too long to answer.', at)
				if (error instanceof AdapterFailure) throw failure(502, NOT_COMPLETED, { ...at, adapter: error.message })
				if (isRedirect(error)) throw failure(502, NOT_COMPLETED, { ...at, error: describeError(error) })
				throw failure(503, 'We could not reach the broker’s system.', { ...at, error: describeError(error) })
			})
			.finally(() => form?.close())
		unavailableInARow = response.status === 503 ? unavailableInARow + 1 : 0
		// Only this host's time counts: other services may run on other machines.
		if (!call.service) hearTime(response.headers)
		if (response.ok) return { response, abort }
		// A broker may answer after it has read only part of a form, before the upload failed.
		const problem = form?.problem()
		if (problem) throw problem
		throw await readRefusal(response, abort, at)
	}

	async function readRefusal(response: Response, abort: AbortController, at: { method: string; path: string }): Promise<unknown> {
		const said = readError(await readJson(response, abort, config.timeoutMs).catch(() => undefined))
		const { status } = response
		const detail = { ...at, answered: status }
		if (status === 401) {
			// Replies kept for this session must not be shown any more.
			if (sessionId) forgetReports(sessionId)
			if (token) return onExpired(said?.message)
			return said ? new BrokerRefusal(401, said) : failure(502, GARBLED, detail)
		}
		const isSaid = said !== undefined
		if (status === 404) return failure(404, said?.message ?? 'No Data Found!', detail, { isAnswer: isSaid, isSaid })
		if (status === 429) return new BrokerRefusal(429, said ?? TOO_MANY)
		if (status < 500 && said) return new BrokerRefusal(status, said)
		if (status === 503) return failure(503, said?.message ?? NOT_AVAILABLE, detail, { isAnswer: false, isSaid })
		const isGateway = status === 502 || status === 504
		return failure(502, said?.message ?? NOT_COMPLETED, detail, { isAnswer: isSaid && !isGateway, isSaid })
	}

	async function read<Data extends z.ZodType>(
		schema: Data,
		{ response, abort }: { response: Response; abort: AbortController },
		path: string,
		enter: () => Promise<void>,
		isWhole = false,
	): Promise<z.output<Data>> {
		// A status arrived, so the client must not read that nobody answered.
		const at = { path, answered: response.status }
		const json = await readJson(response, abort, config.timeoutMs, enter).catch((error: unknown) => {
			throw failure(abort.signal.aborted ? 504 : 502, GARBLED, { ...at, error: describeError(error) })
		})
		const wrapped = Answer.safeParse(json)
		// Some services of the broker answer success outside and `failed` inside `data`, with the message there.
		const inner = wrapped.success && isRefusal(wrapped.data.data) ? readError(wrapped.data.data) : undefined
		if (inner) throw new BrokerRefusal(422, inner, response.status)
		const { parsed, unread } = await readReply(schema, isWhole ? json : wrapped.data?.data, requestId)
		if (wrapped.success && parsed.success) {
			if (unread) config.tell('error', { event: 'broker_rows_unread', reference: requestId, path, ...unread }, NOT_ALL_READ)
			return parsed.data
		}
		const refused = isRefusal(json) ? readError(json) : undefined
		if (refused) throw new BrokerRefusal(422, refused, response.status)
		// Log only field names, never values: the values belong to the client.
		throw failure(502, GARBLED, {
			...at,
			mismatch: (wrapped.error ?? parsed.error)?.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.code}`),
		})
	}

	/** The file that the broker sends, after a check of its first bytes. */
	async function openFile(method: string, path: string, accept: FileType, call: BrokerCall, abort: AbortController) {
		const { response } = await send(method, path, call, accept, abort)
		const type = response.headers.get('content-type') ?? ''
		const isJson = type.includes('json')
		const said: unknown = isJson ? await readJson(response, abort, config.timeoutMs).catch(() => undefined) : undefined
		const refused = isRefusal(said) ? readError(said) : undefined
		if (refused) throw new BrokerRefusal(422, refused)
		const file = !isJson && response.body && (await checkFileStart(response.body, MAGIC[accept], abort, config.timeoutMs))
		if (file) return file
		if (leaving?.aborted) throw failure(499, LEFT, { method, path })
		if (abort.signal.aborted) throw failure(504, 'The broker took too long to answer.', { method, path })
		abort.abort()
		throw failure(502, 'The broker’s system did not send the file.', { path, type: redact(type) })
	}

	async function ask<Data extends z.ZodType>(method: string, path: string, schema: Data, call: BrokerCall = {}) {
		return inQueue(async (enter) => read(schema, await send(method, path, call, JSON_TYPE), path, enter))
	}

	async function askWhole<Whole extends z.ZodType>(
		method: string,
		path: string,
		schema: Whole,
		call: BrokerCall,
	): Promise<z.output<Whole>> {
		return inQueue(async (enter) => read(schema, await send(method, path, call, JSON_TYPE), path, enter, true))
	}

	function askKept<Data extends z.ZodType>(
		method: string,
		path: string,
		schema: Data,
		call: BrokerCall,
		countRows: (data: z.output<Data>) => number,
	): Promise<z.output<Data>> {
		const key = formatReplyKey(sessionId, path, call.query ?? call.body)
		return cacheReply(
			key,
			unlessInVain(path, call, () => ask(method, path, schema, call)),
			countRows,
			{ isFresh: call.hardRefresh === true },
		)
	}

	function unlessInVain<Answer>(path: string, call: BrokerCall, ask: () => Promise<Answer>) {
		return () => visit.question([path, call.query ?? call.body, call.hardRefresh], ask)
	}

	function shared<Answer>(path: string, call: BrokerCall, ask: () => Promise<Answer>): Promise<Answer> {
		const question = unlessInVain(path, call, ask)
		return call.hardRefresh ? question() : sharing.question([path, call.query ?? call.body], question)
	}

	return {
		clientCode,
		get: <Data extends z.ZodType>(path: string, schema: Data, call: BrokerCall = {}) =>
			shared(path, call, () => ask('GET', path, schema, call)),

		post<Data extends z.ZodType>(path: string, schema: Data, call?: BrokerCall) {
			const send = () => ask('POST', path, schema, { body: {}, ...call })
			// The form is a stream, so two equal forms cannot be recognised.
			if (!call?.idempotencyKey || call.form) return sharing.change(send())
			return sharing.sameChange([path, call.idempotencyKey, call.query, call.body], send)
		},

		/** A POST that only reads. */
		postToRead: <Data extends z.ZodType>(path: string, schema: Data, call?: BrokerCall) =>
			shared(path, { body: {}, ...call }, () => ask('POST', path, schema, { body: {}, ...call })),

		/** A POST whose reply has fields beside `data`: the schema describes the whole reply. */
		postWhole: <Whole extends z.ZodType>(path: string, schema: Whole, call?: BrokerCall) =>
			sharing.change(askWhole('POST', path, schema, { body: {}, ...call })),

		/** The same for a POST that only reads. */
		postWholeToRead: <Whole extends z.ZodType>(path: string, schema: Whole, call?: BrokerCall) =>
			shared(path, { body: {}, ...call }, () => askWhole('POST', path, schema, { body: {}, ...call })),

		/** A PUT without a body, whose reply is its message: the schema describes the whole reply. */
		putWhole: <Whole extends z.ZodType>(path: string, schema: Whole, call: BrokerCall) =>
			sharing.change(askWhole('PUT', path, schema, call)),

		/**
		 * A GET with a side effect (sends a code, opens an e-sign): never repeated automatically. The schema describes the whole reply.
		 */
		getOnceWhole: <Whole extends z.ZodType>(path: string, schema: Whole, call: BrokerCall) =>
			sharing.sameChange([path, call.query], () => askWhole('GET', path, schema, { ...call, isOnce: true })),

		/**
		 * A GET whose reply is cached for a minute for this session; its rows count against the cache's limit. `hardRefresh` skips the
		 * cache and replaces the entry.
		 */
		getKept: <Data extends z.ZodType>(path: string, schema: Data, call: BrokerCall, countRows: (data: z.output<Data>) => number) =>
			askKept('GET', path, schema, call, countRows),

		/** The same for a POST that only reads: many reports of the broker are such. */
		postKept: <Data extends z.ZodType>(path: string, schema: Data, call: BrokerCall, countRows: (data: z.output<Data>) => number) =>
			askKept('POST', path, schema, call, countRows),

		/**
		 * A file as a stream. Pass its body to the browser and never hold it. Throws when the file is of another kind. The call ends with
		 * the visit, unless it changes something. The number of files at once is limited per session (startTransfer).
		 */
		async download(method: 'GET' | 'POST', path: string, accept: FileType, call: BrokerCall = {}): Promise<ReadableStream<Uint8Array>> {
			const end = startTransfer(sessionId ?? requestId)
			const abort = new AbortController()
			const leave = () => {
				abort.abort()
				end()
			}
			// A visit may ask for many files (a year pack does), so remove the listeners of those that have ended.
			const done = () => {
				leaving?.removeEventListener('abort', leave)
				end()
			}
			if (leaving?.aborted) leave()
			leaving?.addEventListener('abort', leave, { once: true })
			return openFile(method, path, accept, call, abort).then(
				(file) => watchEnd(file, done),
				(error: unknown) => {
					done()
					throw error
				},
			)
		},
	}
}

type Transport = Omit<RequestInit, 'method' | 'headers' | 'body' | 'signal'> & { signal: AbortSignal; dispatcher: Agent }

/** One exchange with the broker, through the adapter if there is one. A repeat starts from the portal's original call. */
function exchange({ adapter }: BrokerConfig, call: AdapterCall, transport: Transport): Promise<Response> {
	const send = ({ url, method, headers, body }: AdapterCall) => fetch(url, { ...transport, method, headers, body } as RequestInit)
	if (!adapter) return send(call)
	return runAdapter(adapter, { ...call, url: new URL(call.url), headers: new Headers(call.headers) }, send, transport.signal)
}

const Answer = z.object({ status: z.string().regex(/^(success|ok)$/i), data: z.unknown() })
const Refused = z.object({ status: z.string().regex(/^(error|fail|failed|failure)$/i), message: z.string() })
/** A reply with status 200 whose envelope says it is a refusal. Any other word (`pending`) leaves the outcome unknown. */
const isRefusal = (json: unknown) => Refused.safeParse(json).success

const NOT_AVAILABLE = 'The broker’s system is not available right now.'
const NOT_COMPLETED = 'The broker’s system could not complete this request.'
const TOO_MANY: ErrorEnvelope = { status: 'error', message: 'There were too many requests. Wait a minute, then try again.' }
const LEFT = 'The browser left before the file came.'
const NOT_ALL_READ = 'Not all of an answer could be read'
const GARBLED = 'The broker’s system sent something we did not understand.'

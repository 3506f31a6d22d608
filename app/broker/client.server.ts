import { z } from 'zod/v4'
import { Agent } from 'undici'
import { cleansed } from '~/lib/cleansed'
import { type FileType, MAGIC, readJson, startOf, withClock } from './bodies.server'
import { envelope, ErrorEnvelope } from './contract/common'
import { encodeForm, type Form } from './form-body.server'
import { keep, keyOf } from './replies.server'
import { shareCalls } from './sharing.server'

export { type FileType } from './bodies.server'
export { forgetReports } from './replies.server'

/**
 * The broker understood the request and refused it: a wrong code, a bid out of range. The message is written for the
 * client, so show it beside the form that caused it. Branch on `status`, never on the words.
 */
export class BrokerRefusal extends Error {
	override name = 'BrokerRefusal'
	constructor(
		readonly status: number,
		readonly envelope: ErrorEnvelope,
		/** A refusal may come with status 200; it is a 422 all the same. */
		readonly answered = status,
	) {
		super(envelope.message)
	}
}

/** Who answers. Each service may have an address of its own. */
export type Service = 'broker' | 'ekyc' | 'edis' | 'ipo' | 'payment'
type Query = Record<string, string | undefined>

type Call = {
	service?: Service
	query?: Query
	/** Sent as JSON. */
	body?: unknown
	/** Sent as multipart/form-data in place of a body, while it is being read. What stops it being read is thrown as it is. */
	form?: Form
	/** Asks the broker to compute afresh instead of answering from its cache. */
	hardRefresh?: boolean
	/** The key under which the broker does a thing once, however often it is asked. */
	idempotencyKey?: string
	/** Stands for a session where a forgotten password is set anew. */
	pwdResetToken?: string
	/** A GET that does something: it is never sent again by itself. */
	isOnce?: boolean
}

/** What is the same for every visitor: where the broker is, how long to wait, where to tell what failed. */
export type Wire = {
	baseUrls: Record<Service, string>
	/** To the first byte, and between the chunks of a JSON answer. 0 waits for ever. */
	timeoutMs: number
	tell: (level: 'info' | 'error', event: Record<string, unknown>, message: string) => void
}

type Connection = {
	/** Under which replies with many rows are kept; left out before login. */
	sessionId?: string
	/** The client's token; left out for calls before login. */
	token?: string
	clientCode?: string
	/** The id of the visitor's request, which an error shows as its reference and the log carries. */
	requestId: string
	/** What a 401 becomes: the way to the login page. */
	onExpired: (message: string | undefined) => Promise<Response>
}

/** For lists, where 404 is the broker's way of saying that there is nothing: `.catch(orNone([]))`. */
export function orNone<None>(none: None) {
	return (error: unknown): None => {
		if (error instanceof Response && error.status === 404) return none
		throw error
	}
}

export type Broker = ReturnType<typeof connectBroker>

/** The client's own clock below decides; undici's five minutes must not cut a slow file. */
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: 128, connect: { timeout: 10_000 } })

/** So many 503 in a row, with no other answer between them, and the broker is under maintenance rather than hiccuping. */
const MAINTENANCE_AFTER = 8
let unavailableInARow = 0

/**
 * The only code that speaks HTTP to the broker. Each call ends in one of three ways:
 *   a value the contract vouches for;
 *   a thrown BrokerRefusal, for the form to show;
 *   a thrown Response: 404 (no data), 502/503/504 (logged once, here), or the way to login after a 401.
 */
export function connectBroker(wire: Wire, { token, clientCode = '', sessionId, requestId, onExpired }: Connection) {
	const sharing = shareCalls(sessionId, clientCode)

	/** Headers and body of one call. The client's own headers never go through. */
	function requestOf(method: string, path: string, call: Call, accept: string) {
		const url = new URL(path, wire.baseUrls[call.service ?? 'broker'])
		if (token) url.searchParams.set('source', 'connect')
		for (const [name, value] of Object.entries(call.query ?? {})) if (value !== undefined) url.searchParams.set(name, value)

		const headers = new Headers({ accept, 'x-request-id': requestId })
		if (token) headers.set(path.startsWith('/edis/') || path.startsWith('/ipo/') ? 'authToken' : 'auth-token', token)
		if (clientCode) headers.set('client-code', clientCode)
		if (call.body !== undefined && !call.form) headers.set('content-type', 'application/json')
		if (call.hardRefresh) headers.set('hard-refresh', 'true')
		if (call.idempotencyKey) headers.set('idempotency-key', call.idempotencyKey)
		if (call.pwdResetToken) headers.set('pwd-reset-token', call.pwdResetToken)
		const form = call.form && encodeForm(call.form)
		if (form) headers.set('content-type', form.contentType)
		const json = call.body === undefined ? undefined : JSON.stringify(call.body)
		const init: RequestInit = { method, headers, ...(form ? { body: form.body, duplex: 'half' as const } : { body: json }) }
		return { url, init, form }
	}

	function failure(status: 404 | 502 | 503 | 504, message: string, detail: Record<string, unknown>): Response {
		if (status === 404) wire.tell('info', { event: 'broker_no_data', reference: requestId, ...detail }, 'No Data Found!')
		else wire.tell('error', { event: 'broker_failed', reference: requestId, status, ...detail }, message)
		const isMaintenance = status === 503 && unavailableInARow >= MAINTENANCE_AFTER
		return Response.json(
			{ message, reference: requestId, isMaintenance },
			{ status, headers: isMaintenance ? { 'retry-after': '300' } : {} },
		)
	}

	/** Sends, waits for the first byte, and sorts out everything that is not success. */
	async function send(method: string, path: string, call: Call, accept: string): Promise<{ response: Response; abort: AbortController }> {
		const { url, init, form } = requestOf(method, path, call, accept)
		const abort = new AbortController()
		const at = { method, path }
		const ask = () =>
			withClock(wire.timeoutMs, abort, (restart) => {
				form?.onPart(restart)
				return fetch(url, { ...init, redirect: 'manual', signal: abort.signal, dispatcher } as RequestInit)
			})

		const response = await ask()
			.catch(async (error: unknown) => {
				// A kept-alive connection that the broker closed meanwhile looks like a failure. Asking once more is safe for a GET alone.
				if (method !== 'GET' || call.isOnce || abort.signal.aborted) throw error
				await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 100))
				return ask()
			})
			.catch((error: unknown) => {
				const problem = form?.problem()
				if (problem) throw problem
				if (abort.signal.aborted) throw failure(504, 'The broker took too long to answer.', at)
				throw failure(503, 'We could not reach the broker’s system.', { ...at, error: describe(error) })
			})
			.finally(() => form?.close())
		unavailableInARow = response.status === 503 ? unavailableInARow + 1 : 0
		if (response.ok) return { response, abort }
		// A broker may have answered the part of a form that it got, before what stopped the rest.
		const problem = form?.problem()
		if (problem) throw problem
		throw await refusalOf(response, abort, at)
	}

	async function refusalOf(response: Response, abort: AbortController, at: { method: string; path: string }): Promise<unknown> {
		const said = ErrorEnvelope.safeParse(await readJson(response, abort, wire.timeoutMs).catch(() => undefined))
		const message = said.success ? said.data.message : undefined
		const { status } = response
		if (status === 401)
			return token
				? await onExpired(message)
				: said.success
					? new BrokerRefusal(401, said.data)
					: failure(502, GARBLED, { ...at, answered: 401 })
		if (status === 404) return failure(404, message ?? 'No Data Found!', at)
		if (status < 500 && said.success) return new BrokerRefusal(status, said.data)
		if (status === 503) return failure(503, message ?? 'The broker’s system is not available right now.', { ...at, answered: status })
		return failure(502, 'The broker’s system could not complete this request.', {
			...at,
			answered: status,
			said: message && cleansed(message),
		})
	}

	async function read<Data extends z.ZodType>(
		schema: Data,
		{ response, abort }: { response: Response; abort: AbortController },
		path: string,
		isWhole = false,
	): Promise<z.output<Data>> {
		const json = await readJson(response, abort, wire.timeoutMs).catch((error: unknown) => {
			throw failure(abort.signal.aborted ? 504 : 502, GARBLED, { path, error: describe(error) })
		})
		const wrapped = Answer.safeParse(json)
		const parsed = schema.safeParse(isWhole ? json : wrapped.data?.data)
		if (wrapped.success && parsed.success) return parsed.data
		const refused = ErrorEnvelope.safeParse(json)
		if (refused.success) throw new BrokerRefusal(422, refused.data, response.status)
		// Where it does not fit, never what was there: values are the client's own.
		throw failure(502, GARBLED, {
			path,
			mismatch: (wrapped.error ?? parsed.error)?.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.code}`),
		})
	}

	async function ask<Data extends z.ZodType>(method: string, path: string, schema: Data, call: Call = {}) {
		return read(schema, await send(method, path, call, 'application/json'), path)
	}

	async function askWhole<Whole extends z.ZodType>(method: string, path: string, schema: Whole, call: Call): Promise<z.output<Whole>> {
		return read(schema, await send(method, path, call, 'application/json'), path, true)
	}

	function askKept<Data extends z.ZodType>(
		method: string,
		path: string,
		schema: Data,
		call: Call,
		countRows: (data: z.output<Data>) => number,
	): Promise<z.output<Data>> {
		const key = keyOf(sessionId, path, call.query ?? call.body)
		return keep(key, () => ask(method, path, schema, call), countRows, { isFresh: call.hardRefresh === true })
	}

	function shared<Answer>(path: string, call: Call, ask: () => Promise<Answer>): Promise<Answer> {
		return call.hardRefresh ? ask() : sharing.question([path, call.query ?? call.body], ask)
	}

	return {
		clientCode,
		get: <Data extends z.ZodType>(path: string, schema: Data, call: Call = {}) => shared(path, call, () => ask('GET', path, schema, call)),

		post<Data extends z.ZodType>(path: string, schema: Data, call?: Call) {
			const send = () => ask('POST', path, schema, { body: {}, ...call })
			// A form is read as it comes, so two of them cannot be told to be the same.
			if (!call?.idempotencyKey || call.form) return sharing.change(send())
			return sharing.sameChange([path, call.idempotencyKey, call.query, call.body], send)
		},

		/** A POST that only asks. */
		postToRead: <Data extends z.ZodType>(path: string, schema: Data, call?: Call) =>
			shared(path, { body: {}, ...call }, () => ask('POST', path, schema, { body: {}, ...call })),

		/** A POST whose answer says more than its `data`: the schema is of the whole of it. */
		postWhole: <Whole extends z.ZodType>(path: string, schema: Whole, call?: Call) =>
			sharing.change(askWhole('POST', path, schema, { body: {}, ...call })),

		/** The same of a POST that only asks. */
		postWholeToRead: <Whole extends z.ZodType>(path: string, schema: Whole, call?: Call) =>
			shared(path, { body: {}, ...call }, () => askWhole('POST', path, schema, { body: {}, ...call })),

		/** A PUT without a body, whose answer is its message: the schema is of the whole of it. */
		putWhole: <Whole extends z.ZodType>(path: string, schema: Whole, call: Call) => sharing.change(askWhole('PUT', path, schema, call)),

		/** A GET with which the broker does something (sends a code, opens an e-sign): never sent again by itself; the schema is of the whole answer. */
		getOnceWhole: <Whole extends z.ZodType>(path: string, schema: Whole, call: Call) =>
			sharing.sameChange([path, call.query], () => askWhole('GET', path, schema, { ...call, isOnce: true })),

		/** A GET whose reply is kept for a minute for this session, weighed by its rows. `hardRefresh` goes past it and replaces it. */
		getKept: <Data extends z.ZodType>(path: string, schema: Data, call: Call, countRows: (data: z.output<Data>) => number) =>
			askKept('GET', path, schema, call, countRows),

		/** The same of a POST that only asks: many of the broker's reports are. */
		postKept: <Data extends z.ZodType>(path: string, schema: Data, call: Call, countRows: (data: z.output<Data>) => number) =>
			askKept('POST', path, schema, call, countRows),

		/** A file, still streaming. Hand its body to the browser and never hold it; what is no file of the kind asked for is thrown. */
		async download(method: 'GET' | 'POST', path: string, accept: FileType, call: Call = {}): Promise<ReadableStream<Uint8Array>> {
			const { response, abort } = await send(method, path, call, accept)
			const type = response.headers.get('content-type') ?? ''
			const isJson = type.includes('json')
			const refused = isJson ? ErrorEnvelope.safeParse(await readJson(response, abort, wire.timeoutMs).catch(() => undefined)) : undefined
			if (refused?.success) throw new BrokerRefusal(422, refused.data)
			const file = !isJson && response.body && (await startOf(response.body, MAGIC[accept], abort, wire.timeoutMs))
			if (file) return file
			if (abort.signal.aborted) throw failure(504, 'The broker took too long to answer.', { method, path })
			abort.abort()
			throw failure(502, 'The broker’s system did not send the file.', { path, type: cleansed(type) })
		},
	}
}

const Answer = envelope(z.unknown())
const GARBLED = 'The broker’s system sent something we did not understand.'

function describe(error: unknown): string {
	if (!(error instanceof Error)) return 'unknown'
	const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
	return cleansed(`${error.name}: ${error.message}${cause}`)
}

import { z } from 'zod/v4'
import { ErrorEnvelope } from '#contract/common'
import { redact } from '~/lib/redact'
import { type Outcome } from '~/lib/telemetry'
import { SIDE_CALL_MS, withTimeout } from '~/lib/with-timeout'
import { isAbsence } from './optional.server'

/* The ways in which a call to the broker can fail. */

/**
 * The broker understood the request and refused it: a wrong code, a bid out of range. The message is written for the client, so show it
 * beside the form. Branch on `status`, never on the words.
 */
export class BrokerRefusal extends Error {
	override name = 'BrokerRefusal'
	constructor(
		readonly status: number,
		readonly envelope: ErrorEnvelope,
		/** The HTTP status of the reply. A reply with status 200 can be a refusal; its `status` is then 422. */
		readonly answered = status,
	) {
		super(envelope.message)
	}
}

/** The JSON of a thrown failure (404, 499, 502, 503, 504). */
const Failure = z.object({
	/** For the client: the broker's message if it sent one, else ours. Text of at most 300 characters, never HTML. */
	message: z.string(),
	/** The reference for support; the log has the same one. */
	reference: z.string().optional(),
	/** When the call failed: `11:00 on 20/11/2026`, in India. */
	at: z.string().optional(),
	/** The broker answers 503 to everything: show the maintenance page. */
	isMaintenance: z.boolean().optional(),
	/** The status of the broker's reply, also of one that broke off or was not JSON; missing when no reply came in time. */
	answered: z.number().optional(),
	/** The message is from the broker, or from a gateway in front of it. */
	isSaid: z.boolean().optional(),
	/**
	 * True when the broker itself handled the request, failed, and said why: 404 or 500 with a message. False for 502, 503 and 504 (a
	 * gateway answered, and the broker may have done the work), for a reply without a readable message, and for no reply. After a post that
	 * moves money: true means that the message is final; false means that the work may have been done.
	 */
	isAnswer: z.boolean().optional(),
	/** The broker was not reached, so it got nothing of the call. */
	isUnsent: z.boolean().optional(),
})
export type Failure = z.output<typeof Failure> & { status: number }

/** The content of a thrown failure; undefined for any other thrown value (a redirect, a refusal, an error of the portal). */
export async function readFailure(error: unknown): Promise<Failure | undefined> {
	if (!(error instanceof Response) || error.status < 404) return undefined
	const said: unknown = await error
		.clone()
		.json()
		.catch(() => undefined)
	const failure = Failure.safeParse(said).data
	return failure && { ...failure, status: error.status }
}

/** The outcome of a call that threw `error`. A redirect means that the call got a 401. */
export function judgeOutcome(error: unknown): Outcome {
	if (error instanceof BrokerRefusal) return 'refused'
	if (!(error instanceof Response)) return 'failed'
	if (error.status === 404) return 'not_found'
	if (error.status === 499) return 'left'
	if (error.status === 504) return 'timeout'
	return error.status < 400 ? 'unauthorized' : 'failed'
}

/** For lists, where the broker answers 404 when there is nothing: `.catch(orNone([]))`. */
export function orNone<None>(none: None) {
	return (error: unknown): None => {
		if (error instanceof Response && error.status === 404) return none
		throw error
	}
}

/** The same for a page that shows an empty list in another way than an operation that the broker lacks: an absence is rethrown. */
export function orNoneOffered<None>(none: None) {
	return (error: unknown): None => {
		if (isAbsence(error)) throw error
		return orNone(none)(error)
	}
}

/** `.catch(whenAbsent(value))`: the value when the broker lacks the operation. Every other failure is rethrown. */
export function whenAbsent<Value>(value: Value) {
	return (error: unknown): Value => {
		if (isAbsence(error)) return value
		throw error
	}
}

/**
 * For what only adds to a page: undefined when the broker refuses, fails or does not answer within three seconds. The redirect after a 401
 * and an error of the portal are rethrown.
 */
export async function askBriefly<Value>(asked: Promise<Value>): Promise<Value | undefined> {
	return withTimeout(asked, SIDE_CALL_MS).catch((error: unknown) => {
		if (error instanceof BrokerRefusal || (error instanceof Response && error.status >= 404)) return undefined
		throw error
	})
}

const MAX_MESSAGE = 300
const PAGE = /<(!doctype|\?xml|html|head|body|title|h1|center)\b/i
/** The start of a stack trace after a program's message. */
const STACK = /\n\s*at\s|\n\s*File "|\nTraceback/

/**
 * A message of the broker as text for a person: one line of at most 300 characters, without control characters and without characters
 * that reverse the text direction. Undefined when there is no message, or when it is an HTML page. `token`, the session's key at
 * the broker, is left out.
 */
export function readMessage(said: unknown, token?: string): string | undefined {
	if (typeof said !== 'string' || PAGE.test(said.slice(0, 2000))) return undefined
	// A shorter text is no key, and could be a part of a word.
	const shown = token && token.length >= 8 ? said.replaceAll(token, '[…]') : said
	const [words = ''] = shown.slice(0, 10_000).split(STACK)
	const line = words.replace(/[\s\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]+/gu, ' ').trim()
	if (line.length <= MAX_MESSAGE) return line || undefined
	// Do not cut a character of two code units in half.
	return `${line.slice(0, MAX_MESSAGE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/**
 * The error in a reply, undefined when it has no readable message. Brokers and gateways write errors in many forms, so only the message
 * is required.
 */
export function readError(json: unknown, token?: string): ErrorEnvelope | undefined {
	if (typeof json !== 'object' || json === null || !('message' in json)) return undefined
	const message = readMessage(json.message, token)
	if (!message) return undefined
	const data = ErrorEnvelope.shape.data.parse('data' in json ? json.data : null)
	const fields = data?.fields?.flatMap(({ name, message: words }) => {
		const shown = readMessage(words, token)
		return shown ? [{ name, message: shown }] : []
	})
	return { status: 'error', message, data: fields ? { ...data, fields } : data }
}

/** A library's error as text for a log. */
export function describeError(error: unknown): string {
	if (!(error instanceof Error)) return 'unknown'
	const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
	return redact(`${error.name}: ${error.message}${cause}`)
}

const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Whether a call failed before it had a connection. A fetch, which an adapter uses, has the reason as its cause. */
export function isUnsent(error: unknown): boolean {
	const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
	return NOT_CONNECTED.has(String(code ?? cause?.code))
}

/** Whether a fetch failed because the broker answered with a redirect, which a streamed upload must not follow. */
export const isRedirect = (error: unknown) =>
	error instanceof Error && error.cause instanceof Error && error.cause.message === 'unexpected redirect'

/** Messages for the client when the broker sent none. */
export const NOT_COMPLETED = 'The broker’s system could not complete this request.'
export const GARBLED = 'The broker’s system sent an unexpected response.'
/** A reply began and did not end in time. */
export const TOOK_TOO_LONG = 'The broker’s answer took too long.'
/** The message of a 404 when the broker sent none. */
export const NO_DATA = 'No Data Found!'
export const LEFT = 'The browser left before the file came.'

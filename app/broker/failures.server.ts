import { z } from 'zod/v4'
import { ErrorEnvelope } from '#contract/common'
import { redact } from '~/lib/redact'
import { type Outcome } from '~/lib/telemetry'

/* The ways in which a call to the broker ends without what was asked for. */

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

/** The JSON of a thrown failure (404, 499, 502, 503, 504). */
const Failure = z.object({
	/** For the client: the broker's own words where it gave any, else ours. Text of at most 300 characters, never HTML. */
	message: z.string(),
	/** What to tell support; the log has the same. */
	reference: z.string().optional(),
	/** Eight 503 in a row: show the maintenance page. */
	isMaintenance: z.boolean().optional(),
	/** The status of the broker's answer, also of one that broke off or was no JSON; none when no answer came: nobody there, or too late. */
	answered: z.number().optional(),
	/** The message is in the words of the broker, or of what stands before it. */
	isSaid: z.boolean().optional(),
	/**
	 * The broker itself dealt with the request, failed, and said why: 404 or 500 with its message. False for 502, 503, 504 (a gateway
	 * speaks, and what is behind it may have done the work), for an answer without a message or that cannot be read, and when none came.
	 * After a post that moves money: true means that the message is the answer; false means that it may have been done.
	 */
	isAnswer: z.boolean().optional(),
})
export type Failure = z.output<typeof Failure> & { status: number }

/** What a thrown failure says; undefined for everything else that may be thrown (a redirect, a refusal, a fault of ours). */
export async function readFailure(error: unknown): Promise<Failure | undefined> {
	if (!(error instanceof Response) || error.status < 404) return undefined
	const said: unknown = await error
		.clone()
		.json()
		.catch(() => undefined)
	const failure = Failure.safeParse(said).data
	return failure && { ...failure, status: error.status }
}

/** How a call ended, by what it threw. A redirect is the way to the login page after a 401. */
export function judgeOutcome(error: unknown): Outcome {
	if (error instanceof BrokerRefusal) return 'refused'
	if (!(error instanceof Response)) return 'failed'
	if (error.status === 404) return 'not_found'
	if (error.status === 499) return 'left'
	if (error.status === 504) return 'timeout'
	return error.status < 400 ? 'unauthorized' : 'failed'
}

/** For lists, where 404 is the broker's way of saying that there is nothing: `.catch(orNone([]))`. */
export function orNone<None>(none: None) {
	return (error: unknown): None => {
		if (error instanceof Response && error.status === 404) return none
		throw error
	}
}

const MAX_MESSAGE = 300
const PAGE = /<(!doctype|\?xml|html|head|body|title|h1|center)\b/i
/** Where a message of a program goes on with its stack. */
const STACK = /\n\s*at\s|\n\s*File "|\nTraceback/

/**
 * A message of the broker as text for a person: one line of at most 300 characters, without control characters and without those that turn
 * the direction of what follows. Undefined when there is none, or a page in its place.
 */
export function readMessage(said: unknown): string | undefined {
	if (typeof said !== 'string' || PAGE.test(said.slice(0, 2000))) return undefined
	const [words = ''] = said.slice(0, 10_000).split(STACK)
	const line = words.replace(/[\s\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]+/gu, ' ').trim()
	if (line.length <= MAX_MESSAGE) return line || undefined
	// No half of a character that takes two.
	return `${line.slice(0, MAX_MESSAGE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** What an error says. Brokers and what stands before them write it in many ways: a message is enough. */
export function readError(json: unknown): ErrorEnvelope | undefined {
	if (typeof json !== 'object' || json === null || !('message' in json)) return undefined
	const message = readMessage(json.message)
	if (!message) return undefined
	return { status: 'error', message, data: ErrorEnvelope.shape.data.parse('data' in json ? json.data : null) }
}

/** What went wrong in a library, fit for a log. */
export function describeError(error: unknown): string {
	if (!(error instanceof Error)) return 'unknown'
	const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
	return redact(`${error.name}: ${error.message}${cause}`)
}

/** Whether a fetch failed because the broker answered with a redirect, where it may follow none. */
export const isRedirect = (error: unknown) =>
	error instanceof Error && error.cause instanceof Error && error.cause.message === 'unexpected redirect'

import { z } from 'zod/v4'
import { unreadIn } from '#contract/tolerant'
import { redact } from '~/lib/redact'
import { TIMED_OUT } from '~/lib/with-timeout'
import { type At } from './absences.server'
import { checkFileStart, readJson } from './bodies.server'
import { BrokerRefusal, GARBLED, LEFT, TOOK_TOO_LONG, describeError, readError } from './failures.server'
import { FILE_KINDS, type FileKind } from './file-kinds.server'
import { startReply } from './long-replies.server'
import { type BrokerConfig, type Connection } from './requests.server'
import { type Sender, type Sent } from './send.server'

/* Reads replies with a success status. Such a reply may still be a refusal, or unreadable. */

/** The field and what is wrong with it, for a log: never its value, which belongs to the client. */
const describeIssue = ({ path, message }: z.core.$ZodIssue) => `${path.join('.') || 'the reply'}: ${message}`

/** Reads the replies to one visit's calls. Throws every refusal and failure, as createSender does. */
export function createReader(
	{ timeoutMs, tell }: BrokerConfig,
	{ requestId, leaving, token }: Connection,
	{ failure }: Pick<Sender, 'failure'>,
) {
	return {
		/**
		 * The value of a JSON reply: its `data`, or all of it when `isWhole`. Awaits `enter` when the reply turns out to be long
		 * (runInQueue).
		 */
		async readValue<Data extends z.ZodType>(
			schema: Data,
			{ reply, abort, operation }: Sent,
			{ path }: At,
			enter: () => Promise<void>,
			isWhole: boolean,
		): Promise<z.output<Data>> {
			// A status arrived, so the message must not say that the broker did not answer.
			const at = { path, answered: reply.status }
			const reading = startReply(schema, requestId)
			const json = await readJson(reply, abort, timeoutMs, enter, isWhole ? undefined : reading.readRows).catch((error: unknown) => {
				if (error instanceof SyntaxError) operation?.throwIfPage(reply)
				const isLate = abort.signal.aborted
				abort.abort()
				if (error instanceof BrokerRefusal) throw error
				throw failure(isLate ? 504 : 502, isLate ? TOOK_TOO_LONG : GARBLED, { ...at, error: describeError(error) })
			})
			const wrapped = Answer.safeParse(json)
			// Some services of the broker answer success outside and `failed` inside `data`, with the message there.
			const inner = wrapped.success && isRefusal(wrapped.data.data) ? readError(wrapped.data.data, token) : undefined
			if (inner) throw new BrokerRefusal(422, inner, reply.status)
			const { parsed, unread } = await reading.finish(isWhole ? json : wrapped.data?.data)
			if (wrapped.success && parsed.success) {
				operation?.rememberPresent()
				const lost = unread && listLost(parsed.data)
				if (unread) tell('error', { event: 'broker_rows_unread', reference: requestId, path, ...unread, ...lost }, NOT_ALL_READ)
				return parsed.data
			}
			const refused = isRefusal(json) ? readError(json, token) : undefined
			if (refused) throw new BrokerRefusal(422, refused, reply.status)
			throw failure(502, GARBLED, {
				...at,
				mismatch: (wrapped.error ?? parsed.error)?.issues.slice(0, 3).map(describeIssue),
			})
		},

		/** The file that the broker sends, after a check of its first bytes. */
		async readFile({ reply, abort, operation }: Sent, at: At, kind: FileKind): Promise<ReadableStream<Uint8Array>> {
			const type = String(reply.headers['content-type'] ?? '')
			const isJson = type.includes('json')
			const said: unknown = isJson ? await readJson(reply, abort, timeoutMs).catch(() => undefined) : undefined
			const refused = isRefusal(said) ? readError(said, token) : undefined
			if (refused) throw new BrokerRefusal(422, refused, reply.status)
			// 206: a part of a file, which nobody asked for, would be saved as the whole.
			const file = !isJson && reply.status !== 206 && (await checkFileStart(reply.body, FILE_KINDS[kind].starts, abort, timeoutMs))
			if (file) {
				operation?.rememberPresent()
				return file
			}
			operation?.throwIfPage(reply)
			if (leaving?.aborted) throw failure(499, LEFT, at)
			if (abort.signal.aborted) throw failure(504, TIMED_OUT, at)
			abort.abort()
			throw failure(502, 'The broker’s system did not send the file.', { ...at, type: redact(type) })
		},
	}
}

const Answer = z.object({ status: z.string().regex(/^(success|ok)$/i), data: z.unknown() })
const REFUSED = /^(error|fail|failed|failure)$/i

/**
 * Whether the envelope of a success reply says that it is a refusal. Any other word (`pending`) leaves the outcome unknown. Uses no
 * schema: a schema makes an error object for each reply that is no refusal, which took a thirtieth of the dashboard's time.
 */
function isRefusal(json: unknown): boolean {
	const { status, message } = (json ?? {}) as { status?: unknown; message?: unknown }
	return typeof status === 'string' && REFUSED.test(status) && typeof message === 'string'
}

/** Names the lists of which no row could be read, although the broker sent rows. `data` is the reply itself. */
function listLost(data: unknown): { lost: string[] } | undefined {
	const lists = Array.isArray(data) ? [['data', data] as const] : Object.entries(data ?? {})
	const isLost = (list: unknown) => Array.isArray(list) && list.length === 0 && (unreadIn(list)?.rows ?? 0) > 0
	const lost = lists.filter(([, list]) => isLost(list)).map(([name]) => name)
	return lost.length > 0 ? { lost } : undefined
}

const NOT_ALL_READ = 'Not all of an answer could be read'

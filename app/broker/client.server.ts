import { type z } from 'zod/v4'
import { watchAbsences } from './absences.server'
import { FILE_KINDS, type FileKind } from './file-kinds.server'
import { runInQueue } from './reply-queue.server'
import { createReader } from './reading.server'
import { cacheReply, formatReplyKey } from './replies.server'
import { type BrokerCall, type Connection, JSON_TYPE, type BrokerConfig } from './requests.server'
import { createSender, type Sender } from './send.server'
import { shareCalls } from './sharing.server'
import { openTransfer } from './transfers.server'
import { createVisit } from './visits.server'

export { askBriefly, BrokerRefusal, type Failure, orNone, orNoneOffered, readFailure, whenAbsent } from './failures.server'
export { isAbsence } from './optional.server'
export { forgetReports } from './replies.server'
export { type BrokerConfig } from './requests.server'

export type Broker = ReturnType<typeof connectBroker>

/**
 * Returns the calls to the broker for one visit of one client. Each call ends in one of three ways:
 * a value that matches the contract;
 * a thrown BrokerRefusal, for the form to show;
 * a thrown Response: 404 (no data), 499 (the browser left), 502/503/504, each logged once; or a redirect to login after a 401.
 */
export function connectBroker(config: BrokerConfig, connection: Connection) {
	const { clientCode = '', sessionId, requestId } = connection
	const { findOperation, offers, forgetClient } = watchAbsences(config, connection)
	const sender = createSender(config, connection, findOperation)
	const reader = createReader(config, connection, sender)
	const ask = createAsk(clientCode || requestId, sender, reader)
	const visit = createVisit(requestId)
	const sharing = shareCalls(sessionId, clientCode, visit.forget, forgetClient)
	const { shared, kept } = createQuestions(sessionId, visit, sharing)

	return {
		clientCode,
		/** The id of the visitor's request, which error pages and the log show. */
		reference: requestId,
		offers,
		get: <Data extends z.ZodType>(path: string, schema: Data, call: BrokerCall = {}) =>
			shared(path, call, () => ask('GET', path, schema, call)),

		post<Data extends z.ZodType>(path: string, schema: Data, call?: BrokerCall) {
			const send = () => ask('POST', path, schema, { body: {}, ...call })
			// A form with files is a stream, so two equal ones cannot be recognised. And without a session or a key, two equal posts may
			// be those of two people.
			const isStreamed = call?.form !== undefined && !Array.isArray(call.form)
			if (isStreamed || !(call?.idempotencyKey ?? sessionId)) return sharing.change(send())
			return sharing.sameChange([path, call?.idempotencyKey, call?.query, call?.form ?? call?.body], send)
		},

		/** A POST that only reads. */
		postToRead: <Data extends z.ZodType>(path: string, schema: Data, call?: BrokerCall) =>
			shared(path, { body: {}, ...call }, () => ask('POST', path, schema, { body: {}, ...call })),

		put: <Data extends z.ZodType>(path: string, schema: Data, call: BrokerCall) => sharing.change(ask('PUT', path, schema, call)),

		/** A GET with a side effect (sends a code, opens an e-sign): never repeated automatically. */
		getOnce: <Data extends z.ZodType>(path: string, schema: Data, call: BrokerCall) =>
			sharing.sameChange([path, call.query], () => ask('GET', path, schema, { ...call, isOnce: true })),

		/**
		 * A GET whose reply is cached for a minute for this session; its rows count against the cache's limit. `hardRefresh` skips the
		 * cache and replaces the entry.
		 */
		getKept: <Data extends z.ZodType>(path: string, schema: Data, call: BrokerCall, countRows: (data: z.output<Data>) => number) =>
			kept(path, call, () => ask('GET', path, schema, call), countRows),

		/** The same for a POST that only reads, as many of the broker's reports do. */
		postKept: <Data extends z.ZodType>(path: string, schema: Data, call: BrokerCall, countRows: (data: z.output<Data>) => number) =>
			kept(path, call, () => ask('POST', path, schema, call), countRows),

		/**
		 * Returns a file as a stream. Pass it on to the browser; never keep it in memory. Throws when the file is of another kind. The call
		 * is aborted when the browser leaves, unless the browser sent a POST: a POST is always completed. The number of simultaneous files is
		 * limited per client (openTransfer).
		 */
		download: createDownload(sender, reader, connection, forgetClient),
	}
}

type Reader = ReturnType<typeof createReader>

/** A call whose reply is a value. */
function createAsk(client: string, { send }: Sender, { readValue }: Reader) {
	return async <Data extends z.ZodType>(method: string, path: string, schema: Data, call: BrokerCall = {}) => {
		const at = { method, path }
		return runInQueue(client, async (enter) => readValue(schema, await send(at, call, JSON_TYPE), at, enter, call.isWhole === true))
	}
}

/** Reads that may reuse another call: `shared` joins the same call if it is under way; `kept` uses the cache. */
function createQuestions(sessionId: string | undefined, visit: ReturnType<typeof createVisit>, sharing: ReturnType<typeof shareCalls>) {
	function unlessInVain<Answer>(path: string, call: BrokerCall, ask: () => Promise<Answer>) {
		return () => visit.question([path, call.query ?? call.body, call.hardRefresh], ask)
	}

	function shared<Answer>(path: string, call: BrokerCall, ask: () => Promise<Answer>): Promise<Answer> {
		const question = unlessInVain(path, call, ask)
		return sharing.question([path, call.query ?? call.body, call.hardRefresh], question)
	}

	function kept<Answer>(path: string, call: BrokerCall, ask: () => Promise<Answer>, countRows: (data: Answer) => number): Promise<Answer> {
		const key = formatReplyKey(sessionId, path, call.query ?? call.body)
		return cacheReply(key, () => shared(path, call, ask), countRows, { isFresh: call.hardRefresh === true })
	}

	return { shared, kept }
}

function createDownload({ send }: Sender, { readFile }: Reader, { clientCode, requestId, leaving }: Connection, forgetClient: () => void) {
	return (method: 'GET' | 'POST', path: string, kind: FileKind, call: BrokerCall = {}) =>
		openTransfer(clientCode ?? requestId, leaving, async (abort) => {
			try {
				const at = { method, path }
				return await readFile(await send(at, call, FILE_KINDS[kind].type, abort), at, kind)
			} finally {
				// A call with a form changes the client's data. A call without one only makes a file.
				if (call.form) forgetClient()
			}
		})
}

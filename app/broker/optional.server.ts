import { LRUCache } from 'lru-cache'
import { OPTIONAL_OPERATIONS, type OptionalOperation } from '#contract/operations'

/*
 * A broker may lack any operation of OPTIONAL_OPERATIONS. A call that only reads then ends with an absence: a 404 with a mark. Pages can
 * tell it from "no data", and leave out what the operation would add. The reasons are in
 * docs/decisions/023-what-a-broker-does-not-have.md.
 */

const ABSENT_MS = 10 * 60_000
const PRESENT_MS = 24 * 60 * 60_000
/** Maximum number of absences of single clients, for all clients together. Each takes about 200 bytes. */
const MOST_ABSENCES = 5000

type ClientAbsence = { at: number; isForbidden: boolean; period: symbol }

/** Remembers which optional operations one broker has and which it lacks. `now` returns milliseconds. */
export function createOperationMemory(now: () => number = () => Date.now()) {
	const absent = new Map<string, number>()
	const present = new Map<string, number>()
	const told = new Set<string>()
	/** Absences of single clients, by client and call. */
	const ofClients = new LRUCache<string, ClientAbsence>({ max: MOST_ABSENCES })
	/**
	 * A symbol for the period since each client's last change. An answer to a call from before the change says nothing about the time after
	 * it.
	 */
	const periods = new LRUCache<string, symbol>({ max: MOST_ABSENCES })
	const isSince = (times: ReadonlyMap<string, number>, id: string, ms: number) => now() - (times.get(id) ?? -Infinity) < ms
	return {
		/** True for ten minutes after the broker was found to lack the operation. */
		isAbsent: (id: string) => isSince(absent, id, ABSENT_MS),
		/** True for a day after the operation last answered as the contract says. */
		isPresent: (id: string) => isSince(present, id, PRESENT_MS),
		rememberAbsent: (id: string) => void absent.set(id, now()),
		rememberPresent(id: string) {
			present.set(id, now())
			absent.delete(id)
			told.delete(id)
		},
		/** True the first time, so that an absence is logged once; true again only after the operation has worked in between. */
		isNews: (id: string) => !told.has(id) && told.add(id).size > 0,
		/** The memory of one call of one client. Get it before the call is sent. `asked` are the call's parameters. */
		findClientCall(clientCode: string, id: string, asked: unknown) {
			const key = JSON.stringify([clientCode, id, asked])
			const period = periods.get(clientCode) ?? Symbol()
			periods.set(clientCode, period)
			return {
				/** True for ten minutes after the broker answered this client as if it lacked the operation. */
				isAbsent() {
					const found = ofClients.get(key)
					if (found?.period !== period || now() - found.at >= ABSENT_MS) return false
					return found.isForbidden || !isSince(present, id, PRESENT_MS)
				},
				/** `isForbidden`: other clients may use the operation. */
				rememberAbsent: (isForbidden: boolean) => void ofClients.set(key, { at: now(), isForbidden, period }),
				rememberPresent: () => void ofClients.delete(key),
			}
		},
		/** The client has logged in or changed something, so everything is asked again. */
		forgetClient: (clientCode: string) => void periods.delete(clientCode),
		/** Forgets everything. */
		forget() {
			for (const each of [absent, present, told, ofClients, periods]) each.clear()
		},
	}
}
export type OperationMemory = ReturnType<typeof createOperationMemory>

const operations = new Map(OPTIONAL_OPERATIONS.map((operation) => [`${operation.method} ${operation.path}`, operation]))

/** POSTs that only read. */
const READING_POSTS = new Set(['downloadLedger'])
/** POSTs that may count as absent without harm. Their absence is not remembered. */
const HARMLESS_POSTS = new Set(['requestPasswordReset'])

/** Parameters that name one record. An answer without a message may be about that record, not about the operation. */
const THINGS = ['isin', 'bill', 'ref', 'reference', 'application_no']
/** Operations about the account that the client is adding at the moment. */
const MOMENTARY = new Set(['getPennyDrop'])

/** Whether an absence may be remembered for a client: the call names no record, and the client loses nothing when it is not sent. */
export function isMemorable({ id }: OptionalOperation, query: Record<string, string | undefined> = {}): boolean {
	return !HARMLESS_POSTS.has(id) && !MOMENTARY.has(id) && THINGS.every((name) => query[name] === undefined)
}

/** Whether an HTML page in place of the answer means an absence. Not for HARMLESS_POSTS: the broker may have done the work. */
export const mayBePage = ({ id }: OptionalOperation) => !HARMLESS_POSTS.has(id)

/** The optional operation of a call that changes nothing; undefined for every other call, whose failure the client must see. */
export function findOptionalReading(method: string, path: string): OptionalOperation | undefined {
	const operation = operations.get(`${method} ${path}`)
	return operation && (method === 'GET' || READING_POSTS.has(operation.id) || HARMLESS_POSTS.has(operation.id)) ? operation : undefined
}

/** The standard messages of web servers for a path or a method that they do not have. */
const SERVERS_WORDS =
	/^(http )?([45]\d\d:? )?((the )?(requested )?(page|path|resource|route|url|endpoint|method|operation|request) )?((was |is )?not (found|implemented|allowed|supported)|forbidden|access denied|missing authentication token|no (route|message|static resource).*)[.!]?$/i

const namesPath = (said: string, path: string) => said.includes(path.slice(1))

/** Whether the message is from a web server and about the call itself, not from the broker about the requested record. */
const isServersWord = (said: string, path: string) => namesPath(said, path) || SERVERS_WORDS.test(said)

/**
 * Whether a reply without success means that the broker lacks the operation. `said` is the reply's message. `all`: absent for every
 * client; `client`: the reply may be meant only for this client or this record; undefined: a refusal or failure like any other.
 */
export function judgeAbsence(operation: OptionalOperation, status: number, said: string | undefined): 'all' | 'client' | undefined {
	if (said !== undefined && !isServersWord(said, operation.path)) return undefined
	if (status === 403) return 'client'
	if (HARMLESS_POSTS.has(operation.id)) return [404, 405, 501].includes(status) ? 'client' : undefined
	if (status === 404) return said !== undefined && namesPath(said, operation.path) ? 'all' : 'client'
	return status === 405 || status === 501 ? 'all' : undefined
}

const MARK = 'x-operation'

/** The absence of an operation, to be thrown. `answered` is the status of the broker's reply. */
export function createAbsence(reference: string, answered: number): Response {
	const message = 'Your broker does not offer this here.'
	return Response.json({ message, reference, answered, isSaid: false, isAnswer: true }, { status: 404, headers: { [MARK]: 'absent' } })
}

/** Whether a call ended because the broker lacks its operation. */
export function isAbsence(error: unknown): error is Response {
	return error instanceof Response && error.headers.get(MARK) === 'absent'
}

import { LRUCache } from 'lru-cache'
import { OPTIONAL_OPERATIONS, type OptionalOperation } from '#contract/operations'

/*
 * The broker may lack an operation of OPTIONAL_OPERATIONS. It is then as if there was nothing to show, and the broker is not asked again
 * for a while.
 */

const REMEMBERED_MS = 10 * 60_000

const operations = new Map(OPTIONAL_OPERATIONS.map((operation) => [`${operation.method} ${operation.path}`, operation]))

const createMemory = () => new LRUCache<string, true>({ max: OPTIONAL_OPERATIONS.length, ttl: REMEMBERED_MS })
const KEY = Symbol.for('khata.optional-operations')
const shared = globalThis as { [KEY]?: { absent: LRUCache<string, true>; learnt: LRUCache<string, true> } }
/** Of the process: the built server and the tests that load it have a copy of this module each. */
const { absent, learnt } = (shared[KEY] ??= { absent: createMemory(), learnt: createMemory() })

/** Operations that change nothing, though some are a POST. A refusal of any other is the answer to what the client asked for. */
const isReading = ({ id, method }: OptionalOperation) => method === 'GET' || id === 'downloadLedger'

export function findOptional(method: string, path: string): OptionalOperation | undefined {
	return operations.get(`${method} ${path}`)
}

/** False while the broker is known to lack the operation of this name. */
export function isOffered(id: string): boolean {
	return !absent.has(id)
}

/** What servers answer for a path that they do not have. Any other 404 with a message may mean that this client has none. */
const NO_SUCH_CALL =
	/^(no such (call|route|endpoint|operation)|cannot (get|post)|no (route|handler|mapping|endpoint)|((page|path|resource|route|url) )?not found\.?$)/i

/**
 * Whether such an answer means that the broker lacks the operation: 405, 501, 404 without a message that says more, and 403 for what only
 * reads. `said` is the message of the answer.
 */
export function judgeAbsence(operation: OptionalOperation, status: number, said: string | undefined): boolean {
	if (status === 404) return said === undefined || NO_SUCH_CALL.test(said)
	return status === 405 || status === 501 || (status === 403 && isReading(operation))
}

/** True the first time. */
export function rememberAbsent({ id }: OptionalOperation): boolean {
	if (absent.has(id)) return false
	absent.set(id, true)
	return true
}

/** Asks once in a while whether the broker has the operation, before a page leads to what it shows. What is answered does not matter. */
export async function learnOffered(id: string, ask: () => Promise<unknown>): Promise<void> {
	if (learnt.has(id) || absent.has(id)) return
	learnt.set(id, true)
	await ask().catch(() => {})
}

/** The broker is asked again. */
export function forgetAbsent(): void {
	absent.clear()
	learnt.clear()
}

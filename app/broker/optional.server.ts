import { OPTIONAL_OPERATIONS, type OptionalOperation } from '#contract/operations'

/*
 * A broker may lack each operation of OPTIONAL_OPERATIONS. Calls that only read then end as an absence: a 404 which pages tell from "nothing
 * there", so that they leave out what the operation would add. Why so: docs/decisions/023-what-a-broker-does-not-have.md.
 */

const ABSENT_MS = 10 * 60_000
const PRESENT_MS = 24 * 60 * 60_000

/** What is known of one broker's optional operations. `now` is in milliseconds. */
export function createOperationMemory(now: () => number = Date.now) {
	const absent = new Map<string, number>()
	const present = new Map<string, number>()
	const told = new Set<string>()
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
		/** True the first time; again only after the operation was there in between. */
		isNews: (id: string) => !told.has(id) && told.add(id).size > 0,
		/** As if nothing had been asked. */
		forget() {
			for (const each of [absent, present, told]) each.clear()
		},
	}
}
export type OperationMemory = ReturnType<typeof createOperationMemory>

const operations = new Map(OPTIONAL_OPERATIONS.map((operation) => [`${operation.method} ${operation.path}`, operation]))

/** A post that changes nothing. */
const READING_POSTS = new Set(['downloadLedger'])
/** A post of which nothing is lost when it is taken for absent. It makes no memory. */
const HARMLESS_POSTS = new Set(['requestPasswordReset'])

/** Whether a page of HTML in place of the answer means an absence: after a post it may hide what was done. */
export const mayBePage = ({ id }: OptionalOperation) => !HARMLESS_POSTS.has(id)

/** The optional operation of a call that changes nothing; undefined for every other call, whose failure the client must see. */
export function findOptionalReading(method: string, path: string): OptionalOperation | undefined {
	const operation = operations.get(`${method} ${path}`)
	return operation && (method === 'GET' || READING_POSTS.has(operation.id) || HARMLESS_POSTS.has(operation.id)) ? operation : undefined
}

/** What servers say of any path that they do not have, or of any method. */
const SERVERS_WORDS =
	/^(http )?([45]\d\d:? )?((the )?(requested )?(page|path|resource|route|url|endpoint|method|operation|request) )?((was |is )?not (found|implemented|allowed|supported)|forbidden|access denied|missing authentication token|no (route|message|static resource).*)[.!]?$/i

const namesPath = (said: string, path: string) => said.includes(path.slice(1))

/** Whether the words are those of a server about the call itself, not the broker's about what was asked for. */
const isServersWord = (said: string, path: string) => namesPath(said, path) || SERVERS_WORDS.test(said)

/**
 * Whether an answer that is no success means that the broker lacks the operation. `said` is its message. `lasting`: the broker need not be
 * asked again for a while; `once`: it may be meant for this client or this thing alone. Undefined: it is a refusal or failure like any other.
 */
export function judgeAbsence(operation: OptionalOperation, status: number, said: string | undefined): 'lasting' | 'once' | undefined {
	if (said !== undefined && !isServersWord(said, operation.path)) return undefined
	if (status === 403) return 'once'
	if (HARMLESS_POSTS.has(operation.id)) return [404, 405, 501].includes(status) ? 'once' : undefined
	if (status === 404) return said !== undefined && namesPath(said, operation.path) ? 'lasting' : 'once'
	return status === 405 || status === 501 ? 'lasting' : undefined
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

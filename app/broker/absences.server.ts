import {
	createAbsence,
	createOperationMemory,
	findOptionalReading,
	isAbsence,
	isMemorable,
	judgeAbsence,
	mayBePage,
} from './optional.server'
import { type BrokerCall, type BrokerConfig, type Connection } from './requests.server'
import { type Reply } from './wire.server'

/** The method and path of a call. Together they name its operation. */
export type At = { method: string; path: string }

export type FindOperation = ReturnType<typeof watchAbsences>['findOperation']
export type OptionalCall = ReturnType<FindOperation>

/** Uses the memory of a broker's optional operations for the calls of one visit. A call of an absent operation is not sent. */
export function watchAbsences(
	{ operations = createOperationMemory(), tell }: BrokerConfig,
	{ requestId, clientCode }: Pick<Connection, 'requestId' | 'clientCode'>,
) {
	function createReported(id: string, answered: number): Response {
		if (operations.isNews(id))
			tell(
				'info',
				{ event: 'broker_operation_absent', reference: requestId, operation: id, answered },
				'The broker does not have an optional operation',
			)
		return createAbsence(requestId, answered)
	}

	return {
		/** The checks of one call of an optional operation that only reads, to get before it is sent; undefined for any other call. */
		findOperation({ method, path }: At, { query, body, hardRefresh }: BrokerCall) {
			const operation = findOptionalReading(method, path)
			if (!operation) return undefined
			const { id } = operation
			const own = clientCode && isMemorable(operation, query) ? operations.findClientCall(clientCode, id, query ?? body) : undefined
			return {
				throwIfAbsent() {
					// A client who presses Refresh may have data now.
					if (operations.isAbsent(id) || (!hardRefresh && own?.isAbsent())) throw createAbsence(requestId, 404)
				},
				/** Returns an absence when the refusal or failure means that the broker lacks the operation; otherwise undefined. */
				judge(status: number, said: string | undefined): Response | undefined {
					const absence = judgeAbsence(operation, status, said)
					const isForbidden = status === 403
					// A 403 may be for this client only. For an operation that works, any other such answer is a failure.
					if (!absence || (operations.isPresent(id) && !isForbidden)) return undefined
					if (absence === 'all') operations.rememberAbsent(id)
					else own?.rememberAbsent(isForbidden)
					return createReported(id, status)
				},
				/** For a success that could not be read. Throws an absence for an HTML page: some sites send one for every unknown path. */
				throwIfPage({ status, headers }: Reply) {
					if (!mayBePage(operation) || !headers['content-type']?.includes('html') || operations.isPresent(id)) return
					own?.rememberAbsent(false)
					throw createReported(id, status)
				},
				rememberPresent() {
					operations.rememberPresent(id)
					own?.rememberPresent()
				},
			}
		},

		/** Call this after a change by the client, successful or not: the broker is then asked about every operation again. */
		forgetClient() {
			if (clientCode) operations.forgetClient(clientCode)
		},

		/** Whether the broker has the operation, for a page that links to it. Calls `ask` when this is unknown; a failure is not an absence. */
		async offers(id: string, ask: () => Promise<unknown>): Promise<boolean> {
			if (operations.isPresent(id)) return true
			return ask().then(
				() => true,
				(error: unknown) => !isAbsence(error),
			)
		},
	}
}

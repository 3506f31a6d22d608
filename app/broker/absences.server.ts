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

/** A call, by what names its operation. */
export type At = { method: string; path: string }

export type FindOperation = ReturnType<typeof watchAbsences>['findOperation']
export type OptionalCall = ReturnType<FindOperation>

/** Applies what is known of a broker's optional operations to the calls of one visit. */
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
		/** What happens to a call of an optional operation that only reads; undefined for any other call. Ask for it before the call is sent. */
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
				/** The absence that a refusal or failure means; undefined when it means none. */
				judge(status: number, said: string | undefined): Response | undefined {
					const absence = judgeAbsence(operation, status, said)
					const isForbidden = status === 403
					// One client may not be allowed what others use. Any other such answer of an operation that works is a failure.
					if (!absence || (operations.isPresent(id) && !isForbidden)) return undefined
					if (absence === 'all') operations.rememberAbsent(id)
					else own?.rememberAbsent(isForbidden)
					return createReported(id, status)
				},
				/** For success that could not be read: a broker's site may answer every unknown path with its home page. */
				throwIfPage({ status, headers }: Response) {
					if (!mayBePage(operation) || !headers.get('content-type')?.includes('html') || operations.isPresent(id)) return
					own?.rememberAbsent(false)
					throw createReported(id, status)
				},
				rememberPresent() {
					operations.rememberPresent(id)
					own?.rememberPresent()
				},
			}
		},

		/** After a change of the client, done or not, everything is asked again. */
		forgetClient() {
			if (clientCode) operations.forgetClient(clientCode)
		},

		/** Whether the broker has the operation, before a page leads to it. Asks when that is not known; a failure is not an absence. */
		async offers(id: string, ask: () => Promise<unknown>): Promise<boolean> {
			if (operations.isPresent(id)) return true
			return ask().then(
				() => true,
				(error: unknown) => !isAbsence(error),
			)
		},
	}
}

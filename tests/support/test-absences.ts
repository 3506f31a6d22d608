import { randomUUID } from 'node:crypto'
import { connectBroker } from '~/broker/client.server'
import { createOperationMemory, isAbsence } from '~/broker/optional.server'
import { onExpired, reportCall, testConfig, Thing } from './test-broker'
import { standInForBroker } from './test-wire'

/* A broker whose optional operations are tested. */

export const MINUTE = 60_000
export const MANDATES = '/v1/ours/mandates'
export const NOTE = '/v1/ours/contract-note'
export const bare = (status: number) => new Response('', { status })
export const page = () => new Response('<!doctype html><title>Broker</title>', { headers: { 'content-type': 'text/html' } })

/** The broker's answer to every call, the number of calls, and the time in milliseconds. */
export const fake = { answer: () => bare(500), asked: 0, now: 0 }

/** For `beforeEach`. */
export function resetFake() {
	Object.assign(fake, { answer: () => bare(500), asked: 0, now: 1_000_000 })
	reportCall.mockClear()
	standInForBroker(() => {
		fake.asked += 1
		return fake.answer()
	})
}

/** A connection to the broker with an empty memory of optional operations. */
export function connect() {
	const operations = createOperationMemory(() => fake.now)
	const broker = (clientCode = 'C1') =>
		connectBroker({ ...testConfig, operations }, { token: 't', clientCode, sessionId: clientCode, requestId: randomUUID(), onExpired })
	/** The value, `absent`, or the status of the failure. */
	const get = (path = MANDATES, clientCode = 'C1', call: Parameters<ReturnType<typeof broker>['get']>[2] = {}) =>
		broker(clientCode)
			.get(path, Thing, call)
			.then(
				({ n }) => n,
				(error: unknown) => (isAbsence(error) ? 'absent' : error instanceof Response ? error.status : (error as { status: number }).status),
			)
	return { get, broker, operations }
}

/** The number of absences in the log. */
export const countTold = () => reportCall.mock.calls.filter(([, { event }]) => event === 'broker_operation_absent').length

import { setImmediate } from 'node:timers/promises'
import { Agent, type Dispatcher, getGlobalDispatcher } from 'undici'

/* Stands in for the network between the portal and its broker, where undici sends a call. Also works for the built portal. */

type Answer = (request: Request) => Response | Promise<Response>
type Send = typeof Agent.prototype.dispatch

/** From now on `answer` replies to every call of this process to a broker. Returns the function that ends this. */
export function standInForBroker(answer: Answer): () => void {
	return replaceSend(() => (options, handler) => {
		void reply(options, handler, answer)
		return true
	})
}

/** From now on every call of this process to a broker goes to this port. Returns the function that ends this. */
export function sendCallsTo(port: number): () => void {
	return replaceSend((send) => (options, handler) => send({ ...options, origin: `http://127.0.0.1:${port}` }, handler))
}

const network = Agent.prototype.dispatch

/** Ends everything that stands in. */
export function restoreNetwork(): void {
	Agent.prototype.dispatch = network
}

function replaceSend(replace: (send: Send) => Send): () => void {
	const before = Agent.prototype.dispatch
	Agent.prototype.dispatch = function (this: Agent, ...call) {
		// Node's own fetch uses this agent of undici, and a test's fetch is no call of the portal.
		return this === getGlobalDispatcher() ? before.apply(this, call) : replace(before.bind(this))(...call)
	}
	return () => void (Agent.prototype.dispatch = before)
}

/** Gives the reply to the handler as a connection would: piece by piece, as fast as they are read, until the call is aborted. */
async function reply(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandlers, answer: Answer): Promise<void> {
	const leaving = new AbortController()
	const aborted = new Promise<never>((_, reject) =>
		leaving.signal.addEventListener('abort', () => reject(leaving.signal.reason as Error), { once: true }),
	)
	// A failed call is also aborted, and then nothing waits for this.
	aborted.catch(() => {})
	try {
		handler.onConnect?.((reason) => leaving.abort(reason ?? new DOMException('aborted', 'AbortError')))
		const response = await Promise.race([aborted, answer(createRequest(options, leaving.signal))])
		let resume = () => {}
		handler.onHeaders?.(response.status, listHeaders(response), () => resume(), response.statusText)
		const reader = response.body?.getReader()
		leaving.signal.addEventListener('abort', () => void reader?.cancel().catch(() => {}))
		for (;;) {
			const { done, value } = (await Promise.race([aborted, reader?.read()])) ?? { done: true, value: undefined }
			if (done) break
			const read = new Promise<void>((resolve) => (resume = resolve))
			const isFull = handler.onData?.(Buffer.from(value)) === false
			// A connection brings its next piece, or its end, in another turn.
			await setImmediate()
			if (isFull) await Promise.race([aborted, read])
		}
		handler.onComplete?.([])
	} catch (error) {
		handler.onError?.(error as Error)
	}
}

function createRequest({ origin, path, method, headers, body }: Dispatcher.DispatchOptions, signal: AbortSignal): Request {
	const init = { method, headers: headers as HeadersInit, body: body as BodyInit | undefined, signal, duplex: 'half' as const }
	return new Request(new URL(path, origin?.toString()), init)
}

const listHeaders = ({ headers }: Response) => [...headers].flat().map((part) => Buffer.from(part))

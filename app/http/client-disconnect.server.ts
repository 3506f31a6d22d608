import { readRequestId } from './request-id.server'

/** By request id. An async context would know the request too, but it makes every page dearer (docs/decisions/006). */
const underWay = new Map<string, AbortSignal>()
/** Whether a server listens. */
let isTracked = false

/**
 * From now until the returned function is called, the request with this id has this signal, which aborts when the reply has ended or the
 * browser has gone. The server calls it for every request.
 */
export function trackLeaving(requestId: string, leaving: AbortSignal): () => void {
	isTracked = true
	underWay.set(requestId, leaving)
	return () => void underWay.delete(requestId)
}

/**
 * Aborts when the reply to this request has ended or its browser has gone. `request.signal` does not: Remix copies the request, and the
 * signal of a copy is lost when the copy before it is garbage-collected (nodejs/node#55428). Undefined for a post, which is always
 * completed, and where no server listens.
 */
export function findDisconnectSignal(request: Request): AbortSignal | undefined {
	return request.method === 'GET' || request.method === 'HEAD' ? findLeavingSignal(request) : undefined
}

/**
 * The same for any request, also for a POST. The work of a POST continues: the signal only says that nobody reads the reply. Undefined
 * where no server listens. Already aborted for a request that is over: Remix answers a browser that leaves at once, and its loaders go on.
 */
export function findLeavingSignal(request: Request): AbortSignal | undefined {
	return underWay.get(readRequestId(request)) ?? (isTracked ? AbortSignal.abort('The answer is over') : undefined)
}

import { tryGetContext } from 'hono/context-storage'

/**
 * Aborts when the reply to this request has ended or its browser has gone. `request.signal` does not: Remix copies the request, and the
 * signal of a copy is lost when the copy before it is garbage-collected (nodejs/node#55428). Undefined for a post, which is always
 * completed, and where no server listens.
 */
export function findDisconnectSignal(request: Request): AbortSignal | undefined {
	return request.method === 'GET' || request.method === 'HEAD' ? findLeavingSignal() : undefined
}

/**
 * The same for any request, also for a POST. The work of a POST continues: the signal only says that nobody reads the reply. Undefined
 * where no server listens.
 */
export function findLeavingSignal(): AbortSignal | undefined {
	return tryGetContext<{ Variables: { leaving?: AbortSignal } }>()?.var.leaving
}

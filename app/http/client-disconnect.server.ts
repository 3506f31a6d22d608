import { tryGetContext } from 'hono/context-storage'

/**
 * Aborts as soon as the answer to this request is over or its browser has gone. `request.signal` does not: Remix copies the request, and
 * the signal of a copy is lost when the copy before it is collected (nodejs/node#55428). Undefined for a post, which is done to its end
 * whoever waits for it, and where no server listens.
 */
export function leavingSignal(request: Request): AbortSignal | undefined {
	if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
	return tryGetContext<{ Variables: { leaving?: AbortSignal } }>()?.var.leaving
}

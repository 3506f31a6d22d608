type Sent = { key?: unknown; result?: { initialValue?: Record<string, unknown> | null } }

/**
 * The key for a form that is shown again: the one that its answer names, where there is one; else the one it was sent with, which the
 * answer brings back with what was typed; else the page's own. With a script the page is not loaded again after a post that failed, so
 * its own key may be that of an order that was refused.
 */
export function readIdempotencyKey(sent: object | undefined, own: string): string {
	const { key, result } = (sent ?? {}) as Sent
	const typed = result?.initialValue?.idempotency_key
	return [key, typed].find((each) => typeof each === 'string') ?? own
}

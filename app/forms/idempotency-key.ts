type Sent = { key?: unknown; result?: { initialValue?: Record<string, unknown> | null } }

/**
 * The key for a form that is shown again: the key in its reply; else the key it was sent with, which the reply returns with the typed
 * values; else the page's own. With a script the page is not reloaded after a failed post, so its own key may belong to a refused order.
 */
export function readIdempotencyKey(sent: object | undefined, own: string): string {
	const { key, result } = (sent ?? {}) as Sent
	const typed = result?.initialValue?.idempotency_key
	return [key, typed].find((each) => typeof each === 'string') ?? own
}

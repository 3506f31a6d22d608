/**
 * The result, or the reason of an abort that comes first. For work that ignores the signal, or notices it late; its own result is then
 * dropped.
 */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
	signal.throwIfAborted()
	const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
	return Promise.race([work, aborted])
}

/** Said of a call whose reply did not come in time. */
export const TIMED_OUT = 'The broker took too long to answer.'

/** The result, or a thrown 504 when it has not arrived after that many milliseconds. A later result or failure is dropped. */
export async function withTimeout<Value>(asked: Promise<Value>, ms: number): Promise<Value> {
	let clock: ReturnType<typeof setTimeout> | undefined
	const late = new Promise<never>((_, reject) => {
		clock = setTimeout(() => reject(Response.json({ message: TIMED_OUT }, { status: 504 })), ms)
	})
	return Promise.race([asked, late]).finally(() => clearTimeout(clock))
}

/** Maximum wait for a call that only adds to a page, in milliseconds. The page's own figures wait for BROKER_TIMEOUT_MS. */
export const SIDE_CALL_MS = 3000

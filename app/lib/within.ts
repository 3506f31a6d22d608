/** What is asked for, or a thrown 504 when it has not come after so many milliseconds. What comes later is dropped, and so is its failure. */
export async function within<Value>(asked: Promise<Value>, ms: number): Promise<Value> {
	let clock: ReturnType<typeof setTimeout> | undefined
	const late = new Promise<never>((_, reject) => {
		clock = setTimeout(() => reject(Response.json({ message: 'The broker took too long to answer.' }, { status: 504 })), ms)
	})
	return Promise.race([asked, late]).finally(() => clearTimeout(clock))
}

/** So long a page waits for a call that only adds to it, in milliseconds. Its own figures wait for BROKER_TIMEOUT_MS. */
export const SIDE_CALL_MS = 3000

/* A call under way that is requested again (a reload, a double click, a second tab) is sent once. */

const questions = new Map<string, Promise<unknown>>()
/** Separate from reads: a change stays here until its own reply arrives. */
const changes = new Map<string, Promise<unknown>>()

/**
 * A copy of a failure, to be thrown again, because a response can be read once. A clone would be of Node's class, while hono's server
 * replaces the global `Response`; only a new one is an instance of it.
 */
export async function copyResponse(failure: Response): Promise<Response> {
	const { status, headers } = failure
	return new Response((await failure.clone().text()) || null, { status, headers })
}

/**
 * After a shared read that threw `error`. A broker that took too long is not asked again by each caller: its waits would add up. Every
 * other failure came soon and belongs to the visit of the first caller, so the others ask for themselves.
 */
export async function retryUnlessLate<Answer>(error: unknown, ask: () => Promise<Answer>): Promise<Answer> {
	if (error instanceof Response && error.status === 504) throw await copyResponse(error)
	return ask()
}

/** From now on no caller of this session joins a read under way: a change has been made since it was sent. */
export function forgetQuestions(sessionId: string | undefined): void {
	for (const key of questions.keys()) if (key.startsWith(`${sessionId} `)) questions.delete(key)
}

/**
 * Shares the calls of one session. Nothing is shared between sessions, or without a session. `onChanged` is called after a successful
 * change, `onEnded` after every change.
 */
export function shareCalls(
	sessionId: string | undefined,
	clientCode: string,
	onChanged: () => void = () => {},
	onEnded: () => void = () => {},
) {
	/** A change. Reads sent before it are not shared with callers after it. */
	async function change<Answer>(asked: Promise<Answer>): Promise<Answer> {
		try {
			const answer = await asked
			onChanged()
			return answer
		} finally {
			onEnded()
			forgetQuestions(sessionId)
		}
	}

	return {
		change,

		/** A read: a caller of the same read joins the one under way. */
		async question<Answer>(name: unknown[], ask: () => Promise<Answer>): Promise<Answer> {
			if (!sessionId) return ask()
			const key = `${sessionId} ${JSON.stringify(name)}`
			const asked = questions.get(key) as Promise<Answer> | undefined
			if (asked) return asked.catch((error: unknown) => retryUnlessLate(error, ask))
			const own = ask().finally(() => questions.get(key) === own && questions.delete(key))
			questions.set(key, own)
			return own
		},

		/**
		 * A change with a unique name (its path and content, and its idempotency key if it has one). It is sent once, and all callers at
		 * that time get its reply.
		 */
		async sameChange<Answer>(name: unknown[], send: () => Promise<Answer>): Promise<Answer> {
			const key = JSON.stringify([sessionId, clientCode, ...name])
			const asked = (changes.get(key) ?? change(send()).finally(() => changes.delete(key))) as Promise<Answer>
			changes.set(key, asked)
			return asked.catch(async (error: unknown) => {
				// No caller repeats the change, so all of them get this failure; a response can be read once.
				throw error instanceof Response ? await copyResponse(error) : error
			})
		},
	}
}

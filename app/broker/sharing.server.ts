/* What is on its way to the broker and is asked for again meanwhile, by a reload, a double click or a second tab, is asked for once. */

const questions = new Map<string, Promise<unknown>>()
/** Kept apart from the questions: a change ends with its answer and with nothing else. */
const changes = new Map<string, Promise<unknown>>()

/** A failure to throw once more: a response is read once. A clone is of Node's own class, and hono's server puts another in the place of `Response`: only what is made anew is an instance of it. */
export async function copyResponse(failure: Response): Promise<Response> {
	const { status, headers } = failure
	return new Response((await failure.clone().text()) || null, { status, headers })
}

/** The sharing of one session's calls. Nothing is shared between sessions, and no question without one. `onChanged` is called when a change was done. */
export function shareCalls(sessionId: string | undefined, clientCode: string, onChanged: () => void = () => {}) {
	/** What changes something: nothing that was asked before it is an answer to what is asked after it. */
	async function change<Answer>(asked: Promise<Answer>): Promise<Answer> {
		try {
			const answer = await asked
			onChanged()
			return answer
		} finally {
			for (const key of questions.keys()) if (key.startsWith(`${sessionId} `)) questions.delete(key)
		}
	}

	return {
		change,

		/** A question: whoever asks the same meanwhile waits for the same answer. */
		async question<Answer>(name: unknown[], ask: () => Promise<Answer>): Promise<Answer> {
			if (!sessionId) return ask()
			const key = `${sessionId} ${JSON.stringify(name)}`
			const asked = questions.get(key) as Promise<Answer> | undefined
			// A failure carries the reference of one visit, and is read once: whoever waited asks for themselves.
			if (asked) return asked.catch(() => ask())
			const own = ask().finally(() => questions.get(key) === own && questions.delete(key))
			questions.set(key, own)
			return own
		},

		/** A change that its name tells from every other, by a one-time key or by being the only one of its kind: done once for all who ask meanwhile. */
		async sameChange<Answer>(name: unknown[], send: () => Promise<Answer>): Promise<Answer> {
			const key = JSON.stringify([sessionId, clientCode, ...name])
			const asked = (changes.get(key) ?? change(send()).finally(() => changes.delete(key))) as Promise<Answer>
			changes.set(key, asked)
			return asked.catch(async (error: unknown) => {
				// Nobody asks again by themselves, so all of them read this failure; a response is read once.
				throw error instanceof Response ? await copyResponse(error) : error
			})
		},
	}
}

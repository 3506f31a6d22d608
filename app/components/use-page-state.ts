import { useContext, useState } from 'react'
import { UNSAFE_DataRouterStateContext } from 'react-router'

/**
 * Returns the data of the loaders, actions and errors of all routes on the page. The document's title and the shell's toast need them,
 * and no public hook of Remix gives a parent the action's reply of its child (docs/decisions/025-one-kind-of-link.md).
 */
export function usePageState() {
	const state = useContext(UNSAFE_DataRouterStateContext)
	return {
		loaded: Object.values(state?.loaderData ?? {}) as unknown[],
		answered: Object.values(state?.actionData ?? {}) as unknown[],
		/** By the id of the route whose boundary shows the error. */
		errors: (state?.errors ?? {}) as Record<string, unknown>,
	}
}

/**
 * Returns a value that changes after every reply to a form of the page, even when two replies are the same. A link to a field of the page
 * removes the reply, which is no new one.
 */
export function useLastAnswer(): unknown {
	const answer = useContext(UNSAFE_DataRouterStateContext)?.actionData
	const [last, setLast] = useState(answer)
	if (answer && answer !== last) setLast(answer)
	return answer ?? last
}

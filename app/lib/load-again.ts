import { type ShouldRevalidateFunctionArgs } from '@remix-run/react'

type Answered = { result?: { error?: Record<string, unknown> | null } } | null | undefined

/**
 * The `shouldRevalidate` of a page that shows what its forms change. Remix does not load the data again after a reply of 4xx or 5xx, but a
 * post whose reply got lost may have been done, and a refused one may say that another tab did something. The page loads them again, as it
 * does without scripts. When only a field is wrong, nothing has changed. When the browser got no reply, the form stays with its key, so
 * that the same one can be sent again. It also stays while the broker does nothing (503), and has no data either.
 */
export function loadAgain({ actionStatus, actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
	if (actionStatus === undefined || actionStatus < 400) return defaultShouldRevalidate
	if (actionStatus === 503) return false
	const answer = actionResult as Answered
	if (!answer) return false
	const error = answer.result?.error
	return !error || Object.hasOwn(error, '')
}

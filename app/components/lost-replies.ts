import { sendForm } from './new-version'
import { showToast } from './toast'

/** No answer means no knowledge: the portal may have got the form. */
const UNKNOWN = 'No answer came, so this may or may not have been done.'
/** A form with a key may be sent again. Any other one might be done twice: each form that sends an OTP sends another one. */
const AGAIN = 'Check your connection, and send it again: it is not done twice.'
const LOOK_FIRST = 'Check your connection, and see whether it was done before you send it again.'

/** Longer than a browser needs to leave a page: then it cancels its requests, which looks like a lost connection. */
const LEAVING_MS = 500

/** An action's empty reply in the format of Remix: turbo-stream of `{ data: null }`. The page's `useActionData` is then null. */
const NO_REPLY = '[{"_1":-5},"data"]\n'

/**
 * Keeps a page whose request gets no reply of the portal: the connection is lost, or a proxy or a limit of the server answers with a text
 * of its own. Remix would replace the whole page by an error, with the typed values, or with "do not pay again". Here a form stays as it is,
 * with a message; a link loads its document, so that the browser says what is wrong; and a page that looks for news by itself waits
 * for its next turn.
 */
export function keepPageWithoutReply(): void {
	const { fetch } = window
	window.fetch = async (input, init) => {
		const { __remixRouter: router } = window
		const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
		const isManifest = pathname === '/__manifest'
		if (!router || !(isManifest || pathname.endsWith('.data'))) return fetch(input, init)
		let said = `${UNKNOWN} ${hasKey(init?.body) ? AGAIN : LOOK_FIRST}`
		try {
			const response = await fetch(input, init)
			if (isManifest || response.status === 204 || response.headers.has('X-Remix-Response')) return response
			said = (await readSentence(response)) || said
		} catch (error) {
			await new Promise((resolve) => setTimeout(resolve, LEAVING_MS))
			if (init?.signal?.aborted || (isManifest && router.state.navigation.state === 'idle')) throw error
		}
		const { navigation } = router.state
		const isToOtherPage = navigation.state === 'submitting' && !isOfPage(navigation.formAction)
		if (init?.method === 'POST' && !isToOtherPage) {
			showToast({ kind: 'error', message: said, survives: true })
			return new Response(NO_REPLY, { status: 503, headers: { 'content-type': 'text/x-script', 'X-Remix-Response': 'yes' } })
		}
		if (isToOtherPage) sendForm(navigation.formAction, navigation.formData ?? new FormData())
		else if (navigation.location) location.assign(navigation.location.pathname + navigation.location.search + navigation.location.hash)
		// The page stays as it is.
		return await new Promise<never>(() => {})
	}
}

const hasKey = (body: unknown) => (body instanceof URLSearchParams || body instanceof FormData) && body.has('idempotency_key')

const isOfPage = (action: string) => new URL(action, location.href).pathname === location.pathname

/** The text of a reply in plain words; undefined for the page of another program. */
async function readSentence(response: Response): Promise<string | undefined> {
	if (!response.headers.get('content-type')?.startsWith('text/plain')) return undefined
	const text = await response.text().catch(() => '')
	return text.length < 300 ? text.trim() : undefined
}

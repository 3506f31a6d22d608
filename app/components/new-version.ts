/**
 * Goes on with a document when the server has another version than this page: after an upgrade, and while two versions run side by side.
 * Remix asks for the routes of the next page with its own version, and the server answers 204 when it has another. Remix then loads the
 * page without its query and without what was sent, so that a payout would lose its reference; the second time in a tab it shows "not
 * found".
 */
export function followNewVersion(): void {
	const { fetch } = window
	window.fetch = async (input, init) => {
		const response = await fetch(input, init)
		const { __remixRouter: router } = window
		if (!router || response.status !== 204 || !response.headers.has('X-Remix-Reload-Document')) return response
		const { navigation, fetchers } = router.state
		const sent = [navigation, ...fetchers.values()].find(({ state }) => state === 'submitting')
		if (sent?.formAction && sent.formData) sendForm(sent.formAction, sent.formData)
		else if (navigation.location) location.assign(navigation.location.pathname + navigation.location.search + navigation.location.hash)
		else return response
		// The page stays as it is until the document arrives.
		return await new Promise<never>(() => {})
	}
}

/** Posts a form without a script. Forms with files post to their own page, whose route is known. */
export function sendForm(action: string, fields: FormData): void {
	const form = document.createElement('form')
	Object.assign(form, { method: 'post', action, hidden: true })
	for (const [name, value] of fields) {
		if (typeof value === 'string') form.append(Object.assign(document.createElement('input'), { name, value }))
	}
	document.body.append(form)
	// A field may be named submit.
	HTMLFormElement.prototype.submit.call(form)
}

/**
 * Loads the page that a client asked for as a document when the server has another version than this page: after an upgrade, and while
 * two versions run side by side. Remix asks for the routes of the next page with its own version, and the server answers 204 when it has
 * another. Remix then loads the page without its query, so that a payout would lose its reference; the second time in a tab it shows
 * "not found".
 */
export function followNewVersion(): void {
	const { fetch } = window
	window.fetch = async (input, init) => {
		const response = await fetch(input, init)
		const { __remixRouter: router } = window
		const next = router?.state.navigation.location
		if (!next || response.status !== 204 || !response.headers.has('X-Remix-Reload-Document')) return response
		location.assign(next.pathname + next.search + next.hash)
		// The page stays as it is until the document arrives.
		return await new Promise<never>(() => {})
	}
}

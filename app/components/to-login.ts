/** Time to read why. */
export const TO_LOGIN_MS = 2000

/** To a login page, such as the server named, and from there back to the page that is shown now, whatever it was that a script asked for. */
export function goToLogin(to: string): void {
	const url = new URL(to, location.origin)
	url.searchParams.set('redirectTo', location.pathname + location.search)
	location.assign(url.pathname + url.search)
}

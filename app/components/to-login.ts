/** Time to read the message, in milliseconds. */
export const TO_LOGIN_MS = 2000

/** Opens the login page at `to`. After login the client returns to the current page, whatever address a script had requested. */
export function goToLogin(to: string): void {
	const url = new URL(to, location.origin)
	url.searchParams.set('redirectTo', location.pathname + location.search)
	location.assign(url.pathname + url.search)
}

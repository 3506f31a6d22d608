/** No space, quote, backslash, angle bracket or `@`: browsers repair such addresses, each in its own way, and `@` hides the host. */
export const PLAIN_ADDRESS = /^https?:\/\/[^\s\\"'<>@]+$/

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether a URL's `hostname` is this machine. */
export function isLoopback(hostname: string): boolean {
	return LOOPBACK.test(hostname)
}

/** A broker's link for the client to read: an https address, or one of this machine. Undefined for anything else. */
export function webAddress(address: string | null | undefined): string | undefined {
	if (!address || !PLAIN_ADDRESS.test(address) || !URL.canParse(address)) return undefined
	const { protocol, hostname, href } = new URL(address)
	return protocol === 'https:' || isLoopback(hostname) ? href : undefined
}

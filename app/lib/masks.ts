/* Masks private values on the server, so that the page's source does not hold them either. */

/** `••••••4321` */
export function maskMobile(mobile: string): string {
	return `••••••${mobile.slice(-4)}`
}

/** `r•••@gmail.com` */
export function maskEmail(email: string): string {
	const at = email.lastIndexOf('@')
	return at < 1 ? '•••' : `${email.slice(0, 1)}•••${email.slice(at)}`
}

/** `XXXXXX4821`, whatever the length, which is private too. */
export function maskAccount(account: string): string {
	return `XXXXXX${account.slice(-4)}`
}

/** `ABxxxxx34K`; a PAN already masked by the broker stays as it is. */
export function maskPan(pan: string): string {
	return pan.length === 10 && !/X{4}|[*x•]/.test(pan) ? `${pan.slice(0, 2)}xxxxx${pan.slice(-3)}` : pan
}

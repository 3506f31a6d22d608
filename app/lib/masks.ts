/* Masks private values on the server, so that the page's source does not hold them either. Every mask uses the character •. */

const HIDDEN = '••••••'

/** `••••••4321` */
export function maskMobile(mobile: string): string {
	return HIDDEN + mobile.slice(-4)
}

/** `r•••@gmail.com` */
export function maskEmail(email: string): string {
	const at = email.lastIndexOf('@')
	return at < 1 ? '•••' : `${email.slice(0, 1)}•••${email.slice(at)}`
}

/** `••••••4821`, whatever the length, which is private too. */
export function maskAccount(account: string): string {
	return HIDDEN + account.replace(/[Xx*•]/g, '').slice(-4)
}

/** `AB•••••34K`; a PAN that the broker has masked (`XXXXX4821K`) shows the same characters as before. */
export function maskPan(pan: string): string {
	if (/X{4}|[*x•]/.test(pan)) return pan.replace(/X{4,}|[x*]+/g, (hidden) => '•'.repeat(hidden.length))
	return pan.length === 10 ? `${pan.slice(0, 2)}•••••${pan.slice(-3)}` : pan
}

/*
 * Each run of signs is tried once, from its start and at its whole length: a broker's text of ten thousand asterisks took the square of
 * that.
 */
const MASK = /(?:(?<![A-Za-z])[Xx]{4,}(?![Xx])|(?<!\*)\*{4,}(?!\*))(?=\w*\d)/g
const MASK_OF_NAME = /(?<!\*)\*{2,}(?=@)/g

/** Replaces the broker's masks in a text by the portal's: `HDFC BANK XXXXXXXXXX4821`, `SBI ****4821`, `r***@gmail.com`. */
export function showMasked(words: string): string {
	return words.replace(MASK, HIDDEN).replace(MASK_OF_NAME, '•••')
}

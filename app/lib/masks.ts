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

/** Replaces the broker's masks in a text by the portal's: `HDFC BANK XXXXXXXXXX4821`, `SBI ****4821`, `r***@gmail.com`. */
export function showMasked(words: string): string {
	return words.replace(/(?<![A-Za-z])(?:[Xx]{4,}|\*{4,})(?=\w*\d)/g, HIDDEN).replace(/\*{2,}(?=@)/g, '•••')
}

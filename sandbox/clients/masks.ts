/** A masked mobile number: `******3210`. Its first `shown` characters are visible too. */
export function maskMobile(mobile: string, shown = 0): string {
	return `${mobile.slice(0, shown)}${'*'.repeat(Math.max(0, mobile.length - 4 - shown))}${mobile.slice(Math.max(shown, mobile.length - 4))}`
}

/** A masked e-mail address: `r***@gmail.com`. */
export function maskEmail(email: string, shown = 1): string {
	const at = email.lastIndexOf('@')
	return `${email.slice(0, Math.min(shown, at))}***${email.slice(at)}`
}

/**
 * Masks an old and a new value. Shows as many first characters as needed to tell them apart: `kav***@gmail.com` and `kat***@gmail.com`.
 */
export function maskChange(mask: (value: string, shown?: number) => string, old: string, input: string) {
	const longest = Math.max(old.length, input.length)
	let shown: number | undefined
	while (mask(old, shown) === mask(input, shown) && (shown ?? 0) < longest) shown = (shown ?? 0) + 1
	return { was: mask(old, shown), becomes: mask(input, shown) }
}

/** A masked bank account: `XXXXXXXXXX4821`. */
export function maskAccount(account: string): string {
	return `${'X'.repeat(Math.max(0, account.length - 4))}${account.slice(-4)}`
}

/** A mobile number as the broker's messages write it: `******3210`. */
export function maskMobile(mobile: string): string {
	return `${'*'.repeat(Math.max(0, mobile.length - 4))}${mobile.slice(-4)}`
}

/** An e-mail address likewise: `r***@gmail.com`. */
export function maskEmail(email: string): string {
	const at = email.lastIndexOf('@')
	return `${email.slice(0, 1)}***${email.slice(at)}`
}

/** A bank account: `XXXXXXXXXX4821`. */
export function maskAccount(account: string): string {
	return `${'X'.repeat(Math.max(0, account.length - 4))}${account.slice(-4)}`
}

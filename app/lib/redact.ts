/** Everything that looks like a secret or an identity: long tokens, PANs, OTPs, mobile and account numbers, e-mail and UPI addresses. */
const PRIVATE = /\b[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}|\b[\w-]{20,}|\b[A-Z]{5}\d{4}[A-Z]\b|\b\d{6,18}\b|[\w.+-]+@[\w.-]+/g

const MOST = 300
/** Characters that are read: the search for private text takes the square of their number. */
const MOST_READ = 4 * MOST

/** The beginning of a long text. Half of a private word at its end would not be recognised. */
const withoutRest = (text: string) => (text.length <= MOST_READ ? text : text.slice(0, MOST_READ).replace(/\S+$/, '[…]'))

/** Makes free text (an error of a library or of the broker) safe for a log: nothing private, one line, at most 300 characters. */
export function redact(text: string): string {
	// Removes control characters, so that the text cannot forge a line.
	return withoutRest(text)
		.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
		.replace(PRIVATE, '[…]')
		.slice(0, MOST)
}

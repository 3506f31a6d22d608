/** Whatever looks like a secret or an identity: long tokens, PANs, OTPs, mobile and account numbers, e-mail and UPI addresses. */
const PRIVATE = /\b[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}|\b[\w-]{20,}|\b[A-Z]{5}\d{4}[A-Z]\b|\b\d{6,18}\b|[\w.+-]+@[\w.-]+/g

/** Free text (an error of a library or of the broker) made fit for a log: nothing private, one line, at most 300 characters. */
export function cleansed(text: string): string {
	// oxlint-disable-next-line no-control-regex -- control characters are what is taken out, so that nobody forges a line
	return text
		.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
		.replace(PRIVATE, '[…]')
		.slice(0, 300)
}

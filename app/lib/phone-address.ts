/** A number has one + at most, before its digits. An extension follows as "ext. 12", "extn 12", "extension 12" or "x12". */
const PHONE =
	/^(?<number>\(?\+?[\d\s().\p{Dash_Punctuation}]*\d[\d\s().\p{Dash_Punctuation}]*)(?:(?:ext(?:n|ension)?\.?|x)\s*(?<extension>\d+))?$/iu

/** The `tel:` address of a phone number as people write it. Undefined when a telephone could not dial it. */
export function writePhoneAddress(phone: string): string | undefined {
	const { number, extension } = PHONE.exec(phone)?.groups ?? {}
	if (!number) return undefined
	return `tel:${number.replace(/[^+\d]/g, '')}${extension ? `;ext=${extension}` : ''}`
}

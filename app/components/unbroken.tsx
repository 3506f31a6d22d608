/** Matches an amount with its sign, a time, a date, a financial year, a percentage, `set-off` or a word with `e-`, and the brackets or punctuation around it. */
const WHOLE =
	/(\(?(?:[+−]?₹ [\d,.]*\d(?: (?:Cr|Dr|lakh|crore)\b)?|(?:\d\d:)?\d\d:\d\d (?:IST|today|tomorrow|on(?= \d))|\d\d[/-]\d\d[/-]\d{4}|\d\d-[A-Z][a-z]{2}|\d{4}-\d{4}\b|\b(?:e|set)-[a-z]+|(?<![\d.])[+−]?[\d.]+ %)[).,;:]*)/

/** Text whose amounts and dates do not break at the end of a line. Punctuation stays with the word before it. */
export function Unbroken({ text }: { text: string }) {
	return text.split(WHOLE).map((part, at) =>
		at % 2 === 0 ? (
			part
		) : (
			<span key={at} className="whitespace-nowrap">
				{part}
			</span>
		),
	)
}

/** An amount with its sign, a time, a day, a share, a word with a hyphen; with the signs around it. */
const WHOLE =
	/(\(?(?:[+−]?₹ [\d,.]*\d(?: (?:Cr|Dr|lakh|crore)\b)?|\d\d:\d\d (?:IST|on(?= \d))|\d\d\/\d\d\/\d{4}|\d\d-[A-Z][a-z]{2}|\be-[a-z]+|[+−]?[\d.]+ %)[).,;:]*)/

/** A sentence whose amounts and dates do not break at the end of a line, each with the sign after it. */
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

const AMOUNT = /(\(?[+−]?₹ [\d,.]*\d(?: (?:Cr|Dr))?[).,;:]*)/

/** A sentence whose amounts do not break at the end of a line, each with the sign after it. */
export function Unbroken({ text }: { text: string }) {
	return text.split(AMOUNT).map((part, at) =>
		at % 2 === 0 ? (
			part
		) : (
			<span key={at} className="whitespace-nowrap">
				{part}
			</span>
		),
	)
}

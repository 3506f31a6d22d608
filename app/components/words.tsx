import { Fragment } from 'react'

/** An amount with its sign, a time, a day, a word with a hyphen that a narrow column would break; with the signs around it. */
const WHOLE = /(\(?(?:[+−]?₹ [\d,.]*\d(?: (?:Cr|Dr|lakh|crore)\b)?|\d\d:\d\d on(?= \d)|\d\d\/\d\d\/\d{4}|\be-[a-z]+|[\d.]+ %)[).,;:]*)/

/** A sentence whose figures and dates stay on one line. */
export function Words({ text }: { text: string }) {
	const parts = text.split(WHOLE)
	if (parts.length === 1) return text
	return parts.map((part, at) =>
		at % 2 === 1 ? (
			<span key={at} className="whitespace-nowrap">
				{part}
			</span>
		) : (
			<Fragment key={at}>{part}</Fragment>
		),
	)
}

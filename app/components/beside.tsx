import { type ReactNode } from 'react'
import { BOX } from './box'

type Props = {
	/** What the form is about. It stands to the right of the form from 1024 px. */
	summary: ReactNode
	children: ReactNode
}

/** On a phone the frame would only make the form longer. */
const UNFRAMED = 'max-lg:border-0 max-lg:bg-transparent max-lg:p-0 max-sm:[--bleed:16px]!'

/** A form in a frame, and its summary beside it where there is room. */
export function Beside({ summary, children }: Props) {
	return (
		<div className="mb-8 grid items-start gap-x-8 lg:grid-cols-[minmax(0,26.5rem)_minmax(0,1fr)]">
			<div className={`${BOX} ${UNFRAMED}`}>{children}</div>
			<div className="min-w-0">{summary}</div>
		</div>
	)
}

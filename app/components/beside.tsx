import { type ReactNode } from 'react'

type Props = {
	/** What the form is about. It stands to the right of the form from 1024 px. */
	summary: ReactNode
	children: ReactNode
}

/** A form, and its summary beside it where there is room. */
export function Beside({ summary, children }: Props) {
	return (
		<div className="mb-8 grid items-start gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
			<div className="min-w-0">{children}</div>
			<div className="min-w-0">{summary}</div>
		</div>
	)
}

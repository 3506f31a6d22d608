import { type ReactNode, useId } from 'react'
import { BOX } from './box'

type Props = {
	/** The heading of the form, when its page is not only about this form. */
	title?: string
	/** What the form is about. It stands to the right of the form from 1024 px. */
	summary?: ReactNode
	children: ReactNode
}

/** On a phone the frame would only make the form longer. */
const UNFRAMED = 'max-lg:border-0 max-lg:bg-transparent max-lg:p-0 max-lg:[--bleed:16px]! max-lg:[--foot:0px]!'

/** A form in a frame, and its summary beside it where there is room. */
export function Beside({ title, summary, children }: Props) {
	const id = useId()
	return (
		<div className="mb-4 grid items-start gap-x-4 lg:grid-cols-[minmax(0,26.5rem)_minmax(0,1fr)]">
			<section className={`${BOX} ${UNFRAMED}`} aria-labelledby={title && id}>
				{title && (
					<h2 id={id} className="mb-3">
						{title}
					</h2>
				)}
				{children}
			</section>
			{summary && <div className="min-w-0">{summary}</div>}
		</div>
	)
}

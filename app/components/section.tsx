import { type ReactNode, useId } from 'react'
import { BOX } from './box'

type Props = {
	title: string
	/** The id, for links to this section. */
	anchor?: string
	/** As wide as the screen on a phone, because its table needs the space. */
	isWide?: boolean
	/** Only as wide as a label and its figure can be read together. */
	isNarrow?: boolean
	children: ReactNode
}

const WIDE = 'max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0 max-sm:[--bleed:16px]'

/** A part of a page with its own heading. */
export function Section({ title, anchor, isWide, isNarrow, children }: Props) {
	const id = useId()
	return (
		<section id={anchor} className={isWide ? `${BOX} ${WIDE}` : isNarrow ? `${BOX} max-w-170` : BOX} aria-labelledby={id}>
			<h2 id={id} className="mb-3">
				{title}
			</h2>
			{children}
		</section>
	)
}

import { type ReactNode, useId } from 'react'
import { BOX } from './box'

type Props = {
	title: string
	/** Its place in an address. */
	anchor?: string
	/** On a phone as wide as the screen: its table needs the room. */
	isWide?: boolean
	children: ReactNode
}

const WIDE = 'max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0 max-sm:[--bleed:16px]'

/** A part of a page with its own heading. */
export function Section({ title, anchor, isWide, children }: Props) {
	const id = useId()
	return (
		<section id={anchor} className={isWide ? `${BOX} ${WIDE}` : BOX} aria-labelledby={id}>
			<h2 id={id} className="mb-3">
				{title}
			</h2>
			{children}
		</section>
	)
}

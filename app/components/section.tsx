import { type ReactNode, useId } from 'react'
import { BOX } from './box'

/** A part of a page with its own heading; `anchor` is its place in an address. */
export function Section({ title, anchor, children }: { title: string; anchor?: string; children: ReactNode }) {
	const id = useId()
	return (
		<section id={anchor} className={BOX} aria-labelledby={id}>
			<h2 id={id} className="mb-3">
				{title}
			</h2>
			{children}
		</section>
	)
}

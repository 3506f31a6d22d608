import { type ReactNode, useId } from 'react'
import { BOX } from './box'

/** A part of a page with its own heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
	const id = useId()
	return (
		<section className={BOX} aria-labelledby={id}>
			<h2 id={id} className="mb-3">
				{title}
			</h2>
			{children}
		</section>
	)
}

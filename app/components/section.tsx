import { type ReactNode, useId } from 'react'

/** A part of a page with its own heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
	const id = useId()
	return (
		<section className="section" aria-labelledby={id}>
			<h2 id={id}>{title}</h2>
			{children}
		</section>
	)
}

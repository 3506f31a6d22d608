import { type ReactNode, useId } from 'react'

/** A part of a page with its own heading. */
export function Section({
	title,
	anchor,
	children,
}: {
	title: string
	/** The target of a link in the page. */ anchor?: string
	children: ReactNode
}) {
	const id = useId()
	return (
		<section id={anchor} className="section" aria-labelledby={id}>
			<h2 id={id}>{title}</h2>
			{children}
		</section>
	)
}

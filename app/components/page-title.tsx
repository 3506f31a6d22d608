import { type ReactNode } from 'react'

/** The one h1 of a page, what period or moment it is about, and what can be done with all of it. */
export function PageTitle({ title, note, children }: { title: string; note?: ReactNode; children?: ReactNode }) {
	return (
		<div className="page-title">
			<div>
				<h1>{title}</h1>
				{note && <p className="eyebrow">{note}</p>}
			</div>
			{children && <div className="files">{children}</div>}
		</div>
	)
}

import { type ReactNode } from 'react'

/** The only h1 of a page, its period or moment, and actions for the whole page. */
export function PageTitle({ title, note, children }: { title: string; note?: ReactNode; children?: ReactNode }) {
	return (
		<div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
			<div>
				<h1>{title}</h1>
				{note && <p className="text-xs text-muted">{note}</p>}
			</div>
			{children && <div className="files">{children}</div>}
		</div>
	)
}

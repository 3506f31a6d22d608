import { Form, useSearchParams } from '@remix-run/react'
import { type ReactNode } from 'react'

type Props = {
	action: string
	/** What was searched for; without it there is no search field. */
	search?: string
	files?: ReactNode
	children?: ReactNode
}

/** What is shown, on the left; how to take it along, on the right. */
export function ReportToolbar({ action, search, files, children }: Props) {
	const [query] = useSearchParams()
	return (
		<div className="toolbar">
			{(children || search !== undefined) && (
				<Form method="get" action={action} preventScrollReset>
					{query.get('columns') === 'all' && <input type="hidden" name="columns" value="all" />}
					{children}
					{search !== undefined && (
						<div className="field">
							<label htmlFor="q">Search</label>
							<input id="q" type="search" name="q" defaultValue={search} key={search} maxLength={100} className="input" />
						</div>
					)}
					<button type="submit" className="btn">
						Apply
					</button>
				</Form>
			)}
			{files && <div className="files">{files}</div>}
		</div>
	)
}

import { type ReactNode } from 'react'
import { type FailureNotice } from './failed'
import { FailedBanner } from './failed-banner'
import { ErrorSummary } from './form'
import { PageTitle } from './page-title'

type Props = {
	title: string
	/** The name of the tab, or of the thing that could not be shown. */
	part?: string
	/** What could not be loaded, as the subject of a sentence. */
	what: string
	failure?: FailureNotice
	/** The result of the last post of this page. */
	errors?: string[] | null
	/** What the client can still do. */
	children?: ReactNode
}

/** A page that shows nothing because its only call failed. */
export function FailedPage({ title, part, what, failure, errors, children }: Props) {
	return (
		<>
			<PageTitle title={title} part={part} />
			<ErrorSummary form={{ errors: errors ?? undefined }} />
			{failure && <FailedBanner what={what} failure={failure} />}
			{children}
		</>
	)
}

import { type ReactNode } from 'react'
import { Failed, type FailureNotice } from './failed'
import { ErrorSummary } from './form'
import { PageTitle } from './page-title'

type Props = {
	title: string
	/** The name of the tab, or of the thing that could not be shown. */
	part?: string
	/** The current tab has the name of the part. */
	isTabName?: boolean
	/** What could not be loaded, as the subject of a sentence. */
	what: string
	failure?: FailureNotice
	/** The result of the last post of this page. */
	errors?: string[] | null
	/** What the client can still do. */
	children?: ReactNode
}

/** A page that shows nothing because its only call failed. */
export function FailedPage({ title, part, isTabName, what, failure, errors, children }: Props) {
	return (
		<>
			<PageTitle title={title} part={part} isTabName={isTabName} />
			<ErrorSummary form={{ errors: errors ?? undefined }} />
			{failure && <Failed what={what} failure={failure} isPage />}
			{children}
		</>
	)
}

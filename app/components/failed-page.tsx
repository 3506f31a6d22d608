import { type ReactNode } from 'react'
import { Failed, type FailureNotice } from './failed'
import { ErrorSummary } from './form'
import { PageTitle } from './page-title'

type Props = {
	title: string
	/** What could not be loaded, as the subject of a sentence. */
	what: string
	failure?: FailureNotice
	/** What the last post of this page came to. */
	errors?: string[] | null
	/** What can be done all the same. */
	children?: ReactNode
}

/** A page that has nothing to show because its one call failed. */
export function FailedPage({ title, what, failure, errors, children }: Props) {
	return (
		<>
			<PageTitle title={title} />
			<ErrorSummary form={{ errors: errors ?? undefined }} />
			<Failed what={what} failure={failure} />
			{children}
		</>
	)
}

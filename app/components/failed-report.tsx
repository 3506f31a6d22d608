import { useLocation } from '@remix-run/react'
import { Fragment, type ReactNode } from 'react'
import { Failed, type FailureNotice } from './failed'

type Props = {
	what: string
	failure: FailureNotice
	/** What the client can still do: open another report. */
	children?: ReactNode
}

/** Replaces the rows of a report when its call failed. The form above stays, so that the client can try another period. */
export function FailedReport({ what, failure, children = <OtherReports /> }: Props) {
	return (
		<>
			<Failed what={what} failure={failure} isPage />
			{children}
		</>
	)
}

const REPORTS = [
	['/reports/ledger', 'Ledger'],
	['/reports/holding', 'Holding'],
	['/reports/profitnloss', 'Profit & Loss'],
	['/reports/contractnbill', 'Contract/Bill'],
	['/reports/downloads', 'Downloads'],
] as const

/** What a client can still do when a report has failed; `choice` is what its page lets them choose. */
export function OtherReports({ choice = 'period' }: { choice?: 'period' | 'year' }) {
	const { pathname } = useLocation()
	return (
		<p className="prose">
			You can choose another {choice}, or open another report:{' '}
			{REPORTS.filter(([href]) => href !== pathname).map(([href, label], at) => (
				<Fragment key={href}>
					{at > 0 && ' · '}
					<a href={href} className="whitespace-nowrap">
						{label}
					</a>
				</Fragment>
			))}
			.
		</p>
	)
}

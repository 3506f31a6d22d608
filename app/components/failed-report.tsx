import { useLocation } from '@remix-run/react'
import { Fragment, type ReactNode } from 'react'
import { REPORT_TITLES } from '~/lib/report-titles'
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

const OFFERED = ['ledger', 'holding', 'profitnloss', 'contractnbill', 'downloads'] as const

type Others = {
	/** What the page lets the client choose. */
	choice?: 'period' | 'year' | 'none'
	/** The report to which the page has a link already. */
	but?: string
}

/** What a client can still do when a report has failed. */
export function OtherReports({ choice = 'period', but }: Others) {
	const { pathname } = useLocation()
	const others = OFFERED.map((name) => ({ href: `/reports/${name}`, title: REPORT_TITLES[name] })).filter(
		({ href }) => href !== pathname && href !== but,
	)
	return (
		<p>
			{choice === 'none' ? 'You can open another report:' : `You can choose another ${choice}, or open another report:`}{' '}
			{others.map(({ href, title }, at) => (
				<Fragment key={href}>
					<span className="whitespace-nowrap">
						<a href={href}>{title}</a>
						{at < others.length - 1 ? ',' : '.'}
					</span>{' '}
				</Fragment>
			))}
		</p>
	)
}

import { data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useLocation } from '@remix-run/react'
import { IpoCondition } from '#contract/ipo'
import { listIpos } from '~/broker/ipo.server'
import { Banner } from '~/components/banner'
import { DownloadLink } from '~/components/download-link'
import { Failed } from '~/components/failed'
import { FailedReport } from '~/components/failed-report'
import { ErrorSummary } from '~/components/form'
import { ReportList } from '~/components/list-table'
import { Note } from '~/components/note'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { Unbroken } from '~/components/unbroken'
import { offerSearch, ReportToolbar } from '~/components/report-toolbar'
import { loadKept } from '~/http/partial-data.server'
import { offerAll } from '~/lib/no-match'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { addressWith, readView } from '~/reports/view.server'
import { requireBroker } from '~/session/session.server'
import { loadIssueSides } from './issue-sides.server'
import { formatListReopening, ipoIssuesReport, listMandatesToAccept } from './issue-table.server'

export const handle = { title: 'IPO' }

/**
 * On a phone the name, larger and with its price band and dates, takes the width that the other columns leave. On a laptop its column
 * has room for `You have bid ₹ 14,715.00`, and the subscription has the rest. All rows have the height of a button, so that all names
 * begin level.
 */
const WIDE_NAME =
	'max-sm:[&_.held]:w-full max-sm:[&_.held]:max-w-none max-sm:[&_tbody_.held>a]:text-base [&_tbody_:is(th,td)]:align-top sm:[&_tbody]:[--cell-y:14px] sm:[&_.btn]:-my-2.5 @4xl:[&_tbody_.held]:min-w-52 [&_tbody_.held>a]:font-semibold [&_.held_.text-xs]:max-w-none'

/** The message in the specification for a list that does not exist. */
const NO_SUCH_LIST = 'Something went wrong! Please try again later'

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const asked = IpoCondition.safeParse(url.searchParams.get('condition') ?? 'current')
	const condition = asked.data ?? 'current'
	const [{ data: issues, failure }, sides] = await Promise.all([loadKept(broker, listIpos(broker, condition)), loadIssueSides(broker)])
	if (!issues)
		return data(
			{
				condition,
				reopens: undefined,
				waiting: [],
				q: '',
				csv: '',
				hasIssues: false,
				broken: failure,
				failure: undefined,
				bidsFailure: undefined,
				result: undefined,
				table: undefined,
			},
			{ status: failure.status },
		)
	const view = readView(url, sortableKeys(ipoIssuesReport))
	const entries = sides.join(issues)
	const table = buildTable(ipoIssuesReport, arrange(ipoIssuesReport, entries, view), view, url)
	const csv = addressWith(url, { page: undefined, ...(!asked.success && { condition: undefined }) }, '/downloads/ipo-issues/csv')
	const hasIssues = issues.length > 0
	const result = asked.success ? undefined : { status: 'error' as const, error: { '': [NO_SUCH_LIST] } }
	return data(
		{
			condition,
			table,
			reopens: formatListReopening(entries),
			waiting: listMandatesToAccept(entries),
			q: view.q,
			csv,
			hasIssues,
			broken: undefined,
			failure: sides.failure,
			bidsFailure: issues.length > 0 ? sides.bidsFailure : undefined,
			result,
		},
		{ status: asked.success ? 200 : 400 },
	)
}

export default function Issues() {
	const { condition, table, reopens, waiting, q, csv, hasIssues, broken, failure, bidsFailure, result } = useLoaderData<typeof loader>()
	const { pathname } = useLocation()
	const isUpcoming = condition === 'upcoming'
	return (
		<>
			<PageTitle
				title="IPO"
				part={isUpcoming ? 'Upcoming' : 'Live'}
				isTabName
				note={table && (isUpcoming ? 'Issues that open soon' : (reopens ?? 'Open for bids now'))}
			/>
			<ErrorSummary form={{ errors: result?.error[''] }} />
			{result && <p className="prose">There is no such list.{hasIssues && ' These are the live issues.'}</p>}
			{failure && <Failed what="Deadlines of the categories" failure={failure} />}
			{bidsFailure && <Failed what="Your bids for these issues" failure={bidsFailure} />}
			<MandatesToAccept waiting={waiting} />
			{hasIssues && (
				// Without a search or a notice the files stand beside the note above.
				<div
					className={
						offerSearch(q, table) !== undefined || waiting.length > 0
							? undefined
							: reopens && !isUpcoming
								? 'sm:-mt-12'
								: 'min-[20rem]:-mt-12'
					}
				>
					<ReportToolbar
						action={pathname}
						table={table}
						search={offerSearch(q, table)}
						files={<DownloadLink href={csv} label="CSV" type="IPO ISSUES" flag="CSV" />}
					>
						{isUpcoming && <input type="hidden" name="condition" value={condition} />}
					</ReportToolbar>
				</div>
			)}
			{broken && (
				<FailedReport what="The list of issues" failure={broken}>
					<p className="prose">
						Your bids are not affected. A mandate that waits must still be accepted in your UPI app.{' '}
						<a href="/connect/ipo/bids">See your bids</a>
					</p>
				</FailedReport>
			)}
			{table && (
				<>
					<ReportList
						table={table}
						look={WIDE_NAME}
						empty={
							hasIssues
								? offerAll(q, isUpcoming ? `${pathname}?condition=${condition}` : pathname)
								: isUpcoming
									? { text: 'No issue is announced.', action: { href: '/connect/ipo', label: 'See live issues' } }
									: { text: 'No issue takes bids now.', action: { href: '/connect/ipo?condition=upcoming', label: 'See upcoming issues' } }
						}
					/>
					<Note>
						The amount of a bid with a UPI ID stays in your bank account, blocked, until the shares are allotted. What is not used for
						shares is free again then. Such a bid counts only once you have accepted its mandate in your UPI app.
					</Note>
				</>
			)}
		</>
	)
}

function MandatesToAccept({ waiting }: Pick<ReturnType<typeof useLoaderData<typeof loader>>, 'waiting'>) {
	return waiting.map(({ name, words, href }) => (
		<Banner
			key={href}
			kind="warning"
			action={
				<a href={href} className="btn">
					See bid<span className="sr-only">: {name}</span>
				</a>
			}
		>
			<p className="font-semibold">
				<Unbroken text={words} />
			</p>
			<p>Otherwise the bid is void.</p>
		</Banner>
	))
}

export function ErrorBoundary() {
	return <PageProblem title="IPO" />
}

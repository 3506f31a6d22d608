import { type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { type FundMovementType } from '#contract/funds'
import { type Broker } from '~/broker/client.server'
import { listFundMovements } from '~/broker/funds.server'
import { DownloadLink } from '~/components/download-link'
import { Failed } from '~/components/failed'
import { FailedParts } from '~/components/failed-parts'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { ReportTable } from '~/components/report-table'
import { offerSearch, ReportToolbar } from '~/components/report-toolbar'
import { Section } from '~/components/section'
import { loadPart } from '~/http/partial-data.server'
import { retryAfter } from '~/http/retry-after.server'
import { tellNoMatch } from '~/lib/no-match'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { addressWith, readView } from '~/reports/view.server'
import { readRequestId, requireBroker } from '~/session/session.server'
import { createMovementsReport } from './fund-tables.server'

export const handle = { title: 'Funds' }

export const headers = retryAfter

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const [payins, payouts] = await Promise.all([
		listMovements(broker, 'payin', url, readRequestId(request)),
		listMovements(broker, 'payout', url, readRequestId(request)),
	])
	return { q: url.searchParams.get('q') ?? '', lists: [payins, payouts] }
}

const NONE_YET = {
	payin: { text: 'No money was paid in yet.', action: { href: '/funds', label: 'Add funds' } },
	payout: { text: 'No money was withdrawn yet.', action: { href: '/funds/withdraw', label: 'Withdraw funds' } },
}

async function listMovements(broker: Broker, type: FundMovementType, url: URL, reference: string) {
	const report = createMovementsReport(type)
	const view = readView(url, sortableKeys(report))
	const { data, failure } = await loadPart(listFundMovements(broker, type), reference)
	return {
		title: report.title,
		failure,
		table: data && buildTable(report, arrange(report, data, view), view, url),
		csv: addressWith(url, { page: undefined }, `/downloads/${type}s/csv`),
		empty: view.q ? { text: tellNoMatch(view.q) } : NONE_YET[type],
	}
}

export default function History() {
	const { q, lists } = useLoaderData<typeof loader>()
	return (
		<>
			<PageTitle title="Funds" part="History" note={<Note />} />
			<ReportToolbar
				action="/funds/history"
				search={lists.some(({ table }) => offerSearch(q, table) !== undefined) ? q : undefined}
				files={lists.map(
					({ title, table, csv }) =>
						table && <DownloadLink key={title} href={csv} label={`CSV of ${title.toLowerCase()}`} type={title.toUpperCase()} flag="CSV" />,
				)}
			/>
			<FailedParts parts={lists.map(({ title, failure }) => ({ what: title, failure }))}>
				{lists.map(({ title, table, failure, empty }) => (
					<Section key={title} title={title} anchor={title.toLowerCase()} isWide>
						{table ? <ReportTable {...table} empty={empty} /> : <Failed what={title} failure={failure} />}
					</Section>
				))}
			</FailedParts>
		</>
	)
}

/** What is listed, and links to both lists when neither is empty. */
function Note() {
	const { lists } = useLoaderData<typeof loader>()
	return (
		<>
			The latest hundred of each; older ones are in your ledger
			{lists.every(({ table }) => table?.rows.length) &&
				lists.map(({ title }) => (
					<span key={title} className="print:hidden">
						{' '}
						·{' '}
						<a href={`#${title.toLowerCase()}`} className="-my-2 inline-block py-2">
							{title}
						</a>
					</span>
				))}
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Funds" />
}

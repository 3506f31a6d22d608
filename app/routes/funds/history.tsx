import { type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Fragment } from 'react'
import { type FundMovement } from '#contract/funds'
import { type Day } from '#contract/values/dates'
import { listFundMovements, listUnauthorizedPayments } from '~/broker/funds.server'
import { DownloadLink } from '~/components/download-link'
import { Failed, NothingMoved } from '~/components/failed'
import { FailedParts } from '~/components/failed-parts'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { ReportTable, TableSums } from '~/components/report-table'
import { offerSearch, ReportToolbar, Toolbar } from '~/components/report-toolbar'
import { Section } from '~/components/section'
import { loadPart, loadSidePart, type PartialData } from '~/http/partial-data.server'
import { offerAll } from '~/lib/no-match'
import { formatUnits } from '~/lib/units'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { addressWith, readView } from '~/reports/view.server'
import { requireBroker } from '~/session/session.server'
import { OnHold, STRANGERS_LIST } from './unregistered-payments'
import { buildMovementsFoot, createMovementsReport, describeLast, findFirstWholeDay, sumMovements, tellOnHold } from './fund-tables.server'

export const handle = { title: 'Funds' }

const HISTORY = '/funds/history'

/** The lists, each by its name in the address. */
const LISTS = { payins: 'payin', payouts: 'payout' } as const

/** Both lists together show this many rows each: below a hundred pay-ins nobody would see the payouts. A link leads to all rows. */
const LATEST = 10

/** Loads both lists, or one with `?table=payouts`. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const asked = url.searchParams.get('table')
	const one = asked === 'payins' || asked === 'payouts' ? asked : undefined
	const names: readonly (keyof typeof LISTS)[] = one ? [one] : ['payins', 'payouts']
	const [strangers, ...parts] = await Promise.all([
		loadSidePart(broker, listUnauthorizedPayments(broker)),
		...names.map(async (name) => ({ name, ...(await loadPart(broker, listFundMovements(broker, LISTS[name]))) })),
	])
	// Two sums side by side are of the same days; one alone is of all its rows.
	const cutAt = findFirstWholeDay(parts.flatMap(({ data }) => (data ? [data] : [])))
	const since = one ? undefined : cutAt
	const lists = parts.map((part) => describeMovements(part, { isOne: Boolean(one), url, since }))
	const figures = lists.flatMap(({ figure }) => figure ?? [])
	const q = url.searchParams.get('q') ?? ''
	const link = (label: string, table?: keyof typeof LISTS) => ({
		label,
		href: addressWith(url, { page: undefined, table }, HISTORY),
		isCurrent: table === one,
	})
	const views = [link('Both'), link('Pay-ins', 'payins'), link('Pay-outs', 'payouts')]
	return {
		q,
		lists,
		isCut: cutAt !== undefined,
		onHold: tellOnHold(strangers.data ?? []),
		strangersFailure: strangers.failure,
		figures: figures.map((figure) => ({ ...figure, isMain: figures.length === 1 })),
		last: lists.flatMap(({ last }) => last),
		one,
		// With one list or none there is no choice; what a search finds is no list.
		views: one || q || lists.every(({ table }) => table?.rows.length) ? views : [],
	}
}

const CUT = (
	<>
		The latest 100 of each; earlier ones are in <a href="/reports/ledger">your ledger</a>.
	</>
)

/** Of two lists side by side; the sums of one list are of all its rows. */
const SUMS = 'Sums start on the first day that both lists cover.'

const NONE_YET = {
	payin: { text: 'No money has been paid in yet.', action: { href: '/funds', label: 'Add funds' } },
	payout: { text: 'No money has been withdrawn yet.', action: { href: '/funds/withdraw', label: 'See what you can withdraw' } },
}

type Loaded = PartialData<FundMovement[]> & { name: keyof typeof LISTS }

function describeMovements({ name, data, failure }: Loaded, { isOne, url, since }: { isOne: boolean; url: URL; since?: Day }) {
	const type = LISTS[name]
	const report = createMovementsReport(type)
	const view = readView(url, sortableKeys(report))
	const rows = data && arrange(report, data, view)
	const isShort = rows && !isOne && rows.length > LATEST
	const table = rows && {
		...buildTable(report, rows, view, url),
		foot: buildMovementsFoot(type, rows, { since, isShort: Boolean(isShort) }),
	}
	return {
		title: report.title,
		failure,
		// Without a row nothing is known to be zero.
		figure: rows && rows.length > 0 ? sumMovements(type, rows, since) : undefined,
		last: data && !view.q ? describeLast(type, data) : [],
		table: table && isShort ? { ...table, rows: table.rows.slice(0, LATEST), paging: undefined } : table,
		all: table &&
			isShort && {
				href: addressWith(url, { page: undefined, table: name }, HISTORY),
				label: `See all ${formatUnits(table.paging.total)} ${report.title.toLowerCase()}, failed ones included`,
			},
		csv: addressWith(url, { page: undefined, table: undefined }, `/downloads/${type}s/csv`),
		empty: view.q ? offerAll(view.q, addressWith(url, { q: undefined, page: undefined }, HISTORY)) : NONE_YET[type],
	}
}

/** The columns of both lists have the same widths; that of the state has the rest. */
const ALIGNED = [
	'xl:[&_table]:table-fixed xl:[&_thead_th:nth-child(1)]:w-10 xl:[&_thead_th:nth-child(2)]:w-25 xl:[&_thead_th:nth-child(3)]:w-36',
	// The label of the sum is longer than the day above it. The cells after it are empty.
	'xl:[&_tfoot_*:nth-child(2)]:whitespace-nowrap',
	// A phone has three.
	'max-sm:[&_thead_th:nth-child(2)]:w-[45%]',
	// A reason runs below the other cells of its row.
	'xl:[&_tbody_.text-xs]:w-125 xl:[&_tbody_.text-xs]:max-w-none xl:[&_tbody_.text-xs]:-mr-125',
	'xl:[&_thead_th:nth-child(5)]:w-26 xl:[&_thead_th:nth-child(6)]:w-28 xl:[&_thead_th:nth-child(8)]:w-47 xl:[&_thead_th:nth-child(9)]:w-39',
].join(' ')

export default function History() {
	const { q, lists, isCut, onHold, strangersFailure, figures, last, one, views } = useLoaderData<typeof loader>()
	return (
		<>
			<PageTitle
				title="Funds"
				part="History"
				isTabName
				note={
					isCut && (
						<>
							{CUT} {!one && SUMS}
						</>
					)
				}
			/>
			<OnHold words={onHold} href="/funds#unregistered" label="See payments from unregistered accounts" />
			{figures.length > 0 && <TableSums strip={figures} latest={last.length > 0 ? { label: 'Latest', lines: last } : undefined} />}
			<ReportToolbar
				action={HISTORY}
				views={views.length > 0 && <Views views={views} />}
				search={lists.some(({ table }) => offerSearch(q, table) !== undefined) ? q : undefined}
			>
				{one && <input type="hidden" name="table" value={one} />}
			</ReportToolbar>
			<FailedParts
				parts={[...lists.map(({ title, failure }) => ({ what: title, failure })), { what: STRANGERS_LIST, failure: strangersFailure }]}
				what="Your pay-ins and pay-outs"
				rest={<NothingMoved />}
			>
				{lists.map((list) => (
					<Movements key={list.title} list={list} />
				))}
				{strangersFailure && <Failed what={STRANGERS_LIST} failure={strangersFailure} />}
			</FailedParts>
		</>
	)
}

type List = ReturnType<typeof useLoaderData<typeof loader>>['lists'][number]

function Movements({ list: { title, table, all, failure, csv, empty } }: { list: List }) {
	const hasRows = table && table.rows.length > 0
	const file = <DownloadLink href={csv} label={`CSV of ${title.toLowerCase()}`} type={title.toUpperCase()} flag="CSV" />
	return (
		<div className={hasRows && table.columns.some(({ from }) => from) ? ALIGNED : undefined}>
			<Section title={title} anchor={title.toLowerCase()} isWide>
				{hasRows && <Toolbar hasForm={false} isBesideHeading table={table} files={file} />}
				{table ? <ReportTable {...table} hasToolbar empty={empty} /> : <Failed what={title} failure={failure} />}
				{all && (
					<p className="mt-3">
						<a href={all.href}>{all.label}</a>
					</p>
				)}
			</Section>
		</div>
	)
}

/** Links to both lists, or to one of them. */
function Views({ views }: Pick<ReturnType<typeof useLoaderData<typeof loader>>, 'views'>) {
	return (
		<nav aria-label="Lists" className="flex gap-1.5 sm:mr-4 sm:gap-2">
			{views.map(({ label, href, isCurrent }) => (
				<Fragment key={label}>
					<a href={href} aria-current={isCurrent ? 'page' : undefined} className={VIEW}>
						{label}
					</a>{' '}
				</Fragment>
			))}
		</nav>
	)
}

const VIEW = 'btn px-2.5 text-sm sm:px-3 aria-[current]:border-primary aria-[current]:text-primary'

export function ErrorBoundary() {
	return <PageProblem title="Funds" />
}

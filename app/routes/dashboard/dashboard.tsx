import { type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { unreadIn, withUnread } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { currentYear, endOfYear, formatYear } from '#contract/values/financial-year'
import { formatMoment } from '#contract/values/moments'
import { listAttention } from '~/broker/attention.server'
import { now } from '~/broker/clock.server'
import { getDashboard, getDashboardDeductedLedger, getDashboardHolding, getDashboardLedger } from '~/broker/dashboard.server'
import { listClientLedgers } from '~/broker/profile.server'
import { Banner } from '~/components/banner'
import { Card, Cards, FigureList, type FigureRow } from '~/components/card'
import { AllocationChart, LineChart } from '~/components/charts'
import { type FailureNotice } from '~/components/failed'
import { FailedParts } from '~/components/failed-parts'
import { Halves } from '~/components/halves'
import { KeyFigures } from '~/components/key-figures'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { QUICK_LINKS, QuickLinks } from '~/components/quick-links'
import { Section } from '~/components/section'
import { TaskList } from '~/components/task-list'
import { Unbroken } from '~/components/unbroken'
import { readRefresh } from '~/http/hard-refresh.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { drawBars } from '~/lib/chart-geometry.server'
import { listBalances } from '~/reports/balances.server'
import { readQuickLinks } from '~/reports/quick-links.server'
import { tellUnread } from '~/reports/unread.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'
import { ATTENTION, Attention, AttentionCall } from './attention-list'
import { listAttentionLines, countWords } from './attention.server'
import {
	describeNotice,
	drawPortfolio,
	findValueDay,
	listResult,
	loadUnknownCost,
	NO_HOLDING,
	summarizeHolding,
	tellUnknownCost,
	tellWhose,
} from './dashboard-cards.server'
import { listFirstSteps } from './first-steps.server'
import { MoneyLinks } from './money-links'
import { NoticeList } from './notice-list'
import { Part } from './part'

export const handle = { title: 'Dashboard', canRefresh: true, areScriptsLate: true }

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const year = readYear(request)
	const options = readRefresh(request)

	const [ledger, deducted, cocds, holding, unknown, figures, links, attention] = await Promise.all([
		loadPart(broker, getDashboardLedger(broker, year, options), []),
		loadPart(broker, getDashboardDeductedLedger(broker, options), []),
		listClientLedgers(broker),
		// "No data" is null: an empty state, not a failure.
		loadPart(broker, getDashboardHolding(broker, year, options), null),
		loadUnknownCost(broker, year, options),
		loadPart(broker, getDashboard(broker, year, options), null),
		readQuickLinks(broker),
		// For a broker without this list: no list and no error.
		loadSidePart(broker, listAttention(broker), null),
	])
	const total = holding.data
	const all = figures.data ?? undefined
	// Another tab may show another year, which the cookie then has.
	const ofYear = `?year=${formatYear(year)}`
	const isPast = year !== currentYear(now())
	const steps = isPast ? undefined : await listFirstSteps(broker, { ledgers: [ledger, deducted], holding, all: figures })
	// The first steps already include the nominee.
	const items = steps ? attention.data?.filter(({ kind }) => kind !== 'NO_NOMINEE') : attention.data
	const lines = items ? listAttentionLines(items) : undefined
	const balances = listBalances(ledger, cocds, { query: ofYear })
	return {
		year: formatYear(year),
		isPast,
		asOf: isPast ? formatDay(endOfYear(year)) : formatMoment(now()),
		steps,
		ledger: balances,
		whose: tellWhose(balances, isPast ? formatDay(endOfYear(year)) : undefined),
		deducted: listBalances(deducted, cocds, { query: ofYear, known: ledger.data ?? [] }),
		valueDay: isPast ? formatDay(findValueDay(all?.history, total?.total_amount, endOfYear(year))) : undefined,
		holding: { failure: holding.failure, ...(total ? summarizeHolding(total, unknown) : NO_HOLDING) },
		result: {
			failure: figures.failure,
			figures: all && listResult(all),
		},
		portfolio: all && drawPortfolio(all.history),
		leftOut: tellUnknownCost(unknown.data ?? undefined),
		allocation: all && { isPart: unreadIn(all.allocation) !== undefined, chart: drawBars(all.allocation) },
		notices: all ? all.notices.map(describeNotice) : [],
		links,
		attention: {
			failure: attention.failure,
			lines,
			call: lines && countWords(lines),
			unread: tellUnread((attention.data && unreadIn(attention.data)) ?? undefined),
		},
		unread: tellUnread(unreadIn(withUnread({}, all, total ?? undefined, unknown.data))),
	}
}

const PROFIT = 'Profit and loss'

export default function Dashboard() {
	const { year, asOf, steps, links, attention, unread, ledger, deducted, holding, result } = useLoaderData<typeof loader>()
	const parts = [
		{ what: 'Ledger', failure: ledger.failure },
		{ what: 'Deducted ledger', failure: deducted.failure },
		{ what: 'Total holding', failure: holding.failure },
		{ what: ATTENTION, failure: attention.failure },
		...[PROFIT, 'Portfolio value', 'Allocation by sector', 'Notices'].map((what) => ({ what, failure: result.failure })),
		{ what: QUICK_LINKS, failure: links.failure },
	]
	return (
		<>
			<PageTitle title="Dashboard" note={`Financial year ${year}${parts.every(({ failure }) => failure) ? '' : `, as of ${asOf}`}`} />
			<AttentionCall call={attention.call} />
			{unread && <Banner kind="warning">{unread}</Banner>}
			<FailedParts parts={parts} what="Your dashboard" rest={<MoneyLinks year={year} />}>
				{steps && (
					<Section title="First steps">
						<TaskList tasks={steps} />
					</Section>
				)}
				{!steps && (
					<>
						<BalanceCards />
						<MoneyLinks year={year} />
					</>
				)}
				<Attention attention={attention} hasSteps={Boolean(steps)} />
				{steps ? (
					<>
						<BalanceCards />
						<MoneyLinks year={year} isQuiet />
						<Notices />
					</>
				) : (
					// In the order of a phone: what the year brought first. The two columns are about as high as each other.
					<Halves isSecondWider>
						<div className="min-w-0">
							<Profit />
							<Sectors />
						</div>
						<div className="min-w-0">
							<Portfolio />
							<Notices />
						</div>
					</Halves>
				)}
				<QuickLinks {...links} />
			</FailedParts>
		</>
	)
}

function BalanceCards() {
	const { year, isPast, valueDay, steps, whose, ledger, deducted, holding } = useLoaderData<typeof loader>()
	return (
		<Cards arePairs={Boolean(steps)}>
			<Balance title="Ledger" href={`/reports/ledger?year=${year}`} figure={ledger.total} figureLabel="Total" note={whose} card={ledger} />
			<Balance
				title="Deducted ledger"
				href={`/reports/ledger/deducted?year=${year}`}
				figure={deducted.total}
				figureLabel={isPast ? 'Today' : 'Total'}
				note={isPast ? 'Today’s figure; past years are not kept' : 'After holds and unsettled money'}
				card={deducted}
				isQuiet={isPast}
			/>
			<Balance
				title="Total holding"
				href={`/reports/holding?year=${year}`}
				figure={holding.value}
				note={[valueDay && `On ${valueDay}`, holding.note].filter(Boolean).join(' · ') || undefined}
				card={{ ...holding, note: undefined }}
			/>
		</Cards>
	)
}

type BalanceProps = {
	title: string
	/** The page that proves the figure. */
	href: string
	figure?: string
	figureLabel?: string
	/** What the figure is, unless the broker states none. */
	note?: string
	/** The figure is not of the day of the page. */
	isQuiet?: boolean
	card: { rows?: readonly FigureRow[]; note?: string; leftOut?: string; failure?: FailureNotice; unread?: string }
}

/** A card with one figure and its parts. */
function Balance({ title, href, figure, figureLabel, note, isQuiet, card }: BalanceProps) {
	const { steps } = useLoaderData<typeof loader>()
	return (
		<Card
			title={title}
			figure={figure}
			figureLabel={figureLabel}
			note={card.note ?? note}
			failure={card.failure}
			isQuiet={Boolean(steps) || isQuiet}
			// Nothing is made up of nothing.
			more={steps ? undefined : { href, label: 'How is this made up?' }}
		>
			<FigureList rows={card.rows} />
			{card.leftOut && (
				<p className="text-muted mt-1 text-xs">
					<Unbroken text={card.leftOut} />
				</p>
			)}
			{card.unread && <p className="text-xs">{card.unread}</p>}
		</Card>
	)
}

function Portfolio() {
	const { year, result, portfolio, leftOut } = useLoaderData<typeof loader>()
	return (
		<Part
			title="Portfolio value"
			failure={result.failure}
			empty={`The chart appears after two month-ends with holdings in ${year}.`}
			action={{ href: `/reports/holding?year=${year}`, label: 'See Holding' }}
		>
			{portfolio && (
				<>
					<LineChart {...portfolio} />
					{leftOut && (
						<p className="text-muted mt-2 text-xs">
							<Unbroken text={leftOut} />
						</p>
					)}
				</>
			)}
		</Part>
	)
}

function Notices() {
	const { result, notices } = useLoaderData<typeof loader>()
	return (
		<Part title="Notices" failure={result.failure} empty="There are no notices.">
			{notices.length > 0 ? <NoticeList notices={notices} /> : undefined}
		</Part>
	)
}

function Sectors() {
	const { result, allocation } = useLoaderData<typeof loader>()
	return (
		<Part
			title="Allocation by sector"
			failure={result.failure}
			empty="Nothing is held to divide by sector."
			action={{ href: '/funds', label: 'Add funds' }}
		>
			{allocation?.chart && <AllocationChart by="sector" isPart={allocation.isPart} {...allocation.chart} />}
		</Part>
	)
}

function Profit() {
	const { year, result } = useLoaderData<typeof loader>()
	return (
		<Part
			title={`Profit and loss ${year}`}
			what={PROFIT}
			failure={result.failure}
			empty={`Nothing was traded in ${year}.`}
			action={{ href: `/reports/profitnloss?year=${year}`, label: 'See Profit & Loss' }}
		>
			{result.figures && (
				<>
					<KeyFigures figures={result.figures.main} />
					<FigureList rows={result.figures.rows} />
					<p className="mt-2 flex flex-wrap gap-x-5 text-xs">
						<a href={`/reports/profitnloss?year=${year}`}>See Profit & Loss</a>{' '}
						<a href={`/reports/income-tax?year=${year}`}>See Income Tax</a>
					</p>
				</>
			)}
		</Part>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Dashboard" />
}

import { type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { attentionLines } from '~/attention.server'
import { listAttention } from '~/broker/attention.server'
import { type Broker } from '~/broker/client.server'
import { type AttentionItem } from '~/broker/contract/attention'
import { type LedgerCocd } from '~/broker/contract/common'
import { type Dashboard as DashboardFigures, type DashboardLedger, type HoldingTotal, type UnknownCost } from '~/broker/contract/dashboard'
import {
	getDashboard,
	getDashboardDeductedLedger,
	getDashboardHolding,
	getDashboardLedger,
	getUnknownCost,
} from '~/broker/dashboard.server'
import { ledgersOf } from '~/broker/profile.server'
import { AttentionList } from '~/components/attention-list'
import { barsOf, portfolioChartOf } from '~/components/chart-geometry.server'
import { Card, FigureList } from '~/components/card'
import { AllocationChart, PortfolioChart } from '~/components/charts'
import { Empty } from '~/components/empty'
import { Failed } from '~/components/failed'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { QuickLinks } from '~/components/quick-links'
import { Section } from '~/components/section'
import { retryAfter } from '~/headers.server'
import { formatDay, timeOfDay } from '~/lib/days'
import { currentYear, formatYear } from '~/lib/financial-year'
import { formatBalance, formatGain, formatRupees } from '~/lib/money'
import { SEGMENT_NAMES } from '~/lib/segments'
import { webAddress } from '~/lib/web-address'
import { part } from '~/parts.server'
import { yearOf } from '~/preferences.server'
import { readQuickLinks } from '~/quick-links.server'
import { requireBroker, requestIdOf } from '~/session.server'

export const handle = { title: 'Dashboard', canRefresh: true }

export const headers = retryAfter

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const year = yearOf(request)
	const reference = requestIdOf(request)
	const options = { hardRefresh: new URL(request.url).searchParams.has('refresh') }

	const [ledger, deducted, holding, unknown, figures, links, attention] = await Promise.all([
		balances(broker, getDashboardLedger(broker, year, options), reference),
		balances(broker, getDashboardDeductedLedger(broker, options), reference),
		// "No data" is null: an empty state, not a failure.
		part<HoldingTotal | null>(getDashboardHolding(broker, year, options), reference, null),
		part(getUnknownCost(broker, year, options), reference, NOTHING_UNKNOWN),
		part<DashboardFigures | null>(getDashboard(broker, year, options), reference, null),
		readQuickLinks(broker, reference),
		// A broker without such a list: no list, and nothing is missed.
		part<AttentionItem[] | null>(listAttention(broker), reference, null),
	])
	const total = holding.data
	const all = figures.data ?? undefined
	return {
		year: formatYear(year),
		isPast: year !== currentYear(),
		asOf: timeOfDay(),
		ledger,
		deducted,
		holding: { failure: holding.failure, ...(total && holdingOf(total, unknown.data)) },
		result: {
			failure: figures.failure,
			rows: all && [
				{ label: 'Realised, before charges', figure: formatGain(all.realised_pnl), tone: toneOf(all.realised_pnl) },
				{ label: 'Unrealised, all segments', figure: formatGain(all.unrealised_pnl), tone: toneOf(all.unrealised_pnl) },
				{ label: 'Charges', figure: formatRupees(all.charges) },
				{ label: 'Dividends', figure: formatRupees(all.dividend) },
			],
		},
		portfolio: all && portfolioChartOf(all.history),
		allocation: all && barsOf(all.allocation),
		notices: all?.notices.map((notice) => ({ ...notice, date: formatDay(notice.date), link: webAddress(notice.link) })) ?? [],
		links,
		attention: { failure: attention.failure, lines: attention.data && attentionLines(attention.data) },
	}
}

/** One card's balances: Equity, Commodity where the client has it, and their total. */
async function balances(broker: Broker, asked: Promise<DashboardLedger>, reference: string) {
	const [{ data, failure }, cocds] = await Promise.all([part(asked, reference, []), ledgersOf(broker)])
	if (!data) return { failure }
	const due = (cocd: LedgerCocd) => data.find(({ COCD }) => COCD === cocd)?.DUE_AMT ?? 0
	const total = cocds.reduce((sum, cocd) => sum + due(cocd), 0)
	return {
		total: formatBalance(total),
		rows: cocds.map((cocd) => ({ label: SEGMENT_NAMES[cocd], figure: formatBalance(due(cocd)), href: `/reports/ledger/${cocd}` })),
	}
}

const NOTHING_UNKNOWN: UnknownCost = { holdings: 0, value: 0 }

/** What has no known cost has no known gain: it is in the value, it is left out of the gain, and the card says so. */
function holdingOf({ total_amount, invested_amount, day_change }: HoldingTotal, unknown: UnknownCost | undefined) {
	const unrealised = unknown && total_amount - unknown.value - invested_amount
	return {
		value: formatRupees(total_amount),
		rows: [
			{ label: 'Invested', figure: formatRupees(invested_amount) },
			unrealised === undefined
				? { label: 'Unrealised', figure: '—' }
				: { label: 'Unrealised', figure: formatGain(unrealised), tone: toneOf(unrealised) },
			{ label: 'Day change', figure: formatGain(day_change), tone: toneOf(day_change) },
		],
		note:
			unknown && unknown.holdings > 0
				? `${unknown.holdings === 1 ? '1 holding' : `${unknown.holdings} holdings`} worth ${formatRupees(unknown.value)} came without a cost and ${unknown.holdings === 1 ? 'is' : 'are'} left out of invested and unrealised.`
				: undefined,
	}
}

function toneOf(paise: number): 'gain' | 'loss' | undefined {
	return paise > 0 ? 'gain' : paise < 0 ? 'loss' : undefined
}

export default function Dashboard() {
	const { year, isPast, asOf, ledger, deducted, holding, result, portfolio, allocation, notices, links, attention } =
		useLoaderData<typeof loader>()
	return (
		<>
			<PageTitle title="Dashboard" note={`Financial year ${year}, as of ${asOf}`} />
			{(attention.lines || attention.failure) && (
				<Section title="Needs your attention">
					{attention.lines ? (
						attention.lines.length > 0 ? (
							<AttentionList lines={attention.lines} />
						) : (
							<Empty text="Nothing needs your attention." />
						)
					) : (
						<Failed what="What needs your attention" failure={attention.failure} />
					)}
				</Section>
			)}
			<div className="cards">
				<Card
					title="Ledger"
					figure={ledger.total}
					failure={ledger.failure}
					more={{ href: '/reports/ledger', label: 'How is this made up?' }}
				>
					<FigureList rows={ledger.rows} />
				</Card>
				<Card
					title="Deducted ledger"
					figure={deducted.total}
					note={isPast ? 'Of today: there is none of another year' : undefined}
					failure={deducted.failure}
					more={{ href: '/reports/ledger/deducted', label: 'How is this made up?' }}
				>
					<FigureList rows={deducted.rows} />
				</Card>
				<Card
					title="Total holding"
					figure={holding.value}
					failure={holding.failure}
					more={{ href: '/reports/holding', label: 'How is this made up?' }}
				>
					<FigureList rows={holding.rows} />
					{holding.note && <p className="small text-muted">{holding.note}</p>}
				</Card>
			</div>
			<nav aria-label="Quick links" className="quick-links">
				<a href="/funds">Add funds</a>
				<a href="/funds/withdraw">Withdraw funds</a>
				<a href="/reports/ledger">Ledger</a>
				<a href="/reports/holding">Holding</a>
			</nav>
			<div className="halves">
				<div className="stack">
					<Section title="Portfolio value">
						{result.failure ? (
							<Failed what="Portfolio value" failure={result.failure} />
						) : portfolio ? (
							<PortfolioChart {...portfolio} />
						) : (
							<Empty text={`Nothing was held at two month ends of ${year}.`} />
						)}
					</Section>
					<Section title="Notices">
						{result.failure ? (
							<Failed what="Notices" failure={result.failure} />
						) : (
							notices.length === 0 && <Empty text="There are no notices." />
						)}
						<ul>
							{notices.map(({ date, title, body, link }) => (
								<li key={date + title}>
									<h3>{title}</h3>
									<p>
										{date}: {body}{' '}
										{link && (
											<a href={link} rel="noopener noreferrer">
												Read more<span className="sr-only"> about {title}</span>
											</a>
										)}
									</p>
								</li>
							))}
						</ul>
					</Section>
				</div>
				<div className="stack">
					<Section title="Allocation by sector">
						{result.failure ? (
							<Failed what="Allocation by sector" failure={result.failure} />
						) : allocation ? (
							<AllocationChart {...allocation} />
						) : (
							<Empty text="Nothing is held to divide by sector." />
						)}
					</Section>
					<Section title={`Profit and loss ${year}`}>
						{result.failure ? (
							<Failed what="Profit and loss" failure={result.failure} />
						) : result.rows ? (
							<FigureList rows={result.rows} />
						) : (
							<Empty text={`Nothing was traded in ${year}.`} />
						)}
					</Section>
				</div>
			</div>
			<QuickLinks title="Elsewhere" {...links} />
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Dashboard" />
}

import { type LoaderFunctionArgs } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { type Broker } from '~/broker/client.server'
import { type LedgerCocd } from '~/broker/contract/common'
import { type DashboardLedger } from '~/broker/contract/dashboard'
import { getDashboard, getDashboardDeductedLedger, getDashboardHolding, getDashboardLedger, listQuickLinks } from '~/broker/dashboard.server'
import { ledgersOf } from '~/broker/profile.server'
import { barsOf, portfolioChartOf } from '~/components/chart-geometry.server'
import { Card, FigureList } from '~/components/card'
import { AllocationChart, PortfolioChart } from '~/components/charts'
import { Empty } from '~/components/empty'
import { Failed } from '~/components/failed'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { Section } from '~/components/section'
import { retryAfter } from '~/headers.server'
import { formatDay, timeOfDay } from '~/lib/days'
import { formatYear } from '~/lib/financial-year'
import { formatBalance, formatGain, formatRupees } from '~/lib/money'
import { part } from '~/parts.server'
import { yearOf } from '~/preferences.server'
import { SEGMENT_NAMES } from '~/reports/ledger.server'
import { requireBroker, requestIdOf } from '~/session.server'

export const handle = { title: 'Dashboard', canRefresh: true }

export const headers = retryAfter

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const year = yearOf(request)
	const reference = requestIdOf(request)
	const options = { hardRefresh: new URL(request.url).searchParams.has('refresh') }

	const [ledger, deducted, holding, figures, links] = await Promise.all([
		balances(broker, getDashboardLedger(broker, year, options), reference),
		balances(broker, getDashboardDeductedLedger(broker, options), reference),
		part(getDashboardHolding(broker, year, options), reference),
		part(getDashboard(broker, year, options), reference),
		part(listQuickLinks(broker), reference, []),
	])
	const total = holding.data
	const all = figures.data
	return {
		year: formatYear(year),
		asOf: timeOfDay(),
		ledger,
		deducted,
		holding: {
			failure: holding.failure,
			value: total && formatRupees(total.total_amount),
			rows: total && [
				{ label: 'Invested', figure: formatRupees(total.invested_amount) },
				{ label: 'Unrealised', figure: formatGain(total.total_amount - total.invested_amount), tone: toneOf(total.total_amount - total.invested_amount) },
				{ label: 'Day change', figure: formatGain(total.day_change), tone: toneOf(total.day_change) },
			],
		},
		result: {
			failure: figures.failure,
			rows: all && [
				{ label: 'Realised, before charges', figure: formatGain(all.realised_pnl), tone: toneOf(all.realised_pnl) },
				{ label: 'Unrealised', figure: formatGain(all.unrealised_pnl), tone: toneOf(all.unrealised_pnl) },
				{ label: 'Charges', figure: formatRupees(all.charges) },
				{ label: 'Dividends', figure: formatRupees(all.dividend) },
			],
		},
		portfolio: all && portfolioChartOf(all.history),
		allocation: all && barsOf(all.allocation),
		notices: all?.notices.map((notice) => ({ ...notice, date: formatDay(notice.date), link: safeLink(notice.link) })),
		links: links.data?.flatMap(({ title, url }) => (safeLink(url) ? [{ title, href: url }] : [])) ?? [],
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

function toneOf(paise: number): 'gain' | 'loss' | undefined {
	return paise > 0 ? 'gain' : paise < 0 ? 'loss' : undefined
}

/** A broker's link is shown only when it is a web address. */
function safeLink(url: string | null): string | undefined {
	return url && URL.canParse(url) && new URL(url).protocol === 'https:' ? url : undefined
}

export default function Dashboard() {
	const { year, asOf, ledger, deducted, holding, result, portfolio, allocation, notices, links } = useLoaderData<typeof loader>()
	return (
		<>
			<PageTitle title="Dashboard" note={`Financial year ${year}, as of ${asOf}`} />
			<div className="cards">
				<Card title="Ledger" figure={ledger.total} failure={ledger.failure} more={{ href: '/reports/ledger', label: 'How is this made up?' }}>
					<FigureList rows={ledger.rows} />
				</Card>
				<Card title="Deducted ledger" figure={deducted.total} failure={deducted.failure} more={{ href: '/reports/ledger/deducted', label: 'How is this made up?' }}>
					<FigureList rows={deducted.rows} />
				</Card>
				<Card title="Total holding" figure={holding.value} failure={holding.failure} more={{ href: '/reports/holding', label: 'How is this made up?' }}>
					<FigureList rows={holding.rows} />
				</Card>
			</div>
			<nav aria-label="Quick links" className="quick-links">
				<Link to="/funds">Add funds</Link>
				<Link to="/funds/withdraw">Withdraw funds</Link>
				<Link to="/reports/ledger">Ledger</Link>
				<Link to="/reports/holding">Holding</Link>
			</nav>
			<div className="halves">
				<Section title="Portfolio value">
					{portfolio ? <PortfolioChart {...portfolio} /> : <Failed what="Portfolio value" failure={result.failure} />}
				</Section>
				<Section title="Allocation by sector">
					{allocation ? <AllocationChart {...allocation} /> : <Failed what="Allocation by sector" failure={result.failure} />}
				</Section>
				<Section title={`Profit and loss ${year}`}>
					{result.rows ? <FigureList rows={result.rows} /> : <Failed what="Profit and loss" failure={result.failure} />}
				</Section>
				<Section title="Notices">
					{!notices && <Failed what="Notices" failure={result.failure} />}
					{notices?.length === 0 && <Empty text="There are no notices." />}
					<ul>
						{notices?.map(({ date, title, body, link }) => (
							<li key={date + title}>
								<h3>{title}</h3>
								<p>
									{date}: {body} {link && <a href={link} rel="noopener noreferrer">Read more<span className="sr-only"> about {title}</span></a>}
								</p>
							</li>
						))}
					</ul>
				</Section>
			</div>
			{links.length > 0 && (
				<Section title="Elsewhere">
					<ul>
						{links.map(({ title, href }) => (
							<li key={href}>
								<a href={href} rel="noopener noreferrer">{title}</a>
							</li>
						))}
					</ul>
				</Section>
			)}
		</>
	)
}


export function ErrorBoundary() {
	return <PageProblem title="Dashboard" />
}

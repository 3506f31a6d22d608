import { useLocation } from '@remix-run/react'
import { Banner } from '~/components/banner'
import { Card, Cards, FigureList, type FigureRow } from '~/components/card'
import { DownloadLink } from '~/components/download-link'
import { Failed, type FailureNotice } from '~/components/failed'
import { FailedParts } from '~/components/failed-parts'
import { Folded } from '~/components/folded'
import { ReportTable, type ReportTableProps } from '~/components/report-table'
import { offerSearch, ReportToolbar } from '~/components/report-toolbar'
import { Section } from '~/components/section'
import { Unbroken } from '~/components/unbroken'
import { type WaitingPledge, WaitingPledges } from '~/components/waiting-pledges'
import { offerAll } from '~/lib/no-match'
import { type Tone } from '~/lib/table'
import { type InterestMonth, InterestMonths } from './interest-months'

type Figures = { figure: string; rows: readonly FigureRow[] }
type Table = Omit<ReportTableProps, 'empty'>

type Props = {
	cardsNote?: string
	cards: Record<'funded' | 'interest', Figures> & { margin: Figures & { tone?: Tone }; call?: { words: string; href: string } }
	/** Pledges that wait for the client. */
	pledges: readonly WaitingPledge[]
	year: string
	q: string
	positions: Table
	positionsFile: string
	interest?: Table
	interestFile: string
	/** For the table of days, when there is one. */
	days?: { isOpen: boolean }
	months: readonly InterestMonth[]
	/** The sum of the months. */
	total: string
	differs: boolean
	interestFailure?: FailureNotice
	factsFailure?: FailureNotice
	/** False when the broker does not give the interest of each day. */
	hasInterest: boolean
}

const FACTS = 'Margin and pledge of each position'
const DAYS = 'Interest day by day'

/** An active account: the loan, its security, and the interest of each day. */
export function MtfAccount(props: Props) {
	const { cards, cardsNote, pledges, positions, positionsFile, factsFailure, interestFailure, hasInterest } = props
	const { pathname } = useLocation()
	const parts = [
		{ what: FACTS, failure: factsFailure },
		{ what: DAYS, failure: hasInterest ? interestFailure : undefined },
	]
	return (
		<FailedParts parts={parts}>
			{cards.call && (
				<Banner kind="warning">
					<Unbroken text={cards.call.words} /> <a href={cards.call.href}>Add funds</a>
				</Banner>
			)}
			<WaitingPledges pledges={pledges} />
			{cardsNote && <Banner kind="warning">{cardsNote}</Banner>}
			<Cards>
				<Card title="Funded" figure={cards.funded.figure} note="What you owe the broker.">
					<FigureList rows={cards.funded.rows} isRows />
				</Card>
				<Card title="Margin" figure={cards.margin.figure} tone={cards.margin.tone} note="The security for the loan.">
					<FigureList rows={cards.margin.rows} isRows />
					<p className="text-muted mt-1 text-xs">The cash counted here may differ from what you can withdraw.</p>
				</Card>
				<Card title="Interest" figure={cards.interest.figure} note="So far, on the positions open today.">
					<FigureList rows={cards.interest.rows} isRows />
				</Card>
			</Cards>
			<Section title="Funded positions">
				{positions.rows.length > 0 && (
					<ReportToolbar
						action={pathname}
						isBesideHeading
						table={positions}
						files={<DownloadLink href={positionsFile} label="CSV" type="MTF POSITIONS" flag="CSV" />}
					/>
				)}
				<ReportTable {...positions} hasToolbar empty={{ text: 'You have no funded positions.' }} />
				{factsFailure && <Failed what={FACTS} failure={factsFailure} />}
				<p className="text-xs text-muted mt-2">
					Break-even is the price at which a sale today would pay for the shares and the interest so far, before the charges of the sale.
				</p>
			</Section>
			{hasInterest && <Interest {...props} />}
		</FailedParts>
	)
}

function Interest({ year, q, interest, interestFile, days, months, total, differs, interestFailure }: Props) {
	const { pathname } = useLocation()
	const none = q ? offerAll(q, `${pathname}?year=${year}`) : { text: `Nothing was funded in ${year}.` }
	const table = interest && (
		<>
			<ReportToolbar
				action={pathname}
				search={offerSearch(q, interest)}
				table={interest}
				files={interest.rows.length > 0 && <DownloadLink href={interestFile} label="CSV" type="MTF INTEREST" flag={year} />}
			>
				<input type="hidden" name="year" value={year} />
			</ReportToolbar>
			<ReportTable {...interest} hasToolbar empty={none} />
		</>
	)
	return (
		<Section title={`Interest ${year}`}>
			{interest ? (
				<>
					{differs && (
						<Banner kind="warning">
							The days of a month and the ledger’s entry for it do not agree. Ask the broker which of them is right.
						</Banner>
					)}
					{months.length > 0 && (
						<div className={days ? '-mb-px' : 'mb-4'}>
							<InterestMonths months={months} total={total} />
						</div>
					)}
					{days ? (
						<Folded label={`Day by day (${interest.paging?.total})`} isOpen={days.isOpen}>
							{table}
						</Folded>
					) : (
						table
					)}
					<p className="text-xs text-muted">
						Each day costs interest on what was funded at the end of the day before, weekends and holidays too. Interest for a month is
						debited when it ends.
					</p>
				</>
			) : (
				<Failed what={DAYS} failure={interestFailure} />
			)}
		</Section>
	)
}

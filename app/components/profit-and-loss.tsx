import { type ReactNode, useState } from 'react'
import { tellNoMatch } from '~/lib/no-match'
import { Banner } from './banner'
import { ColumnChart } from './charts'
import { DownloadLink } from './download-link'
import { Failed } from './failed'
import { FailedParts } from './failed-parts'
import { OtherReports } from './failed-report'
import { SubmitButton } from './form'
import { Folded } from './folded'
import { Halves } from './halves'
import { KeyFigures } from './key-figures'
import { Note } from './note'
import { FILES } from './page-title'
import { isNothing, ProfitAndLossBar } from './pnl-files'
import { type FiltersProps, ProfitAndLossFilters } from './pnl-filters'
import { type ProfitAndLossProps, type Shown } from './pnl-props'
import { hasTie, Tie, TIE_PART } from './pnl-tie'
import { PostForm } from './post-form'
import { ReportTable, type ReportTableProps } from './report-table'
import { Section } from './section'
import { Unbroken } from './unbroken'
import { useRevalidateWhile } from './use-revalidate-while'
import { useRoot } from './use-root'

/**
 * True when the table has all rows of the chosen segment. Their sums stand at the top of the page. The sums of some rows stand beside the
 * search or the failure that left the others out.
 */
const isOfAllRows = ({ q }: ProfitAndLossProps['filters'], { rows }: Shown) => !q && rows.failures.length === 0

const MONTHS = 'Realised by month'
const CHARGES = 'Charges by kind'
/** The parts of the page that have a link at its top. */
const LINKS = {
	months: { anchor: 'months', link: 'By month' },
	rows: { anchor: 'securities', link: 'Securities' },
	charges: { anchor: 'charges', link: 'Charges' },
	tie: { anchor: 'ledger', link: 'Ledger' },
	bundle: { anchor: 'summary-bundle', link: 'Summary bundle' },
}

/**
 * The profit and loss of a year: the figures of each segment, the rows, and how they tie to the paise that the bills moved in the
 * ledger.
 */
export function ProfitAndLoss({ year, path, link, isAlone, filters, segments, generate, missing, shown }: ProfitAndLossProps) {
	if (missing) {
		return (
			<Banner kind="info">
				{`${missing} is not active on your account.`}{' '}
				{isAlone ? <a href={link ? `${path}?link=${link}` : path}>Show all segments</a> : <a href="/myaccount/segments">Segments</a>}
			</Banner>
		)
	}
	if (!shown) return null
	const { summary, isNoneStated, rows, mismatches, months, charges, tie, bundle } = shown
	const parts = [
		{ what: 'Segments', failure: summary.failure },
		...rows.failures,
		// A report link has no chart.
		...(isAlone ? [] : [{ what: MONTHS, failure: months.failure }]),
		{ what: CHARGES, failure: charges.failure },
		{ what: TIE_PART, failure: tie.failure },
	]
	const none = { text: `Nothing was held or traded in ${year}.` }
	const ofRows = { year, path, link, filters, segments, shown }
	const ofBundle = bundle && <Bundle year={year} generate={generate} bundle={bundle} />
	if (isNothing(shown)) {
		return (
			<div className={isAlone ? 'mt-3' : undefined}>
				<ProfitAndLossBar shown={shown} />
				<Securities {...ofRows} />
			</div>
		)
	}
	return (
		<>
			<FailedParts parts={parts} what="Profit & Loss" rest={<Rest isAlone={isAlone}>{ofBundle}</Rest>}>
				{isOfAllRows(filters, shown) && rows.table?.strip && <KeyFigures figures={rows.table.strip} />}
				<ProfitAndLossBar shown={shown} parts={listParts(shown)} />
				{mismatches.map((mismatch) => (
					<Banner key={mismatch} kind="warning">
						<Unbroken text={mismatch} />
					</Banner>
				))}
				<Section title="Segments" isWide>
					{summary.table ? (
						<ReportTable {...summary.table} empty={isNoneStated ? { text: 'No figures by segment are stated.' } : none} />
					) : (
						<Failed what="Segments" failure={summary.failure} />
					)}
					<p className="text-muted mt-2 text-xs">
						Realised and Unrealised are <b>before charges</b>. Net is <b>after charges</b>: Realised + Unrealised − Charges. What was open
						when the year began counts as bought, at its cost.
					</p>
				</Section>

				<Securities {...ofRows} />
				<Months months={months} />
				<Charges charges={charges} empty={filters.q ? { text: tellNoMatch(filters.q) } : none} />
				<Halves>
					<Tie tie={tie} anchor={LINKS.tie.anchor} />
					{ofBundle}
				</Halves>
			</FailedParts>
		</>
	)
}

/** What a client can still do when nothing of the report could be loaded. */
function Rest({ isAlone, children }: { isAlone?: boolean; children: ReactNode }) {
	return (
		<>
			{isAlone ? <p className="prose">If it fails again, ask your broker for a new link.</p> : <OtherReports choice="year" />}
			{children}
		</>
	)
}

const hasMonths = ({ chart, failure }: Shown['months']) => Boolean(chart ?? failure)
const hasCharges = ({ table, failure }: Shown['charges']) => Boolean(table ?? failure)

const listParts = ({ months, charges, tie, bundle }: Shown) => [
	LINKS.rows,
	...(hasMonths(months) ? [LINKS.months] : []),
	...(hasCharges(charges) ? [LINKS.charges] : []),
	...(hasTie(tie) ? [LINKS.tie] : []),
	...(bundle ? [LINKS.bundle] : []),
]

function Months({ months }: { months: Shown['months'] }) {
	if (!hasMonths(months)) return null
	const { chart, failure } = months
	return (
		<Section title={MONTHS} anchor={LINKS.months.anchor}>
			{chart ? <ColumnChart {...chart} /> : <Failed what={MONTHS} failure={failure} />}
			{chart?.note && <Note>{chart.note}</Note>}
		</Section>
	)
}

function Securities(props: FiltersProps) {
	const { filters, shown } = props
	const { rows } = shown
	return (
		<Section title="Securities and contracts" anchor={LINKS.rows.anchor} isWide>
			<ProfitAndLossFilters {...props} />
			{rows.failures.map(({ what, failure }) => (
				<Failed key={what} what={what} failure={failure} />
			))}
			{rows.table && <ReportTable {...rows.table} strip={isOfAllRows(filters, shown) ? undefined : rows.table.strip} hasToolbar />}
		</Section>
	)
}

function Charges({ charges, empty }: { charges: Shown['charges']; empty: ReportTableProps['empty'] }) {
	if (!hasCharges(charges)) return null
	return (
		<Section title={CHARGES} anchor={LINKS.charges.anchor}>
			{charges.csv && (
				<div className={`${FILES} min-[20rem]:-mt-11 mb-3 justify-end`}>
					<DownloadLink href={charges.csv} label="CSV of charges" type="P&L CHARGES" flag="CSV" />
				</div>
			)}
			{charges.kinds && <KeyFigures figures={charges.kinds} />}
			{!charges.table ? (
				<Failed what={CHARGES} failure={charges.failure} />
			) : charges.kinds ? (
				<Folded
					label={`By security and contract (${charges.table.paging?.total})`}
					figure={charges.kinds.at(-1)?.text ?? ''}
					isOpen={charges.isOpen}
				>
					<ReportTable {...charges.table} empty={empty} />
				</Folded>
			) : (
				<ReportTable {...charges.table} empty={empty} />
			)}
		</Section>
	)
}

function Bundle({ year, generate, bundle }: { year: string; generate: string; bundle: NonNullable<Shown['bundle']> }) {
	// The time of the last bundle when the next one was asked for.
	const [before, setBefore] = useState<string>()
	const { toast } = useRoot()
	const isWaiting = before === bundle.at && toast?.kind !== 'error'
	useRevalidateWhile(isWaiting)
	return (
		<div className="print:hidden">
			<Section title="Summary bundle" anchor={LINKS.bundle.anchor}>
				<p className="prose max-sm:text-sm">
					One ZIP with the statements of every segment of {year}. Making a new one may take a minute.
					<noscript> Reload the page to see when it is ready.</noscript>
				</p>
				{bundle.href && (
					<p>
						<DownloadLink href={bundle.href} label="Download" type="P&L SUMMARY BUNDLE" flag={year} look="button" />{' '}
						{bundle.made && `Made at ${bundle.made}`}
					</p>
				)}
				<PostForm action={generate} preventScrollReset onSubmit={() => setBefore(bundle.at)}>
					<SubmitButton kind="plain">Generate</SubmitButton>
				</PostForm>
				{isWaiting && (
					<p role="status" className="text-muted mt-2 text-sm">
						The new one is being made; it appears here when it is ready.
					</p>
				)}
			</Section>
		</div>
	)
}

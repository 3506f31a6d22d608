import { type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useLocation } from '@remix-run/react'
import { unreadIn } from '#contract/tolerant'
import { currentYear, type FinancialYear, findLastDay, formatYear, startOfYear } from '#contract/values/financial-year'
import { formatRupees } from '#contract/values/money'
import { now, today } from '~/broker/clock.server'
import { getTaxFacts } from '~/broker/reports.server'
import { Banner } from '~/components/banner'
import { FigureList } from '~/components/card'
import { ColumnChart } from '~/components/charts'
import { DownloadLink } from '~/components/download-link'
import { Failed } from '~/components/failed'
import { OtherReports } from '~/components/failed-report'
import { Folded } from '~/components/folded'
import { Halves } from '~/components/halves'
import { KeyFigures } from '~/components/key-figures'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PartLinks } from '~/components/part-links'
import { ReportTable } from '~/components/report-table'
import { offerSearch, ReportToolbar, Toolbar } from '~/components/report-toolbar'
import { Section } from '~/components/section'
import { Unbroken } from '~/components/unbroken'
import { readRefresh } from '~/http/hard-refresh.server'
import { loadSidePart, loadPage } from '~/http/partial-data.server'
import { tellNoMatch } from '~/lib/no-match'
import {
	listDifferences,
	listStatedNet,
	tellYear,
	readIncomeTax,
	summaryStrip,
	summaryTable,
	taxLots,
	tellSummary,
	windowTable,
} from '~/reports/income-tax.server'
import { drawGains } from '~/reports/month-charts.server'
import { suggestNextStep } from '~/reports/next-step.server'
import { offersSchedule } from '~/reports/offered-files.server'
import { buildFoot } from '~/reports/foot.server'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { fitColumns } from '~/reports/tiers.server'
import { addressesTable, addressWith, createLinkBase, readView } from '~/reports/view.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'
import { ADVICE, listParts, PARTS } from './income-tax-parts'
import { hasTaxData, taxDetails } from './tax-details.server'
import { AdvanceTax, Estimate, Losses } from './tax-sections'

export const handle = { title: 'Income Tax', canRefresh: true, areScriptsLate: true }

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const year = readYear(request)
	const [tax, told, hasSchedule] = await Promise.all([
		loadPage(broker, readIncomeTax(broker, year, readRefresh(request))),
		loadSidePart(broker, getTaxFacts(broker, year), null),
		offersSchedule(broker, year),
	])
	const facts = told.data ?? undefined
	const view = readView(url, sortableKeys(taxLots))
	const arranged = arrange(taxLots, tax?.rows ?? [], view)
	const links = createLinkBase(url, formatYear(year))
	const details = facts && taxDetails(facts, links, formatYear(year))
	const ofYear = `?year=${formatYear(year)}`
	return {
		year: formatYear(year),
		filing: findFilingYear(year),
		law: tellYear(year, facts),
		isEmpty: !tax?.rows.length && !facts?.heads.length && !facts?.dividends.rows.length,
		// Losses of earlier years are something too, and so is what could not be read. Without the facts nobody knows.
		isNothing: facts !== undefined && !hasTaxData(tax?.rows, facts),
		q: view.q,
		failure: told.failure,
		differences: listDifferences(tax, facts),
		summary: {
			...fitColumns(summaryTable(tax, facts, links), { keys: ['head', 'net', 'after'] }, links),
			strip: facts && summaryStrip(facts),
		},
		windows: windowTable(tax, facts, year),
		gains: tax && !unreadIn(tax.rows) ? drawGains(tax.rows, startOfYear(year), findLastDay(year, today())) : undefined,
		details,
		main: details?.main ?? listStatedNet(tax),
		grandfathered: tax?.summary.grandfathered ? formatRupees(tax.summary.grandfathered) : undefined,
		notes: tellSummary(tax),
		next: tax?.rows.length ? undefined : await suggestNextStep(broker, links, year),
		lots: { ...buildTable(taxLots, arranged, view, links), foot: buildFoot(taxLots, arranged) },
		isOpen: {
			lots: addressesTable(url, view, sortableKeys(taxLots)),
			dividends: url.searchParams.get('columns') === 'all' || /^-?dividends\./.test(url.searchParams.get('sort') ?? ''),
		},
		files: {
			csv: addressWith(links, { page: undefined }, '/downloads/income-tax/csv'),
			excel: `/downloads/income-tax/xlsx${ofYear}`,
			dividends: `/downloads/income-tax/dividends${ofYear}`,
			schedule: hasSchedule ? `/downloads/income-tax/schedule-112a${ofYear}` : undefined,
		},
	}
}

/**
 * Returns the previous year from April to October, when its tax return is filed. The latest day is 31 October, for audited accounts
 * (section 139(1), Income-tax Act). Otherwise undefined.
 */
function findFilingYear(year: FinancialYear): string | undefined {
	const month = Number(today().slice(5, 7))
	return year === currentYear(now()) && month >= 4 && month <= 10 ? formatYear(year - 1) : undefined
}

export default function IncomeTax() {
	const { year, filing, law, isEmpty, isNothing, failure, differences, main, summary, windows, gains, details, notes, next, files } =
		useLoaderData<typeof loader>()
	return (
		<>
			<PageTitle title="Income Tax" note={law}>
				<DownloadLink href={files.excel} label="Excel" type="INCOME TAX" flag={year} />
			</PageTitle>
			{/* The notes stand together, so that a phone has two figures in a row. */}
			{main.length > 0 && <KeyFigures figures={main.map(({ note: _, ...figure }) => figure)} />}
			<p className={`text-muted ${isEmpty ? 'mb-6' : 'mb-2'} max-w-160 text-xs`}>
				<Unbroken text={[...main.flatMap(({ note = [] }) => note), ADVICE].join(' ')} />
			</p>
			{!isEmpty && <PartLinks parts={listParts({ ...details, windows: true, lots: true })} className="mb-3" />}
			{filing && (
				<Banner kind="info">
					The return to be filed now is of {filing}. <a href={`/reports/income-tax?year=${filing}`}>See {filing}</a>
				</Banner>
			)}
			{differences.length > 0 && (
				<Banner kind="warning">
					<b>These figures do not agree.</b> <Unbroken text={differences.join(' ')} />
				</Banner>
			)}
			{failure && <Failed what="Heads, dividends and turnover" failure={failure} />}
			<Section title="Summary">
				<ReportTable {...summary} empty={{ text: tellNothing(year, isNothing), action: next?.href === '/funds' ? undefined : next }} />
				{summary.rows.length > 0 && (
					<p className="mt-2 text-xs text-muted">
						Net: gains less losses of the year, before set-off and exemption. Future &amp; Options and Commodity are business income;
						Speculative is what was bought and sold on one day. <Unbroken text={notes} />
					</p>
				)}
			</Section>
			{details && <EstimateAndExemption {...details} />}
			{!isNothing && (
				<>
					<AdvanceTax year={year} windows={windows} areLossesListed={details?.setOff !== undefined} />
					<Losses year={year} setOff={details?.setOff} losses={details?.losses} />
				</>
			)}
			{details?.unmatched && (
				<Section title="Sales without a cost">
					<p>{details.unmatched.sentence}</p>
					<ReportTable {...details.unmatched.table} empty={{ text: '' }} />
				</Section>
			)}
			{gains && (
				<Section title={gains.title}>
					<ColumnChart {...gains} />
					<p className="mt-2 text-xs text-muted">After expenses, before set-off and exemption.</p>
				</Section>
			)}
			{!isNothing && <LotsSold />}
			<Dividends />
			{details?.turnover && (
				<Section {...PARTS.turnover}>
					<ReportTable {...details.turnover.table} empty={{ text: '' }} />
					<p className="mt-2 text-xs text-muted">{details.turnover.method}</p>
				</Section>
			)}
		</>
	)
}

function EstimateAndExemption({ estimate, exemption }: Pick<ReturnType<typeof taxDetails>, 'estimate' | 'exemption'>) {
	return (
		<Halves isEqual isLevel>
			{estimate && <Estimate table={estimate} />}
			<Section {...PARTS.exemption} isNarrow>
				<FigureList rows={exemption} />
			</Section>
		</Halves>
	)
}

/** In place of the parts that are left out when there is nothing. */
const tellNothing = (year: string, isNothing: boolean) =>
	isNothing
		? `Nothing was sold in ${year}, no dividend was received, and there is no loss to set off or carry forward.`
		: `Nothing was sold in ${year}.`

function LotsSold() {
	const { year, q, grandfathered, lots, isOpen, files } = useLoaderData<typeof loader>()
	const { pathname } = useLocation()
	// The link to all columns stands in the fold, with what it changes.
	const table = <ReportTable {...lots} empty={{ text: q ? tellNoMatch(q) : `Nothing was sold in ${year}.` }} />
	return (
		<Section {...PARTS.lots}>
			<ReportToolbar
				action={pathname}
				search={offerSearch(q, lots)}
				table={{ ...lots, switchColumns: undefined }}
				files={
					<>
						<DownloadLink href={files.csv} label="CSV" type="INCOME TAX" flag="CSV" />{' '}
						{files.schedule && <DownloadLink href={files.schedule} label="CSV of Schedule 112A" type="SCHEDULE 112A" flag={year} />}
					</>
				}
			>
				<input type="hidden" name="year" value={year} />
			</ReportToolbar>
			{lots.rows.length > 0 ? (
				<Folded
					label={`${lots.paging.total} ${lots.paging.total === 1 ? 'lot' : 'lots'}${lots.unread ? ' (incomplete)' : ''}`}
					figure={lots.strip?.at(-1)?.text}
					isOpen={isOpen.lots || lots.unread !== undefined}
					isOnPhone
				>
					{table}
				</Folded>
			) : (
				table
			)}
			{grandfathered && (
				<p className="mt-2 text-xs text-muted">
					<Unbroken text={`Of the cost used, ${grandfathered} comes from the 31/01/2018 rule; open a cost for details.`} />
				</p>
			)}
		</Section>
	)
}

function Dividends() {
	const { year, details, isOpen, files } = useLoaderData<typeof loader>()
	if (!details?.dividends) return null
	return (
		<Section {...PARTS.dividends}>
			<Toolbar
				hasForm={false}
				isBesideHeading
				files={<DownloadLink href={files.dividends} label="CSV of dividends" type="DIVIDENDS" flag={year} />}
			/>
			<Folded
				label={`${details.dividends.table.rows.length} ${details.dividends.table.rows.length === 1 ? 'dividend' : 'dividends'}${details.dividends.table.unread ? ' (incomplete)' : ''}`}
				figure={details.dividends.sum}
				isOpen={isOpen.dividends || details.dividends.table.unread !== undefined}
			>
				<ReportTable {...details.dividends.table} empty={{ text: '' }} />
			</Folded>
		</Section>
	)
}

export function ErrorBoundary() {
	return (
		<PageProblem title="Income Tax" what="Income Tax">
			<OtherReports choice="year" />
		</PageProblem>
	)
}

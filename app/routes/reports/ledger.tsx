import { data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { NameInAddress } from '#contract/common'
import { formatDay } from '#contract/values/dates'
import { type FinancialYear, findLastDay, formatYear, startOfYear } from '#contract/values/financial-year'
import { formatAmount, formatBalance, formatRupees } from '#contract/values/money'
import { isContractLedger, SEGMENT_NAMES } from '#contract/values/segments'
import { type Broker } from '~/broker/client.server'
import { today } from '~/broker/clock.server'
import { getDashboardLedger } from '~/broker/dashboard.server'
import { getLedgerReport } from '~/broker/ledger.server'
import { listClientLedgers } from '~/broker/profile.server'
import { Banner } from '~/components/banner'
import { ColumnChart } from '~/components/charts'
import { DateField } from '~/components/date-field'
import { DownloadLink } from '~/components/download-link'
import { FailedReport, OtherReports } from '~/components/failed-report'
import { Folded } from '~/components/folded'
import { CheckboxField, ErrorSummary, SelectField } from '~/components/form'
import { Note } from '~/components/note'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { ReportTable, TableSums } from '~/components/report-table'
import { offerSearch, ReportToolbar } from '~/components/report-toolbar'
import { readRefresh } from '~/http/hard-refresh.server'
import { loadKept, loadSidePart } from '~/http/partial-data.server'
import { type LedgerProof } from '~/lib/ledger-proof'
import { offerAll } from '~/lib/no-match'
import { formatUnits } from '~/lib/units'
import { nameCode, orDash } from '~/lib/unknown'
import { arrangeLong } from '~/reports/arrange-long.server'
import { listDatePresets } from '~/reports/date-presets.server'
import { describeLatest } from '~/reports/latest.server'
import { requireIsoDays } from '~/reports/filters.server'
import { findChosenPage, isOfYear } from '~/reports/ledger-names.server'
import { arrangeLedger, formatSide, ledgerReport, readLedgerFilters, tellOpening, tellUnproved } from '~/reports/ledger.server'
import { drawBalances } from '~/reports/month-charts.server'
import { suggestNextStep } from '~/reports/next-step.server'
import { sortableKeys, buildTable } from '~/reports/report.server'
import { addressWith, createLinkBase, readView, turnDates } from '~/reports/view.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'
import { Mismatch, ProofLine } from './ledger-proof'

export const handle = { title: 'Ledger', canRefresh: true, areScriptsLate: true }

export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const year = readYear(request)
	const ofType = params.type === undefined ? undefined : NameInAddress.safeParse(params.type).data
	if (params.type !== undefined && !ofType) throw noLedger()
	requireIsoDays(url, ofType ? await findChosenPage(url, async (cocd) => cocd === ofType || (await hasLedger(broker, year, cocd))) : url)
	const ledgers = await listClientLedgers(broker)
	const { filters, query, result } = readLedgerFilters(url, year, ofType)
	const offered = new Set([...ledgers, ...(query?.cocd && !isContractLedger(query.cocd) ? [query.cocd] : [])])
	const page = {
		year: formatYear(year),
		ledgers: [...offered].map((cocd) => ({ value: cocd, label: nameCode(SEGMENT_NAMES, cocd) })),
		path: url.pathname,
		presets: listDatePresets(createLinkBase(url, formatYear(year)), today(), { from: startOfYear(year), to: findLastDay(year, today()) }),
		q: url.searchParams.get('q') ?? '',
		filters,
		result,
		period: '',
		statement: undefined,
		isMissing: false,
		failure: undefined,
	}
	if (!query) return data(page, { status: 400 })
	if (isContractLedger(query.cocd) && !ledgers.includes(query.cocd)) return { ...page, isMissing: true }

	const { data: report, failure } = await loadKept(broker, getLedgerReport(broker, query, readRefresh(request)))
	const name = query.cocd && `${nameCode(SEGMENT_NAMES, query.cocd)} · `
	const period = `${name ?? ''}${formatDay(query.from)} to ${formatDay(query.to)}`
	if (!report) return data({ ...page, period, failure }, { status: failure.status })
	if (query.cocd && report.filtered_df.length === 0 && !(await hasLedger(broker, year, query.cocd))) {
		if (query.cocd === ofType) throw noLedger()
		// An unknown segment is removed from the address.
		throw redirect(addressWith(url, { segment: undefined }))
	}
	return { ...page, period, statement: await buildStatement(broker, report, query, year, createLinkBase(url, page.year)) }
}

const noLedger = () => new Response('There is no such ledger.', { status: 404 })

/**
 * True when a ledger without an entry in these days exists: the dashboard states the balances of all ledgers. Also true when that call
 * failed.
 */
async function hasLedger(broker: Broker, year: FinancialYear, cocd: string): Promise<boolean> {
	if (isContractLedger(cocd)) return true
	const { data } = await loadSidePart(broker, getDashboardLedger(broker, year))
	return !data || data.some(({ COCD }) => COCD === cocd)
}

type Query = NonNullable<ReturnType<typeof readLedgerFilters>['query']>

const listKeyFigures = ({ stated, opening, credits, debits }: Pick<LedgerProof, 'stated' | 'opening' | 'credits' | 'debits'>) => [
	{ label: 'Closing balance', text: formatBalance(stated), isMain: true },
	{ label: 'Opening balance', text: formatBalance(opening) },
	{ label: 'Credits', text: formatRupees(credits) },
	{ label: 'Debits', text: formatRupees(debits) },
]

async function buildStatement(
	broker: Broker,
	report: Awaited<ReturnType<typeof getLedgerReport>>,
	query: Query,
	year: FinancialYear,
	url: URL,
) {
	const { entries, totals, isWhole, proof, figures, wrong, unread } = arrangeLedger(report, query.cocd)
	const view = readView(url, sortableKeys(ledgerReport))
	const arranged = await arrangeLong(ledgerReport, entries, view)
	const isAll = arranged.length === entries.length
	// The broker's totals are shown only when the table has all rows.
	const sums = isAll && totals && !unread ? totals : sumRows(arranged)
	// "No data": no entry and no total.
	const hasFoot = report.totals_df.length > 0 || entries.length > 0
	return {
		table: {
			...buildTable(ledgerReport, arranged, view, url, (row) =>
				row.isFirstWrong ? 'wrong' : row.VOUCHER_TYPE === 'OPENING' ? 'opening' : undefined,
			),
			latest: describeLatest(ledgerReport, { rows: entries, arranged, view }),
			strip: figures && listKeyFigures(figures),
		},
		turned: arranged.length > 1 ? turnDates(view, url) : undefined,
		balances: unread ? undefined : drawBalances(entries),
		foot: hasFoot && [
			'',
			unread ? 'Total (incomplete)' : 'Total',
			'',
			'',
			'',
			'',
			isAll ? tellOpening(proof, sums) : `Of the ${formatUnits(arranged.length)} found`,
			formatAmount(sums.DR_AMT),
			formatAmount(sums.CR_AMT),
			isAll && !unread ? formatSide(sums.BALANCE) : '',
		],
		unproved: proof || (!unread && entries.length === 0) ? undefined : tellUnproved(totals, isWhole),
		// Nothing needs no proof.
		isProved: proof?.holds && entries.length > 0,
		proof: proof && {
			holds: proof.holds,
			opening: formatBalance(proof.opening),
			credits: formatRupees(proof.credits),
			debits: formatRupees(proof.debits),
			closing: formatBalance(proof.closing),
			stated: formatBalance(proof.stated),
			isRounded: proof.isRounded,
			difference: proof.stated === proof.closing ? undefined : formatRupees(Math.abs(proof.stated - proof.closing)),
			wrong: wrong && {
				voucher: wrong.VOUCHER_NO,
				day: formatDay(wrong.VOUCHER_DATE),
				stated: orDash(wrong.BALANCE, formatBalance),
				expected: formatBalance(proof.expected ?? 0),
			},
		},
		files: listFiles(query, year, url),
		fromZero: query.withOpening ? undefined : `Without the opening balance: balances start from zero on ${formatDay(query.from)}.`,
		empty: isAll
			? {
					text: `No entries between ${formatDay(query.from)} and ${formatDay(query.to)}.`,
					action: entries.length > 0 ? undefined : await suggestNextStep(broker, url, year),
				}
			: offerAll(view.q, addressWith(url, { q: undefined, page: undefined })),
	}
}

/**
 * Returns the files. Each has the rows that the page shows, over all its pages. Its name has the period. Messages call the file `flag`.
 */
function listFiles(query: Query, year: FinancialYear, url: URL) {
	const address = (format: string) => addressWith(url, { page: undefined, segment: query.cocd }, `/downloads/ledger/${format}`)
	const flag = isOfYear(query, year) ? formatYear(year) : `${formatDay(query.from)} to ${formatDay(query.to)}`
	return { flag, pdf: address('pdf'), excel: address('xlsx'), csv: address('csv') }
}

function sumRows(rows: readonly { DR_AMT: number | null; CR_AMT: number | null }[]) {
	let [DR_AMT, CR_AMT] = [0, 0]
	for (const row of rows) {
		DR_AMT += row.DR_AMT ?? 0
		CR_AMT += row.CR_AMT ?? 0
	}
	return { DR_AMT, CR_AMT, BALANCE: CR_AMT - DR_AMT }
}

export default function Ledger() {
	const { result, statement, isMissing, period, failure } = useLoaderData<typeof loader>()
	if (isMissing) {
		return (
			<>
				<PageTitle title="Ledger" />
				<Banner kind="info">
					Commodity is not active on your account. <a href="/myaccount/segments">Segments</a>
				</Banner>
			</>
		)
	}
	const errors = result?.error ?? {}
	return (
		<>
			<PageTitle title="Ledger" note={period} />
			<ErrorSummary
				form={{ errors: errors[''] ?? undefined }}
				fields={['from', 'to'].map((name) => ({ id: name, errors: errors[name] ?? undefined }))}
			/>
			{statement?.proof && !statement.proof.holds && <Mismatch proof={statement.proof} />}
			{statement && <TableSums strip={statement.table.strip} latest={statement.table.latest} />}
			<Filters />
			{failure && <FailedReport what="Ledger" failure={failure} />}
			{statement && <StatementTable statement={statement} />}
			{statement?.balances && (
				<div className="mt-6">
					<Folded label={statement.balances.title}>
						<ColumnChart {...statement.balances} />
					</Folded>
				</div>
			)}
		</>
	)
}

type Statement = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['statement']>

function Filters() {
	const { year, ledgers, filters, path, presets, q, result, statement } = useLoaderData<typeof loader>()
	const errors = result?.error ?? {}
	return (
		<ReportToolbar
			action={path}
			hasFields
			table={statement?.table}
			isOpen={Boolean(result)}
			search={result ? q : offerSearch(q, statement?.table)}
			presets={presets}
			turned={statement?.turned}
			checks={<Checks {...filters} />}
			files={
				// An empty ledger has files too, as proof that there was no entry.
				statement && (
					<>
						<DownloadLink href={statement.files.pdf} label="PDF" type="LEDGER" flag={statement.files.flag} />{' '}
						<DownloadLink href={statement.files.excel} label="Excel" type="LEDGER" flag={statement.files.flag} />{' '}
						<DownloadLink href={statement.files.csv} label="CSV" type="LEDGER" flag="CSV" />
					</>
				)
			}
		>
			<input type="hidden" name="year" value={year} />
			<input type="hidden" name="filtered" value="1" />
			<DateField field={{ id: 'from', name: 'from', defaultValue: filters.from, errors: errors.from ?? undefined }} label="From" />
			<DateField field={{ id: 'to', name: 'to', defaultValue: filters.to, errors: errors.to ?? undefined }} label="To" />
			<SelectField
				field={{ id: 'segment', name: 'segment', defaultValue: filters.segment }}
				label="Segment"
				options={[{ value: '', label: 'All' }, ...ledgers]}
			/>
		</ReportToolbar>
	)
}

/** Two of them stand above each other, centred on the fields beside them. */
function Checks({ withMargin, withOpening }: { withMargin: boolean; withOpening: boolean }) {
	return (
		<div className="max-md:contents md:mt-2.5 [&_label]:mt-0 md:[&_label]:min-h-6">
			<CheckboxField field={{ id: 'margin', name: 'margin', value: 'Y' }} label="Include margin" defaultChecked={withMargin} />
			<CheckboxField field={{ id: 'opening', name: 'opening', value: 'Y' }} label="With opening balance" defaultChecked={withOpening} />
		</div>
	)
}

function StatementTable({ statement }: { statement: Statement }) {
	return (
		<>
			{statement.fromZero && <Note>{statement.fromZero}</Note>}
			<ReportTable
				{...statement.table}
				strip={undefined}
				hasToolbar
				remark={statement.table.rows.length > 0 ? 'PDF, Excel and CSV contain what is shown here, over all pages.' : undefined}
				foot={statement.foot || undefined}
				empty={statement.empty}
			/>
			{statement.isProved && <ProofLine isRounded={statement.proof?.isRounded} />}
			{statement.unproved && <Note>{statement.unproved}</Note>}
		</>
	)
}

export function ErrorBoundary() {
	return (
		<PageProblem title="Ledger">
			<OtherReports />
		</PageProblem>
	)
}

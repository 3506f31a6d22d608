import { type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useLocation, useParams } from '@remix-run/react'
import { BillNoInAddress, type ContractNote } from '#contract/bills'
import { unreadIn } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { SEGMENTS } from '#contract/values/segments'
import { whenAbsent } from '~/broker/client.server'
import { getContractNote } from '~/broker/reports.server'
import { Banner } from '~/components/banner'
import { BridgeTable } from '~/components/bridge-table'
import { ColumnsLink } from '~/components/columns-link'
import { DownloadLink } from '~/components/download-link'
import { Failed } from '~/components/failed'
import { OtherReports } from '~/components/failed-report'
import { PageProblem } from '~/components/page-problem'
import { FILES, PageTitle } from '~/components/page-title'
import { ReportTable, TableSums } from '~/components/report-table'
import { offerSearch, ReportToolbar } from '~/components/report-toolbar'
import { Section } from '~/components/section'
import { loadRecord, loadRest, createRefused } from '~/http/partial-data.server'
import { offerAll } from '~/lib/no-match'
import { DASH, nameCode, orDash } from '~/lib/unknown'
import { buildFoot } from '~/reports/foot.server'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { tellUnread } from '~/reports/unread.server'
import { formatFileAddress, readView } from '~/reports/view.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'
import { listNoteFigures, listNoteLines, findNoteFault, noteTrades } from './contract-note-tables.server'
import { RowCard } from './row-card'
import { describeBill, NO_BILL, NO_NOTE, readMark } from './row-summary.server'

export const handle = { title: (page: { title?: string } | undefined) => page?.title ?? 'Contract note', areScriptsLate: true }

const BACK = { href: '/reports/contractnbill', label: 'Back to Contract/Bill' }

/** Loads a contract note: its trades, each charge with its calculation, and its ledger entry. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const bill = params.bill ?? ''
	if (!BillNoInAddress.safeParse(bill).success) throw new Response(NO_BILL, { status: 404 })
	const mark = readMark(request)
	const asked = mark === null ? getContractNote(broker, bill).catch(whenAbsent(undefined)) : NO_NOTE
	const { data: note, failure } = await loadRecord<ContractNote | undefined>(broker, asked)
	if (!note) {
		const { found, bills } = await loadRest(broker, describeBill(broker, bill, readYear(request), mark), failure)
		if (!found) throw createRefused(broker, failure, NO_BILL, bills)
		return { ...found, failure }
	}
	const url = new URL(request.url)
	const view = readView(url, sortableKeys(noteTrades))
	const arranged = arrange(noteTrades, note.trades, view)
	const isNoMatch = arranged.length === 0 && note.trades.length > 0
	return {
		summary: undefined,
		title: note.mark ? `Bill ${note.BILL_NO}` : `Contract note ${note.CONTRACT_NO ?? note.BILL_NO}`,
		facts: `${note.mark || !note.CONTRACT_NO ? '' : `Bill ${note.BILL_NO}. `}${nameCode(SEGMENTS, note.COCD)}, ${note.mark ? 'marked to market' : 'traded'} on ${formatDay(note.BILL_DATE)}, settlement ${note.SETL_NO ?? DASH} on ${orDash(note.SETTLES_ON, formatDay)}`,
		bill: note.BILL_NO,
		// A mark to market has no trades: the lines below explain it.
		table: note.mark
			? undefined
			: {
					...buildTable(noteTrades, arranged, view, url),
					foot: buildFoot(noteTrades, arranged),
					unread: tellUnread(unreadIn(note), { hasTotals: true }),
				},
		q: view.q,
		csv: formatFileAddress(`/downloads/contract/${encodeURIComponent(note.BILL_NO)}/trades`, view),
		empty: isNoMatch ? offerAll(view.q, url.pathname) : { text: 'No trade is on this note.' },
		figures: listNoteFigures(note),
		bridge: listNoteLines(note),
		fault: findNoteFault(note),
		isPosted: Boolean(note.VOUCHER_NO),
	}
}

export default function ContractNotePage() {
	const page = useLoaderData<typeof loader>()
	if (!page.summary) return <WholeNote page={page} />
	const { title, bill, file, summary, failure } = page
	return (
		<>
			<PageTitle title={title} back={BACK}>
				{file && <DownloadLink href={file} label="PDF" type="CONTRACT" flag={bill} />}
			</PageTitle>
			<RowCard {...summary} />
			{failure && <Failed what="Its trades and charges" failure={failure} />}
		</>
	)
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

function WholeNote({ page }: { page: Extract<Loaded, { summary?: undefined }> }) {
	const { title, facts, figures, bill, table, q, csv, empty, bridge, fault, isPosted } = page
	const { pathname } = useLocation()
	// Without a search the links stand beside the figures.
	const isShort = table && offerSearch(q, table) === undefined
	const trades = <DownloadLink href={csv} label="CSV" type="TRADES" flag={bill} />
	return (
		<>
			<PageTitle title={title} note={facts} back={BACK} />
			<div className="@container">
				<TableSums strip={figures}>
					<div className={`${FILES} mb-3 ml-auto`}>
						{isShort && <ColumnsLink {...table} />}{' '}
						<DownloadLink href={`/downloads/contract/${encodeURIComponent(bill)}`} label="PDF" type="CONTRACT" flag={bill} />{' '}
						{isShort && trades}
					</div>
				</TableSums>
			</div>
			{fault && (
				<Banner kind="warning">
					<b>This note does not add up.</b> {fault}
				</Banner>
			)}
			{table && (
				<div className="mb-4">
					{!isShort && <ReportToolbar action={pathname} table={table} search={q} files={trades} />}
					<ReportTable {...table} hasToolbar empty={empty} />
				</div>
			)}
			<Section title={table ? 'From trades to the ledger' : 'From the day’s price to the ledger'} isNarrow>
				<BridgeTable caption={table ? 'From trades to the ledger' : 'From the day’s price to the ledger'} rows={bridge} />
				{!isPosted && <p className="mt-3">Its net amount is zero, so nothing was posted.</p>}
			</Section>
		</>
	)
}

export function ErrorBoundary() {
	const { bill } = useParams()
	return (
		<PageProblem title="Contract note" what={`Bill ${bill}`} back={BACK}>
			<OtherReports choice="none" />
		</PageProblem>
	)
}

import { data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useLocation, useParams } from '@remix-run/react'
import { type CashFlows, type Lots } from '#contract/holding'
import { unreadIn } from '#contract/tolerant'
import { IsinInAddress } from '#contract/units'
import { formatDay } from '#contract/values/dates'
import { whenAbsent } from '~/broker/client.server'
import { listCashFlows, listHoldingActions, listLots } from '~/broker/reports.server'
import { Banner } from '~/components/banner'
import { FigureList } from '~/components/card'
import { ColumnsLink } from '~/components/columns-link'
import { DownloadLink } from '~/components/download-link'
import { Failed } from '~/components/failed'
import { OtherReports } from '~/components/failed-report'
import { Halves } from '~/components/halves'
import { Note } from '~/components/note'
import { PageProblem } from '~/components/page-problem'
import { FILES, PageTitle } from '~/components/page-title'
import { ReportTable, TableSums } from '~/components/report-table'
import { offerSearch, ReportToolbar } from '~/components/report-toolbar'
import { Section } from '~/components/section'
import { loadRecord, loadRest, loadSidePart, createMissing, createRefused, createSaidMissing } from '~/http/partial-data.server'
import { offerAll } from '~/lib/no-match'
import { orDash } from '~/lib/unknown'
import { computeReturn, formatReturn, NOT_AVAILABLE } from '~/lib/xirr'
import { formatPrice } from '~/reports/columns.server'
import { buildFoot } from '~/reports/foot.server'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { tellUnread } from '~/reports/unread.server'
import { formatFileAddress, readView } from '~/reports/view.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'
import { buildFlowTable, listSaleToday, lotsReport, tellAction, tellSpeculative } from './lot-table.server'
import { RowCard } from './row-card'
import { describeHolding } from './row-summary.server'

export const handle = {
	title: (page: { title?: string } | undefined, { isin }: Params) => page?.title ?? nameFailed(isin),
	areScriptsLate: true,
}

type Params = { isin?: string }

/** The heading of a holding that could not be loaded: its ISIN. Any other text of an address is not repeated as a heading. */
const nameFailed = (isin = '') => (/^[A-Z]{2}[A-Z0-9]{10}$/.test(isin) ? isin : 'Holding')

const BACK = { href: '/reports/holding', label: 'Back to Holding' }

const NO_HOLDING = 'There is no such holding.'
const NOT_HELD = 'You do not hold this security, or all of it was sold.'

/** Loads the details of one holding: its lots, their corporate actions, and their returns. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const isin = params.isin ?? ''
	if (!IsinInAddress.safeParse(isin).success) throw new Response(NO_HOLDING, { status: 404 })
	const url = new URL(request.url)
	const [{ data: lots, failure }, actions, flows] = await Promise.all([
		loadRecord<Lots | undefined>(broker, listLots(broker, isin).catch(whenAbsent(undefined))),
		loadSidePart(broker, listHoldingActions(broker, isin)),
		loadSidePart(broker, listCashFlows(broker)),
	])
	if (!lots) {
		const { sought, ...found } = await loadRest(broker, describeHolding(broker, isin, readYear(request)), failure)
		// Without a failure the broker has no lots of any holding, and the page says that this one is not held.
		if (sought && unreadIn(sought)) throw createRefused(broker, failure, NO_HOLDING, sought)
		if (sought && failure) throw failure.isSaid ? createSaidMissing(broker, failure, NOT_HELD) : createMissing(broker, NOT_HELD)
		return data({ ...found, failure })
	}
	const view = readView(url, sortableKeys(lotsReport))
	const arranged = arrange(lotsReport, lots.lots, view)
	const isNoMatch = arranged.length === 0 && lots.lots.length > 0
	const own = flows.data?.find(({ ISIN }) => ISIN === isin)
	const earned = own && tellReturn(own)
	return data({
		summary: undefined,
		title: lots.SYMBOL,
		name: `${lots.SCRIP_NAME}, ${lots.ISIN}`,
		asOn: lots.PRICE_DAY
			? `Priced at ${orDash(lots.CLOSE_PRICE, (price) => `₹ ${formatPrice(price)}`)} on ${formatDay(lots.PRICE_DAY)}`
			: 'No price is known',
		table: { ...buildTable(lotsReport, arranged, view, url), caption: `Lots of ${lots.SYMBOL}`, foot: buildFoot(lotsReport, arranged) },
		q: view.q,
		csv: formatFileAddress(`/downloads/lots/${encodeURIComponent(isin)}`, view),
		empty: isNoMatch ? offerAll(view.q, url.pathname) : { text: 'You do not hold this security.', action: BACK },
		unknown: unreadIn(lots)?.cells ? 0 : lots.lots.filter(({ COST }) => COST === null).length,
		sale: listSaleToday(lots),
		speculative: tellSpeculative(lots),
		earned,
		hasReturn: earned !== undefined && !earned.startsWith(NOT_AVAILABLE),
		cashFlows: own && buildFlowTable(own, url),
		flowsFailure: flows.failure,
		actions: actions.data?.map((action) => ({ day: formatDay(action.EX_DATE), words: tellAction(action) })),
		hasActions: !actions.isAbsent,
		actionsFailure: actions.isAbsent ? undefined : actions.failure,
		actionsUnread: tellUnread(actions.data && unreadIn(actions.data)),
	})
}

/** Returns the rate of return, or why there is none. */
function tellReturn({ IS_COMPLETE, flows, AS_ON, VALUE }: CashFlows[number]): string {
	if (!IS_COMPLETE) return `${NOT_AVAILABLE}: the cost of some units is not known`
	if (unreadIn(flows)) return `${NOT_AVAILABLE}: some payments could not be read`
	return formatReturn(computeReturn([...flows, { DATE: AS_ON, AMOUNT: VALUE }]))
}

export default function Holding() {
	const page = useLoaderData<typeof loader>()
	if (page.summary === undefined) return <HoldingLots page={page} />
	return (
		<>
			<PageTitle title={page.title} note={page.note} back={BACK} />
			{page.summary ? <RowCard {...page.summary} /> : <p>You do not hold this security.</p>}
			{page.failure && <Failed what="Its lots" failure={page.failure} />}
		</>
	)
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

type WholePage = Extract<Loaded, { summary?: undefined }>

function HoldingLots({ page }: { page: WholePage }) {
	const { pathname } = useLocation()
	const { title, name, asOn, table, q, csv, empty, unknown } = page
	// Without a search the links stand beside the figures.
	const isShort = offerSearch(q, table) === undefined
	const file = <DownloadLink href={csv} label="CSV" type="LOTS" flag={title} />
	return (
		<>
			<PageTitle title={title} note={`${name}. ${asOn}.`} back={BACK} />
			<div className="@container">
				<TableSums strip={table.strip}>
					{isShort && (
						<div className={`${FILES} mb-3 ml-auto`}>
							<ColumnsLink {...table} /> {file}
						</div>
					)}
				</TableSums>
			</div>
			{!isShort && <ReportToolbar action={pathname} table={table} search={q} files={file} />}
			<div className="mb-4">
				<ReportTable {...table} strip={undefined} hasToolbar empty={empty} />
				{unknown > 0 && (
					<Note>
						Cost not known: {`${unknown} ${unknown === 1 ? 'lot' : 'lots'}`}, left out of Cost, Unrealised and Taxable gain. The units came
						in by a transfer, which has no price.
					</Note>
				)}
			</div>
			<Halves>
				<div className="min-w-0">
					<SoldToday page={page} />
					{page.hasActions && <CorporateActions page={page} />}
				</div>
				{page.cashFlows && <Flows table={page.cashFlows} earned={page.earned} hasReturn={page.hasReturn} />}
			</Halves>
		</>
	)
}

/** The result of a sale today. The rate of return is not in it: that counts all purchases and sales, also of shares long sold. */
function SoldToday({ page: { sale, speculative, flowsFailure } }: { page: WholePage }) {
	return (
		<Section title="If sold today">
			{sale.length === 0 && <p>Without a cost the gain is not known.</p>}
			{sale.length > 0 && <FigureList isRows rows={sale} />}
			{speculative && <p className="mt-2 text-xs text-muted">{speculative}</p>}
			<p className="mt-2 text-xs text-muted">Worked out at the last close, before the charges of the sale. Not tax advice.</p>
			{flowsFailure && <Failed what="Return (XIRR) and cash flows" failure={flowsFailure} />}
		</Section>
	)
}

/** The rate of return, and what it is made of. Without a rate there is nothing to explain. */
function Flows({ table, earned, hasReturn }: { table: NonNullable<WholePage['cashFlows']>; earned?: string; hasReturn: boolean }) {
	return (
		<Section title="Cash flows">
			<ReportTable {...table} empty={{ text: '' }} />
			{earned && <FigureList isRows rows={[{ label: 'Return by date of payment\u00a0(XIRR)', figure: earned, isTotal: true }]} />}
			{!hasReturn && <p className="mt-2 text-xs text-muted">Paid includes the charges and taxes of the purchase.</p>}
			{hasReturn && (
				<p className="mt-2 text-xs text-muted">
					What the return is made of: purchases with their charges and taxes, sales less theirs, dividends before tax was deducted (those of
					before a demerger in the ratio of cost), and the value now. Depository fees and interest are not in it. A rate a year is XIRR,
					over 365 days.
				</p>
			)}
		</Section>
	)
}

function CorporateActions({ page: { actions, actionsFailure, actionsUnread } }: { page: WholePage }) {
	return (
		<Section title="Corporate actions">
			{actionsFailure && <Failed what="Corporate actions" failure={actionsFailure} />}
			{actionsUnread && <Banner kind="warning">{actionsUnread}</Banner>}
			{actions?.length === 0 && !actionsUnread && <p>None since it was acquired.</p>}
			<ul className="divide-line divide-y">
				{actions?.map(({ day, words }) => (
					<li key={day + words} className="py-3 first:pt-0">
						<b>{day}</b> {words}
					</li>
				))}
			</ul>
		</Section>
	)
}

export function ErrorBoundary() {
	const { isin } = useParams()
	return (
		<PageProblem title={nameFailed(isin)} what="This holding" back={BACK}>
			<OtherReports choice="none" but={BACK.href} />
		</PageProblem>
	)
}

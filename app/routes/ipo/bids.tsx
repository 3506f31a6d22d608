import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { IpoExchange } from '#contract/ipo'
import { formatDay } from '#contract/values/dates'
import { formatMoment } from '#contract/values/moments'
import { formatAmount, formatRupees, toPaise } from '#contract/values/money'
import { type Broker, whenAbsent } from '~/broker/client.server'
import { findIpos, listIpoApplications, listIpoBids, updateIpoMandateStatus } from '~/broker/ipo.server'
import { Banner } from '~/components/banner'
import { DownloadLink } from '~/components/download-link'
import { Failed } from '~/components/failed'
import { FailedReport } from '~/components/failed-report'
import { DateField } from '~/components/date-field'
import { ReportList } from '~/components/list-table'
import { ErrorSummary, SubmitButton } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { offerSearch, ReportToolbar } from '~/components/report-toolbar'
import { Unbroken } from '~/components/unbroken'
import { openForm, unanswered } from '~/forms/form.server'
import { readReceipt } from '~/forms/receipt.server'
import { loadKept, loadPart, loadSidePart, createRefused, type PartFailure } from '~/http/partial-data.server'
import { loadAgain } from '~/lib/load-again'
import { tellNoMatch } from '~/lib/no-match'
import { formatUnits } from '~/lib/units'
import { orDash } from '~/lib/unknown'
import { requireIsoDays } from '~/reports/filters.server'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { addressWith, readView } from '~/reports/view.server'
import { requireBroker } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import {
	formatAllotment,
	type BidEntry,
	bidPeriod,
	findBidKind,
	findMandateKind,
	listWaitingMandates,
	describeResult,
	ipoBidsReport,
	joinApplications,
	readRowResult,
	formatMandateStatus,
	formatBidStatus,
} from './bid-table.server'
import { BidResult } from './ipo-result'
import { findIssueState } from './issue-table.server'

export const handle = { title: 'IPO' }

export async function loader({ request, params: { application } }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	requireIsoDays(url)
	const { typed, period, result } = bidPeriod(url)
	const view = readView(url, sortableKeys(ipoBidsReport))
	const page = {
		filters: { ...typed, q: view.q },
		result,
		csv: '',
		exchanges: [] as Mandates[],
		factsFailure: undefined,
		failure: undefined as PartFailure | undefined,
	}
	if (!period) return data({ ...page, period: '', table: undefined, dialog: undefined }, { status: 400 })
	const [{ data: rows, failure }, applications] = await Promise.all([
		loadKept(broker, listIpoBids(broker, period.from, period.to)),
		loadSidePart(broker, listIpoApplications(broker), []),
	])
	const days = `${formatDay(period.from)} to ${formatDay(period.to)}`
	if (!rows) return data({ ...page, period: days, table: undefined, dialog: undefined, failure }, { status: failure.status })
	const bids = joinApplications(rows, applications.data)
	const table = buildTable(ipoBidsReport, arrange(ipoBidsReport, bids, view), view, url)
	return data({
		...page,
		period: days,
		table,
		csv: addressWith(url, { page: undefined }, '/downloads/ipo-bids/csv'),
		factsFailure: applications.failure,
		exchanges: listExchanges(bids),
		dialog: application === undefined ? undefined : await buildDialog(request, broker, application, bids),
	})
}

/** `waiting`: the mandates that the client must accept, in words. */
type Mandates = { exchange: IpoExchange; waiting: string[] }

/** Returns the exchanges that have a mandate whose status can still change, those first where a mandate waits for the client. */
function listExchanges(bids: readonly BidEntry[]): Mandates[] {
	return IpoExchange.options
		.map((exchange) => ({ exchange, open: bids.filter((bid) => bid.exchange === exchange && !FINAL.has(bid.mandate_status)) }))
		.filter(({ open }) => open.length > 0)
		.map(({ exchange, open }) => ({ exchange, waiting: listWaitingMandates(open).map(({ words }) => words) }))
		.sort((a, b) => Number(b.waiting.length > 0) - Number(a.waiting.length > 0) || (a.exchange < b.exchange ? -1 : 1))
}

/** An unknown or unreadable status may still change. */
const FINAL: ReadonlySet<string | null> = new Set(['ACCEPTED', 'REJECTED', 'EXPIRED'])

/** Returns one application: its reply, if the broker or this browser still has it, and its rows in the report. */
async function buildDialog(request: Request, broker: Broker, number: string, bids: readonly BidEntry[]) {
	const rows = bids.filter(({ application_no }) => application_no === number)
	// A number that the broker refuses does not belong to this client.
	const asked = await loadPart(broker, listIpoApplications(broker, number).catch(whenAbsent([])))
	const told = asked.data?.find(({ application_no }) => application_no === number)
	const [first] = rows
	const application = told ?? first?.application
	const receipt = application ? undefined : await readReceipt(request, broker.clientCode, 'bid', number)
	if (!first && !application && !receipt) {
		// When the call failed, the application may still exist.
		if (asked.failure && !asked.failure.isRefused) throw Response.json(asked.failure, { status: asked.failure.status })
		throw createRefused(broker, asked.failure, 'There is no such bid, or it is older than the report.', bids)
	}
	const results = application?.results ?? rows.map(readRowResult)
	const outcomes = receipt?.outcomes ?? results.map((result) => describeResult(result))
	const isPlaced = outcomes.some((outcome) => outcome.isPlaced)
	const state = first ?? application
	const isVoid = state?.status === 'REJECTED' || state?.status === 'CANCELLED'
	const mandate = state && findMandateKind(state)
	const symbol = application?.symbol ?? first?.symbol ?? ''
	const mayWait = isPlaced && !isVoid && (!mandate || mandate === 'todo')
	const missing = application
		? undefined
		: !receipt
			? 'The exchange’s answer and the mandate’s deadline'
			: mayWait && 'The mandate’s deadline'
	return {
		failed: asked.failure && missing && { what: missing, failure: asked.failure },
		title: isPlaced ? 'Bid submitted' : 'Bid not placed',
		isPlaced: isPlaced && !isVoid,
		todo: isPlaced && mandate === 'todo' ? { until: application && formatMoment(application.mandate_until) } : undefined,
		again: isPlaced || !(await isOpen(broker, symbol)) ? undefined : `/connect/ipo/${encodeURIComponent(symbol)}`,
		outcomes: outcomes.map((outcome, at) => ({
			...outcome,
			bid:
				rows[at] &&
				`${orDash(rows[at].quantity, formatUnits)} shares at ₹ ${orDash(rows[at].price, (price) => formatAmount(toPaise(price)))}`,
		})),
		lines: [
			...(receipt?.lines ?? [
				{ label: 'Issue', value: application?.name ?? first?.name ?? symbol },
				...(application ? [{ label: 'Amount', value: formatRupees(application.amount) }] : []),
			]),
			// For a bid that is only sent, the answer of the exchange below is enough. A mandate that the client must accept stands
			// above.
			...(state && state.status !== 'PENDING'
				? [{ label: 'Bid status', value: formatBidStatus({ ...state, application }), status: findBidKind(state) }]
				: []),
			...(state && mandate !== 'todo'
				? [{ label: 'Mandate status', value: formatMandateStatus({ ...state, application }), status: mandate }]
				: []),
			...rows
				.map((row) => ({ label: 'Allotment', value: formatAllotment(row) ?? '' }))
				.filter(({ value }) => value !== '')
				.slice(0, 1),
		],
	}
}

/** True when the issue takes bids now; false when that is unknown, because the page of a closed issue does not exist. */
async function isOpen(broker: Broker, symbol: string): Promise<boolean> {
	const { data: issues = [] } = await loadPart(broker, findIpos(broker, 'current'), [])
	return issues.some((issue) => issue.symbol === symbol && findIssueState(issue) === 'LIVE')
}

export async function action({ request }: ActionFunctionArgs) {
	const { form, broker } = await openForm(request)
	const exchange = IpoExchange.safeParse(form.get('exchange'))
	const failed = (status: number, message: string) => data({ result: { status: 'error' as const, error: { '': [message] } } }, { status })
	if (!exchange.success) return failed(400, 'Select an exchange.')
	try {
		const message = await updateIpoMandateStatus(broker, exchange.data)
		const { pathname, search } = new URL(request.url)
		return await redirectWithToast(pathname + search, { kind: 'success', message: message || 'Mandate status updated' })
	} catch (error) {
		return await unanswered(parseWithZod(form, { schema: z.object({}) }), error)
	}
}

export const shouldRevalidate = loadAgain

export default function Bids() {
	const { filters, period, table, csv, exchanges, factsFailure, failure, dialog, result } = useLoaderData<typeof loader>()
	const sent = useActionData<typeof action>()
	const errors: Record<string, string[] | null | undefined> = { ...result?.error, ...sent?.result.error }
	const waits = exchanges.filter(({ waiting }) => waiting.length > 0)
	const others = exchanges.filter(({ waiting }) => waiting.length === 0)
	const field = (name: 'from' | 'to') => ({ id: name, name, defaultValue: filters[name], errors: errors[name] ?? undefined })
	return (
		<>
			{dialog && <BidResult {...dialog} />}
			<PageTitle title="IPO" part="Bid report" isTabName note={period && `Bids from ${period}`} />
			<ErrorSummary form={{ errors: errors[''] ?? undefined }} fields={[field('from'), field('to')]} />
			{waits.length > 0 && (
				<Banner
					kind="warning"
					action={waits.map(({ exchange }, at) => (
						<Refresh key={exchange} exchange={exchange} isMain={at === 0} />
					))}
				>
					{waits
						.flatMap(({ waiting }) => waiting)
						.map((words, at) => (
							<p key={at} className="font-semibold">
								<Unbroken text={words} />
							</p>
						))}
					<p>Otherwise the bid is void. Accepted already? Refresh its status.</p>
				</Banner>
			)}
			<ReportToolbar
				action="/connect/ipo/bids"
				hasFields
				areOfDays
				table={table}
				isOpen={Boolean(result)}
				search={offerSearch(filters.q, table)}
				files={csv && table && table.rows.length > 0 && <DownloadLink href={csv} label="CSV" type="IPO BIDS" flag="CSV" />}
			>
				<DateField field={field('from')} label="From" />
				<DateField field={field('to')} label="To" />
			</ReportToolbar>
			{failure && (
				<FailedReport what="The bid report" failure={failure}>
					<p className="prose">
						Your bids stay; still accept a mandate that waits. Choose other days, or <a href="/connect/ipo">see live issues</a>.
					</p>
				</FailedReport>
			)}
			{factsFailure && <Failed what="Deadlines and reasons" failure={factsFailure} />}
			{table && (
				<ReportList
					table={table}
					look="max-sm:[&_.held]:w-1/2 xl:[&_thead_th]:whitespace-nowrap xl:[&_tbody_.of-issue]:min-w-46 xl:[&_td.of-status]:min-w-46 [&_td.of-message]:min-w-64"
					empty={
						filters.q
							? { text: tellNoMatch(filters.q) }
							: { text: 'No bids in this period.', action: { href: '/connect/ipo', label: 'See live issues' } }
					}
				/>
			)}
			{others.length > 0 && (
				<div className="actions mb-4 print:hidden">
					{others.map(({ exchange }) => (
						<Refresh key={exchange} exchange={exchange} />
					))}
				</div>
			)}
		</>
	)
}

/** Asks the exchange whether the client has accepted the mandates of its bids. */
function Refresh({ exchange, isMain }: { exchange: IpoExchange; isMain?: boolean }) {
	return (
		<PostForm preventScrollReset>
			<input type="hidden" name="exchange" value={exchange} />
			<SubmitButton kind={isMain ? 'main' : 'plain'}>{`Refresh mandate status: ${exchange}`}</SubmitButton>
		</PostForm>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="IPO" part="Bid report" />
}

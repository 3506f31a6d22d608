import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { IpoExchange } from '#contract/ipo'
import { formatDay } from '#contract/values/dates'
import { today } from '~/broker/clock.server'
import { listIpoApplications, listIpoBids, updateIpoMandateStatus } from '~/broker/ipo.server'
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
import { loadKept, loadSidePart, type PartFailure } from '~/http/partial-data.server'
import { loadAgain } from '~/lib/load-again'
import { tellNoMatch } from '~/lib/no-match'
import { requireIsoDays } from '~/reports/filters.server'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { addressWith, readView } from '~/reports/view.server'
import { requireBroker } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { buildDialog, SUBMITTED } from './bid-dialog.server'
import { type BidEntry, bidPeriod, listWaitingMandates, ipoBidsReport, joinApplications } from './bid-table.server'
import { BidResult } from './ipo-result'

export const handle = { title: 'IPO' }

export async function loader({ request, params: { application } }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const isSubmitted = url.searchParams.get(SUBMITTED) === today()
	// No link of the page, and no file, is about a bid just made.
	url.searchParams.delete(SUBMITTED)
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
		dialog: application === undefined ? undefined : await buildDialog(request, broker, { number: application, bids, isSubmitted }),
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
					held="issue"
					look="max-sm:[&_.held]:w-1/2 xl:[&_thead_th]:whitespace-nowrap xl:[&_tbody_.of-issue]:min-w-46 xl:[&_td.of-status]:min-w-46 [&_td.of-message]:min-w-64"
					empty={tellEmpty(filters.q)}
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

const tellEmpty = (q: string) =>
	q ? { text: tellNoMatch(q) } : { text: 'No bids in this period.', action: { href: '/connect/ipo', label: 'See live issues' } }

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

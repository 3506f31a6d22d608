import { randomUUID } from 'node:crypto'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { z } from 'zod/v4'
import { formatDay } from '#contract/values/dates'
import { formatAmount, formatRupees } from '#contract/values/money'
import { orNone } from '~/broker/client.server'
import { tellDeadline } from '~/broker/clock.server'
import { getPledgeData, getPledgeTerms, listPledgeRequests, requestMarginPledge } from '~/broker/depository.server'
import { Banner } from '~/components/banner'
import { Box } from '~/components/box'
import { Failed } from '~/components/failed'
import { FailedPage } from '~/components/failed-page'
import { FailedParts } from '~/components/failed-parts'
import { ErrorSummary, SubmitButton } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { ReportTable } from '~/components/report-table'
import { SummaryList } from '~/components/summary-list'
import { redirectToSign } from '~/forms/esign-confirm.server'
import { lookUp, openForm, replyWith } from '~/forms/form.server'
import { readIdempotencyKey } from '~/forms/idempotency-key'
import { runIdempotent } from '~/forms/idempotency.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { confirmPath } from '~/lib/sign-pages'
import { type ColumnWidth } from '~/lib/table'
import { formatUnits } from '~/lib/units'
import { orDash } from '~/lib/unknown'
import { formatPrice } from '~/reports/columns.server'
import { fitColumns } from '~/reports/tiers.server'
import { audit } from '~/session/audit.server'
import { requireBroker } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { formatPledgeQuery, findWaiting, listPledgeLines, readPledgeOrder, sumMargin } from './pledge-form.server'

export const handle = { title: 'DP Process' }
const Key = z.object({ idempotency_key: z.uuid() })

type ReviewColumn = { key: string; label: string; unit?: '₹'; align: 'left' | 'right'; from?: ColumnWidth }

const COLUMNS: readonly ReviewColumn[] = [
	{ key: 'name', label: 'Name', align: 'left' },
	{ key: 'qty', label: 'Quantity', align: 'right' },
	{ key: 'margin', label: 'Margin', unit: '₹', align: 'right' },
	{ key: 'haircut', label: 'Haircut', align: 'right' },
	{ key: 'price', label: 'Close', unit: '₹', align: 'right' },
	{ key: 'isin', label: 'ISIN', align: 'left' },
]

/** Shows the whole order with the broker's current figures. An address that asks for more units than there are redirects to the form. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const query = new URL(request.url).searchParams
	const order = readPledgeOrder(query)
	const key = z.uuid().safeParse(query.get('order'))
	if (!key.success) throw redirect(`/dpprocess/pledge/review?${formatPledgeQuery(order)}&order=${randomUUID()}`)
	const [pledges, terms, requests] = await Promise.all([
		loadPart(broker, getPledgeData(broker)),
		loadSidePart(broker, getPledgeTerms(broker), null),
		loadSidePart(broker, listPledgeRequests(broker), []),
	])
	if (!pledges.data) return data({ failure: pledges.failure, order: undefined }, { status: pledges.failure.status })
	const lines = listPledgeLines(order, pledges.data, terms.data ?? undefined)
	if (!lines) {
		const message = 'What you can pledge or unpledge has changed. Check the quantities.'
		throw await redirectWithToast(`/dpprocess/pledge?${formatPledgeQuery(order)}`, { kind: 'warning', message }, { status: 302 })
	}
	const margin = sumMargin(lines)
	const before = pledges.data.total.MARGIN
	const isPledge = order.action === 'pledge'
	const waiting = findWaiting(order, requests.data ?? [])
	const shown = {
		isPledge,
		termsFailure: terms.failure,
		requestsFailure: requests.failure,
		waiting: waiting && { ref: waiting.request_id, until: tellDeadline(waiting.confirm_by) },
		key: key.data,
		back: `/dpprocess/pledge?${formatPledgeQuery(order)}`,
		table: fitColumns(
			{
				columns: COLUMNS,
				rows: lines.map(({ isin, name, qty, price, haircut, margin }) => ({
					id: isin,
					cells: [name, formatUnits(qty), formatAmount(margin), `${haircut} %`, formatPrice(price), isin],
				})),
				foot: ['Total', '', formatAmount(margin), '', '', ''],
			},
			{ keys: ['name', 'qty', 'margin'] },
			new URL(request.url),
		),
		answers: [
			{ label: 'Total margin now', value: orDash(before, formatRupees) },
			{ label: 'Total margin after', value: orDash(before, (now) => formatRupees(isPledge ? now + margin : Math.max(0, now - margin))) },
			...(terms.data
				? [
						{ label: 'Fee, GST included', value: formatRupees(terms.data.fee * lines.length) },
						{ label: 'Confirm by', value: tellDeadline(terms.data.confirm_by) },
						isPledge
							? { label: 'Counts as margin from', value: formatDay(terms.data.margin_from) }
							: { label: 'Margin is less', value: 'As soon as you confirm' },
					]
				: []),
		],
	}
	return data({ failure: undefined, order: shown })
}

/** Calls the broker once per key, and redirects to the depository. */
export async function action({ request }: ActionFunctionArgs) {
	const { form, broker } = await openForm(request)
	const order = readPledgeOrder(new URL(request.url).searchParams)
	const submission = parseWithZod(form, { schema: Key })
	// The order is in the address, so it is added to the content of the key.
	form.set('asked', formatPledgeQuery(order).toString())
	const asked = Object.entries(order.units).map(([isin, qty]) => ({ isin, qty }))
	if (asked.length === 0) throw redirect('/dpprocess/pledge', 303)
	// Reads the requests first, so that an equal waiting one is continued. A broker without the list answers 404.
	const { found: requests, failed } = await lookUp(form, listPledgeRequests(broker).catch(orNone([])))
	if (failed) return failed
	const done = await runIdempotent(
		{ broker, name: 'pledge', form, submission },
		async (idempotencyKey) =>
			findWaiting(order, requests) ?? (await requestMarginPledge(broker, { action: order.action, data: asked, idempotencyKey })),
	)
	if ('again' in done) return done.again
	const { esign_response: response, request_id } = done.answer
	audit('pledge_asked', request, broker.clientCode, { action: order.action })
	const title = order.action === 'pledge' ? 'Margin pledge' : 'Unpledge of shares'
	const lines = [{ label: 'Reference', value: request_id }]
	const away = await redirectToSign(request, broker, { response, title, lines, back: '/dpprocess/pledge' })
	if (away) return away
	const message = `We cannot open this page because its address is not approved. Request ${request_id} is not confirmed, and nothing has changed.`
	return data({ result: replyWith(submission, { formErrors: [message] }) }, { status: 502 })
}

const TERMS = 'The fee and deadlines'
const ASKED = 'Whether you have asked for this already'

export default function Review() {
	const { order, failure } = useLoaderData<typeof loader>()
	const { pathname, search } = useLocation()
	const sent = useActionData<typeof action>()
	if (!order) {
		const errors = sent?.result.error?.['']
		return <FailedPage title="DP Process" part="Margin pledge" what="What you can pledge or unpledge" failure={failure} errors={errors} />
	}
	const { isPledge, waiting, key, back, table, answers, termsFailure, requestsFailure } = order
	const caption = isPledge ? 'Check your pledge' : 'Check what you unpledge'
	const parts = [
		{ what: TERMS, failure: termsFailure },
		{ what: ASKED, failure: requestsFailure },
	]
	return (
		<FailedParts parts={parts}>
			<PageTitle title="DP Process" part={caption} note="Step 2 of 3" />
			<ErrorSummary form={{ errors: sent?.result.error?.[''] ?? undefined }} />
			{waiting && (
				<Banner kind="info">
					You have asked for exactly this already, as request <a href={confirmPath(waiting.ref)}>{waiting.ref}</a>, which you can confirm by{' '}
					{waiting.until}. Confirm continues it; nothing is requested twice.
				</Banner>
			)}
			<ReportTable caption={caption} {...table} empty={{ text: 'Nothing.' }} />
			<div className="mt-4 [&_dl]:border-t-0">
				<Box>
					<SummaryList items={answers} />
					{termsFailure && <Failed what={TERMS} failure={termsFailure} />}
					{requestsFailure && <Failed what={ASKED} failure={requestsFailure} />}
					{!isPledge && (
						<p className="prose">
							Your open positions may use this margin. Without it, cash of your ledger is blocked in its place, and what is missing must be
							paid. <a href="/funds/withdraw">See what your positions need</a>
						</p>
					)}
					<p className="prose">
						The next page is the depository’s, where you confirm with an OTP; you come back here afterwards. Nothing changes, and nothing is
						charged, until you have confirmed there.
					</p>
					{/* A full-page post, because the reply redirects to another site. */}
					<PostForm action={pathname + search} reloadDocument idempotencyKey={readIdempotencyKey(sent, key)}>
						<div className="actions">
							<SubmitButton>Confirm</SubmitButton>
							<a href={back}>Back</a>
						</div>
					</PostForm>
				</Box>
			</div>
		</FailedParts>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="DP Process" />
}

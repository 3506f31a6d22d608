import { randomUUID } from 'node:crypto'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { type FormEvent, useState } from 'react'
import { type PledgeData, type PledgeTerms } from '#contract/depository'
import { unreadIn } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { formatDeadline } from '#contract/values/moments'
import { formatAmount, formatRupees } from '#contract/values/money'
import { now } from '~/broker/clock.server'
import { getPledgeData, getPledgeTerms, listPledgeRequests } from '~/broker/depository.server'
import { DownloadLink } from '~/components/download-link'
import { Failed } from '~/components/failed'
import { FailedBanner } from '~/components/failed-banner'
import { ErrorSummary, RadioField, SubmitButton } from '~/components/form'
import { findTypedValues, KeptForm, listQuantities } from '~/components/kept-form'
import { Note } from '~/components/note'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { useLive } from '~/components/use-live'
import { invalid, lookUp, readForm } from '~/forms/form.server'
import { ROW_FIELDS } from '~/forms/quantity-fields.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { retryAfter } from '~/http/retry-after.server'
import { tellNoMatch } from '~/lib/no-match'
import { orDash } from '~/lib/unknown'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { formatFileAddress, sortText, readView } from '~/reports/view.server'
import { readRequestId, requireBroker } from '~/session/session.server'
import { pledgeHoldings, pledgeRequestsReport } from './depository-tables.server'
import { addTiers, FormTable, FormTableBar, QuantityCell } from './form-table'
import { ListSection } from './list-section'
import { formatPledgeQuery, readTypedForm, createPledgeForm, readTypedPledge } from './pledge-form.server'
import { PledgeTotal, type PledgeTyped } from './pledge-total'
import { SelectionBar } from './selection-bar'
import { buildFormTable, readFormView } from './table-entries.server'

export const handle = { title: 'DP Process' }
export const headers = retryAfter

const NONE: PledgeData = { filtered_df: [], total: { VALUE: 0, MARGIN: 0, PLEDGED_VALUE: 0 } }

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const reference = readRequestId(request)
	const url = new URL(request.url)
	const [pledges, terms, requests] = await Promise.all([
		loadPart(getPledgeData(broker), reference, NONE),
		loadSidePart<PledgeTerms | null>(getPledgeTerms(broker), reference, null),
		loadSidePart(listPledgeRequests(broker), reference, []),
	])
	const { filtered_df, total } = pledges.data ?? NONE
	const asked = readTypedPledge(url.searchParams)
	const cash = terms.data?.cash_equivalents
	const report = pledgeHoldings(cash)
	const view = readView(url, [...sortableKeys(report), ...sortableKeys(pledgeRequestsReport)])
	const table = buildFormTable(report, filtered_df, view, ({ ISIN }) => asked.typed[ISIN] !== undefined, ['isin'])
	// Without a search the broker's own total; with one, the sum of the found rows.
	const foot = table.heads.map(({ label }, index) => {
		if (view.q) return table.foot[index] ?? ''
		return label === 'Value'
			? orDash(total.VALUE, formatAmount)
			: label === 'Margin'
				? orDash(total.MARGIN, formatAmount)
				: index === 0
					? 'Total'
					: ''
	})
	const unread = unreadIn(filtered_df)
	const pledgedCash = filtered_df.filter(({ ISIN }) => cash?.includes(ISIN)).reduce((sum, { MARGIN }) => sum + MARGIN, 0)
	const page = {
		failure: pledges.failure,
		q: view.q,
		sorted: sortText(view),
		isEmpty: filtered_df.length === 0,
		figures: filtered_df.map(({ ISIN, CLOSE_PRICE, HAIRCUT }) => ({ isin: ISIN, price: CLOSE_PRICE, haircut: HAIRCUT })),
		heads: table.heads,
		unread: table.unread,
		rows: table.rows.map(({ row, cells }) => ({ isin: row.ISIN, canMove: row.FREE_QTY + row.PLEDGED_QTY, cells })),
		foot,
		margin: total.MARGIN,
		halves:
			cash && total.MARGIN && !unread ? { cash: formatRupees(pledgedCash), other: formatRupees(total.MARGIN - pledgedCash) } : undefined,
		terms: terms.data && {
			fee: terms.data.fee,
			shownFee: formatRupees(terms.data.fee),
			askBy: formatDeadline(new Date(terms.data.ask_by), now()),
			confirmBy: formatDeadline(new Date(terms.data.confirm_by), now()),
			marginFrom: formatDay(terms.data.margin_from),
		},
		termsFailure: terms.failure,
		asked: asked satisfies PledgeTyped,
		requests: requests.data && buildTable(pledgeRequestsReport, arrange(pledgeRequestsReport, requests.data, view), view, url),
		hasRequests: !requests.isAbsent,
		requestsFailure: requests.failure,
		files: {
			holdings: formatFileAddress('/downloads/depository/margin-pledge', view),
			requests: formatFileAddress('/downloads/depository/pledge-requests', view),
		},
	}
	return data(page, { status: pledges.failure?.status ?? 200 })
}

function joined(query: URLSearchParams, shown: Record<string, string>): string {
	for (const [name, value] of Object.entries(shown)) query.set(name, value)
	return query.toString()
}

/** Does not call the broker: a valid order goes on to the confirmation page, in its address. */
export async function action({ request }: ActionFunctionArgs) {
	const broker = await requireBroker(request)
	const form = await readForm(request, { rows: ROW_FIELDS })
	const reference = readRequestId(request)
	const shown = readFormView(form)
	const intent = form.get('intent')
	// A new view: the typed values go along, valid or not.
	if (form.has('sort') || intent === 'show')
		return redirect(`${PLEDGE}?${joined(formatPledgeQuery(readTypedForm(form)), shown)}#pledge`, { status: 303 })
	const [pledges, terms] = await Promise.all([lookUp(form, getPledgeData(broker)), loadSidePart(getPledgeTerms(broker), reference)])
	if (pledges.failed) return pledges.failed
	const submission = parseWithZod(form, { schema: createPledgeForm(pledges.found.filtered_df, terms.data?.max_securities) })
	if (submission.status !== 'success') return invalid(submission)
	const address = formatPledgeQuery(submission.value)
	if (intent === 'total') return redirect(`${PLEDGE}?${joined(address, shown)}#total`, { status: 303 })
	// The idempotency key belongs to this order: the back button and a reload find the same one.
	return redirect(`${PLEDGE}/review?${address}&order=${randomUUID()}`, { status: 303 })
}

const PLEDGE = '/dpprocess/pledge'
const SHOWN_FIRST = 3
/** Haircut and margin, on a tablet. */
const ADDED = 2
const QUANTITY = { label: 'Quantity', align: 'right' } as const

export default function Pledge() {
	const { failure, isEmpty, terms, termsFailure, halves, q, requests, hasRequests, requestsFailure, files } = useLoaderData<typeof loader>()
	const sent = useActionData<typeof action>()
	const kept = failure || isEmpty ? findTypedValues(sent) : undefined
	return (
		<>
			<PageTitle title="DP Process" part="Margin pledge" />
			{terms && (
				<p className="prose">
					<b>
						Confirm by {terms.confirmBy} for margin on {terms.marginFrom}
					</b>
					, if you ask by {terms.askBy}. Pledging or releasing costs {terms.shownFee} with GST for each security and request.
				</p>
			)}
			{termsFailure && <Failed what="Fee and deadlines" failure={termsFailure} />}
			{failure || kept ? (
				<>
					<ErrorSummary form={{ errors: sent?.result.error?.[''] ?? undefined }} />
					{failure && <FailedBanner what="What you can pledge or release" failure={failure} />}
					{kept && <KeptForm action={PLEDGE} kept={kept} label="Review" lines={listQuantities(kept)} />}
				</>
			) : (
				<PledgeForm />
			)}
			<p className="prose">
				Pledged shares stay in your demat account and count as margin, less the haircut: quantity × close × (1 − haircut). Released shares
				can be sold again; those that secure what you owe cannot be released. Haircuts of all securities are in the{' '}
				<a href="/reports/downloads">approved lists</a>.
			</p>
			{halves && (
				<Note>
					Half of the margin for positions held overnight must be cash. Of your pledged margin {halves.cash} counts as cash and{' '}
					{halves.other} does not.
				</Note>
			)}
			{hasRequests && (
				<ListSection
					title="Pledge requests"
					what="Your pledge requests"
					list={requests}
					failure={requestsFailure}
					file={{ href: files.requests, label: 'CSV of pledge requests', type: 'PLEDGE REQUESTS' }}
					q={q}
					none="You have not asked to pledge or release anything."
				/>
			)}
		</>
	)
}

function PledgeForm() {
	const { q, isEmpty, heads, unread, rows, foot, asked } = useLoaderData<typeof loader>()
	const result = useActionData<typeof action>()?.result
	const given = (result?.initialValue ?? {}) as { action?: string; qty?: Record<string, unknown> }
	const toText = (sent: unknown) => (typeof sent === 'string' ? sent : '')
	const shown: PledgeTyped = result
		? { action: toText(given.action), typed: Object.fromEntries(rows.map(({ isin }) => [isin, toText(given.qty?.[isin])])) }
		: asked
	// With a script: the current values of the form.
	const [now, setNow] = useState<PledgeTyped>()
	const findErrors = (name: string) => result?.error?.[name] ?? undefined
	const fields = rows.map(({ isin }) => ({
		id: `pledge-${isin}`,
		name: `qty.${isin}`,
		errors: findErrors(`qty.${isin}`),
		defaultValue: shown.typed[isin] ?? '',
	}))

	function follow({ currentTarget }: FormEvent<HTMLFormElement>) {
		const form = new FormData(currentTarget)
		const typed = Object.fromEntries(rows.map(({ isin }) => [isin, String(form.get(`qty.${isin}`) ?? '')]))
		setNow({ action: String(form.get('action')), typed })
	}

	return (
		<>
			<ErrorSummary form={{ errors: findErrors('') }} fields={fields} />
			<PostForm id="pledge" noValidate onInput={follow}>
				{!isEmpty && <AboveTable chosen={shown.action} />}
				<FormTable
					caption="Margin pledge"
					unread={unread}
					columns={[...heads.slice(0, SHOWN_FIRST), QUANTITY, ...addTiers(heads.slice(SHOWN_FIRST), ADDED)]}
					nameAt={0}
					rows={rows.map(({ isin, cells: [name = '', ...cells], canMove }, index) => ({
						id: isin,
						cells: [
							<>
								{name} <span className="isin text-muted block text-xs">{isin}</span>
							</>,
							...cells.slice(0, SHOWN_FIRST - 1),
							<QuantityCell key="quantity" field={fields[index] ?? { id: isin }} of={name} max={canMove} />,
							...cells.slice(SHOWN_FIRST - 1),
						],
					}))}
					foot={[...foot.slice(0, SHOWN_FIRST), '', ...foot.slice(SHOWN_FIRST)]}
					empty={
						isEmpty
							? {
									text: 'Nothing in your demat account can be pledged.',
									action: { href: '/reports/holding', label: 'See your holding' },
								}
							: { text: tellNoMatch(q), action: { href: PLEDGE, label: 'Show all' } }
					}
				/>
				{rows.length > 0 && <TotalAndReview typed={now ?? shown} />}
			</PostForm>
		</>
	)
}

/** The search, the download and the choice between pledge and release. */
function AboveTable({ chosen }: { chosen: string }) {
	const { q, sorted, rows, files } = useLoaderData<typeof loader>()
	return (
		<>
			<FormTableBar
				search={q}
				sorted={sorted}
				hasRows={rows.length > 0}
				files={<DownloadLink href={files.holdings} label="CSV of holdings" type="MARGIN PLEDGE" flag="CSV" />}
			/>
			<RadioField
				field={{ id: 'action', name: 'action' }}
				label="Request"
				defaultValue={chosen}
				options={[
					{ value: 'pledge', label: 'Pledge' },
					{ value: 'unpledge', label: 'Unpledge' },
				]}
			/>
		</>
	)
}

function TotalAndReview({ typed }: { typed: PledgeTyped }) {
	const { figures, margin, terms } = useLoaderData<typeof loader>()
	const isLive = useLive()
	return (
		<>
			<div id="total">
				<PledgeTotal rows={figures} margin={margin} fee={terms?.fee} {...typed} />
			</div>
			<SelectionBar count={isLive ? Object.values(typed.typed).filter((units) => units?.trim()).length : undefined} word="filled in">
				<SubmitButton>Review</SubmitButton>{' '}
				{!isLive && (
					<SubmitButton kind="plain" name="intent" value="total">
						Update total
					</SubmitButton>
				)}
			</SelectionBar>
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="DP Process" />
}

import { randomUUID } from 'node:crypto'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { type FormEvent, useState } from 'react'
import { orNone } from '~/broker/client.server'
import { type PledgeData } from '~/broker/contract/depository'
import { getPledgeData, getPledgeTerms, listPledgeRequests } from '~/broker/depository.server'
import { Failed } from '~/components/failed'
import { ErrorSummary, RadioField, SubmitButton } from '~/components/form'
import { FormTable, QuantityCell } from '~/components/form-table'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PledgeTotal, type PledgeTyped } from '~/components/pledge-total'
import { PostForm } from '~/components/post-form'
import { ReportTable } from '~/components/report-table'
import { Section } from '~/components/section'
import { useLive } from '~/components/use-live'
import { invalid, readForm } from '~/forms.server'
import { retryAfter } from '~/headers.server'
import { formatDay } from '~/lib/days'
import { momentOf } from '~/lib/moments'
import { formatRupees } from '~/lib/money'
import { part, wholePage } from '~/parts.server'
import { addressOf, orderOf, pledgeOf, sumMargin, wordsOf } from '~/pledge.server'
import { requestIdOf, requireBroker } from '~/session.server'

export const handle = { title: 'DP Process' }
export const headers = retryAfter

const grouped = new Intl.NumberFormat('en-IN')
const priced = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 4 })
const NONE: PledgeData = { filtered_df: [], total: { VALUE: 0, MARGIN: 0, PLEDGED_VALUE: 0 } }

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const reference = requestIdOf(request)
	const [{ filtered_df, total }, terms, requests] = await Promise.all([
		wholePage(getPledgeData(broker).catch(orNone(NONE)), reference),
		part(getPledgeTerms(broker), reference),
		part(listPledgeRequests(broker), reference),
	])
	const { action, units } = orderOf(new URL(request.url).searchParams)
	const cash = terms.data?.cash_equivalents
	const pledgedCash = filtered_df.filter(({ ISIN }) => cash?.includes(ISIN)).reduce((sum, { MARGIN }) => sum + MARGIN, 0)
	return {
		rows: filtered_df.map((row) => ({
			isin: row.ISIN,
			name: row.SCRIP_NAME,
			price: row.CLOSE_PRICE,
			haircut: row.HAIRCUT,
			canMove: row.FREE_QTY + row.PLEDGED_QTY,
			cells: [
				grouped.format(row.FREE_QTY),
				grouped.format(row.PLEDGED_QTY),
				priced.format(row.CLOSE_PRICE),
				formatRupees(row.VALUE),
				`${row.HAIRCUT} %`,
				formatRupees(row.MARGIN),
				cash ? (cash.includes(row.ISIN) ? 'Cash' : 'Non-cash') : '—',
			],
		})),
		total: { value: formatRupees(total.VALUE), margin: total.MARGIN, shownMargin: formatRupees(total.MARGIN) },
		halves: cash && total.MARGIN > 0 ? { cash: formatRupees(pledgedCash), other: formatRupees(total.MARGIN - pledgedCash) } : undefined,
		terms: terms.data && {
			fee: terms.data.fee,
			shownFee: formatRupees(terms.data.fee),
			confirmBy: momentOf(terms.data.confirm_by),
			marginFrom: formatDay(terms.data.margin_from),
		},
		asked: { action, typed: Object.fromEntries(Object.entries(units).map(([isin, qty]) => [isin, String(qty)])) } satisfies PledgeTyped,
		requests: (requests.data ?? []).map((each) => {
			const { request_id, action, asked_at, lines } = each
			const units = lines.reduce((sum, { qty }) => sum + qty, 0)
			return {
				id: request_id,
				cells: [
					momentOf(asked_at),
					{ text: request_id, href: `/dpprocess/pledge/return?ref=${request_id}` },
					action === 'pledge' ? 'Pledge' : 'Unpledge',
					lines.length === 1 ? (lines[0]?.stock_name ?? '') : `${lines.length} securities`,
					grouped.format(units),
					formatRupees(sumMargin(lines)),
					wordsOf(each).status,
				],
			}
		}),
		requestsFailure: requests.failure,
	}
}

/** Nothing is asked of the broker here: what fits goes on to the page that is confirmed, in its address. */
export async function action({ request }: ActionFunctionArgs) {
	const broker = await requireBroker(request)
	const form = await readForm(request)
	const reference = requestIdOf(request)
	const [{ filtered_df }, terms] = await Promise.all([
		wholePage(getPledgeData(broker).catch(orNone(NONE)), reference),
		part(getPledgeTerms(broker), reference),
	])
	const submission = parseWithZod(form, { schema: pledgeOf(filtered_df, terms.data?.max_securities) })
	if (submission.status !== 'success') return invalid(submission)
	const address = addressOf(submission.value)
	if (form.get('intent') === 'total') return redirect(`/dpprocess/pledge?${address}#total`, { status: 303 })
	// The one-time key is of this order: the back button and a reload find the same one.
	return redirect(`/dpprocess/pledge/review?${address}&order=${randomUUID()}`, { status: 303 })
}

const COLUMNS = [
	{ label: 'Name' },
	{ label: 'Free', align: 'right' },
	{ label: 'Pledged', align: 'right' },
	{ label: 'Close', align: 'right' },
	{ label: 'Value', align: 'right' },
	{ label: 'Haircut', align: 'right' },
	{ label: 'Margin', align: 'right' },
	{ label: 'Kind' },
	{ label: 'Quantity', align: 'right' },
] as const

const REQUESTS = [
	{ key: 'asked', label: 'Asked at', align: 'left' },
	{ key: 'reference', label: 'Reference', align: 'left' },
	{ key: 'action', label: 'Request', align: 'left' },
	{ key: 'what', label: 'Securities', align: 'left' },
	{ key: 'qty', label: 'Quantity', align: 'right' },
	{ key: 'margin', label: 'Margin', align: 'right' },
	{ key: 'status', label: 'Status', align: 'left' },
] as const

export default function Pledge() {
	const { terms, halves, requests, requestsFailure } = useLoaderData<typeof loader>()
	return (
		<>
			<PageTitle title="DP Process" />
			<p className="prose">
				Pledged shares stay in your demat account and count as margin, less the haircut: quantity × close × (1 − haircut).
				{terms &&
					` Confirm by ${terms.confirmBy} for margin from ${terms.marginFrom}. Pledging or releasing costs ${terms.shownFee} with GST for each security and request.`}
			</p>
			<PledgeForm />
			{halves && (
				<p className="prose small">
					Half of the margin for positions held overnight must be cash. Of your pledged margin {halves.cash} counts as cash and{' '}
					{halves.other} does not. Released shares can be sold again; shares that secure what you owe cannot be released.
				</p>
			)}
			<Section title="Pledge requests">
				{requestsFailure ? (
					<Failed what="Your pledge requests" failure={requestsFailure} />
				) : (
					<ReportTable
						caption="Pledge requests"
						columns={REQUESTS}
						rows={requests}
						empty={{ text: 'You have not asked to pledge or release anything.' }}
					/>
				)}
			</Section>
		</>
	)
}

function PledgeForm() {
	const { rows, total, terms, asked } = useLoaderData<typeof loader>()
	const result = useActionData<typeof action>()?.result
	const given = (result?.initialValue ?? {}) as { action?: string; qty?: Record<string, string> }
	const shown: PledgeTyped = result ? { action: given.action ?? 'pledge', typed: given.qty ?? {} } : asked
	// With a script: what stands in the form now.
	const [now, setNow] = useState<PledgeTyped>()
	const isLive = useLive()
	const errorsOf = (name: string) => result?.error?.[name] ?? undefined
	const fields = rows.map(({ isin }) => ({
		id: `pledge-${isin}`,
		name: `qty.${isin}`,
		errors: errorsOf(`qty.${isin}`),
		defaultValue: shown.typed[isin] ?? '',
	}))

	function follow({ currentTarget }: FormEvent<HTMLFormElement>) {
		const form = new FormData(currentTarget)
		const typed = Object.fromEntries(rows.map(({ isin }) => [isin, String(form.get(`qty.${isin}`) ?? '')]))
		setNow({ action: String(form.get('action')), typed })
	}

	return (
		<>
			<ErrorSummary form={{ errors: errorsOf('') }} fields={fields} />
			<PostForm id="pledge" noValidate onInput={follow}>
				{rows.length > 0 && (
					<RadioField
						field={{ id: 'action', name: 'action' }}
						label="Request"
						defaultValue={shown.action}
						options={[
							{ value: 'pledge', label: 'Pledge' },
							{ value: 'unpledge', label: 'Unpledge' },
						]}
					/>
				)}
				<FormTable
					caption="Margin pledge"
					columns={COLUMNS}
					nameAt={0}
					rows={rows.map(({ isin, name, cells, canMove }, index) => ({
						id: isin,
						cells: [
							<>
								{name}
								<span className="isin">{isin}</span>
							</>,
							...cells,
							<QuantityCell key="quantity" field={fields[index] ?? { id: isin }} of={name} max={canMove} />,
						],
					}))}
					foot={['Total', '', '', '', total.value, '', total.shownMargin, '', '']}
					empty={{ text: 'Nothing in your demat account can be pledged.', action: { href: '/reports/holding', label: 'See your holding' } }}
				/>
				{rows.length > 0 && (
					<div id="total">
						<PledgeTotal rows={rows} margin={total.margin} fee={terms?.fee} {...(now ?? shown)} />
						<div className="actions">
							<SubmitButton>Review</SubmitButton>
							{!isLive && (
								<SubmitButton kind="plain" name="intent" value="total">
									Update total
								</SubmitButton>
							)}
						</div>
					</div>
				)}
			</PostForm>
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="DP Process" />
}

import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { Outlet, useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { orNone } from '~/broker/client.server'
import { getEdisHoldings, listStockVerifications, requestStockVerification } from '~/broker/depository.server'
import { Banner } from '~/components/banner'
import { Failed } from '~/components/failed'
import { ErrorSummary, Field, RadioField, SubmitButton } from '~/components/form'
import { FormTable, QuantityCell } from '~/components/form-table'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { ReportTable } from '~/components/report-table'
import { Section } from '~/components/section'
import { useLive } from '~/components/use-live'
import { invalid, readForm, unanswered } from '~/forms.server'
import { retryAfter } from '~/headers.server'
import { momentOf } from '~/lib/moments'
import { log } from '~/log.server'
import { part, wholePage } from '~/parts.server'
import { commitPending, newPending } from '~/pending.server'
import { requestIdOf, requireBroker } from '~/session.server'
import { flashCookie } from '~/toast.server'
import { pendingOf, verificationOf } from '~/verification.server'

export const handle = { title: 'DP Process' }
export const headers = retryAfter

const grouped = new Intl.NumberFormat('en-IN')
const priced = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 4 })

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const reference = requestIdOf(request)
	const [holdings, told] = await Promise.all([
		wholePage(getEdisHoldings(broker).catch(orNone([])), reference),
		part(listStockVerifications(broker), reference),
	])
	const live = told.data?.verifications ?? []
	return {
		holdings: holdings.map(({ isin, stock_name, qty, free_qty, verified_qty, poa_qty, close_price }) => ({
			isin,
			name: stock_name,
			free: free_qty,
			cells: [
				grouped.format(qty),
				grouped.format(free_qty),
				grouped.format(verified_qty),
				grouped.format(poa_qty),
				priced.format(close_price),
			],
		})),
		isSelected: new URL(request.url).searchParams.get('select') === 'all',
		// Covered by the standing instruction, all of it.
		needsNone: holdings.length > 0 && holdings.every(({ free_qty, verified_qty, poa_qty }) => poa_qty >= free_qty + verified_qty),
		validUntil: told.data && momentOf(told.data.valid_until),
		maxSecurities: told.data?.max_securities,
		lastTradeDay: told.data?.trade_days[0],
		verified: live.map(({ request_id, isin, stock_name, qty, trade_type, verified_at, valid_until }) => ({
			id: `${request_id} ${isin}`,
			cells: [stock_name, isin, grouped.format(qty), trade_type === 'PRE' ? 'Pre' : 'Post', momentOf(verified_at), momentOf(valid_until)],
		})),
		verifiedFailure: told.failure,
	}
}

/** Has the code sent. It verifies what was asked for here, whatever a form says later. */
export async function action({ request }: ActionFunctionArgs) {
	const broker = await requireBroker(request)
	const form = await readForm(request)
	const reference = requestIdOf(request)
	const [holdings, told] = await Promise.all([
		wholePage(getEdisHoldings(broker).catch(orNone([])), reference),
		part(listStockVerifications(broker), reference),
	])
	const submission = parseWithZod(form, { schema: verificationOf(holdings, told.data) })
	if (submission.status !== 'success') return invalid(submission)
	try {
		const sent = await requestStockVerification(broker, submission.value)
		log.info({ event: 'otp_sent', reference, of: 'edis' }, 'A code was asked for')
		const value = pendingOf(submission.value, sent.expires_in)
		const headers = await commitPending(newPending('edis', broker.clientCode, value, { ...sent, resend_in: 0 }))
		headers.append('set-cookie', await flashCookie({ kind: 'info', message: 'Otp Sent Successfully' }))
		return redirect('/dpprocess/otp', { status: 303, headers })
	} catch (error) {
		return await unanswered(submission, error)
	}
}

export default function Verification() {
	const { verified, verifiedFailure, needsNone, validUntil } = useLoaderData<typeof loader>()
	const isOtp = useLocation().pathname === '/dpprocess/otp'
	const isLive = useLive()
	return (
		<>
			<PageTitle title="DP Process" />
			<Outlet />
			{/* Behind the dialog that a script opens; without one the code has the page to itself. */}
			{(!isOtp || isLive) && (
				<>
					{needsNone && (
						<Banner kind="info">
							You do not need this: DDPI is active. What you sell is delivered without a code. <a href="/dpprocess/ddpi">See your DDPI</a>
						</Banner>
					)}
					<p className="prose">
						Verify what you are about to sell, or have sold, with a code, so that the broker may take it out of your demat account.
						{validUntil && ` What you verify now holds until ${validUntil}; a corporate action ends it sooner.`}
					</p>
					<HoldingsForm />
					<Section title="Verified">
						{verifiedFailure ? (
							<Failed what="What is verified, and until when," failure={verifiedFailure} />
						) : (
							<ReportTable caption="Verified" columns={VERIFIED} rows={verified} empty={{ text: 'Nothing is verified at the moment.' }} />
						)}
					</Section>
				</>
			)}
		</>
	)
}

const VERIFIED = [
	{ key: 'name', label: 'Name', align: 'left' },
	{ key: 'isin', label: 'ISIN', align: 'left' },
	{ key: 'qty', label: 'Quantity', align: 'right' },
	{ key: 'type', label: 'Trade type', align: 'left' },
	{ key: 'at', label: 'Verified at', align: 'left' },
	{ key: 'until', label: 'Holds until', align: 'left' },
] as const

const COLUMNS = [
	{ label: 'Select', isHidden: true },
	{ label: 'Name' },
	{ label: 'Held', align: 'right' },
	{ label: 'Free', align: 'right' },
	{ label: 'Verified', align: 'right' },
	{ label: 'DDPI', align: 'right' },
	{ label: 'Close', align: 'right' },
	{ label: 'Quantity', align: 'right' },
] as const

function HoldingsForm() {
	const { holdings, isSelected, maxSecurities, lastTradeDay } = useLoaderData<typeof loader>()
	const result = useActionData<typeof action>()?.result
	const given = (result?.initialValue ?? {}) as {
		isin?: string | string[]
		qty?: Record<string, string>
		trade_type?: string
		post_trade_date?: string
	}
	const chosen = result ? [given.isin ?? []].flat() : undefined
	const errorsOf = (name: string) => result?.error?.[name] ?? undefined
	const fieldOf = (isin: string, free: number) => ({
		id: `verify-${isin}`,
		name: `qty.${isin}`,
		errors: errorsOf(`qty.${isin}`),
		defaultValue: result ? (given.qty?.[isin] ?? '') : free > 0 ? String(free) : '',
	})
	const rows = holdings.map(({ isin, name, free, cells }) => ({ isin, name, free, cells, field: fieldOf(isin, free) }))
	const first = rows.find(({ free }) => free > 0)
	const select = { id: first ? `select-${first.isin}` : 'verify', errors: errorsOf('isin') }
	const type = { id: 'trade-type', name: 'trade_type', errors: errorsOf('trade_type') }
	const day = { id: 'post-trade-date', name: 'post_trade_date', errors: errorsOf('post_trade_date') }
	return (
		<>
			<ErrorSummary form={{ errors: errorsOf('') }} fields={[select, ...rows.map(({ field }) => field), type, day]} />
			<PostForm id="verify" action="/dpprocess" noValidate>
				<p className="actions">
					<a href="/dpprocess?select=all">Select all free quantity</a>
					{maxSecurities && holdings.length > maxSecurities && <span className="small text-muted">At most {maxSecurities} at a time.</span>}
				</p>
				<FormTable
					caption="Holdings"
					columns={COLUMNS}
					nameAt={1}
					rows={rows.map(({ isin, name, free, cells, field }) => ({
						id: isin,
						cells: [
							<label key="select" className="check">
								<input
									id={`select-${isin}`}
									type="checkbox"
									name="isin"
									value={isin}
									disabled={free === 0}
									defaultChecked={free > 0 && (chosen ? chosen.includes(isin) : isSelected)}
								/>
								<span className="sr-only">Select {name}</span>
							</label>,
							<>
								{name}
								<span className="isin">{isin}</span>
							</>,
							...cells,
							<QuantityCell key="quantity" field={field} of={name} max={free} />,
						],
					}))}
					empty={{
						text: 'Nothing in your demat account can be verified.',
						action: { href: '/reports/holding', label: 'See your holding' },
					}}
				/>
				{first && (
					<div className="section">
						<RadioField
							field={type}
							label="Trade type"
							defaultValue={given.trade_type ?? 'PRE'}
							options={[
								{ value: 'PRE', label: 'Pre', help: 'Before you sell' },
								{ value: 'POST', label: 'Post', help: 'You have sold already, today or on the trading day before' },
							]}
						/>
						<div className="of-post">
							<Field
								field={day}
								label="Trade date"
								help="The day of the sale."
								type="date"
								defaultValue={given.post_trade_date ?? lastTradeDay}
							/>
						</div>
						<SubmitButton>Verify</SubmitButton>
					</div>
				)}
			</PostForm>
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="DP Process" />
}

import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { Outlet, useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { Fragment } from 'react'
import { type EdisHolding } from '#contract/depository'
import { formatDay } from '#contract/values/dates'
import { formatDeadline } from '#contract/values/moments'
import { now } from '~/broker/clock.server'
import { getEdisHoldings, listStockVerifications, requestStockVerification } from '~/broker/depository.server'
import { Banner } from '~/components/banner'
import { DownloadLink } from '~/components/download-link'
import { FailedBanner } from '~/components/failed-banner'
import { ErrorSummary } from '~/components/form'
import { findTypedValues, KeptForm, listQuantities } from '~/components/kept-form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { useLive } from '~/components/use-live'
import { invalid, lookUp, readForm, unanswered } from '~/forms/form.server'
import { commitPending, createPendingOtp } from '~/forms/pending-otp.server'
import { ROW_FIELDS } from '~/forms/quantity-fields.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { retryAfter } from '~/http/retry-after.server'
import { tellNoMatch } from '~/lib/no-match'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { formatFileAddress, sortText, readView } from '~/reports/view.server'
import { audit } from '~/session/audit.server'
import { readRequestId, requireBroker } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { edisHoldings, stockVerifications } from './depository-tables.server'
import {
	isVerifiable,
	createEdisForm,
	createPending,
	formatFilledQuery,
	showOffer,
	readFilled,
	RESEND_S,
	sumSold,
} from './edis-form.server'
import { addTiers, FormTable, FormTableBar, QuantityCell } from './form-table'
import { ListSection } from './list-section'
import { SelectBox } from './select-box'
import { buildFormTable, readFormView } from './table-entries.server'
import { TradeFields } from './trade-fields'
import { useSelected } from './use-selected'

export const handle = { title: 'DP Process' }
export const headers = retryAfter

const VERIFY = '/dpprocess'

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const reference = readRequestId(request)
	// Also under the dialog: sorting or saving from there concerns this page.
	const url = new URL(VERIFY + new URL(request.url).search, request.url)
	const [{ data: holdings = [], failure }, told] = await Promise.all([
		loadPart(getEdisHoldings(broker), reference, []),
		loadSidePart(listStockVerifications(broker), reference),
	])
	const maxSecurities = told.data?.max_securities
	const view = readView(url, [...sortableKeys(edisHoldings), ...sortableKeys(stockVerifications)])
	const filled = readFilled(url.searchParams, holdings, maxSecurities)
	const isFilled = (row: EdisHolding) => filled.isin.includes(row.isin) || filled.qty[row.isin] !== showOffer(row)
	const table = buildFormTable(edisHoldings, holdings, view, isFilled, ['isin'])
	const verified = told.data?.verifications
	const page = {
		failure,
		q: view.q,
		sorted: sortText(view),
		isEmpty: holdings.length === 0,
		canVerify: holdings.some(isVerifiable),
		/** Sales that can still be verified, latest first; each link fills in the form. */
		sold: [...new Set(holdings.flatMap(({ sold = [] }) => sold.map(({ trade_date }) => trade_date)))]
			.sort()
			.reverse()
			.map((day) => ({
				href: `${VERIFY}?select=sold&trade_type=POST&post_trade_date=${day}#verify`,
				label: `Select what you sold on ${formatDay(day)}`,
			})),
		heads: table.heads,
		unread: table.unread,
		rows: table.rows.map(({ row, cells }) => ({ isin: row.isin, free: row.free_qty + sumSold(row), cells })),
		foot: table.foot,
		filled,
		// All units are covered by the standing instruction.
		needsNone: holdings.length > 0 && holdings.every(({ free_qty, verified_qty, poa_qty }) => poa_qty >= free_qty + verified_qty),
		validUntil: told.data && formatDeadline(new Date(told.data.valid_until), now()),
		isTooMany: maxSecurities !== undefined && holdings.length > maxSecurities,
		maxSecurities,
		lastTradeDay: told.data?.trade_days[0],
		tradeDays: told.data?.trade_days.map(formatDay).join(' or '),
		verified: verified && buildTable(stockVerifications, arrange(stockVerifications, verified, view), view, url),
		verifiedFailure: told.failure,
		hasVerified: !told.isAbsent,
		// Done: do not keep the values of the verified form. A broker without the list shows it by the verified units alone.
		round: `${verified?.length} ${verified?.[0]?.request_id} ${holdings.reduce((sum, { verified_qty }) => sum + verified_qty, 0)}`,
		files: {
			holdings: formatFileAddress('/downloads/depository/holdings', view),
			verified: formatFileAddress('/downloads/depository/verified', view),
		},
	}
	return data(page, { status: failure?.status ?? 200 })
}

/** Requests the code. The code verifies what was requested here, whatever a form says later. */
export async function action({ request }: ActionFunctionArgs) {
	const broker = await requireBroker(request)
	const form = await readForm(request, { rows: ROW_FIELDS })
	const reference = readRequestId(request)
	const [looked, told] = await Promise.all([lookUp(form, getEdisHoldings(broker)), loadSidePart(listStockVerifications(broker), reference)])
	if (looked.failed) return looked.failed
	const holdings = looked.found
	if (form.has('sort') || form.get('intent') === 'show') {
		const query = formatFilledQuery(form, holdings)
		for (const [name, value] of Object.entries(readFormView(form))) query.set(name, value)
		return redirect(`${VERIFY}?${query}#verify`, { status: 303 })
	}
	const submission = parseWithZod(form, { schema: createEdisForm(holdings, told.data) })
	if (submission.status !== 'success') return invalid(submission)
	try {
		const sent = await requestStockVerification(broker, submission.value)
		audit('otp_sent', request, broker.clientCode, { of: 'edis' })
		const value = createPending(submission.value, sent.expires_in)
		const headers = await commitPending(createPendingOtp('edis', broker.clientCode, value, { ...sent, resend_in: RESEND_S }))
		return await redirectWithToast('/dpprocess/otp', { kind: 'info', message: 'Otp Sent Successfully' }, { headers })
	} catch (error) {
		return await unanswered(submission, error)
	}
}

export default function Edis() {
	const { failure, isEmpty, q, verified, hasVerified, verifiedFailure, needsNone, validUntil, round, files } =
		useLoaderData<typeof loader>()
	const sent = useActionData<typeof action>()
	const kept = failure || isEmpty ? findTypedValues(sent) : undefined
	const isOtp = useLocation().pathname === '/dpprocess/otp'
	const isLive = useLive()
	return (
		<>
			<PageTitle title="DP Process" part="Stock verification" />
			<Outlet />
			{/* Behind the dialog that a script opens; without a script the code has the page to itself. */}
			{(!isOtp || isLive) && (
				<>
					{needsNone && (
						<Banner kind="info">
							You do not need this: DDPI is active. Sold shares are delivered without an OTP. <a href="/dpprocess/ddpi">See your DDPI</a>
						</Banner>
					)}
					<p className="prose">
						Verify the securities that you sell, or have sold, with an OTP. The broker may then take them out of your demat account.
						{validUntil && ` What you verify now holds until ${validUntil}; a corporate action ends it sooner.`}
					</p>
					{failure || kept ? (
						<>
							<ErrorSummary form={{ errors: sent?.result.error?.[''] ?? undefined }} />
							{failure && <FailedBanner what="Your holdings" failure={failure} />}
							{kept && <KeptForm action={VERIFY} kept={kept} label="Verify" lines={listQuantities(kept)} />}
						</>
					) : (
						<HoldingsForm key={round} />
					)}
					{hasVerified && (
						<ListSection
							title="Verified"
							what="What is verified, and until when,"
							list={verified}
							failure={verifiedFailure}
							file={{ href: files.verified, label: 'CSV of what is verified', type: 'VERIFIED' }}
							q={q}
							none="Nothing is verified at the moment."
						/>
					)}
				</>
			)}
		</>
	)
}

/** The name and the free units, then the typed quantity. */
const SHOWN_FIRST = 2
/** Held and verified, on a tablet. */
const ADDED = 2
const SELECT = { label: 'Select', isHidden: true }
const QUANTITY = { label: 'Quantity', align: 'right' } as const

function HoldingsForm() {
	const { q, isEmpty, canVerify, heads, unread, rows, foot, filled, lastTradeDay, tradeDays } = useLoaderData<typeof loader>()
	const { search } = useLocation()
	const result = useActionData<typeof action>()?.result
	const given = (result?.initialValue ?? filled) as { isin?: unknown; qty?: Record<string, unknown>; [name: string]: unknown }
	const chosen = [given.isin ?? []].flat()
	const toText = (sent: unknown) => (typeof sent === 'string' ? sent : '')
	const findErrors = (name: string) => result?.error?.[name] ?? undefined
	const { selected, onInput } = useSelected(chosen.length)
	const fields = rows.map(({ isin }) => ({
		id: `verify-${isin}`,
		name: `qty.${isin}`,
		errors: findErrors(`qty.${isin}`),
		defaultValue: toText(given.qty?.[isin]),
	}))
	const first = rows.find(({ free }) => free > 0)
	const select = { id: first ? `select-${first.isin}` : 'verify', errors: findErrors('isin') }
	const type = { id: 'trade-type', name: 'trade_type', errors: findErrors('trade_type') }
	const day = { id: 'post-trade-date', name: 'post_trade_date', errors: findErrors('post_trade_date') }
	return (
		<>
			<ErrorSummary form={{ errors: findErrors('') }} fields={[select, ...fields, type, day]} />
			<PostForm id="verify" action={VERIFY + search} noValidate onInput={onInput}>
				{!isEmpty && <AboveTable />}
				<FormTable
					caption="Holdings"
					unread={unread}
					columns={[SELECT, ...heads.slice(0, SHOWN_FIRST), QUANTITY, ...addTiers(heads.slice(SHOWN_FIRST), ADDED)]}
					nameAt={1}
					rows={rows.map(({ isin, free, cells: [name = '', ...cells] }, index) => ({
						id: isin,
						cells: [
							free > 0 && <SelectBox key="select" isin={isin} name={name} isChosen={chosen.includes(isin)} />,
							<>
								{name} <span className="isin text-muted block text-xs">{isin}</span>
							</>,
							...cells.slice(0, SHOWN_FIRST - 1),
							<QuantityCell key="quantity" field={fields[index] ?? { id: isin }} of={name} max={free} />,
							...cells.slice(SHOWN_FIRST - 1),
						],
					}))}
					foot={['', ...foot.slice(0, SHOWN_FIRST), '', ...foot.slice(SHOWN_FIRST)]}
					empty={
						isEmpty
							? {
									text: 'Nothing in your demat account can be verified.',
									action: { href: '/reports/holding', label: 'See your holding' },
								}
							: { text: tellNoMatch(q), action: { href: VERIFY, label: 'Show all' } }
					}
				/>
				{canVerify && (
					<TradeFields
						type={type}
						day={day}
						chosen={toText(given.trade_type) || 'PRE'}
						date={result ? toText(given.post_trade_date) : toText(given.post_trade_date) || lastTradeDay}
						tradeDays={tradeDays}
						selected={selected}
					/>
				)}
			</PostForm>
		</>
	)
}

function AboveTable() {
	const { q, sorted, rows, canVerify, files } = useLoaderData<typeof loader>()
	return (
		<>
			<FormTableBar
				search={q}
				sorted={sorted}
				hasRows={rows.length > 0}
				files={<DownloadLink href={files.holdings} label="CSV of holdings" type="DEMAT" flag="CSV" />}
			/>
			{canVerify && <ChooseMany />}
		</>
	)
}

/** Links that choose all that may be verified, or what was sold on a day. */
function ChooseMany() {
	const { sold, isTooMany, maxSecurities } = useLoaderData<typeof loader>()
	return (
		<p className="mb-3 flex flex-wrap gap-x-5 gap-y-1">
			<a href={`${VERIFY}?select=all`}>Select all free quantity</a>{' '}
			{sold.map(({ href, label }) => (
				<Fragment key={href}>
					<a href={href}>{label}</a>{' '}
				</Fragment>
			))}
			{isTooMany && <span className="text-xs text-muted">At most {maxSecurities} at a time.</span>}
		</p>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="DP Process" />
}

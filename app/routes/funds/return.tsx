import { data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { type FundMovement } from '#contract/funds'
import { unreadIn } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { FUND_SEGMENTS } from '#contract/values/segments'
import { today } from '~/broker/clock.server'
import { listFundMovements } from '~/broker/funds.server'
import { Banner } from '~/components/banner'
import { FailedPage } from '~/components/failed-page'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { SummaryList } from '~/components/summary-list'
import { useRevalidateWhile } from '~/components/use-revalidate-while'
import { readReceipt } from '~/forms/receipt.server'
import { createMissing, loadPart } from '~/http/partial-data.server'
import { readReference } from '~/http/reference.server'
import { type ToastKind } from '~/lib/toast-kind'
import { DASH, nameCode, orDash } from '~/lib/unknown'
import { auditOnce } from '~/session/audit.server'
import { publishChange } from '~/session/changed-sessions.server'
import { connectSession, requireSession } from '~/session/session.server'
import { MODES, MOVEMENT_STATUS, tellBank } from './fund-tables.server'
import { readPaymentPage } from './payment-page.server'

type Words = {
	heading: string
	kind: ToastKind
	message: string
	more?: readonly string[]
	isWaiting?: boolean
	isUnknown?: boolean
	canRetry?: boolean
}

export const handle = { title: (loaded?: { page?: Words }) => loaded?.page?.heading ?? 'Payment' }

/**
 * The page to which the payment page sends the client back. Its address comes from a browser and proves nothing, so it asks the broker
 * for the state of the payment. The list of the broker never has the reference of another client.
 */
export async function loader({ request }: LoaderFunctionArgs) {
	const session = await requireSession(request)
	const broker = connectSession(request, session)
	const ref = readReference(request)
	// The payment may have changed the ledger, so cached replies may be out of date.
	await publishChange(session.id)
	const { data: payins, failure } = await loadPart(broker, listFundMovements(broker, 'payin'))
	if (!payins) return data({ page: undefined, lines: [], failure }, { status: failure.status })
	const payin = payins.find(({ request_id }) => request_id === ref)
	const receipt = payin || !ref ? undefined : await readReceipt(request, broker.clientCode, 'payin', ref)
	if (receipt) {
		const paymentPage = await readPaymentPage(request, broker, receipt.ref)
		return data({ page: { ...NOT_LISTED, ref: receipt.ref, paymentPage }, lines: receipt.lines, failure: undefined })
	}
	if (!payin && unreadIn(payins)) throw createMissing(broker, '', payins)
	if (!payin) return data({ page: { ...UNKNOWN, ref: '', paymentPage: undefined }, lines: [], failure: undefined }, { status: 404 })
	// The page of a pending payment loads again every few seconds, so each status is logged only once.
	await auditOnce(`${payin.request_id} ${payin.status}`, 'payin_returned', request, broker.clientCode, { status: payin.status })
	const paymentPage = payin.status === 'PENDING' ? await readPaymentPage(request, broker, payin.request_id) : undefined
	return data({ page: { ...describePayin(payin), ref: payin.request_id, paymentPage }, lines: listLines(payin), failure: undefined })
}

const DO_NOT_PAY_AGAIN = [
	'If your bank has debited it, it is credited here or returned, usually within 30 minutes. Do not pay again before that.',
	'If neither has happened by then, tell us the reference below and the UTR from your bank.',
]

/** The broker accepted the request, but its list does not have it yet. */
const NOT_LISTED: Words = {
	heading: 'Payment pending',
	kind: 'info',
	message: 'The broker has your request. Its list does not show yet how the payment ended.',
	more: DO_NOT_PAY_AGAIN,
	isWaiting: true,
}

const UNKNOWN: Words = {
	heading: 'Payment not found',
	kind: 'warning',
	message:
		'None of your payments has this reference. If you have just paid, do not pay again: the history of your funds has every payment of yours.',
	isUnknown: true,
}

function describePayin({ status, amount, segment, date, utr, remarks }: FundMovement): Words {
	const why = remarks ? `${remarks.replace(/\.$/, '')}. ` : ''
	if (status === 'SUCCESS') {
		const message = `${orDash(amount, formatRupees)} is in your ${nameCode(FUND_SEGMENTS, segment).toLowerCase()} ledger.${utr ? ` UTR ${utr}.` : ''}`
		const more = date === today() ? ['You can use it now. You can withdraw it from the next working day.'] : []
		return { heading: 'Payment received', kind: 'success', message, more }
	}
	if (status === 'PENDING') {
		const message = `${why}Your ledger does not have the money yet.`
		return { heading: 'Payment pending', kind: 'info', message, more: DO_NOT_PAY_AGAIN, isWaiting: true }
	}
	// An unknown status may not be a failure: to pay again may pay twice.
	if (status === null || !Object.hasOwn(MOVEMENT_STATUS, status)) {
		const message = `${why}The broker states the status ${nameCode({}, status)}. Do not pay again before you know the result.`
		return { heading: 'Payment not known yet', kind: 'info', message }
	}
	if (status === 'CANCELLED')
		return { heading: 'Payment cancelled', kind: 'info', message: `${why}Nothing was added to your ledger.`, canRetry: true }
	const message = `${why}Nothing was added to your ledger. If money left your bank, it goes back there by itself.`
	return { heading: 'Payment failed', kind: 'error', message, canRetry: true }
}

function listLines(payin: FundMovement) {
	return [
		{ label: 'Amount', value: orDash(payin.amount, formatRupees) },
		{ label: 'Segment', value: nameCode(FUND_SEGMENTS, payin.segment) },
		{ label: 'From', value: tellBank(payin) },
		{ label: 'Mode', value: nameCode(MODES, payin.mode) },
		{ label: 'Date', value: formatDay(payin.date) },
		{ label: 'Reference', value: payin.request_id },
		{ label: 'UTR', value: payin.utr ?? DASH },
	]
}

export default function Return() {
	const { page, lines, failure } = useLoaderData<typeof loader>()
	useRevalidateWhile(page?.isWaiting ?? false)
	if (!page) {
		return (
			<FailedPage title="Payment" what="How the payment ended" failure={failure}>
				<p>
					<a href="/funds/history?table=payins">See the history of your funds</a>
				</p>
			</FailedPage>
		)
	}
	return (
		<>
			<PageTitle title={page.heading} />
			<Banner kind={page.kind}>
				<p>{page.message}</p>
				{page.paymentPage && (
					<p>
						Not paid yet, or no page has opened? <a href={page.paymentPage}>Open the payment page</a>
					</p>
				)}
				{page.more?.map((words) => (
					<p key={words}>{words}</p>
				))}
			</Banner>
			{lines.length > 0 && <SummaryList items={lines} />}
			<div className="actions">
				{page.isWaiting && (
					<a href={`/funds/return?ref=${encodeURIComponent(page.ref)}`} className="btn btn-primary">
						Check again
					</a>
				)}
				{page.canRetry && (
					<a href="/funds" className="btn btn-primary">
						Try again
					</a>
				)}
				{!page.isUnknown && <a href="/reports/ledger">See your ledger</a>}
				<a href="/funds/history?table=payins">See the history of your funds</a>
			</div>
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Payment" />
}

import { type SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { NameInAddress } from '#contract/common'
import { FundSegment, type FundMovement, type PayoutTimetable } from '#contract/funds'
import { formatDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { FUND_SEGMENTS, LEDGER_BY_SEGMENT, SEGMENT_BY_LEDGER } from '#contract/values/segments'
import { tellDeadline } from '~/broker/clock.server'
import { cancelPayout, getPayoutTimetable, listFundMovements } from '~/broker/funds.server'
import { Banner } from '~/components/banner'
import { Failed } from '~/components/failed'
import { ErrorSummary, SubmitButton } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { Section } from '~/components/section'
import { SummaryList } from '~/components/summary-list'
import { loadAgain } from '~/lib/load-again'
import { type ToastKind } from '~/lib/toast-kind'
import { openForm, replyWith } from '~/forms/form.server'
import { readIdempotencyKey } from '~/forms/idempotency-key'
import { runIdempotent, createIdempotencyKey } from '~/forms/idempotency.server'
import { readReceipt } from '~/forms/receipt.server'
import { createMissing, loadSidePart, loadPage } from '~/http/partial-data.server'
import { readReference } from '~/http/reference.server'
import { findKind, type StatusKind } from '~/lib/status-kind'
import { DASH, nameCode, orDash, sumOrNull } from '~/lib/unknown'
import { audit } from '~/session/audit.server'
import { requireBroker } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { MOVEMENT_KINDS, MOVEMENT_STATUS, tellBank } from './fund-tables.server'

export const handle = { title: 'Payout' }

const Cancel = z.object({ ref: NameInAddress })

const formatFormName = (ref: string) => `cancel-payout-${ref}`

/** Loads one payout request: its parts, their batches, and until when each can be cancelled. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const ref = readReference(request) ?? ''
	const [payouts, timetable] = await Promise.all([
		loadPage(broker, listFundMovements(broker, 'payout')),
		loadSidePart(broker, getPayoutTimetable(broker), null),
	])
	const rows = payouts.filter(({ request_id }) => request_id === ref)
	const receipt = rows.length === 0 ? await readReceipt(request, broker.clientCode, 'payout', ref) : undefined
	if (receipt) return data({ ...NOT_LISTED, ref, lines: receipt.lines })
	if (rows.length === 0) throw createMissing(broker, 'We do not know this payout. See the history of your funds.', payouts)
	const open = timetable.data?.open.filter(({ request_id }) => request_id === ref) ?? []
	const canCancel = open.length > 0 && open.every(({ can_cancel }) => can_cancel)
	// Each key is a cookie for a day, so a page without a form makes none.
	const own = canCancel ? createIdempotencyKey(request, formatFormName(ref), broker) : undefined
	const ledgers = FundSegment.options
		.filter((segment) => rows.some((row) => row.segment === segment))
		.map((segment) => ({
			href: `/reports/ledger/${LEDGER_BY_SEGMENT[segment]}`,
			label: `See your ${FUND_SEGMENTS[segment].toLowerCase()} ledger`,
		}))
	return data(
		{
			ref,
			key: own?.key,
			...describePayout(rows, open),
			lines: listLines(ref, rows, open),
			ledgers,
			until: findCutOff(open),
			failure: timetable.failure,
		},
		{ headers: own?.headers },
	)
}

/** The broker accepted the request, but its list does not have it yet. */
const NOT_LISTED = {
	key: undefined,
	kind: 'info' as const,
	message: 'The broker has your request. Its list does not show it yet, so do not ask for the same payout again.',
	ledgers: [],
	until: undefined,
	failure: undefined,
}

type Open = PayoutTimetable['open']

function findCutOff(open: Open): string | undefined {
	const [first] = open.map(({ cut_off }) => cut_off).sort()
	return first && tellDeadline(first)
}

const sumAmounts = (rows: readonly FundMovement[]) => orDash(sumOrNull(rows.map(({ amount }) => amount)), formatRupees)

/** Returns the result of one ledger's part, while another part is on its way. */
function tellEnded({ segment, amount, status }: FundMovement): string {
	const part = `${orDash(amount, formatRupees)} from ${nameCode(FUND_SEGMENTS, segment)}`
	return status === 'SUCCESS' ? `${part} was sent to your bank.` : `${part}: ${nameCode(MOVEMENT_STATUS, status)}.`
}

function describePayout(rows: readonly FundMovement[], open: Open): { kind: ToastKind; message: string } {
	const waiting = rows.filter(({ status }) => status === 'PENDING')
	if (waiting.length > 0) {
		const [last] = open
			.map(({ credited_by }) => credited_by)
			.sort()
			.reverse()
		const ended = rows.filter((row) => !waiting.includes(row)).map(tellEnded)
		const less = 'Charges or margin booked before then can make it less; this page will say so.'
		const onItsWay = `${sumAmounts(waiting)} is on its way${last ? `: you receive it by ${tellDeadline(last)}` : ''}.`
		return { kind: 'info', message: [...ended, onItsWay, less].join(' ') }
	}
	const total = sumAmounts(rows)
	if (rows.every(({ status }) => status === 'SUCCESS')) return { kind: 'success', message: `${total} was sent to your bank.` }
	if (rows.every(({ status }) => status === 'CANCELLED')) return { kind: 'info', message: 'You cancelled this payout. Nothing was paid.' }
	if (!rows.every(({ status }) => status !== null && Object.hasOwn(MOVEMENT_STATUS, status)))
		return { kind: 'info', message: 'See below how this payout stands. Do not ask for it again before you know.' }
	const isPartly = rows.some(({ status }) => status === 'SUCCESS')
	return { kind: 'warning', message: `${isPartly ? 'Not all' : 'None'} of this payout was paid: see why below.` }
}

type Line = { label: string; value: string; status?: StatusKind }

function listLines(ref: string, rows: readonly FundMovement[], open: Open): Line[] {
	const [first] = rows
	return [
		...rows.flatMap((row) => listPartLines(row, rows.length > 1, open)),
		{ label: 'To', value: first ? tellBank(first) : DASH },
		{ label: 'Requested on', value: orDash(first?.date ?? null, formatDay) },
		{ label: 'Reference', value: ref },
	]
}

/** Returns the lines of one ledger's part of a payout. With several parts, the labels name the ledger. */
function listPartLines({ segment, amount, status, utr, remarks }: FundMovement, isOneOfSeveral: boolean, open: Open): Line[] {
	const ledger = nameCode(FUND_SEGMENTS, segment)
	const batch = open.find(({ COCD }) => nameCode(SEGMENT_BY_LEDGER, COCD) === segment)
	const lines: (Line | undefined)[] = [
		{ label: 'Amount', value: orDash(amount, formatRupees) },
		isOneOfSeveral ? undefined : { label: 'From', value: `${ledger} ledger` },
		{ label: 'Status', value: nameCode(MOVEMENT_STATUS, status), status: findKind(MOVEMENT_KINDS, status) },
		batch && { label: 'In your bank by', value: tellDeadline(batch.credited_by) },
		batch && { label: 'Sent to the bank at', value: tellDeadline(batch.cut_off) },
		utr ? { label: 'UTR', value: utr } : undefined,
		remarks && status !== 'PENDING' ? { label: 'Remarks', value: remarks } : undefined,
	]
	return lines.flatMap((line) => (line ? [isOneOfSeveral ? { ...line, label: `${ledger}: ${line.label.toLowerCase()}` } : line] : []))
}

export async function action({ request }: ActionFunctionArgs) {
	const { form, broker } = await openForm(request)
	const submission = parseWithZod(form, { schema: Cancel })
	if (submission.status !== 'success')
		return data({ result: replyWith(submission, { formErrors: ['Select a payout from the history.'] }) }, { status: 400 })
	const { ref } = submission.value
	const done = await runIdempotent({ broker, name: formatFormName(ref), form, submission }, (key) => cancelPayout(broker, ref, key))
	if ('again' in done) return done.again
	audit('payout_cancelled', request, broker.clientCode)
	const toast = { kind: 'success', message: 'Your payout is cancelled. The money stays in your ledger.' } as const
	return await redirectWithToast(`/funds/payout?ref=${encodeURIComponent(ref)}`, toast, { headers: done.headers })
}

export const shouldRevalidate = loadAgain

export default function Payout() {
	const { ref, key, kind, message, lines, ledgers, until, failure } = useLoaderData<typeof loader>()
	const sent = useActionData<typeof action>()
	const problem = (sent?.result as SubmissionResult | undefined)?.error?.['']
	return (
		<>
			<PageTitle title="Payout" />
			<ErrorSummary form={{ errors: problem ?? undefined }} />
			<div className="max-w-160">
				<Banner kind={kind}>{message}</Banner>
				<Section title="Details">
					<SummaryList items={lines} />
				</Section>
			</div>
			{failure && <Failed what="When it is paid, and until when it can be cancelled," failure={failure} />}
			{key && (
				<PostForm action={`/funds/payout?ref=${encodeURIComponent(ref)}`} idempotencyKey={readIdempotencyKey(sent, key)}>
					<p className="prose">Until {until} you can cancel it.</p>
					<input type="hidden" name="ref" value={ref} />
					<SubmitButton kind="plain">Cancel payout</SubmitButton>
				</PostForm>
			)}
			<div className="actions">
				{ledgers.map(({ href, label }) => (
					<a key={href} href={href}>
						{label}
					</a>
				))}
				<a href="/funds/history?table=payouts">See the history of your funds</a>
			</div>
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Payout" />
}

import { type SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { type ShouldRevalidateFunctionArgs, useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { type ReactNode } from 'react'
import { z } from 'zod/v4'
import { ONLINE_BID_LIMIT } from '#contract/ipo'
import { computeBidAmount } from '#contract/values/ipo-bid'
import { formatRupees } from '#contract/values/money'
import { type Broker } from '~/broker/client.server'
import { today } from '~/broker/clock.server'
import { getIpoClientDetails, listIpoApplications, submitIpoBid } from '~/broker/ipo.server'
import { Banner } from '~/components/banner'
import { Failed, NothingMoved } from '~/components/failed'
import { FailedPage } from '~/components/failed-page'
import { FailedParts } from '~/components/failed-parts'
import { ErrorSummary } from '~/components/form'
import { Halves } from '~/components/halves'
import { findTypedValues, KeptForm } from '~/components/kept-form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { ReportTable } from '~/components/report-table'
import { RestoredFormNotice } from '~/components/restored-form-notice'
import { Section } from '~/components/section'
import { withFormRecovery, takeRecoveredForm } from '~/forms/form-recovery.server'
import { invalid, lookUp, replyWith } from '~/forms/form.server'
import { runIdempotent, createIdempotencyKey } from '~/forms/idempotency.server'
import { keepReceipt } from '~/forms/receipt.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { formatUnits } from '~/lib/units'
import { fitColumns } from '~/reports/tiers.server'
import { audit } from '~/session/audit.server'
import { requireBroker } from '~/session/session.server'
import { bidSent, bidTyped, isOnline, keepBidDraft, markBidPlaced, readBidDraft, createBidRequest } from './bid-form.server'
import { SUBMITTED } from './bid-dialog.server'
import { describeResult } from './bid-table.server'
import { BidForm } from './ipo-bid-form'
import { ConfirmBid } from './ipo-confirm'
import { FACTS, IssueFacts } from './issue-facts'
import { describeCategories, categoryTable, confirmWords, listIssueFacts, createInitialBid, tellMandate } from './issue-summary.server'
import { canBid, describeOpening, formatBidsUntil, tellPriceBand } from './issue-table.server'
import { findIpoIssue, requireIssue } from './issue.server'
import { NoBid } from './no-bid'
import { findUsedCategories, listApplied } from './used-categories.server'

export const handle = { title: 'IPO' }

const formatPath = (symbol: string) => `/connect/ipo/${encodeURIComponent(symbol)}`
const keyName = (symbol: string) => `ipo-bid-${symbol}`

export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const { issue, facts, factsFailure, failure } = await findIpoIssue(broker, params.symbol ?? '')
	if (!issue) return data({ failure, issue: undefined }, { status: failure?.status ?? 502 })
	const { symbol } = issue
	const [bidder, applications, draft, { typed, headers }] = await Promise.all([
		loadPart(broker, getIpoClientDetails(broker)),
		loadSidePart(broker, listIpoApplications(broker), []),
		readBidDraft(request, broker, symbol),
		takeRecoveredForm(request, broker.clientCode),
	])
	const { key } = createIdempotencyKey(request, keyName(symbol), broker, headers)
	const page = formatPath(symbol)
	const dialog = new URL(request.url).searchParams.get('dialog')
	const amount = draft && computeBidAmount(issue, draft)
	const isForm = amount !== undefined && !isOnline(amount, facts)
	const client = bidder.data
	const used = findUsedCategories(issue, applications.data)
	const { offered, open, status, opens, reopens } = describeOpening(issue, client?.categories ?? [])
	const { lot_size, min_bid_qty, min_price, max_price, tick_size, cut_off_price } = issue
	const shown = {
		bidderFailure: bidder.failure,
		appliedFailure: applications.failure,
		factsFailure,
		name: issue.name,
		summary: `${tellPriceBand(issue)} · lot ${formatUnits(lot_size)} · closes ${formatBidsUntil(issue)}`,
		status,
		reopens,
		opens,
		isOffered: typed !== undefined,
		page,
		facts: listIssueFacts(issue),
		categories: fitColumns(categoryTable(issue, new URL(request.url)), { keys: ['category', 'least', 'most'] }, new URL(request.url)),
		applied: listApplied(issue, applications.data),
		form: client && {
			action: page,
			start: createInitialBid(issue, client, typed && bidSent(typed), draft, used),
			categories: open.map(({ code, label, discount }) => ({ code, label, discount, used: used.get(code) })),
			categoryHelp: describeCategories(issue, offered, used),
			demats: client.BOId.map(({ dp, id }) => ({ id, label: `${dp} ${id}` })),
			rules: {
				lot: lot_size,
				minQuantity: min_bid_qty,
				minPrice: min_price,
				maxPrice: max_price,
				tick: tick_size,
				cutOffPrice: cut_off_price ?? 0,
				allowsCutOff: cut_off_price !== null && open.some(({ cut_off_allowed }) => cut_off_allowed),
				maxBids: facts?.max_bids ?? 3,
			},
			onlineLimit: formatRupees(facts?.online_limit ?? ONLINE_BID_LIMIT),
			mandateNote: tellMandate(issue),
		},
		confirm:
			client && draft && !draft.isPlaced && canBid(issue, draft.category) && (dialog === 'confirm' || dialog === 'form')
				? {
						page,
						draft: draft.id,
						idempotencyKey: key,
						...confirmWords(issue, client, draft, isForm),
						file: isForm ? { href: `/downloads/ipo/${encodeURIComponent(symbol)}`, flag: symbol } : undefined,
					}
				: undefined,
	}
	return data({ failure: undefined, issue: shown }, { headers })
}

const Confirmed = z.object({ draft: z.uuid() })

export async function action({ request, params }: ActionFunctionArgs) {
	const work = (form: FormData, broker: Broker) =>
		form.get('intent') === 'submit' ? submit(request, broker, form, params.symbol) : review(request, broker, form, params.symbol)
	return await withFormRecovery(request, work, { list: 'bids' })
}

/** Checks a bid and redirects to its confirmation, or to the form for the bank. */
async function review(request: Request, broker: Broker, form: FormData, symbol = '') {
	// Without the earlier applications the broker decides whether it takes one more.
	const applied = loadSidePart(broker, listIpoApplications(broker), [])
	const looked = await lookUp(form, Promise.all([requireIssue(broker, symbol), getIpoClientDetails(broker), applied]))
	if (looked.failed) return looked.failed
	const [{ issue, facts }, client, applications] = looked.found
	const used = findUsedCategories(issue, applications.data)
	const { status, reopens, open } = describeOpening(issue, client.categories)
	// The page explains why it has no form any more.
	if (status !== 'LIVE' || reopens || open.every(({ code }) => used.has(code))) return redirect(formatPath(issue.symbol), { status: 303 })
	const submission = parseWithZod(form, { schema: bidTyped({ issue, client, facts, used }) })
	if (submission.status !== 'success') {
		// A post that adds or removes a bid is not a failed form.
		return form.has('__intent__') && submission.status !== 'error' ? data({ result: replyWith(submission) }) : invalid(submission)
	}
	const dialog = isOnline(computeBidAmount(issue, submission.value), facts) ? 'confirm' : 'form'
	const headers = await keepBidDraft(request, broker, issue.symbol, submission.value)
	return redirect(`${formatPath(issue.symbol)}?dialog=${dialog}`, { status: 303, headers })
}

/** Places the reviewed bid once, by the key of its confirmation. */
async function submit(request: Request, broker: Broker, form: FormData, symbol = '') {
	const submission = parseWithZod(form, { schema: Confirmed })
	const draft = await readBidDraft(request, broker, symbol)
	const { found, failed } = await lookUp(form, requireIssue(broker, symbol))
	// The reviewed bid and its key are kept, so the confirmation is shown again.
	if (failed) return data({ result: failed.data.result, key: undefined }, failed.init ?? undefined)
	const { issue, facts } = found
	if (submission.status !== 'success' || !draft) {
		const error = { '': ['Your reviewed bid has expired, and nothing was placed. Review it again.'] }
		return data({ result: { status: 'error' as const, error } }, { status: 422 })
	}
	if (draft.id !== submission.value.draft) {
		const formErrors = ['Another bid for this issue was reviewed meanwhile. This is the later one: check it before you submit it.']
		return data({ key: undefined, result: replyWith(submission, { formErrors }) }, { status: 422 })
	}
	// A bid that needs a paper form is never placed, even when a confirmation was sent.
	if (!isOnline(computeBidAmount(issue, draft), facts)) return redirect(`${formatPath(symbol)}?dialog=form`, { status: 303 })
	const bid = createBidRequest(issue, draft)
	const done = await runIdempotent({ broker, name: keyName(symbol), form, submission }, (idempotencyKey) =>
		submitIpoBid(broker, { bid, idempotencyKey }),
	)
	if ('again' in done) return done.again
	const [first] = done.answer
	audit('ipo_bid', request, broker.clientCode, { status: first?.status })
	const number = first?.application_no ?? ''
	const lines = [
		{ label: 'Issue', value: issue.name },
		{ label: 'Amount', value: formatRupees(computeBidAmount(issue, draft)) },
	]
	const receipt = { kind: 'bid' as const, ref: number, lines, outcomes: done.answer.map((result) => describeResult(result)) }
	const headers = await keepReceipt(broker.clientCode, receipt, await markBidPlaced(request, broker, symbol, done.headers))
	return redirect(`/connect/ipo/bids/${encodeURIComponent(number)}?${SUBMITTED}=${today()}`, { status: 303, headers })
}

/** A post that adds or removes a bid changes only the form, so the page does not load its data again. */
export function shouldRevalidate({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
	return formData?.has('__intent__') ? false : defaultShouldRevalidate
}

export default function Apply() {
	const { issue, failure } = useLoaderData<typeof loader>()
	const sent = useActionData<typeof action>()
	const { pathname } = useLocation()
	const typed = findTypedValues(sent)
	const kept = typed && <KeptForm action={pathname} kept={typed} label="Review bid" />
	if (!issue) {
		return (
			<FailedPage title="IPO" what="This issue" failure={failure} errors={sent?.result.error?.['']}>
				{kept ?? <NothingMoved what="Your bids and your money are" />}
				<p>
					<a href="/connect/ipo">See live issues</a>
				</p>
			</FailedPage>
		)
	}
	return <Issue issue={issue} kept={kept} />
}

const APPLIED = 'Your earlier applications'
const BIDDER = 'Your demat account and UPI ID'

type Shown = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['issue']>

function Issue({ issue, kept }: { issue: Shown; kept: ReactNode }) {
	const { name, summary, status, opens, reopens, isOffered, page, facts, categories, applied, form, confirm } = issue
	const { bidderFailure, appliedFailure, factsFailure } = issue
	const parts = [
		{ what: APPLIED, failure: appliedFailure },
		{ what: BIDDER, failure: bidderFailure },
		{ what: FACTS, failure: factsFailure },
	]
	const sent = useActionData<typeof action>()
	const ofConfirm = sent && 'key' in sent ? sent : undefined
	const errors = ofConfirm && Object.values(ofConfirm.result.error ?? {}).flatMap((messages) => messages ?? [])
	return (
		<>
			{confirm && (
				<ConfirmBid
					{...confirm}
					idempotencyKey={typeof ofConfirm?.key === 'string' ? ofConfirm.key : confirm.idempotencyKey}
					errors={errors}
				/>
			)}
			<PageTitle title="IPO" part={name} note={summary} />
			{/* The broker refused a bid that can no longer be confirmed, so its dialog is gone. */}
			{!confirm && <ErrorSummary form={{ errors }} />}
			{isOffered && <RestoredFormNotice />}
			{applied.map(({ number, category }) => (
				<Banner key={number}>
					You have applied for this issue in the category {category}:{' '}
					<a href={`/connect/ipo/bids/${encodeURIComponent(number)}`}>{number}</a>. One application is taken for each PAN, and one more
					where a category is reserved.
				</Banner>
			))}
			<FailedParts parts={parts}>
				{appliedFailure && <Failed what={APPLIED} failure={appliedFailure} />}
				<Halves>
					<Section title="Apply">
						{!form ? (
							<>
								<ErrorSummary form={{ errors: sent?.result.error?.[''] ?? undefined }} />
								<Failed what={BIDDER} failure={bidderFailure} />
								{kept}
							</>
						) : reopens ? (
							<p>Exchanges take bids from 10:00 to 17:00 on trading days. {reopens}</p>
						) : status === 'LIVE' && form.demats.length > 0 && form.categories.some(({ used }) => !used) ? (
							// A new form for each reviewed bid, because a form keeps its errors after a redirect.
							<BidForm
								key={confirm?.draft}
								{...form}
								result={ofConfirm ? undefined : (sent?.result as SubmissionResult<string[]> | undefined)}
							/>
						) : (
							<NoBid {...{ name, status, opens }} hasDemat={form.demats.length > 0} hasApplied={form.categories.length > 0} />
						)}
					</Section>
					<IssueFacts facts={facts} failure={factsFailure} />
				</Halves>
				<Section title="Categories">
					<ReportTable {...categories} empty={{ text: 'The issue names no category.', action: { href: page, label: 'Try again' } }} />
				</Section>
			</FailedParts>
		</>
	)
}

export function ErrorBoundary() {
	return (
		<PageProblem
			title="IPO"
			ways={[
				{ href: '/connect/ipo/bids', label: 'See bid report' },
				{ href: '/connect/ipo', label: 'See live issues' },
			]}
		/>
	)
}

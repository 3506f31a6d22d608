import { formatMoment } from '#contract/values/moments'
import { formatAmount, formatRupees, toPaise } from '#contract/values/money'
import { type Broker, whenAbsent } from '~/broker/client.server'
import { findIpos, listIpoApplications } from '~/broker/ipo.server'
import { readReceipt } from '~/forms/receipt.server'
import { createRefused, loadPart } from '~/http/partial-data.server'
import { type StatusKind } from '~/lib/status-kind'
import { formatUnits } from '~/lib/units'
import { DASH, orDash } from '~/lib/unknown'
import {
	type BidEntry,
	describeAllotment,
	describeResult,
	findBidKind,
	findMandateKind,
	formatBidStatus,
	formatMandateStatus,
	readRowResult,
} from './bid-table.server'
import { findIssueState } from './issue-table.server'

/** The parameter of the address to which a bid just made leads: its day. A later day shows the bid as a link of the report does. */
export const SUBMITTED = 'submitted'

/** `isSubmitted`: the address is that of a bid made today. */
type Asked = { number: string; bids: readonly BidEntry[]; isSubmitted: boolean }

type State = Pick<BidEntry, 'status' | 'mandate_status' | 'application'> & Partial<Pick<BidEntry, 'exchange' | 'allotted_qty'>>

/** True until a placed bid ends: the exchange's answer is the news then, and not what became of the bid. */
const isNews = ({ status, allotted_qty }: State) => status !== 'REJECTED' && status !== 'CANCELLED' && (allotted_qty ?? null) === null

/** Returns one application: its reply, if the broker or this browser still has it, and its rows in the report. */
export async function buildDialog(request: Request, broker: Broker, { number, bids, isSubmitted }: Asked) {
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
	const paired = pairRows(rows, outcomes)
	const isPlaced = outcomes.some((outcome) => outcome.isPlaced)
	const known = first ?? application
	const state: State | undefined = known && { ...known, application }
	const isNew = isSubmitted && (!isPlaced || !state || isNews(state))
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
		title: !isPlaced ? 'Bid not placed' : isNew ? 'Bid submitted' : `Bid ${number}`,
		isNew,
		isPlaced: isPlaced && !isVoid,
		todo: isPlaced && mandate === 'todo' ? { until: application && formatMoment(application.mandate_until) } : undefined,
		again: isPlaced || !(await isOpen(broker, symbol)) ? undefined : `/connect/ipo/${encodeURIComponent(symbol)}`,
		outcomes: outcomes.map((outcome, at) => {
			const row = paired[at]
			return {
				...outcome,
				...describeStatus(outcome, isNew ? undefined : (row ?? (outcome.isPlaced ? state : undefined)), application),
				bid: row && `${orDash(row.quantity, formatUnits)} shares at ₹ ${orDash(row.price, (price) => formatAmount(toPaise(price)))}`,
			}
		}),
		lines: [
			...(receipt?.lines ?? [
				{ label: 'Issue', value: application?.name ?? first?.name ?? symbol },
				...(application ? [{ label: 'Amount', value: formatRupees(application.amount) }] : []),
			]),
			...describeAllotment(rows),
			// The status of each bid below is that of the report, except for a new one. There, while the bid is only sent, the answer of the
			// exchange is enough. A mandate that the client must accept stands above.
			...(isNew && state && state.status !== 'PENDING'
				? [{ label: 'Bid status', value: formatBidStatus(state), status: findBidKind(state) }]
				: []),
			...(state && mandate !== 'todo' ? [{ label: 'Mandate status', value: formatMandateStatus(state), status: mandate }] : []),
		],
	}
}

type Outcome = ReturnType<typeof describeResult>

/**
 * Returns the report's row of each answer of the exchange, by its reference. Several refused bids without one, and rows of which none has
 * one, are taken in the broker's order.
 */
function pairRows(rows: readonly BidEntry[], outcomes: readonly Outcome[]): (BidEntry | undefined)[] {
	if (!rows.some(({ bid_reference_no }) => bid_reference_no)) return outcomes.map((_, at) => rows[at])
	const left = [...rows]
	return outcomes.map(({ reference }) => {
		const at = left.findIndex(({ bid_reference_no }) => (bid_reference_no || DASH) === reference)
		return at < 0 ? undefined : left.splice(at, 1)[0]
	})
}

/** Returns the status of one bid with its mark: that of the report, or the exchange's answer while there is no other. */
function describeStatus({ status, isPlaced, exchange }: Outcome, row: State | undefined, application: BidEntry['application']) {
	if (row) return { status: formatBidStatus({ ...row, exchange: row.exchange ?? exchange, application }), kind: findBidKind(row) }
	// Another status of the exchange has no mark.
	const kind: StatusKind | undefined = !isPlaced ? 'failed' : status === 'Success' ? 'done' : undefined
	return { status, kind }
}

/** True when the issue takes bids now; false when that is unknown, because the page of a closed issue has no form. */
async function isOpen(broker: Broker, symbol: string): Promise<boolean> {
	const { data: issues = [] } = await loadPart(broker, findIpos(broker, 'current'), [])
	return issues.some((issue) => issue.symbol === symbol && findIssueState(issue) === 'LIVE')
}

import { z } from 'zod/v4'
import { type IpoApplication, type IpoBidResults, type IpoBidRow } from '#contract/ipo'
import { withUnread } from '#contract/tolerant'
import { addDays, type Day, formatDay } from '#contract/values/dates'
import { formatMoment } from '#contract/values/moments'
import { formatRupees, toPaise } from '#contract/values/money'
import { now, today } from '~/broker/clock.server'
import { readMessage } from '~/broker/failures.server'
import { findKind, type StatusKind } from '~/lib/status-kind'
import { formatUnits } from '~/lib/units'
import { DASH, nameCode } from '~/lib/unknown'
import { clampText, day, moment, money, price, quantity, status, text } from '~/reports/columns.server'
import { checkPeriod, readQuery, typedPeriod } from '~/reports/filters.server'
import { type Column, type Report } from '~/reports/declaration'

/** A bid with the facts of its application. */
export type BidEntry = IpoBidRow & { application?: IpoApplication }

const KINDS: Readonly<Record<string, StatusKind>> = {
	PENDING: 'waiting',
	ACCEPTED: 'done',
	REJECTED: 'failed',
	CANCELLED: 'over',
	EXPIRED: 'over',
}

const STATUS = {
	ACCEPTED: 'Accepted',
	REJECTED: 'Rejected',
	CANCELLED: 'Cancelled',
} as const

/** Returns the state of the bid, with the reason of a refusal. A bid whose mandate was not sent is still with the broker. */
export function formatBidStatus({
	status,
	mandate_status,
	exchange,
	application,
}: Pick<BidEntry, 'status' | 'mandate_status' | 'application'> & Partial<Pick<BidEntry, 'exchange'>>): string {
	if (status === 'REJECTED' && application?.reason) return `Rejected: ${application.reason}`
	if (status !== 'PENDING') return nameCode(STATUS, status)
	return mandate_status === 'PENDING' ? 'Placed' : `Sent to ${exchange || 'exchange'}`
}

export const findBidKind = ({ status }: Pick<BidEntry, 'status'>) => findKind(KINDS, status)

type MandateState = Pick<BidEntry, 'status' | 'mandate_status'> & { application?: BidEntry['application'] }

const isLate = (application: BidEntry['application']) => application !== undefined && new Date(application.mandate_until) < now()

/** Returns the kind of the mandate status. The client must act while the bid itself is pending and the mandate can be accepted. */
export function findMandateKind({ status, mandate_status, application }: MandateState): StatusKind | undefined {
	if (mandate_status === 'SENT' || mandate_status === 'PENDING') return status === 'PENDING' && !isLate(application) ? 'todo' : 'waiting'
	return findKind(KINDS, mandate_status)
}

/** Returns the state of the mandate, what the client must do, and by when. */
export function formatMandateStatus({
	status,
	mandate_status,
	application,
}: Pick<BidEntry, 'status' | 'mandate_status' | 'application'>): string {
	switch (mandate_status) {
		case 'ACCEPTED':
			return 'Approved'
		case 'REJECTED':
			return 'Failed'
		case 'EXPIRED':
			return 'Expired'
		case 'PENDING':
		case 'SENT':
			if (status !== 'PENDING') return 'Pending'
			if (application && isLate(application)) return `Pending: could be accepted until ${formatMoment(application.mandate_until)}`
			return application
				? `Pending: Accept in your UPI app by ${formatMoment(application.mandate_until)}`
				: 'Pending: Accept in your UPI app'
		default:
			return mandate_status ?? DASH
	}
}

function formatAllotment({ status, allotted_qty, application }: BidEntry): string | null {
	if (allotted_qty !== null) return allotted_qty > 0 ? `Allotted ${formatUnits(allotted_qty)}` : 'Not allotted'
	if (status !== 'ACCEPTED') return null
	return application ? `Expected on ${formatDay(application.allotment_date)}` : 'Awaited'
}

/** Returns `₹ 14,952.00 released` when the bank has released blocked money. */
const tellReleased = ({ refund_amount }: BidEntry): string | undefined =>
	refund_amount ? `${formatRupees(refund_amount)} released` : undefined

/** Returns the message that came when the bid was made. */
function findMessage({ bid_reference_no, application }: BidEntry): string | null {
	return application?.results.find((result) => result.bid_reference_no === bid_reference_no)?.message ?? null
}

const issue: Column<BidEntry> = {
	...text<BidEntry>('issue', 'Issue', (row) => row.name),
	cell: (row) => ({
		// A link without words cannot be opened.
		text: row.name || row.application_no,
		href: `/connect/ipo/bids/${encodeURIComponent(row.application_no)}`,
		phoneLead: row.amount === null ? undefined : formatRupees(row.amount),
		isLeadBold: true,
		phoneNote: row.bid_date === null ? undefined : formatDay(row.bid_date),
		note: tellUnits(row),
	}),
}

/** Returns `45 shares at ₹ 327.00`; undefined when one of them is unknown. */
const tellUnits = ({ quantity: units, price: at }: BidEntry): string | undefined =>
	units === null || at === null ? undefined : `${formatUnits(units)} shares at ${formatRupees(toPaise(at))}`

/** Returns `Not allotted, ₹ 14,952.00 released`. */
const joinReleased = (told: string, row: BidEntry) => [told, tellReleased(row)].filter(Boolean).join(', ')

/** Returns the allotment of an application as a line, none before it is known. Of its bids the one with shares or with money counts. */
export function describeAllotment(rows: readonly BidEntry[]) {
	const told = rows.filter((row) => formatAllotment(row) !== null)
	const row = told.find(({ allotted_qty }) => allotted_qty) ?? told.find(({ refund_amount }) => refund_amount) ?? told[0]
	return row ? [{ label: 'Allotment', value: joinReleased(formatAllotment(row) ?? '', row), status: findAllotmentKind(row) }] : []
}

const findAllotmentKind = ({ allotted_qty }: BidEntry): StatusKind =>
	allotted_qty === null ? 'waiting' : allotted_qty > 0 ? 'done' : 'over'

const allotment: Column<BidEntry> = {
	...text<BidEntry>('allotment', 'Allotment', (row) => formatAllotment(row) ?? (row.status === 'PENDING' ? 'Not yet' : null)),
	cell: (row) => {
		const told = formatAllotment(row)
		if (told === null) return row.status === 'PENDING' ? { text: 'Not yet', status: 'waiting' } : DASH
		return { text: clampText(told), status: findAllotmentKind(row), note: tellReleased(row) }
	},
}

const bidStatus: Column<BidEntry> = {
	...text<BidEntry>('status', 'Bid status', formatBidStatus),
	cell: (row) => {
		return { text: clampText(formatBidStatus(row) || DASH), status: findBidKind(row), ...tellNext(row) }
	},
}

/** Returns what a phone shows below the status: the allotment once there is one, until then the mandate. */
function tellNext(row: BidEntry): { phoneNote?: string; phoneStatus?: StatusKind } {
	const told = formatAllotment(row)
	if (told !== null)
		return {
			phoneNote: row.allotted_qty === null ? `Allotment ${lowerFirst(told)}` : joinReleased(told, row),
			phoneStatus: findAllotmentKind(row),
		}
	// Short, because the column is narrow.
	if (row.application && findMandateKind(row) === 'todo')
		return { phoneNote: `Accept mandate by ${formatMoment(row.application.mandate_until)}`, phoneStatus: 'todo' }
	// The reason above names the mandate that failed.
	if (row.status === 'REJECTED' && /mandate/i.test(row.application?.reason ?? '')) return {}
	const mandate = formatMandateStatus(row)
	return mandate === DASH ? {} : { phoneNote: `Mandate ${lowerFirst(mandate)}`, phoneStatus: findMandateKind(row) }
}

/** A broker's own code, such as WAITING_NPCI, stays as it is. */
const lowerFirst = (words: string) => (/^[A-Z][a-z]/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words)

const mustAccept = (row: BidEntry) => row.application !== undefined && findMandateKind(row) === 'todo'

/** The notice above the table says until when, and so does a column of its own. */
const tellMandate = (row: BidEntry) => formatMandateStatus(mustAccept(row) ? { ...row, application: undefined } : row)

export const ipoBidsReport: Report<BidEntry> = {
	title: 'Bid report',
	tiers: {
		// Few columns, because the states are sentences. The units and the price stand below the name, on a phone also the amount and
		// the day. There the mandate or the allotment stands below the status of the bid.
		keys: ['issue', 'status'],
		tablet: ['amount', 'mandate', 'allotment'],
		laptop: ['application', 'date'],
		wide: ['category', 'refund', 'exchange'],
	},
	words: (row) =>
		`${row.symbol ?? ''} ${row.name} ${row.application_no} ${row.bid_reference_no ?? ''} ${row.category ?? ''} ${formatBidStatus(row)}`,
	columns: [
		text('application', 'Application', (row) => row.application_no),
		day('date', 'Date', (row) => row.bid_date),
		issue,
		text('category', 'Category', (row) => row.category),
		quantity('quantity', 'Quantity', (row) => row.quantity),
		price('price', 'Price', (row) => row.price),
		money('amount', 'Amount', (row) => row.amount),
		bidStatus,
		status('mandate', 'Mandate status', { get: tellMandate, kind: findMandateKind }),
		allotment,
		money('refund', 'Released', (row) => row.refund_amount),
		moment('until', 'Accept mandate until', (row) => (mustAccept(row) ? (row.application?.mandate_until ?? null) : null)),
		text('upi', 'UPI ID', (row) => row.upi_id),
		text('reference', 'Reference', (row) => row.bid_reference_no),
		text('exchange', 'Exchange', (row) => row.exchange),
		text('message', 'Message', findMessage),
	],
}

/** Returns the applications of some bids. Of several bids one counts, and the money of the highest is blocked. */
function listApplications(bids: readonly BidEntry[]) {
	return [...new Map(bids.map((bid) => [bid.application_no, bid])).values()].map((bid) => {
		const own = bids.filter(({ application_no }) => application_no === bid.application_no)
		const amounts = own.flatMap(({ amount }) => (amount === null ? [] : [amount]))
		return { bid, own, amount: bid.application?.amount ?? (amounts.length > 0 ? Math.max(...amounts) : undefined) }
	})
}

const isToAccept = (bid: BidEntry) => findMandateKind(bid) === 'todo'

/** Returns each mandate that the client must accept: what to do, and by when. Bids of one application have one mandate. */
export const listWaitingMandates = (bids: readonly BidEntry[]) =>
	listApplications(bids.filter(isToAccept)).map(({ bid: { application, application_no, name }, amount }) => {
		const by = application ? ` by ${formatMoment(application.mandate_until)}` : ''
		return {
			number: application_no,
			words: `Accept the mandate${amount === undefined ? '' : ` of ${formatRupees(amount)}`} for ${name || application_no} in your UPI app${by}`,
		}
	})

/** Returns `You have bid ₹ 14,715.00` for each application without a mandate that the client must accept. */
export const tellBids = (bids: readonly BidEntry[]): string[] =>
	listApplications(bids)
		.filter(({ own }) => !own.some(isToAccept))
		.map(({ amount }) => (amount === undefined ? 'You have bid' : `You have bid ${formatRupees(amount)}`))

/**
 * True when the bid counts or can still count, also with a status that we do not know. After a refusal, or when its mandate has failed,
 * the client may apply again.
 */
export const isBidAlive = ({ status, mandate_status }: Pick<BidEntry, 'status' | 'mandate_status'>) =>
	status !== 'REJECTED' && status !== 'CANCELLED' && mandate_status !== 'REJECTED' && mandate_status !== 'EXPIRED'

/** The default length of the report, in days. */
const USUAL_DAYS = 90

/** Returns the days that the report has by default, up to today. */
export function usualDays(): { from: Day; to: Day } {
	const to = today()
	return { from: addDays(to, -USUAL_DAYS), to }
}

const Dates = z.object(typedPeriod).superRefine(checkPeriod)

/** Returns the requested days, the last 90 days by default; `result` instead when they are not valid. */
export function bidPeriod(url: URL) {
	const typed = url.searchParams
	const { value, result } = readQuery(typed, Dates)
	const last = today()
	if (!value) return { typed: { from: typed.get('from') ?? '', to: typed.get('to') ?? '' }, result }
	const to: Day = value.to ?? (value.from && value.from > last ? value.from : last)
	const from: Day = value.from ?? addDays(to, -USUAL_DAYS)
	return { typed: { from, to }, period: { from, to } }
}

const RESULTS = { SUCCESS: 'Success', FAILED: 'Failed' } as const

type Result = { [Name in keyof IpoBidResults[number]]: string | null } & { application_no: string }

/**
 * Describes the result of one bid at the exchange. A status that we do not know may not be a refusal: to bid again may apply twice. The
 * message has at most 300 characters.
 */
export function describeResult({ status, message, application_no, bid_reference_no, exchange }: Result) {
	return {
		isPlaced: status !== 'FAILED',
		status: nameCode(RESULTS, status),
		message: readMessage(message) ?? '',
		application: application_no,
		reference: bid_reference_no || DASH,
		exchange: exchange ?? DASH,
	}
}

/** The result of a bid from its row in the report, when the exchange's answer is not known: only a rejected bid without a reference failed. */
export function readRowResult(row: BidEntry): Result {
	const { status, bid_reference_no } = row
	const isFailed = !bid_reference_no && status === 'REJECTED'
	return { ...row, status: bid_reference_no ? 'SUCCESS' : isFailed ? 'FAILED' : formatBidStatus(row), message: '' }
}

/** Returns the rows of the report, each with its application if the broker gave it. */
export function joinApplications(rows: readonly IpoBidRow[], applications: readonly IpoApplication[] = []): BidEntry[] {
	const byNumber = new Map(applications.map((application) => [application.application_no, application]))
	const joined = rows.map((row) => ({ ...row, application: byNumber.get(row.application_no) }))
	return withUnread(joined, rows, applications)
}

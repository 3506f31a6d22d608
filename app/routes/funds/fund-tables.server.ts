import { type FundMovement, type FundMovementType, type Mandate, type UnauthorizedPayment } from '#contract/funds'
import { unreadIn } from '#contract/tolerant'
import { addDays, type Day, formatDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { FUND_SEGMENTS } from '#contract/values/segments'
import { maskAccount } from '~/lib/masks'
import { findKind, type StatusKind } from '~/lib/status-kind'
import { type Cell, type KeyFigure, type LatestLine } from '~/lib/table'
import { DASH, nameCode, orDash } from '~/lib/unknown'
import { day, money, status, text } from '~/reports/columns.server'
import { buildFoot } from '~/reports/foot.server'
import { type Column, type Report } from '~/reports/declaration'

export const MODES: Readonly<Record<string, string>> = { UPI: 'UPI', NETBANKING: 'Net banking' }

export const MOVEMENT_STATUS = {
	PENDING: 'Pending',
	SUCCESS: 'Success',
	FAILED: 'Failed',
	REJECTED: 'Rejected',
	CANCELLED: 'Cancelled',
} as const

export const MOVEMENT_KINDS: Readonly<Record<string, StatusKind>> = {
	PENDING: 'waiting',
	SUCCESS: 'done',
	FAILED: 'failed',
	REJECTED: 'failed',
	CANCELLED: 'over',
}

/** Returns a name and a masked account, of which the broker may leave out one or both. */
const tellAccount = (name: string | null, account: string | null) =>
	name || account ? `${name || DASH} ${orDash(account, maskAccount)}` : DASH
const plainAccount = (name: string | null, account: string | null) => [name, account && maskAccount(account)].filter(Boolean).join(' ')

type Bank = { bank_name: string | null; bank_acno: string | null }

/** Returns the name of the bank and the masked account, both from the broker. */
export const tellBank = ({ bank_name, bank_acno }: Bank) => tellAccount(bank_name, bank_acno)

const bankColumn = <Row extends Bank>(): Column<Row> => ({
	...text<Row>('bank', 'Bank', tellBank),
	plain: ({ bank_name, bank_acno }) => plainAccount(bank_name, bank_acno),
})

/** Returns why a movement failed, as the broker says it, and that a failed pay-in is not in the ledger. Otherwise undefined. */
function tellFailure(type: FundMovementType, { status, remarks }: FundMovement): string | undefined {
	if (status !== 'FAILED' && status !== 'REJECTED') return undefined
	const why = remarks && `${remarks.replace(/\.$/, '')}.`
	return [why, type === 'payin' && 'Nothing was added to your ledger.'].filter(Boolean).join(' ') || undefined
}

/** Returns the address of the page of a movement. */
const formatPlace = (type: FundMovementType, { request_id }: FundMovement) =>
	`${type === 'payin' ? '/funds/return' : '/funds/payout'}?ref=${encodeURIComponent(request_id)}`

/** Returns pay-ins or payouts as a table. It leads with the day, because clients know it and not the reference. */
export function createMovementsReport(type: FundMovementType): Report<FundMovement> {
	return {
		title: type === 'payin' ? 'Pay-ins' : 'Pay-outs',
		words: (row) =>
			`${row.request_id} ${row.utr ?? ''} ${tellBank(row)} ${row.remarks ?? ''} ${nameCode(MOVEMENT_STATUS, row.status)} ${formatDay(row.date)} ${nameCode(MODES, row.mode)} ${nameCode(FUND_SEGMENTS, row.segment)}`,
		tiers: { keys: ['date', 'status', 'amount'], tablet: ['reference', 'bank'], laptop: ['segment', 'utr'] },
		columns: [
			{
				...day<FundMovement>('date', 'Date', (row) => row.date),
				cell: (row) => ({ text: orDash(row.date, formatDay), href: formatPlace(type, row) }),
				// The column of the state is too narrow for a reason.
				below: (row) => [row.request_id, tellFailure(type, row)].filter(Boolean).join('\n'),
			},
			text('reference', 'Reference', (row) => row.request_id),
			status('status', 'Status', {
				get: (row) => nameCode(MOVEMENT_STATUS, row.status),
				kind: (row) => findKind(MOVEMENT_KINDS, row.status),
				note: (row) => tellFailure(type, row),
				isNoteWide: true,
			}),
			money('amount', 'Amount', (row) => row.amount, { isSummed: true }),
			text('segment', 'Segment', (row) => nameCode(FUND_SEGMENTS, row.segment)),
			text('mode', 'Mode', (row) => nameCode(MODES, row.mode)),
			bankColumn(),
			text('utr', 'UTR', (row) => row.utr),
			text('remarks', 'Remarks', (row) => row.remarks),
		],
	}
}

const REFUNDS = {
	ON_HOLD: 'On hold',
	REFUND_PENDING: 'Being returned',
	REFUNDED: 'Returned',
} as const

const REFUND_KINDS: Readonly<Record<string, StatusKind>> = { ON_HOLD: 'todo', REFUND_PENDING: 'waiting', REFUNDED: 'done' }

/** What the client can do about it, and what happens then. The broker must not keep the money in any case. */
const ADVICE: Readonly<Record<string, { todo: string; then: string; href?: string }>> = {
	ON_HOLD: {
		todo: 'Add this bank account',
		then: 'If the account is yours, add it and the money is credited. If it is not, the money goes back.',
		href: '/myaccount/bank',
	},
	REFUND_PENDING: { todo: 'Pay from a registered bank', then: 'The money goes back to the account it came from.', href: '/funds' },
	REFUNDED: { todo: 'Nothing to do', then: 'The money is back in the account it came from.' },
}

const findAdvice = ({ status }: UnauthorizedPayment) => (status !== null && Object.hasOwn(ADVICE, status) ? ADVICE[status] : undefined)

const explainPayment = (payment: UnauthorizedPayment) =>
	[payment.remarks && `${payment.remarks.replace(/\.$/, '')}.`, findAdvice(payment)?.then].filter(Boolean).join(' ')

const namePayer = ({ from_name, from_account }: UnauthorizedPayment) => tellAccount(from_name, from_account)

/** Returns how much money waits for the client to act, or nothing. */
export function tellOnHold(payments: readonly UnauthorizedPayment[]): string | undefined {
	const held = payments.filter(({ status }) => status === 'ON_HOLD')
	if (held.length === 0) return undefined
	if (held.some(({ amount }) => amount === null))
		return held.length === 1 ? 'A payment is on hold.' : `${held.length} payments are on hold.`
	return `${formatRupees(held.reduce((total, { amount }) => total + (amount ?? 0), 0))} is on hold.`
}

/** Payments from accounts that are not registered for the client. */
export const unauthorizedReport: Report<UnauthorizedPayment> = {
	title: 'Payments from unregistered accounts',
	tiers: { keys: ['status', 'todo'], tablet: ['utr', 'date', 'amount', 'from'] },
	words: (row) => `${row.utr} ${row.from_name ?? ''} ${explainPayment(row)} ${nameCode(REFUNDS, row.status)} ${formatDay(row.date)}`,
	columns: [
		text('utr', 'UTR', (row) => row.utr),
		day('date', 'Date', (row) => row.date),
		money('amount', 'Amount', (row) => row.amount),
		{ ...text('from', 'From', namePayer), plain: ({ from_name, from_account }) => plainAccount(from_name, from_account) },
		{
			...text<UnauthorizedPayment>('status', 'Status', (row) => nameCode(REFUNDS, row.status)),
			// A phone has no column for the amount, the day, the payer and the reason.
			cell: (row) => ({
				text: nameCode(REFUNDS, row.status),
				status: findKind(REFUND_KINDS, row.status),
				phoneLead: orDash(row.amount, formatRupees),
				phoneNote: [orDash(row.date, formatDay), namePayer(row), explainPayment(row)].filter(Boolean).join('\n'),
			}),
		},
		text('why', 'Why', explainPayment),
		{
			...text<UnauthorizedPayment>('todo', 'What to do', (row) => findAdvice(row)?.todo ?? null),
			cell: (row) => ({ text: findAdvice(row)?.todo ?? DASH, href: findAdvice(row)?.href }),
		},
	],
}

export const MANDATE_STATUS = {
	STARTED: 'Started',
	AT_BANK: 'At the bank',
	ACTIVE: 'Active',
	REJECTED: 'Rejected',
	CANCELLED: 'Cancelled',
	EXPIRED: 'Expired',
} as const

const MANDATE_KINDS: Readonly<Record<string, StatusKind>> = {
	STARTED: 'todo',
	AT_BANK: 'waiting',
	ACTIVE: 'done',
	REJECTED: 'failed',
	CANCELLED: 'over',
	EXPIRED: 'over',
}

export const CHANNELS = { netbanking: 'Net banking', debitcard: 'Debit card', aadhaar: 'Aadhaar', physical: 'Physical form' } as const

const FREQUENCIES: Readonly<Record<string, string>> = { 'As presented': 'As and when presented' }

const SUMS = { payin: 'Paid in', payout: 'Paid out' } as const

/** Whether the movements from a day on, or all, that succeeded have this one in their sum. */
const isCounted = ({ status, amount, date }: FundMovement, since?: Day) =>
	status === 'SUCCESS' && amount !== null && (!since || (date ?? '') >= since)

/** The broker lists no more movements of a type. */
const MOST = 100

/**
 * Returns the first day of which every list has all movements; undefined when nothing is cut off. The last day of a full list may have
 * more than the list shows.
 */
export function findFirstWholeDay(lists: readonly (readonly FundMovement[])[]): Day | undefined {
	const cut = lists.filter((rows) => rows.length + (unreadIn(rows)?.rows ?? 0) >= MOST).flatMap((rows) => rows.at(-1)?.date ?? [])
	const last = cut.sort().at(-1)
	return last && addDays(last, 1)
}

/** What a movement adds to the sum is unknown: it succeeded with an amount that could not be read, or it may have succeeded. */
const isUnknown = ({ status, amount, date }: FundMovement, since?: Day) =>
	(status === 'SUCCESS' ? amount === null : !(status !== null && Object.hasOwn(MOVEMENT_STATUS, status))) &&
	(!since || (date ?? '') >= since)

const nameSum = (type: FundMovementType, rows: readonly FundMovement[], since?: Day) =>
	`${SUMS[type]}${since ? ` since ${formatDay(since)}` : ''}${unreadIn(rows) || rows.some((row) => isUnknown(row, since)) ? ' (incomplete)' : ''}`

/** Returns the sum of the movements from this day on that succeeded, for the top of the page. */
export function sumMovements(type: FundMovementType, rows: readonly FundMovement[], since: Day | undefined): KeyFigure {
	const counted = rows.filter((row) => isCounted(row, since))
	const label = nameSum(type, rows, since)
	// When none succeeded for certain, zero would be a guess.
	if (counted.length === 0 && rows.some((row) => isUnknown(row, since))) return { label, text: DASH }
	return { label, text: formatRupees(counted.reduce((total, { amount }) => total + (amount ?? 0), 0)) }
}

/** Returns the latest movement of a type with its state; the broker's list begins with it. No line when there is none. */
export function describeLast(type: FundMovementType, rows: readonly FundMovement[]): LatestLine[] {
	const [first, ...others] = rows
	if (!first) return []
	const last = others.reduce((found, row) => ((row.date ?? '') > (found.date ?? '') ? row : found), first)
	const state = nameCode(MOVEMENT_STATUS, last.status)
	const what = { text: `${type === 'payin' ? 'Pay-in' : 'Pay-out'} · ${state}`, status: findKind(MOVEMENT_KINDS, last.status) }
	return [{ day: orDash(last.date, formatDay), what, amount: orDash(last.amount, formatRupees) }]
}

/**
 * Returns the foot of the page's table: the sum that is also above it, with the same name, and how many rows are in it when not each is.
 * Undefined when no movement is in it. With `isShort` the table shows fewer rows than the sum has.
 */
export function buildMovementsFoot(
	type: FundMovementType,
	rows: readonly FundMovement[],
	{ since, isShort }: { since?: Day; isShort: boolean },
): Cell[] | undefined {
	const done = rows.filter((row) => isCounted(row, since))
	if (done.length === 0) return undefined
	const count = done.length < rows.length || isShort ? `, in ${done.length} ${done.length === 1 ? 'payment' : 'payments'}` : ''
	const label = `${nameSum(type, rows, since)}${count}`
	return buildFoot(createMovementsReport(type), done)?.map((cell) => (cell === 'Total' ? label : cell))
}

const tellUntil = (mandate: Mandate) => (mandate.ends_on && isCancellable(mandate) ? [`Until ${formatDay(mandate.ends_on)}`] : [])

const tellMost = ({ amount }: Mandate) => (amount === null ? undefined : `${formatRupees(amount)} at most`)

const CANCEL = 'Cancel mandate'

/** Mandates registered online. A mandate that has not ended has a link to cancel it. */
export const mandatesReport: Report<Mandate> = {
	title: 'Mandates',
	tiers: { keys: ['status', 'end'], tablet: ['amount', 'reference', 'bank'], laptop: ['date', 'until'] },
	words: (row) =>
		`${row.reference} ${row.umrn ?? ''} ${row.bank_name ?? ''} ${nameCode(MANDATE_STATUS, row.status)} ${nameCode(CHANNELS, row.channel)} ${row.remarks ?? ''}`,
	columns: [
		text('reference', 'Reference', (row) => row.reference),
		{
			...text<Mandate>('status', 'Status', (row) => nameCode(MANDATE_STATUS, row.status)),
			// A phone has no column for the amount, the bank and the last day.
			cell: (row) => {
				const words = nameCode(MANDATE_STATUS, row.status)
				return {
					text: words,
					status: findKind(MANDATE_KINDS, row.status),
					phoneLead: tellMost(row),
					phoneNote: [tellBank(row), ...tellUntil(row)].join('\n'),
				}
			},
		},
		text('umrn', 'UMRN', (row) => row.umrn),
		money('amount', 'At most', (row) => row.amount),
		bankColumn(),
		day('date', 'Asked on', (row) => row.asked_on),
		day('until', 'Until', (row) => row.ends_on),
		text('channel', 'Channel', (row) => nameCode(CHANNELS, row.channel)),
		text('frequency', 'Frequency', (row) => nameCode(FREQUENCIES, row.frequency)),
		text('remarks', 'Remarks', (row) => row.remarks),
		{
			key: 'end',
			label: 'What next',
			cell: (row) =>
				isCancellable(row)
					? { text: CANCEL, href: `/funds/e-mandate?cancel=${encodeURIComponent(row.reference)}#cancel`, isButton: true }
					: DASH,
			plain: (row) => (isCancellable(row) ? CANCEL : ''),
		},
	],
}

/** True when the mandate has not ended, so that it can be cancelled. */
export function isCancellable({ status }: Mandate): boolean {
	return status === 'STARTED' || status === 'AT_BANK' || status === 'ACTIVE'
}

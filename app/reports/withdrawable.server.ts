import { type LedgerCocd } from '#contract/common'
import { type PayoutTimetable } from '#contract/funds'
import { type Deductions, type Withdrawable } from '#contract/ledger'
import { unreadIn } from '#contract/tolerant'
import { type Day, formatDay } from '#contract/values/dates'
import { currentYear, formatYear } from '#contract/values/financial-year'
import { formatBalance, formatDeduction, formatRupees, type Paise } from '#contract/values/money'
import { SEGMENT_NAMES } from '#contract/values/segments'
import { type Broker } from '~/broker/client.server'
import { now, tellDeadline } from '~/broker/clock.server'
import { getDashboardDeductedLedger } from '~/broker/dashboard.server'
import { getWithdrawableAmount, listDeductions } from '~/broker/ledger.server'
import { listClientLedgers } from '~/broker/profile.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { fundsPath } from '~/lib/funds-path'
import { toSentence } from '~/lib/narrations'
import { orDash, sumOrNull } from '~/lib/unknown'
import { findDue } from './balances.server'
import { tellUnread } from './unread.server'

type Batch = PayoutTimetable['ledgers'][number]

/* The steps from a ledger's balance to the withdrawable amount. The deducted ledger and the withdrawal page show the same lines. */

/**
 * Returns the lines from the ledger balance to the withdrawable amount, one per step, each linked to the page that proves it. Amounts in
 * paise.
 */
export async function getWithdrawableBridge(broker: Broker, cocd: LedgerCocd, deducted: Paise | undefined) {
	const [amounts, lines] = await Promise.all([
		loadPart(broker, getWithdrawableAmount(broker, cocd)),
		loadSidePart(broker, listDeductions(broker, cocd), []),
	])
	const title = SEGMENT_NAMES[cocd]
	if (!amounts.data) return { cocd, title, failure: amounts.failure, linesFailure: undefined }
	const { ledger, unsettled, margin_used, interest_accrued = 0, payouts_under_way = 0, balance } = amounts.data
	const left = computeLeft(amounts.data)
	const parts = lines.data ?? []
	return {
		cocd,
		title,
		linesFailure: lines.failure,
		withdrawable: balance,
		ledger,
		sums: { unsettled, blocked: margin_used, interest: interest_accrued },
		isUnderWay: payouts_under_way > 0,
		/** The deducted ledger and the withdrawable amount, the last two rows, are the same figure. */
		isSame: left === balance && payouts_under_way === 0,
		/** Paise that the client owes in this ledger after all deductions; 0 when nothing. */
		owed: Math.max(0, -(left ?? 0)),
		/** Amounts that settle later, and their days. */
		later: parts.flatMap(({ KIND, AMOUNT, CLEARS_ON }) => (KIND === 'UNSETTLED' && CLEARS_ON ? [{ amount: AMOUNT, on: CLEARS_ON }] : [])),
		mismatch: tellUnread(unreadIn(amounts.data)) ?? findMismatch(amounts.data, deducted),
		rows: [
			{ label: 'Ledger balance', figure: orDash(ledger, formatBalance), href: nameLedger(cocd) },
			...listLines('UNSETTLED', 'Not yet settled', unsettled, parts, cocd),
			...listLines('MARGIN', 'Margin blocked', margin_used, parts, cocd, explainMargin(amounts.data)),
			...(interest_accrued > 0 ? listLines('INTEREST', 'Margin funding interest not posted yet', interest_accrued, parts, cocd) : []),
			...(payouts_under_way > 0 ? listLines('PAYOUT', 'Payout in progress', payouts_under_way, parts, cocd) : []),
			{ label: 'Deducted ledger', figure: orDash(left, formatBalance), isTotal: true },
			{ label: formatLabel(payouts_under_way), figure: formatRupees(balance), isTotal: true },
		],
	}
}

/** A ledger of the current year: these figures are of today, whatever year another page showed last. */
const nameLedger = (cocd: LedgerCocd, rest = '') => `/reports/ledger/${cocd}?year=${formatYear(currentYear(now()))}${rest && `&${rest}`}`

/** Returns the lines of every ledger of the client. */
export async function listBridges(broker: Broker) {
	const [deducted, cocds] = await Promise.all([loadSidePart(broker, getDashboardDeductedLedger(broker)), listClientLedgers(broker)])
	return await Promise.all(
		cocds.map(async (cocd) => {
			const amount = findDue(deducted.data, cocd) ?? undefined
			return {
				withdrawable: undefined,
				isUnderWay: false,
				owed: 0,
				later: [],
				...(await getWithdrawableBridge(broker, cocd, amount)),
			}
		}),
	)
}

/** The page that adds funds, with what the first ledger that owes something owes. */
export function findDebt(bridges: readonly { cocd: LedgerCocd; owed?: Paise }[]): string {
	const short = bridges.find(({ owed = 0 }) => owed > 0)
	return fundsPath(short?.owed, short?.cocd)
}

type Sums = { ledger?: Paise | null; sums?: Record<'unsettled' | 'blocked' | 'interest', Paise | null> }

/**
 * Returns how the ledgers together make the amount that can be withdrawn, on one line. Undefined when the steps do not lead to it: a
 * ledger is unknown, short, or has a payout in progress.
 */
export function tellSum(bridges: readonly Sums[], most: Paise): string | undefined {
	const sum = (read: (bridge: Sums) => Paise | null | undefined) => bridges.reduce((total, bridge) => total + (read(bridge) ?? NaN), 0)
	const steps = [
		{ words: 'not yet settled', amount: sum(({ sums }) => sums?.unsettled) },
		{ words: 'blocked as margin', amount: sum(({ sums }) => sums?.blocked) },
		{ words: 'interest', amount: sum(({ sums }) => sums?.interest) },
	]
	const ledger = sum((bridge) => bridge.ledger)
	const taken = steps.filter(({ amount }) => amount !== 0)
	if (taken.length === 0 || steps.reduce((left, { amount }) => left - amount, ledger) !== most) return undefined
	const words = taken.map(({ words: what, amount }) => `${formatRupees(amount)} ${what}`)
	return `${formatRupees(ledger)} in the ledger, less ${new Intl.ListFormat('en').format(words)}`
}

export const sumAvailable = (ledgers: readonly { can: Paise }[]) => ledgers.reduce((sum, { can }) => sum + can, 0)

/** An amount, and the words that say how it is made up. */
type Explained = { amount: Paise; words: string }

/** Returns what the open positions block, and how pledged securities reduce it. */
function explainMargin({ margin_required = 0, collateral = 0 }: Withdrawable): Explained | undefined {
	if (margin_required === 0) return undefined
	const counts =
		collateral > 0
			? `; pledged securities count for ${formatRupees(collateral)} of it, and at least half must be cash`
			: ', all of it in cash'
	return { amount: margin_required - collateral, words: `Open positions need ${formatRupees(margin_required)}${counts}` }
}

/** Returns the deducted ledger in paise; null when a figure is missing. Subtracts only the deductions that the broker gives. */
function computeLeft({ ledger, unsettled, margin_used, interest_accrued = 0, payouts_under_way = 0 }: Withdrawable): Paise | null {
	const deductions = sumOrNull([unsettled, margin_used, interest_accrued, payouts_under_way])
	return sumOrNull([ledger, deductions === null ? null : -deductions])
}

/** Returns the label of the withdrawable amount. A ledger may have one payout in progress, so the page offers no second one. */
const formatLabel = (underWay: Paise) => (underWay > 0 ? 'You can withdraw when that payout is paid' : 'You can withdraw')

type Bridge = { withdrawable?: Paise; ledger?: Paise | null; owed?: Paise; later: readonly { amount: Paise; on: Day }[] }

/** Returns what can be withdrawn from a ledger now, in paise, and its note. The page shows the amount beside the name. */
export function describeOffer({ withdrawable, ledger, owed = 0, later }: Bridge, batch: Batch | undefined, isUnderWay: boolean) {
	if (isUnderWay) return { can: 0, help: 'A payout is in progress; another can be asked for when that one is paid or cancelled.' }
	if (withdrawable === undefined) return { can: 0, help: 'The withdrawable amount is not known at the moment.' }
	const [next] = [...later].sort((a, b) => (a.on < b.on ? -1 : 1))
	if (withdrawable === 0) {
		const why =
			owed > 0
				? `Nothing can be withdrawn: you owe ${formatRupees(owed)} here. Add funds to clear it.`
				: ledger === 0
					? 'This ledger is empty.'
					: 'Nothing can be withdrawn now.'
		return { can: 0, help: next ? `${why} ${formatRupees(next.amount)} settles on ${formatDay(next.on)}.` : why }
	}
	return {
		can: withdrawable,
		help: batch ? `Request by ${tellDeadline(batch.cut_off)} to receive it by ${tellDeadline(batch.credited_by)}.` : undefined,
	}
}

const IS_LOAN = /margin funding/i

/**
 * Returns the rows of one kind. When the broker's lines add up to the sum, each is a row with its own figure below the sum; a single line
 * is one row. Otherwise only the sum, since lines with another total explain nothing. `explained` stands at the row of its amount only: a
 * loan blocks margin too, which the words say nothing of.
 */
function listLines(
	kind: Deductions[number]['KIND'],
	label: string,
	sum: Paise | null,
	all: Deductions,
	cocd: LedgerCocd,
	explained?: Explained,
) {
	const explain = (amount: Paise | null) => (amount === explained?.amount ? explained.words : undefined)
	const lines = all.filter(({ KIND }) => KIND === kind)
	const isWhole = lines.reduce((total, { AMOUNT }) => total + AMOUNT, 0) === sum
	const href =
		kind === 'MARGIN' ? nameLedger(cocd, 'filtered=1&opening=Y&margin=Y&q=margin') : kind === 'INTEREST' ? '/connect/mtf' : undefined
	const [only] = lines
	if (!isWhole || !only) return [{ label, note: joinNotes(explain(sum)), figure: orDash(sum, formatDeduction), href }]
	// What all parts of blocked margin wait for is said once, at their sum.
	const shared = kind === 'MARGIN' && lines.every(({ CLEARS_ON }) => CLEARS_ON === null) ? formatNote(kind, null) : undefined
	const rows = lines.map((line) => ({
		label: toSentence(line.NARRATION),
		note: joinNotes(explain(line.AMOUNT), shared ? undefined : formatNote(kind, line.CLEARS_ON)),
		figure: formatDeduction(line.AMOUNT),
		href: formatHref(kind, line, cocd),
		isPart: true,
	}))
	if (lines.length > 1) return [{ label, note: joinNotes(explain(sum), shared), figure: orDash(sum, formatDeduction), href }, ...rows]
	const words = joinNotes(explain(sum) ?? toSentence(only.NARRATION), formatNote(kind, only.CLEARS_ON))
	return [{ label, note: words, figure: orDash(sum, formatDeduction), href: href ?? formatHref(kind, only, cocd) }]
}

/** Each note is a sentence. */
const joinNotes = (...notes: (string | undefined)[]) =>
	notes
		.filter((note) => note !== undefined)
		.map((note) => `${note}.`)
		.join(' ') || undefined

/** Returns when and how the deduction ends. */
function formatNote(kind: Deductions[number]['KIND'], clearsOn: Day | null): string | undefined {
	if (kind === 'INTEREST') return clearsOn ? `In the ledger on ${formatDay(clearsOn)}` : undefined
	if (kind === 'PAYOUT') return `${clearsOn ? `In your bank on ${formatDay(clearsOn)}; it` : 'It'} comes back if you cancel the payout`
	return clearsOn ? `Available from ${formatDay(clearsOn)}` : 'Blocked until the positions are closed'
}

/**
 * Links a bill by its number, a pay-in by its narration, and the margin and interest of a loan and a payout to their pages. The line
 * above links to other margin.
 */
function formatHref(kind: Deductions[number]['KIND'], { NARRATION, BILL_NO, REFERENCE }: Deductions[number], cocd: LedgerCocd) {
	if (kind === 'UNSETTLED') return nameLedger(cocd, `q=${encodeURIComponent(BILL_NO ?? NARRATION)}`)
	if (kind === 'PAYOUT') return REFERENCE ? `/funds/payout?ref=${encodeURIComponent(REFERENCE)}` : undefined
	return kind === 'INTEREST' || IS_LOAN.test(NARRATION) ? '/connect/mtf' : undefined
}

/** Compares the two calls. When they differ, the page says so and does not choose one. */
function findMismatch(amounts: Withdrawable, deducted: Paise | undefined): string | undefined {
	const { balance } = amounts
	const computed = computeLeft(amounts)
	if (computed === null) return undefined
	if (deducted !== undefined && computed !== deducted)
		return `These lines make ${formatBalance(computed)}, but the broker’s deducted ledger is ${formatBalance(deducted)}.`
	if (Math.max(0, computed) !== balance)
		return `These lines make ${formatRupees(Math.max(0, computed))}, but the broker lets you withdraw ${formatRupees(balance)}.`
	return undefined
}

import { addDays, type Day, weekday } from '#contract/values/dates'
import { type LedgerCocd } from '#contract/common'
import { type Paise } from '#contract/values/money'
import { isSettlementDay } from './calendar'
import { computePercent } from './rounding'

/*
 * Settlement of running accounts (SEBI, 27-Jul-2022 and 28-Dec-2023): on the first Friday of the quarter or of the month, as the client
 * chose, the broker pays money that no obligation or margin needs to the client's bank. The stock exchanges publish a year's days in
 * advance.
 */

/** Days of 2026-27 as published by the exchanges (NSE INSP72413 of 20-Jan-2026). */
const NAMED_QUARTERLY: readonly Day[] = ['2026-04-17', '2026-07-03', '2026-10-16', '2027-01-01']
const NAMED_MONTHLY: readonly Day[] = [
	...NAMED_QUARTERLY,
	...['2026-05-15', '2026-06-05', '2026-08-07', '2026-09-04', '2026-11-06', '2026-12-04', '2027-02-05', '2027-03-05'],
]

/** After this many days without a trade the account is settled on the next monthly day, whatever the client chose. */
const IDLE_DAYS = 30

/** Per cent of the margin of open positions that the broker may keep, less pledged securities. */
const KEPT_PERCENT = '225'

/**
 * The settlement day of a month (YYYY-MM): the published day, or else the month's first Friday, or the settlement day before it when the
 * banks are closed.
 */
function dayOfMonth(month: string): Day {
	const named = NAMED_MONTHLY.find((day) => day.startsWith(month))
	if (named !== undefined) return named
	let day = `${month}-01`
	while (weekday(day) !== 5) day = addDays(day, 1)
	while (!isSettlementDay(day)) day = addDays(day, -1)
	return day
}

const isFirstOfQuarter = (month: string) => ['01', '04', '07', '10'].includes(month.slice(5))

export type AccountSettlement = 'QUARTERLY SETTLEMENT OF ACCOUNTS' | 'MONTHLY SETTLEMENT OF ACCOUNTS'

/** The month whose settlement day this is. When the banks are closed on a first Friday, the day may move into the month before. */
const monthSettledOn = (day: Day) => [day.slice(0, 7), addDays(day, 7).slice(0, 7)].find((each) => dayOfMonth(each) === day)

/**
 * True when a client's account is settled on this day: on the quarterly day, and on the monthly day when the client's last trade was
 * more than 30 days before it, or when there is none.
 */
export function isAccountDay(day: Day, lastTrade: Day | undefined): boolean {
	const month = monthSettledOn(day)
	if (month === undefined) return false
	return isFirstOfQuarter(month) || lastTrade === undefined || lastTrade < addDays(day, -IDLE_DAYS)
}

/** The name of the settlement in the ledger: idle money goes back in the months between two quarterly days too. */
export function nameAccountDay(day: Day): AccountSettlement {
	return isFirstOfQuarter(monthSettledOn(day) ?? '') ? 'QUARTERLY SETTLEMENT OF ACCOUNTS' : 'MONTHLY SETTLEMENT OF ACCOUNTS'
}

/** The first day from `from` on, itself included, on which the account is settled. */
export function findAccountDay(from: Day, lastTrade: Day | undefined): Day {
	let day = from
	while (!isAccountDay(day, lastTrade)) day = addDays(day, 1)
	return day
}

/** A ledger at the end of its settlement day, in paise; see findReturned. */
export type LedgerAtRest = {
	cocd: LedgerCocd
	free: Paise
	/** Of open contracts, and the pledged securities and the blocked cash for it. */
	margin: Paise
	pledged: Paise
	blocked: Paise
	/** Cash that loans for shares need as margin. All of it is blocked. */
	funding: Paise
}

/**
 * The amount to pay back, in paise: the free amount less what the broker keeps. The broker keeps 225 % of the margin less pledged
 * securities; the blocked part of that is not in the free amount. Unsettled money is not free, and purchases are already in the ledger,
 * so obligations are covered. With only 100 % of a loan's margin, the next day's interest would lead to a margin call.
 */
export function findReturned({ free, margin, pledged, blocked, funding }: Omit<LedgerAtRest, 'cocd'>): Paise {
	const kept = Math.max(0, computePercent(margin, KEPT_PERCENT) - pledged - blocked) + computePercent(funding, KEPT_PERCENT) - funding
	return Math.max(0, free - kept)
}

/**
 * The amount to pay back from each of a client's ledgers, in paise. The debt of a ledger in debit is held back from the others, in their
 * order.
 */
export function splitReturned(ledgers: readonly LedgerAtRest[]): { cocd: LedgerCocd; amount: Paise }[] {
	let owed = ledgers.reduce((sum, { free }) => sum + Math.max(0, -free), 0)
	return ledgers.flatMap((ledger) => {
		const returned = findReturned(ledger)
		const kept = Math.min(owed, returned)
		owed -= kept
		return returned > kept ? [{ cocd: ledger.cocd, amount: returned - kept }] : []
	})
}

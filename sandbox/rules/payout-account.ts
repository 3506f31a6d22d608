import { addDays, type Day, weekday } from '#contract/values/dates'
import { type LedgerCocd } from '#contract/common'
import { type Paise } from '#contract/values/money'
import { isSettlementDay } from './calendar'
import { computePercent } from './rounding'

/*
 * Settlement of running accounts (SEBI, 27-Jul-2022 and 28-Dec-2023): on the first Friday of the quarter or the month, as the client has
 * chosen, money that no obligation or margin needs is paid to the client's bank. The stock exchanges publish a year's days in advance.
 */

/** Days of 2026-27 as published by the exchanges (NSE INSP72413 of 20-Jan-2026). */
const NAMED_QUARTERLY: readonly Day[] = ['2026-04-17', '2026-07-03', '2026-10-16', '2027-01-01']
const NAMED_MONTHLY: readonly Day[] = [
	...NAMED_QUARTERLY,
	...['2026-05-15', '2026-06-05', '2026-08-07', '2026-09-04', '2026-11-06', '2026-12-04', '2027-02-05', '2027-03-05'],
]

/** After this many days without a trade the account is settled on the next monthly day, whatever the client chose. */
const IDLE_DAYS = 30

/** The part of the margin of open positions that may be kept, per cent, less pledged securities. */
const KEPT_PERCENT = '225'

/** The day of a month (YYYY-MM): published, or its first Friday, or the settlement day before that when the banks are closed. */
function dayOfMonth(month: string): Day {
	const named = NAMED_MONTHLY.find((day) => day.startsWith(month))
	if (named !== undefined) return named
	let day = `${month}-01`
	while (weekday(day) !== 5) day = addDays(day, 1)
	while (!isSettlementDay(day)) day = addDays(day, -1)
	return day
}

const isFirstOfQuarter = (month: string) => ['01', '04', '07', '10'].includes(month.slice(5))

/**
 * True on a day on which a client's account is settled: the quarter's, or that of a month when the client last traded more than 30 days before
 * it, or never.
 */
export function isAccountDay(day: Day, lastTrade: Day | undefined): boolean {
	// A first Friday on which the banks are closed may fall back into the month before.
	const month = [day.slice(0, 7), addDays(day, 7).slice(0, 7)].find((each) => dayOfMonth(each) === day)
	if (month === undefined) return false
	return isFirstOfQuarter(month) || lastTrade === undefined || lastTrade < addDays(day, -IDLE_DAYS)
}

/** The first such day from a day on, itself included. */
export function findAccountDay(from: Day, lastTrade: Day | undefined): Day {
	let day = from
	while (!isAccountDay(day, lastTrade)) day = addDays(day, 1)
	return day
}

/**
 * The amount to pay back, paise: the free amount, less the part of 225 % of the margin, net of pledged securities, that is not blocked
 * already. Unsettled money is not free, and purchases are already in the ledger, so obligations are covered.
 */
export function findReturned({ free, margin, pledged, blocked }: { free: Paise; margin: Paise; pledged: Paise; blocked: Paise }): Paise {
	const kept = Math.max(0, computePercent(margin, KEPT_PERCENT) - pledged)
	return Math.max(0, free - Math.max(0, kept - blocked))
}

/** A ledger at the end of a day of settlement, paise: see findReturned. */
export type LedgerAtRest = { cocd: LedgerCocd; free: Paise; margin: Paise; pledged: Paise; blocked: Paise }

/**
 * The amount to pay back from each of a client's ledgers, paise; a debt of another ledger is kept back, from the first ledger that has it.
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

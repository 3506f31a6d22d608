import { addDays, type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { nextTradingDay } from './calendar'
import { GST_PERCENT } from './charges'
import { divideHalfUp, computePercent } from './rounding'

/** A fee, its GST, and their sum, in paise. */
export interface Fee {
	fee: Paise
	gst: Paise
	total: Paise
}

function addGst(fee: Paise): Fee {
	const gst = computePercent(fee, GST_PERCENT)
	return { fee, gst, total: fee + gst }
}

/**
 * The depository's and the broker's charge for each ISIN sold from the demat account on a day, for any quantity: 13.00 + GST = 15.34
 * rupees. For a woman as first holder 12.75 + GST = 15.05 (CDSL's discount of 0.25 since Oct-2024, used for all years here).
 */
export function findDpCharge(isWoman: boolean): Fee {
	return addGst(isWoman ? 1275 : 1300)
}

/** The charge for a pledge or release of one ISIN: 20 rupees + GST. */
export function findPledgeCharge(): Fee {
	return addGst(2000)
}

/** Yearly maintenance of the demat account: 300 rupees + GST, a sandbox choice. */
export function findMaintenanceCharge(): Fee {
	return addGst(30_000)
}

/** The yearly charge of the demat account is posted on the first trading day from 10 April on. */
export function findMaintenanceDay(year: string): Day {
	return nextTradingDay(`${year}-04-09`)
}

/** Per cent a year on money lent for margin-funded shares (a sandbox choice within the market's 12 to 18 %). */
export const MTF_INTEREST_PERCENT = '14.99'
/** Per cent a year on a ledger debit that is still unpaid after settlement. */
export const DELAYED_PAYMENT_PERCENT = '18'

/** One day's simple interest in paise on an amount, half-up, 365 days a year. A month's interest is the sum of its days. */
export function findDailyInterest(amount: Paise, percent: string): Paise {
	return amount <= 0 ? 0 : divideHalfUp(amount * Math.round(Number(percent) * 100), 10_000 * 365)
}

/** A change of a debt in paise (more debt is positive). It counts from the end of `day`. */
export type DebtMove = { day: Day; amount: Paise }

/**
 * Interest in paise on the debt at the end of each day from `from` to `to`, both included. `moves` are all changes of the debt so far,
 * in any order. Days without a debt cost nothing.
 */
export function findDebitInterest(moves: readonly DebtMove[], from: Day, to: Day, percent: string): Paise {
	const changes = new Map<Day, Paise>()
	let owed = 0
	for (const { day, amount } of moves) {
		if (day < from) owed += amount
		else changes.set(day, (changes.get(day) ?? 0) + amount)
	}
	let interest = 0
	for (let day = from; day <= to; day = addDays(day, 1)) {
		owed += changes.get(day) ?? 0
		interest += findDailyInterest(owed, percent)
	}
	return interest
}

/**
 * Delayed payment interest of a ledger is posted only from one rupee on, in paise. A smaller amount is not worth a voucher: it comes
 * from a debit that is paid within the same week.
 */
export const LEAST_INTEREST: Paise = 1_00

/**
 * Per cent of the value of a margin-funded purchase that the client pays; the rest is lent (Nifty shares 25 %, the minimum; others 40
 * %).
 */
export function findMtfMargin(isNiftyStock: boolean): string {
	return isNiftyStock ? '25' : '40'
}

import { addDays, type Day } from '~/lib/days'
import type { Paise } from '~/lib/money'
import { divideHalfUp, percentOf } from './rounding'
import { GST_PERCENT } from './charges'

/** A fee with the GST on it; all paise. */
export interface Fee {
	fee: Paise
	gst: Paise
	total: Paise
}

function addGst(fee: Paise): Fee {
	const gst = percentOf(fee, GST_PERCENT)
	return { fee, gst, total: fee + gst }
}

/**
 * Depository's and broker's charge for each ISIN sold from the demat account on a day, whatever the quantity: 13.00 + GST = 15.34,
 * for a woman as first holder 12.75 + GST = 15.05 (CDSL's discount of 0.25 since Oct-2024, kept for all years here).
 */
export function findDpCharge(isWoman: boolean): Fee {
	return addGst(isWoman ? 1275 : 1300)
}

/** A pledge or release of one ISIN: 20 rupees + GST. */
export function findPledgeCharge(): Fee {
	return addGst(2000)
}

/** Yearly maintenance of the demat account: 300 rupees + GST, a sandbox choice. */
export function findMaintenanceCharge(): Fee {
	return addGst(30_000)
}

/** Per cent a year on money lent for margin-funded shares (a sandbox choice within the market's 12 to 18 %). */
export const MTF_INTEREST_PERCENT = '14.99'
/** Per cent a year on a ledger debit beyond settlement. */
export const DELAYED_PAYMENT_PERCENT = '18'

/** One day's simple interest in paise on an amount, half-up, 365 days a year. A month's interest is the sum of its days. */
export function findDailyInterest(amount: Paise, percent: string): Paise {
	return amount <= 0 ? 0 : divideHalfUp(amount * Math.round(Number(percent) * 100), 10_000 * 365)
}

/**
 * Interest of a month (YYYY-MM) on what is owed at the end of each of its days, in paise. `movements` are all changes of the debt so far,
 * more debt positive; days on which nothing is owed cost nothing.
 */
export function findMonthInterest(movements: readonly { day: Day; amount: Paise }[], month: string, percent: string): Paise {
	const changes = new Map<Day, Paise>()
	let owed = 0
	for (const { day, amount } of movements) {
		if (day < `${month}-01`) owed += amount
		else changes.set(day, (changes.get(day) ?? 0) + amount)
	}
	let interest = 0
	for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) {
		owed += changes.get(day) ?? 0
		interest += findDailyInterest(owed, percent)
	}
	return interest
}

/** Per cent of value that a client brings for a margin-funded purchase; the rest is lent (floor 25 %, others 40 %). */
export function findMtfMargin(isNiftyStock: boolean): string {
	return isNiftyStock ? '25' : '40'
}

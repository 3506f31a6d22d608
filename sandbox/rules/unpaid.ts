import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { nextTradingDay } from './calendar'

/*
 * Shares bought and not paid for (SEBI, 11-Nov-2022). At pay-out they enter the client's account, pledged to the broker's client unpaid
 * securities pledgee account (CUSPA). The pledge ends when they are paid for; when they are not paid within five trading days, the
 * broker sells them. A debt older than that, counted from pay-in, stops all further purchases (SEBI, 26-Sep-2016).
 */

/** A purchase must be paid for within this many trading days after pay-in. */
export const UNPAID_DAYS = 5

/** A delivery purchase of one day; value in paise. */
export type Purchase = { instrument: string; settlesOn: Day; quantity: number; value: Paise }

/** Units that stay pledged for a debt, and the day on which the broker sells them. */
export type HeldUnits = { instrument: string; quantity: number; settledOn: Day; soldOn: Day }

/** The day on which the broker sells units that are still not paid for. */
export function findUnpaidSale(settlesOn: Day): Day {
	let day = settlesOn
	for (let count = 0; count < UNPAID_DAYS; count++) day = nextTradingDay(day)
	return day
}

/**
 * The units not paid for at the end of a day. Money pays for the oldest purchase first, so a debt (paise > 0) belongs to the latest
 * ones. Of a partly paid purchase: the debt in whole units, rounded up. Units that the broker should have sold before this day are left
 * out.
 */
export function findUnpaid(debt: Paise, purchases: readonly Purchase[], day: Day): HeldUnits[] {
	let left = debt
	const latest = purchases.filter(({ settlesOn }) => settlesOn <= day).sort((a, b) => (a.settlesOn < b.settlesOn ? 1 : -1))
	return latest.flatMap(({ instrument, settlesOn, quantity, value }): HeldUnits[] => {
		if (left <= 0) return []
		const units = Math.min(quantity, Math.ceil((left * quantity) / value))
		left -= value
		const soldOn = findUnpaidSale(settlesOn)
		return day > soldOn ? [] : [{ instrument, quantity: units, settledOn: settlesOn, soldOn }]
	})
}

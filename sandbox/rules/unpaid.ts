import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { nextTradingDay } from './calendar'

/*
 * Shares that were bought and not paid for (SEBI, 11-Nov-2022): from their pay-out they lie in the client's account, pledged to the broker's
 * client unpaid securities pledgee account (CUSPA). Paid, they are free; not paid within five trading days, the broker sells them. A debit that
 * is older than that, reckoned from pay-in, ends all further buying (SEBI, 26-Sep-2016).
 */

/** Trading days after pay-in by which a purchase has to be paid for. */
export const UNPAID_DAYS = 5

/** A delivery purchase of one day. */
export type Purchase = { instrument: string; settlesOn: Day; quantity: number; value: Paise }

/** Units that a debt keeps from being free, and the day on which the broker sells them. */
export type HeldUnits = { instrument: string; quantity: number; settledOn: Day; soldOn: Day }

/** The day on which the broker sells what is still not paid. */
export function findUnpaidSale(settlesOn: Day): Day {
	let day = settlesOn
	for (let count = 0; count < UNPAID_DAYS; count++) day = nextTradingDay(day)
	return day
}

/**
 * Which units are not paid for at the end of a day. Money pays the oldest purchase first, so a debt (paise > 0) is of the latest; of that which
 * it covers in part, as many whole units as it takes. What should have been sold before is not held any more.
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

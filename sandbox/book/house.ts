import { addDays, type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { isSettlementDay } from '#sandbox/rules/calendar'
import { nameMonth } from './entries'
import { type Account, type Journal, postVoucher } from './voucher'

/*
 * The house pays what it owes others from its bank, so that their accounts do not grow for ever: when a bill settles, the clearing
 * corporation pays or takes the obligation and collects the exchange's and the regulator's charges, transaction tax and stamp duty; a
 * month's goods and services tax is paid by the twentieth of the next month (CGST Rules 2017, rule 61; the rest is market practice).
 */

/** Accounts that a settlement clears, and the kind of note charge of each. */
export const COLLECTED = ['EXCHANGE', 'SEBI', 'STT', 'CTT', 'STAMP'] as const

/** Balances by account, credit positive: what the house owes. */
export type Owed = Map<Account, Paise>

export function addOwed(owed: Owed, account: Account, amount: Paise): void {
	owed.set(account, (owed.get(account) ?? 0) + amount)
}

function payFromBank(journal: Journal, day: Day, narration: string, owed: Owed): void {
	const sides = [...owed].map(([account, amount]) => ({ account, amount: -amount }))
	if (sides.every(({ amount }) => amount === 0)) return
	const paid = sides.reduce((sum, { amount }) => sum - amount, 0)
	postVoucher(journal, { day, type: 'JOURNAL', narration, sides: [...sides, { account: 'HOUSE_BANK', amount: paid }] })
}

/**
 * Settles bills with the clearing corporation on their settlement day: `SETTLEMENT WITH CLEARING CORPORATION`. Nothing when nothing is
 * owed.
 */
export function postClearing(journal: Journal, day: Day, owed: Owed): void {
	payFromBank(journal, day, 'SETTLEMENT WITH CLEARING CORPORATION', owed)
}

/** Pays the tax of a month (YYYY-MM), paise: `GST OF OCT-2026`. Nothing when there is none. */
export function postGstPayment(journal: Journal, day: Day, month: string, amount: Paise): void {
	payFromBank(journal, day, `GST OF ${nameMonth(`${month}-01`)}`, new Map([['GST', amount]]))
}

/** The day on which a month's tax is paid: the twentieth of the next month, or the last day before it on which banks work. */
export function findGstDay(month: string): Day {
	let day = `${addDays(`${month}-28`, 4).slice(0, 7)}-20`
	while (!isSettlementDay(day)) day = addDays(day, -1)
	return day
}

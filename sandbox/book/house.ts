import { addDays, type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { isSettlementDay } from '#sandbox/rules/calendar'
import { nameMonth } from './entries'
import { type Account, type Journal, postVoucher } from './voucher'

/*
 * The house pays what it owes others from its bank; otherwise their accounts would grow without end. When a bill settles, the clearing
 * corporation pays or takes the obligation and collects the exchange's and the regulator's charges, transaction tax and stamp duty. A
 * month's goods and services tax is paid by the twentieth of the next month (CGST Rules 2017, rule 61; the rest is market practice).
 */

/** Accounts that a settlement clears. They have the same names as the kinds of note charge. */
export const COLLECTED = ['EXCHANGE', 'SEBI', 'STT', 'CTT', 'STAMP'] as const

/** Balances by account in paise, credit positive: what the house owes. */
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
 * Settles bills with the clearing corporation on their settlement day: `SETTLEMENT WITH CLEARING CORPORATION`. Posts nothing when
 * nothing is owed.
 */
export function postClearing(journal: Journal, day: Day, owed: Owed): void {
	payFromBank(journal, day, 'SETTLEMENT WITH CLEARING CORPORATION', owed)
}

/** Pays the GST of a month (YYYY-MM), in paise: `GST OF OCT-2026`. Posts nothing for 0. */
export function postGstPayment(journal: Journal, day: Day, month: string, amount: Paise): void {
	payFromBank(journal, day, `GST OF ${nameMonth(`${month}-01`)}`, new Map([['GST', amount]]))
}

/** The day on which a month's GST is paid: the twentieth of the next month, or the last day before it on which banks work. */
export function findGstDay(month: string): Day {
	let day = `${addDays(`${month}-28`, 4).slice(0, 7)}-20`
	while (!isSettlementDay(day)) day = addDays(day, -1)
	return day
}

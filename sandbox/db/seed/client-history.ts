import { type LedgerCocd } from '#contract/common'
import { type Day } from '#contract/values/dates'
import { bookCorporateAction } from '#sandbox/book/actions'
import { type ActionRow } from '#sandbox/book/book'
import { postDelayedPaymentInterest, postMaintenanceCharge, postMtfInterest } from '#sandbox/book/entries'
import { lastDayOfMonth } from '#sandbox/rules/calendar'
import { type DebtMove, DELAYED_PAYMENT_PERCENT, findDebitInterest, findMaintenanceDay, LEAST_INTEREST } from '#sandbox/rules/fees'
import { sumInterest } from '#sandbox/rules/mtf'
import { openHouse } from './house'
import { type Market } from './market'
import { adjustMargin, closeExpiring, expireAll, markFutures } from './open-contracts'
import { settleAccount } from './settlement'
import { closeDay, type Simulator, toPlace, runScheduled } from './trading-simulator'

/** A client's behaviour: its orders of each trading day. */
export interface ClientHistory {
	from: Day
	/** Called on each trading day after the scheduled tasks; adds orders. */
	plan: (day: Day) => void
	/** True when the client pays in before buying; else the ledger goes into debit. */
	isFunded: boolean
}

function groupByDay(actions: readonly ActionRow[]): Map<Day, ActionRow[]> {
	const days = new Map<Day, ActionRow[]>()
	for (const action of actions) days.set(action.ex_day, [...(days.get(action.ex_day) ?? []), action])
	return days
}

/** Changes of a client's debt in a ledger, by the rule of book/read-dues.ts: a bill and its loan count from its settlement on. */
function listDebtMoves({ book, trader }: Simulator, ledger: LedgerCocd): DebtMove[] {
	const firstId = book.vouchers[0]?.id ?? 0
	return book.postings.flatMap(({ account, client, cocd, is_margin, voucher_id, day, amount }) => {
		if (account !== 'CLIENT' || client !== trader.code || cocd !== ledger || is_margin) return []
		// A journal numbers its vouchers without gaps, so the id gives the index.
		const voucher = book.vouchers[voucher_id - firstId]
		const settlesLater = amount < 0 ? voucher?.type === 'BILL' : voucher?.type === 'JOURNAL'
		return [{ day: voucher && settlesLater ? voucher.settles_on : day, amount: -amount }]
	})
}

/** Posts a month's interest on loans and debit balances, dated the month's last day. */
function chargeInterest(simulator: Simulator, month: string): void {
	const { book, trader } = simulator
	const end = lastDayOfMonth(month)
	const own = book.fundings.filter(({ client }) => client === trader.code)
	const lent = sumInterest(own, `${month}-01`, end)
	if (lent > 0) postMtfInterest(book, toPlace(simulator, end), lent, end)
	for (const cocd of ['NSE_CASH', 'MCX'] as const) {
		const late = findDebitInterest(listDebtMoves(simulator, cocd), `${month}-01`, end, DELAYED_PAYMENT_PERCENT)
		if (late >= LEAST_INTEREST) postDelayedPaymentInterest(book, toPlace(simulator, end, cocd), late, end)
	}
}

/** Simulates a client's days in order, from `history.from` to the market's last day. */
export function simulateHistory(simulator: Simulator, market: Market, history: ClientHistory): void {
	const { from } = history
	const actions = groupByDay(market.actions)
	const settle = openHouse(simulator)
	let month = from.slice(0, 7)
	for (const day of market.days) {
		if (day < from) continue
		for (const action of actions.get(day) ?? []) bookCorporateAction(simulator.book, simulator.positions, simulator.trader.code, action)
		if (day.slice(0, 7) !== month) {
			chargeInterest(simulator, month)
			month = day.slice(0, 7)
		}
		runScheduled(simulator, day)
		settle(day)
		if (day === findMaintenanceDay(day.slice(0, 4))) postMaintenanceCharge(simulator.book, toPlace(simulator, day))
		history.plan(day)
		const worthless = closeExpiring(simulator, day)
		closeDay(simulator, day, { isFunded: history.isFunded })
		expireAll(simulator, day, worthless)
		markFutures(simulator, day)
		adjustMargin(simulator, day)
		settleAccount(simulator, day)
	}
}

/** The trading day this many sessions before the market's last; 0 is the last. */
export function findSessionFromEnd(market: Market, back: number): Day {
	return market.days[Math.max(0, market.days.length - 1 - back)] ?? ''
}

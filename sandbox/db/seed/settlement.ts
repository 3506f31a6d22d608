import { type LedgerCocd } from '#contract/common'
import { addDays, type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { readMovement } from '#sandbox/book/voucher'
import { findMarginPercent, findOpenFundings, type FundingMove, sumInterest } from '#sandbox/rules/mtf'
import { isAccountDay, nameAccountDay, splitReturned } from '#sandbox/rules/payout-account'
import { computePercent, computeValue } from '#sandbox/rules/rounding'
import { readTraderBalance, type Simulator, payOut } from './trading-simulator'
import { priceOn } from './market'
import { findMarginNeed } from './open-contracts'

/** Calendar days of the longest settlement, holidays and weekends included. */
const LONGEST_SETTLEMENT = 14

/**
 * Credits of a ledger that have not settled by the end of a day, in paise: sales with the loans of their settlement, and pay-ins.
 */
function findUnsettled({ book, trader }: Simulator, cocd: LedgerCocd, day: Day): { sales: Paise; receipts: Paise } {
	const firstId = book.vouchers[0]?.id ?? 0
	let receipts = 0
	/** By settlement: the bill and the loans that it pays out or takes back. */
	const settlements = new Map<string, Paise>()
	for (let at = book.postings.length - 1; at >= 0; at--) {
		const posting = book.postings[at]
		if (!posting || posting.day < addDays(day, -LONGEST_SETTLEMENT)) break
		if (posting.account !== 'CLIENT' || posting.client !== trader.code || posting.cocd !== cocd || posting.is_margin) continue
		// A journal numbers its vouchers without gaps, so the id gives the index.
		const voucher = book.vouchers[posting.voucher_id - firstId]
		if (!voucher || voucher.settles_on <= day) continue
		const settlement = voucher.settlement_no ?? ''
		if (voucher.type === 'RECEIPT') receipts += posting.amount
		else settlements.set(settlement, (settlements.get(settlement) ?? 0) + posting.amount)
	}
	return { sales: [...settlements.values()].reduce((sum, amount) => sum + Math.max(0, amount), 0), receipts }
}

/** Cash in paise that a client's loans need because the shares' margin is too small at a day's close; never negative. */
function findFundingMargin({ book, trader, market }: Simulator, moves: readonly FundingMove[], day: Day): Paise {
	let short = 0
	for (const [instrument, { funded, since }] of findOpenFundings(moves)) {
		const own = book.trades.filter(
			(trade) => trade.client === trader.code && trade.instrument === instrument && trade.is_mtf && trade.day >= since,
		)
		const quantity = own.reduce((sum, trade) => sum + (trade.side === 'B' ? trade.quantity : -trade.quantity), 0)
		const value = computeValue(quantity, priceOn(market, instrument, day))
		short += computePercent(value, findMarginPercent(instrument)) - (value - funded)
	}
	return Math.max(0, short)
}

/**
 * The free amount of a ledger at the end of a day, by the rule of book/read-deductions.ts for stored books. Paise, negative when the
 * client owes. `funding` is the cash that loans need.
 */
function findFree(simulator: Simulator, cocd: LedgerCocd, day: Day): { free: Paise; funding: Paise } {
	const { sales, receipts } = findUnsettled(simulator, cocd, day)
	const moves = simulator.book.fundings.filter(({ client }) => client === simulator.trader.code)
	const interest = cocd === 'NSE_CASH' ? sumInterest(moves, `${day.slice(0, 7)}-01`, day) : 0
	const left = readTraderBalance(simulator, cocd) - interest - sales
	// Today's pay-in cannot be withdrawn today, but it reduces a debt at once.
	const free = left - Math.min(receipts, Math.max(0, left))
	const funding = Math.min(cocd === 'NSE_CASH' ? findFundingMargin(simulator, moves, day) : 0, Math.max(0, free))
	return { free: free - funding, funding }
}

/**
 * On a day of account settlement, pays out the money that is not needed, by the rule of the running sandbox (funds/account.ts). Call it
 * in the evening.
 */
export function settleAccount(simulator: Simulator, day: Day): void {
	const { book, trader } = simulator
	if (!isAccountDay(day, book.trades.findLast(({ client }) => client === trader.code)?.day)) return
	const ledgers = (['NSE_CASH', 'MCX'] as const).map((cocd) => {
		const { margin, collateral } = findMarginNeed(simulator, day, cocd)
		const blocked = readMovement(book, 'MARGIN', trader.code, cocd)
		return { cocd, ...findFree(simulator, cocd, day), margin, pledged: collateral.securities + collateral.cashEquivalents, blocked }
	})
	for (const { cocd, amount } of splitReturned(ledgers)) payOut(simulator, day, cocd, amount, nameAccountDay(day))
}

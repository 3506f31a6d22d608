import { type z } from 'zod/v4'
import { type NoteTrade } from '#contract/bills'
import { type GlobalDetailRow } from '#contract/reports'
import { toRupees } from '#contract/values/money'
import { findIsin, toPrice, countUnits } from '#sandbox/book/read-scrips'
import { type TradeLine } from '#sandbox/book/read-trades'
import { divideHalfUp } from '#sandbox/rules/rounding'

const sides = { B: 'BUY', S: 'SELL' } as const

/** A trade as in the global details. */
export function detailRow(trade: TradeLine): z.input<typeof GlobalDetailRow> {
	const { amount, brokerage, charges } = trade
	return {
		DATE: trade.day,
		SETL_NO: trade.settlementNo,
		CONTRACT_NO: trade.contractNo,
		SCRIP_NAME: trade.name,
		ISIN: findIsin(trade),
		SIDE: sides[trade.side],
		QTY: countUnits(trade, trade.quantity),
		RATE: toPrice(trade.price),
		AMOUNT: toRupees(amount),
		BROKERAGE: toRupees(brokerage),
		CHARGES: toRupees(charges - brokerage),
		NET_AMT: toRupees(trade.side === 'S' ? amount - charges : -amount - charges),
	}
}

/** Brokerage per unit, in 1/10,000 rupee. */
const findBrokerageRate = (trade: TradeLine) => divideHalfUp(trade.brokerage * 100, countUnits(trade, trade.quantity))

/** What a unit costs or yields after brokerage, in 1/10,000 rupee: below 0 for a sale for less than its brokerage. */
export const findNetRate = (trade: TradeLine) => trade.price + (trade.side === 'B' ? 1 : -1) * findBrokerageRate(trade)

/** A trade as its contract note shows it. */
export function noteTradeRow(trade: TradeLine): z.input<typeof NoteTrade> {
	return {
		ORDER_NO: trade.orderNo,
		ORDER_TIME: trade.time,
		TRADE_NO: trade.tradeNo,
		TRADE_TIME: trade.time,
		SCRIP_NAME: trade.name,
		ISIN: findIsin(trade),
		SIDE: sides[trade.side],
		QTY: countUnits(trade, trade.quantity),
		INTRADAY_QTY: countUnits(trade, trade.intradayQuantity),
		GROSS_RATE: toPrice(trade.price),
		BROKERAGE_RATE: toPrice(findBrokerageRate(trade)),
		// The contract has no rate below 0.
		NET_RATE: toPrice(Math.max(0, findNetRate(trade))),
		CLOSE_RATE: trade.close === null ? null : toPrice(trade.close),
		AMOUNT: toRupees(trade.amount),
		BROKERAGE: toRupees(trade.brokerage),
		CHARGES: toRupees(trade.charges),
	}
}

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

/** A trade as printed on its contract note. */
export function noteTradeRow(trade: TradeLine): z.input<typeof NoteTrade> {
	const units = countUnits(trade, trade.quantity)
	// Brokerage per unit, in 1/10,000 rupee.
	const brokerageRate = divideHalfUp(trade.brokerage * 100, units)
	return {
		ORDER_NO: trade.orderNo,
		ORDER_TIME: trade.time,
		TRADE_NO: trade.tradeNo,
		TRADE_TIME: trade.time,
		SCRIP_NAME: trade.name,
		ISIN: findIsin(trade),
		SIDE: sides[trade.side],
		QTY: units,
		INTRADAY_QTY: countUnits(trade, trade.intradayQuantity),
		GROSS_RATE: toPrice(trade.price),
		BROKERAGE_RATE: toPrice(brokerageRate),
		NET_RATE: toPrice(Math.max(0, trade.side === 'B' ? trade.price + brokerageRate : trade.price - brokerageRate)),
		CLOSE_RATE: trade.close === null ? null : toPrice(trade.close),
		AMOUNT: toRupees(trade.amount),
		BROKERAGE: toRupees(trade.brokerage),
		CHARGES: toRupees(trade.charges),
	}
}

import { z } from 'zod/v4'
import { Day, Flag, Money, MoneyNonNegative } from './common'
import { text, word } from './texts'
import { cells, maybe, rows, spare } from './tolerant'
import { IsinOfRow, IsinOrNull, Percent, Price, Quantity, ScripName, Segment, Side, SignedQuantity } from './units'

export const HoldingRow = z.object({
	ISIN: IsinOfRow,
	...cells({
		SYMBOL: text(20),
		SCRIP_NAME: ScripName,
		SECTOR: text(60),
		/** FREE_QTY + PLEDGE_QTY + UNSETTLED_QTY. */
		QTY: Quantity,
		FREE_QTY: Quantity,
		PLEDGE_QTY: Quantity,
		/** Bought and not delivered yet. */
		UNSETTLED_QTY: Quantity,
		/** FIFO cost a unit, over the units of known cost; 0 when no cost is known. */
		AVG_RATE: Price,
		/** FIFO cost of the units of known cost; listHoldingFacts has the others. */
		INVESTED: MoneyNonNegative,
		CLOSE_PRICE: Price,
		/** QTY × CLOSE_PRICE. */
		VALUE: MoneyNonNegative,
		/** Value of the units of known cost, minus INVESTED. */
		UNREALISED: Money,
		UNREALISED_PCT: Percent,
		/** Held longer than twelve months. */
		LONG_TERM_QTY: spare(Quantity, () => null),
		/** QTY × (close - previous close). */
		DAY_CHANGE: Money,
	}),
})

/** Securities held at the end of the last requested day, by symbol. */
export const HoldingReport = rows(HoldingRow)
export type HoldingReport = z.infer<typeof HoldingReport>

export const PositionRow = z.object({
	SCRIP_NAME: ScripName,
	...cells({
		COCD: word(Segment),
		SYMBOL: text(20),
		INSTRUMENT: word(z.enum(['EQ', 'FUTSTK', 'FUTIDX', 'OPTSTK', 'OPTIDX', 'FUTCOM', 'FUTCUR'])),
		EXPIRY: maybe(Day),
		STRIKE: spare(maybe(Price), () => null),
		OPTION_TYPE: maybe(word(z.enum(['CE', 'PE']))),
		/** In the period, including positions open at its start. */
		BUY_QTY: Quantity,
		BUY_AVG: Price,
		SELL_QTY: Quantity,
		SELL_AVG: Price,
		/** BUY_QTY - SELL_QTY; a short position is negative. */
		NET_QTY: SignedQuantity,
		/** Average rate of the open position. */
		NET_AVG: Price,
		CLOSE_PRICE: Price,
		/** Value at CLOSE_PRICE minus the amount paid; for a short position the amount received minus that value. */
		MTM: Money,
		/** On the quantity closed in the period, before charges. */
		REALISED: Money,
	}),
	/** Not in the specification: the part of MTM paid or received day by day; 0 for options, which are not marked to market. */
	MTM_PAID: maybe(Money).optional(),
})

/** Contracts open at the end of the last requested day. */
export const PositionReport = z.object({
	filtered_df: rows(PositionRow),
	totals_df: spare(rows(z.object({ MTM: Money, REALISED: Money })), () => []),
})
export type PositionReport = z.infer<typeof PositionReport>

export const GlobalSummaryRow = z.object({
	SCRIP_NAME: ScripName,
	...cells({
		ISIN: IsinOrNull,
		OPEN_QTY: SignedQuantity,
		/** FIFO cost; negative for a short position. */
		OPEN_AMT: Money,
		/** Trades, and units that came in without a trade (bonus at nil; split, demerger and transfer at cost): see listStockMoves. */
		BUY_QTY: Quantity,
		BUY_AMT: MoneyNonNegative,
		SELL_QTY: Quantity,
		SELL_AMT: MoneyNonNegative,
		/** OPEN_QTY + BUY_QTY - SELL_QTY. */
		CLOSE_QTY: SignedQuantity,
		/** OPEN_AMT + BUY_AMT + REALISED - SELL_AMT, when every cost is known. */
		CLOSE_AMT: Money,
		CLOSE_PRICE: Price,
		CLOSE_VALUE: Money,
		/** Before charges. */
		REALISED: Money,
		/** CLOSE_VALUE - CLOSE_AMT, over the units of known cost. */
		UNREALISED: Money,
	}),
})

export const GlobalSummary = z.object({
	filtered_df: rows(GlobalSummaryRow),
	totals_df: spare(
		rows(
			z.object({
				OPEN_AMT: Money,
				BUY_AMT: MoneyNonNegative,
				SELL_AMT: MoneyNonNegative,
				CLOSE_AMT: Money,
				CLOSE_VALUE: Money,
				REALISED: Money,
				UNREALISED: Money,
			}),
		),
		() => [],
	),
})
export type GlobalSummary = z.infer<typeof GlobalSummary>

export const GlobalDetailRow = z.object({
	DATE: Day,
	SCRIP_NAME: ScripName,
	...cells({
		SETL_NO: text(20),
		/** The contract note of the trade. */
		CONTRACT_NO: text(20),
		ISIN: IsinOrNull,
		SIDE: word(Side),
		QTY: Quantity,
		/** Before brokerage. */
		RATE: Price,
		/** QTY × RATE. */
		AMOUNT: MoneyNonNegative,
		BROKERAGE: MoneyNonNegative,
		/** All charges except brokerage: STT or CTT, exchange, SEBI, stamp duty, GST. */
		CHARGES: MoneyNonNegative,
		/** A sale: AMOUNT - BROKERAGE - CHARGES. A purchase: minus the sum of the three. */
		NET_AMT: Money,
	}),
})

/** Every trade, oldest first. */
export const GlobalDetails = rows(GlobalDetailRow)
export type GlobalDetails = z.infer<typeof GlobalDetails>

/**
 * Not in the specification: units that came in or went out in a year without a trade. Σ trades + Σ moves = the row of the global summary.
 */
export const StockMoves = rows(
	z.object({
		DATE: Day,
		SCRIP_NAME: ScripName,
		ISIN: IsinOrNull,
		KIND: word(z.enum(['BONUS', 'SPLIT', 'DEMERGER', 'IPO', 'TRANSFER', 'BUYBACK', 'EXPIRY'])),
		...cells({
			/** BUY means that the units came in. */
			SIDE: word(Side),
			QTY: Quantity,
			/** Cost carried in or out; the receipt of a buyback; 0 for a bonus, an expiry or an unknown cost. */
			AMOUNT: MoneyNonNegative,
			/** False when the cost of these units is unknown. */
			IS_COST_KNOWN: spare(Flag, () => null),
		}),
	}),
)
export type StockMoves = z.infer<typeof StockMoves>

import { z } from 'zod/v4'
import { Day, Flag, Money, MoneyNonNegative, whole } from './common'
import { text, word } from './texts'
import { cells, maybe, optional, rows, spare } from './tolerant'
import { Isin, Price, Quantity, ScripName, Share, TaxRate } from './units'

/*
 * Not in the specification: the details behind the rows of the holding report. A broker without these calls returns 404, and the page
 * shows only the rows.
 */

export const HoldingFact = z.object({
	ISIN: Isin,
	/** Units whose cost is unknown, and their value. VALUE includes them; INVESTED and UNREALISED do not. */
	UNKNOWN_QTY: Quantity,
	UNKNOWN_VALUE: MoneyNonNegative,
	...cells({
		/** Units pledged for margin funding; part of PLEDGE_QTY. */
		MTF_QTY: spare(Quantity, () => null),
		/** Unpaid units that the broker holds until they are paid (CUSPA); part of PLEDGE_QTY. */
		UNPAID_QTY: optional(Quantity),
		/** The date of CLOSE_PRICE. */
		PRICE_DAY: maybe(Day),
		/** For the oldest lot: the acquisition date for tax, and the first day on which its sale is long-term. */
		ACQUIRED_ON: spare(Day, () => null),
		LONG_TERM_FROM: spare(Day, () => null),
	}),
})
/** One for each row of the holding report. */
export const HoldingFacts = rows(HoldingFact)
export type HoldingFacts = z.infer<typeof HoldingFacts>

const LotOrigin = z.enum(['TRADE', 'BONUS', 'SPLIT', 'DEMERGER', 'IPO', 'TRANSFER'])

/**
 * Tax heads of a sale of securities. EQUITY: STT was paid (shares, equity funds); OTHER: gold, silver and other funds. SPECULATIVE: bought
 * on the exchange on the day of the sale, which is an intraday trade and no capital gain (units of trade-for-trade series are none).
 */
const GainHead = z.enum(['SHORT_EQUITY', 'LONG_EQUITY', 'SHORT_OTHER', 'LONG_OTHER', 'SPECULATIVE'])

export const Lot = z.object({
	/** An opaque id. */
	LOT_ID: spare(text(20), () => null),
	...cells({
		/** The day it came into the account, and the acquisition date for tax, which is earlier after a split, demerger or transfer. */
		OPENED_ON: spare(Day, () => null),
		ACQUIRED_ON: Day,
		ORIGIN: word(LotOrigin),
		/** The bill of the purchase; null for any other origin. */
		BILL_NO: maybe(text(20)),
		/** Units left of the lot. */
		QTY: Quantity,
		/** Cost of QTY before charges; null when unknown. */
		COST: maybe(MoneyNonNegative),
		/**
		 * Charges of the purchase of QTY that the law adds to the cost (without STT). For HEAD SPECULATIVE: as the purchase is charged when it
		 * is sold the same day, all of them.
		 */
		CHARGES: MoneyNonNegative,
		DAYS: whole(0, Number.MAX_SAFE_INTEGER),
		LONG_TERM_FROM: Day,
		VALUE: MoneyNonNegative,
		/** VALUE - COST; null when the cost is not known. */
		UNREALISED: maybe(Money),
		/**
		 * For a sale today at the close: the tax head, section and rate of today's law (`slab`: the client's own rate), the cost for tax, and
		 * the gain.
		 */
		HEAD: word(GainHead),
		SECTION: text(60),
		TAX_RATE: TaxRate,
		/** COST, or more by the rule of 31-01-2018; null when unknown. */
		TAX_COST: maybe(MoneyNonNegative),
		/** VALUE - TAX_COST - CHARGES. The charges of the sale would reduce it further. */
		TAX_GAIN: maybe(Money),
	}),
})

/** The FIFO lots of one holding, oldest first. Σ QTY, COST and VALUE = the row of the holding report. */
export const Lots = z.object({
	ISIN: Isin,
	SYMBOL: text(20),
	SCRIP_NAME: ScripName,
	...cells({
		AS_ON: Day,
		CLOSE_PRICE: Price,
		PRICE_DAY: maybe(Day),
		/** Highest price of 31-01-2018, rupees a unit; null when the security was not listed then. */
		FMV_31JAN2018: maybe(Price),
	}),
	lots: rows(Lot),
})
export type Lots = z.infer<typeof Lots>

export const HoldingAction = z.object({
	EX_DATE: Day,
	KIND: word(z.enum(['BONUS', 'SPLIT', 'DEMERGER', 'DIVIDEND', 'BUYBACK', 'RIGHTS'])),
	...cells({
		ISIN: Isin,
		SCRIP_NAME: ScripName,
		/** The other security of a split or demerger. */
		INTO_ISIN: maybe(Isin),
		INTO_NAME: maybe(ScripName),
		/** Such as `1 for 1`; empty for a dividend. */
		RATIO: text(40),
		/** Rupees a share, for a dividend or a buyback. */
		PRICE: maybe(Price),
		/** The share of the cost that moved to INTO_ISIN, in per cent. */
		COST_MOVED_PCT: maybe(Share),
		/**
		 * The effect for this client: units received, or units that the payment was for, and money (paid to the bank account, not to the
		 * ledger).
		 */
		QTY: Quantity,
		AMOUNT: MoneyNonNegative,
		/** The part of AMOUNT that the company deducted as tax; the bank account received the rest. Absent when the broker does not know it. */
		TDS: optional(MoneyNonNegative),
	}),
})
/** Corporate actions that affected this client's units of the security, or the units they came from. Oldest first. */
export const HoldingActions = rows(HoldingAction, 500)
export type HoldingActions = z.infer<typeof HoldingActions>

const CashFlow = z.object({
	DATE: Day,
	/** Negative: paid for units; positive: received. */
	AMOUNT: Money,
})

const CashFlowSet = z.object({
	/** Null for the whole portfolio. */
	ISIN: maybe(Isin),
	/** False when the cost of a unit is unknown; then there is no rate of return. */
	IS_COMPLETE: Flag,
	/** Market value at the end of AS_ON; it counts as the last flow, positive. */
	AS_ON: Day,
	VALUE: MoneyNonNegative,
	/**
	 * At most one a day, oldest first: purchases plus charges and transaction tax, sales minus charges and transaction tax, and dividends
	 * before tax. Flows of a security from which this one was split or demerged count by the share of cost. Intraday trades are left out.
	 */
	flows: rows(CashFlow),
})
/** The portfolio first, then each holding. */
export const CashFlows = rows(CashFlowSet)
export type CashFlows = z.infer<typeof CashFlows>

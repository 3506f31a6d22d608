import { z } from 'zod/v4'
import { Day, Flag, Money, MoneyNonNegative, whole } from './common'
import { cells, maybe, optional, rows, text, word } from './tolerant'
import { Isin, Price, Quantity, ScripName, Share } from './units'

/*
 * Ours: what stands behind the rows of the holding report. A broker without these calls answers 404, and the page shows the rows
 * alone.
 */

export const HoldingFact = z.object({
	ISIN: Isin,
	/** Units of lots whose cost nobody knows, and their value: in VALUE, and in neither INVESTED nor UNREALISED. */
	UNKNOWN_QTY: Quantity,
	UNKNOWN_VALUE: MoneyNonNegative,
	...cells({
		/** Pledged for margin funding; part of PLEDGE_QTY. */
		MTF_QTY: Quantity,
		/** Not paid for, and held by the broker until they are (CUSPA); part of PLEDGE_QTY. */
		UNPAID_QTY: optional(Quantity),
		/** The day of CLOSE_PRICE. */
		PRICE_DAY: maybe(Day),
		/** Of the oldest lot: when it was acquired, for tax, and the first day on which a sale of it is long-term. */
		ACQUIRED_ON: Day,
		LONG_TERM_FROM: Day,
	}),
})
/** One for each row of the holding report. */
export const HoldingFacts = rows(HoldingFact)
export type HoldingFacts = z.infer<typeof HoldingFacts>

export const LotOrigin = z.enum(['TRADE', 'BONUS', 'SPLIT', 'DEMERGER', 'IPO', 'TRANSFER'])

/** Tax heads of a sale of securities. EQUITY: STT was paid (shares, equity funds); OTHER: gold, silver and other funds. */
export const GainHead = z.enum(['SHORT_EQUITY', 'LONG_EQUITY', 'SHORT_OTHER', 'LONG_OTHER'])

export const Lot = z.object({
	/** Opaque. */
	LOT_ID: text(20),
	...cells({
		/** When it came into the account, and the day that counts for tax: earlier after a split, demerger or transfer. */
		OPENED_ON: Day,
		ACQUIRED_ON: Day,
		ORIGIN: word(LotOrigin),
		/** The bill of the trade that bought it; null for any other origin. */
		BILL_NO: maybe(text(20)),
		/** What is left of it. */
		QTY: Quantity,
		/** Of QTY, before charges; null: not known. */
		COST: maybe(MoneyNonNegative),
		/** Of QTY: charges that law adds to the cost (no STT). */
		CHARGES: MoneyNonNegative,
		DAYS: whole(0, Number.MAX_SAFE_INTEGER),
		LONG_TERM_FROM: Day,
		VALUE: MoneyNonNegative,
		/** VALUE - COST; null when the cost is not known. */
		UNREALISED: maybe(Money),
		/** If sold today at the close: head, section and rate of that day's law ("slab": the client's own), the cost that counts, and the gain. */
		HEAD: word(GainHead),
		SECTION: text(60),
		TAX_RATE: text(10),
		/** COST, or more by the 31-01-2018 rule; null when not known. */
		TAX_COST: maybe(MoneyNonNegative),
		/** VALUE - TAX_COST - CHARGES; the charges of that sale would come off it. */
		TAX_GAIN: maybe(Money),
	}),
})

/** FIFO lots of one holding, first to be sold first. Σ QTY, COST and VALUE = the row of the holding report. */
export const Lots = z.object({
	ISIN: Isin,
	SYMBOL: text(20),
	SCRIP_NAME: ScripName,
	...cells({
		AS_ON: Day,
		CLOSE_PRICE: Price,
		PRICE_DAY: maybe(Day),
		/** Highest price of 31-01-2018 a unit; null where not listed then. */
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
		/** In words, such as `1 for 1`; empty for a dividend. */
		RATIO: text(40),
		/** Rupees a share of a dividend or buyback. */
		PRICE: maybe(Price),
		/** Per cent of cost that moved to INTO_ISIN. */
		COST_MOVED_PCT: maybe(Share),
		/** What it did to this client: units that came or that it was paid on, and money (to the bank, not the ledger). */
		QTY: Quantity,
		AMOUNT: MoneyNonNegative,
		/** Of AMOUNT, tax that the company has deducted: the bank received the rest. Left out by a broker that does not know it. */
		TDS: optional(MoneyNonNegative),
	}),
})
/** Corporate actions that this client's units of the security (or those it came from) went through, oldest first. */
export const HoldingActions = rows(HoldingAction)
export type HoldingActions = z.infer<typeof HoldingActions>

export const CashFlow = z.object({
	DATE: Day,
	/** Paid for units negative, received positive. */
	AMOUNT: Money,
})

export const CashFlowSet = z.object({
	/** Null: the whole portfolio. */
	ISIN: maybe(Isin),
	/** False where a unit's cost is not known: no rate of return can be said. */
	IS_COMPLETE: Flag,
	/** Market value at the end of AS_ON: the last, positive flow. */
	AS_ON: Day,
	VALUE: MoneyNonNegative,
	/**
	 * One a day at most, oldest first: purchases with charges and transaction tax, sales less theirs, dividends before tax was deducted, those
	 * of the security it was split or demerged from in the ratio of cost. Intraday is left out.
	 */
	flows: rows(CashFlow),
})
/** The portfolio first, then each holding. */
export const CashFlows = rows(CashFlowSet)
export type CashFlows = z.infer<typeof CashFlows>

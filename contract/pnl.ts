import { z } from 'zod/v4'
import { Balance, ClientCode, Day, envelope, Flag, LedgerCocd, MomentWithZone, Money, MoneyNonNegative, YearStart } from './common'
import { cells, maybe, rows, word } from './tolerant'
import { IsinOrNull, Price, Quantity, ScripName, Segment, SignedQuantity } from './units'

export const PnlSegmentRequest = z.object({ client_code: ClientCode, year: YearStart })

export const PnlSegmentRow = z.object({
	SEGMENT: word(Segment),
	...cells({
		/** Before charges. */
		REALISED: Money,
		UNREALISED: Money,
		/** Of every contract note of the year. */
		CHARGES: MoneyNonNegative,
		/** REALISED + UNREALISED - CHARGES. */
		NET: Money,
	}),
})
export const PnlSegments = rows(PnlSegmentRow)
export type PnlSegments = z.infer<typeof PnlSegments>

/** `zip_time`: when the bundle was made, null when there is none; `is_genearte` (the broker's spelling): there is one. */
export const PnlBundle = z.object({ zip_time: maybe(MomentWithZone), is_genearte: Flag })
export type PnlBundle = z.infer<typeof PnlBundle>

/** The whole answer: the bundle's state stands beside `data`. */
export const PnlSegmentAnswer = PnlBundle.extend(envelope(PnlSegments).shape)
export type PnlSegmentAnswer = z.infer<typeof PnlSegmentAnswer>

export const PnlRequest = z.object({ client_code: ClientCode, year: YearStart, type: Segment })

export const PnlRow = z.object({
	SCRIP_NAME: ScripName,
	...cells({
		ISIN: IsinOrNull,
		/** With what was open when the year began, at its cost. */
		BUY_QTY: Quantity,
		BUY_RATE: Price,
		BUY_AMT: MoneyNonNegative,
		SELL_QTY: Quantity,
		SELL_RATE: Price,
		SELL_AMT: MoneyNonNegative,
		/** BUY_QTY - SELL_QTY. */
		OPEN_QTY: SignedQuantity,
		/** 0 when expired. */
		CLOSE_PRICE: Price,
		/** FIFO, before charges. */
		REALISED: Money,
		UNREALISED: Money,
		CHARGES: MoneyNonNegative,
	}),
})

export const Pnl = z.object({
	filtered_df: rows(PnlRow),
	totals_df: rows(
		z.object({ BUY_AMT: MoneyNonNegative, SELL_AMT: MoneyNonNegative, REALISED: Money, UNREALISED: Money, CHARGES: MoneyNonNegative }),
	),
})
export type Pnl = z.infer<typeof Pnl>

export const DownloadPnlRequest = z.object({
	client_code: ClientCode.optional(),
	type: Segment,
	year: YearStart,
	download_type: z.enum(['pdf', 'xls']),
})

export const PnlBundleRequest = z.object({ client_code: ClientCode, year: YearStart, process_type: z.enum(['new', 'old']) })

export const ScripCharge = z.object({
	SEGMENT: word(Segment),
	SCRIP_NAME: ScripName,
	...cells({
		ISIN: IsinOrNull,
		/** Buys and sales together. */
		TURNOVER: MoneyNonNegative,
		BROKERAGE: MoneyNonNegative,
		EXCHANGE: MoneyNonNegative,
		SEBI: MoneyNonNegative,
		GST: MoneyNonNegative,
		/** STT, on MCX CTT. */
		STT: MoneyNonNegative,
		STAMP: MoneyNonNegative,
		/** Sum of the six; the P&L's CHARGES of the same row. */
		TOTAL: MoneyNonNegative,
	}),
})
/** Ours: charges of a year's contract notes by scrip and kind. Σ over a segment = the charges of its notes, kind by kind. */
export const ScripCharges = rows(ScripCharge)
export type ScripCharges = z.infer<typeof ScripCharges>

export const TieTerm = z.enum([
	'REALISED',
	'CHARGES',
	'MARK_TO_MARKET',
	'OPENING_COST',
	'CLOSING_COST',
	'SHARES_IN',
	'SHARES_OUT',
	'BUYBACK',
	'UNKNOWN_COST',
])

/**
 * Ours: how a year's P&L becomes what bills moved in the ledger. In each segment Σ AMOUNT of terms = BILLS, to the paisa: realised before
 * charges; charges (-); what open futures have been marked to market for at the end (+) and when it began (-); cost of what was open at the start (+, its money was paid before) and at the end (-); cost of what came in (+)
 * or went out (-) without a trade; what a buyback paid to the bank (-); sales of what has no known cost (+). Futures carry no cost.
 */
export const PnlTie = z.object({
	segments: rows(
		z.object({
			SEGMENT: word(Segment),
			terms: rows(z.object({ TERM: word(TieTerm), AMOUNT: Money })),
			/** Σ of the ledger's BILL entries of the segment. */
			BILLS: Money,
			/** Σ terms - BILLS: 0. */
			DIFFERENCE: Money,
		}),
	),
	/** OPENING + BILLS + OTHER = CLOSING. OTHER: pay-ins, pay-outs, fees, interest, funding; margin left out. */
	ledgers: rows(
		z.object({ COCD: word(LedgerCocd), FROM: Day, TO: Day, OPENING: Balance, BILLS: Balance, OTHER: Balance, CLOSING: Balance }),
	),
})
export type PnlTie = z.infer<typeof PnlTie>

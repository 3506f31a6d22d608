import { z } from 'zod/v4'
import { Balance, ClientCode, Day, envelope, FlagOrNo, LedgerCocd, MomentWithZone, Money, MoneyNonNegative, YearStart } from './common'
import { word } from './texts'
import { cells, maybe, rows, spare } from './tolerant'
import { IsinOrNull, Price, Quantity, ScripName, Segment, SignedQuantity } from './units'

export const PnlSegmentRequest = z.object({ client_code: ClientCode, year: YearStart })

export const PnlSegmentRow = z.object({
	SEGMENT: word(Segment),
	...cells({
		/** Before charges. */
		REALISED: Money,
		UNREALISED: Money,
		/** Charges of all contract notes of the year. */
		CHARGES: MoneyNonNegative,
		/** REALISED + UNREALISED - CHARGES. */
		NET: Money,
	}),
})
/** One row a segment. A broker may have more segments than the four of the specification. */
export const PnlSegments = rows(PnlSegmentRow, 20)
export type PnlSegments = z.infer<typeof PnlSegments>

/** `zip_time`: when the bundle was made, null when there is none. `is_genearte` (the broker's spelling): true when there is one. */
export const PnlBundle = z.object({ zip_time: spare(maybe(MomentWithZone), () => null), is_genearte: FlagOrNo })
export type PnlBundle = z.infer<typeof PnlBundle>

/** The whole response: the state of the bundle is beside `data`. */
export const PnlSegmentAnswer = PnlBundle.extend(envelope(PnlSegments).shape)
export type PnlSegmentAnswer = z.infer<typeof PnlSegmentAnswer>

export const PnlRequest = z.object({ client_code: ClientCode, year: YearStart, type: Segment })

export const PnlRow = z.object({
	SCRIP_NAME: ScripName,
	...cells({
		ISIN: IsinOrNull,
		/**
		 * Includes positions open at the start of the year, at cost. A split or demerger moves its units and cost from one security to the
		 * other here; it is no sale.
		 */
		BUY_QTY: Quantity,
		BUY_RATE: Price,
		BUY_AMT: MoneyNonNegative,
		SELL_QTY: Quantity,
		SELL_RATE: Price,
		SELL_AMT: MoneyNonNegative,
		/** BUY_QTY - SELL_QTY. */
		OPEN_QTY: SignedQuantity,
		/** 0 for an expired contract. */
		CLOSE_PRICE: Price,
		/** By FIFO, before charges. */
		REALISED: Money,
		UNREALISED: Money,
		CHARGES: MoneyNonNegative,
	}),
})

export const Pnl = z.object({
	filtered_df: rows(PnlRow),
	totals_df: spare(
		rows(
			z.object({ BUY_AMT: MoneyNonNegative, SELL_AMT: MoneyNonNegative, REALISED: Money, UNREALISED: Money, CHARGES: MoneyNonNegative }),
		),
		() => [],
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
		/** STT; for MCX, CTT. */
		STT: MoneyNonNegative,
		STAMP: MoneyNonNegative,
		/** Sum of the six; equals CHARGES in the same row of the P&L. */
		TOTAL: MoneyNonNegative,
	}),
})
/**
 * Not in the specification: charges of a year's contract notes by scrip and kind. For each kind, the sum over a segment equals the charges
 * of its notes.
 */
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
 * Not in the specification: how a year's P&L leads to the amounts that bills moved in the ledger. In each segment Σ AMOUNT of terms =
 * BILLS, to the paisa. Terms: realised P&L before charges; charges (-); mark-to-market of open futures at the end (+) and at the start
 * (-); cost of positions open at the start (+, paid in an earlier year) and at the end (-); cost of units that came in (+) or went out (-)
 * without a trade; buyback receipts paid to the bank account (-); sales of unknown cost (+). Futures have no cost.
 */
export const PnlTie = z.object({
	segments: rows(
		z.object({
			SEGMENT: word(Segment),
			terms: rows(z.object({ TERM: word(TieTerm), AMOUNT: Money }), 30),
			/** Σ of the segment's BILL entries in the ledger. */
			BILLS: Money,
			/** Σ terms - BILLS; always 0. */
			DIFFERENCE: spare(Money, () => null),
		}),
		20,
	),
	/** OPENING + BILLS + OTHER = CLOSING. OTHER: pay-ins, payouts, fees, interest and funding; margin is left out. */
	ledgers: rows(
		z.object({ COCD: word(LedgerCocd), FROM: Day, TO: Day, OPENING: Balance, BILLS: Balance, OTHER: Balance, CLOSING: Balance }),
		20,
	),
})
export type PnlTie = z.infer<typeof PnlTie>

import { z } from 'zod/v4'
import { Day, Flag, Moment, Money, MoneyNonNegative, whole } from './common'
import { text, word } from './texts'
import { cells, inner, maybe, optional, rows, spare } from './tolerant'
import { Isin, IsinOfRow, Percent, Price, Quantity, ScripName, Share } from './units'

const MtfPosition = z.object({
	ISIN: IsinOfRow,
	SCRIP_NAME: ScripName,
	...cells({
		QTY: Quantity,
		BUY_RATE: Price,
		CLOSE_PRICE: Price,
		/** The broker's part: QTY × BUY_RATE - CLIENT_MARGIN. */
		FUNDED: MoneyNonNegative,
		/** The client's part. */
		CLIENT_MARGIN: MoneyNonNegative,
		/** Interest up to today: FUNDED × rate × DAYS / 365. */
		INTEREST: MoneyNonNegative,
		DAYS: whole(0, 3650),
	}),
})
type MtfPosition = z.infer<typeof MtfPosition>

export const MtfDetails = z.object({
	/** PENDING: waiting for the e-sign, or signed and not active yet. */
	status: word(z.enum(['ACTIVE', 'INACTIVE', 'PENDING'])),
	...cells({
		/** The sanctioned limit. */
		limit: MoneyNonNegative,
		/** Sum of FUNDED. */
		funded_amount: MoneyNonNegative,
		/** Per cent a year. */
		interest_rate: Share,
		/** Sum of INTEREST. */
		interest_accrued: MoneyNonNegative,
		/** Sum of CLIENT_MARGIN. */
		margin_required: MoneyNonNegative,
		/** The security of the loan today: the value of the shares minus the loan, plus the equity ledger's cash. */
		margin_available: MoneyNonNegative,
	}),
	positions: inner(rows(MtfPosition, 100)),
})
export type MtfDetails = z.infer<typeof MtfDetails>

/** Not in the specification: more about one funded position. */
const MtfPositionFacts = z.object({
	ISIN: Isin,
	BOUGHT_ON: Day,
	VALUE: MoneyNonNegative,
	/** The part of the value that the client must pay, in per cent. */
	MARGIN_PCT: spare(Percent, () => null),
	MARGIN_NEEDED: MoneyNonNegative,
	/** VALUE - FUNDED; negative when the shares are worth less than the loan. */
	MARGIN_HELD: Money,
	/** Units in the broker's margin-funding pledge. Fewer than QTY when units are not delivered yet, or not confirmed by the client. */
	PLEDGED_QTY: Quantity,
	/** Bought and not delivered yet, so not pledged. */
	UNSETTLED_QTY: optional(Quantity),
	/** Delivered and not confirmed: the broker holds them as unpaid (CUSPA). */
	UNPAID_QTY: optional(Quantity),
	/** The deadline to confirm the rest. */
	PLEDGE_BY: maybe(Moment),
	/** When the broker starts to sell the units that are still not pledged. */
	PLEDGE_SOLD_FROM: maybe(Moment),
	/** The depository request, while it can be confirmed. */
	PLEDGE_REF: maybe(text(40)),
})

/** Not in the specification: the terms, the account and the margin call. */
export const MtfFacts = z.object({
	/** The limit that an activation sanctions. */
	offered_limit: MoneyNonNegative,
	/** The smallest part that a client pays, per cent of the value. */
	margin_from: Percent,
	/** For each pledge and each release, GST included. */
	pledge_fee: MoneyNonNegative,
	/** Time of day, `21:00`. */
	pledge_by: word(z.string().regex(/^\d\d:\d\d$/)),
	/** Trading days after which the broker sells when margin or a pledge is missing. */
	square_off_days: whole(0, 60),
	can_activate: Flag,
	/** Why the client cannot activate, in the broker's words. */
	why_not: maybe(text(200)),
	/** The kind of that reason, so that the page can link to where the client can solve it. */
	why_not_kind: maybe(word(z.enum(['SEGMENT', 'DEBIT']))),
	activated_on: maybe(Day),
	/** Reference of the waiting e-sign, while PENDING. */
	esign_reference: maybe(text(40)),
	/** Cash of the equity ledger that counts as margin. */
	cash: MoneyNonNegative,
	/** max(0, needed - held - cash). */
	shortfall: MoneyNonNegative,
	/** The last day on which the client can bring the missing margin; null without a shortfall. */
	shortfall_by: maybe(Day),
	positions: rows(MtfPositionFacts, 100),
})
export type MtfFacts = z.infer<typeof MtfFacts>

/** Not in the specification: the interest of each day, and its postings to the ledger. */
export const MtfInterest = z.object({
	days: rows(
		z.object({
			DATE: Day,
			ISIN: Isin,
			...cells({
				SYMBOL: text(80),
				/** The amount owed at the end of the day before. */
				FUNDED: MoneyNonNegative,
				INTEREST: MoneyNonNegative,
				/** The ledger voucher of its month; null until the month ends. */
				VOUCHER_NO: maybe(text(30)),
			}),
		}),
		40_000,
	),
	/** One row for each month that has ended. */
	postings: rows(z.object({ MONTH: z.string().regex(/^\d{4}-\d\d$/), VOUCHER_NO: text(30), DATE: Day, AMOUNT: MoneyNonNegative }), 60),
})
export type MtfInterest = z.infer<typeof MtfInterest>

import { z } from 'zod/v4'
import { Day, Flag, Moment, Money, MoneyNonNegative, whole } from './common'
import { cells, maybe, optional, rows, text, word } from './tolerant'
import { Isin, IsinOfRow, Percent, Price, Quantity, ScripName, Share } from './units'

export const MtfPosition = z.object({
	ISIN: IsinOfRow,
	SCRIP_NAME: ScripName,
	...cells({
		QTY: Quantity,
		BUY_RATE: Price,
		CLOSE_PRICE: Price,
		/** What the broker paid of it: QTY x BUY_RATE - CLIENT_MARGIN. */
		FUNDED: MoneyNonNegative,
		/** What the client brought. */
		CLIENT_MARGIN: MoneyNonNegative,
		/** To today: FUNDED x rate x DAYS / 365. */
		INTEREST: MoneyNonNegative,
		DAYS: whole(0, 3650),
	}),
})
export type MtfPosition = z.infer<typeof MtfPosition>

export const MtfDetails = z.object({
	/** PENDING: signed for, and not active yet; or waiting to be signed. */
	status: word(z.enum(['ACTIVE', 'INACTIVE', 'PENDING'])),
	...cells({
		/** Sanctioned. */
		limit: MoneyNonNegative,
		/** Sum of FUNDED. */
		funded_amount: MoneyNonNegative,
		/** Per cent a year. */
		interest_rate: Share,
		/** Sum of INTEREST. */
		interest_accrued: MoneyNonNegative,
		/** Sum of CLIENT_MARGIN. */
		margin_required: MoneyNonNegative,
		/** What stands behind the loan today: the shares less what was lent, and money of the equity ledger. */
		margin_available: MoneyNonNegative,
	}),
	positions: rows(MtfPosition, 100),
})
export type MtfDetails = z.infer<typeof MtfDetails>

/** Ours: what the wire does not say of a funded position. */
export const MtfPositionFacts = z.object({
	ISIN: Isin,
	BOUGHT_ON: Day,
	VALUE: MoneyNonNegative,
	/** Per cent of the value that must be the client's own. */
	MARGIN_PCT: Percent,
	MARGIN_NEEDED: MoneyNonNegative,
	/** VALUE - FUNDED; negative when the shares are worth less than the loan. */
	MARGIN_HELD: Money,
	/** Units in the broker's margin-funding pledge; fewer than QTY: they are not delivered yet, or the client has not confirmed all. */
	PLEDGED_QTY: Quantity,
	/** Bought and not delivered yet: in no pledge. */
	UNSETTLED_QTY: optional(Quantity),
	/** Delivered and not confirmed: held by the broker as not paid for (CUSPA). */
	UNPAID_QTY: optional(Quantity),
	/** When the rest has to be confirmed. */
	PLEDGE_BY: maybe(Moment),
	/** When the broker begins to sell what is still not pledged. */
	PLEDGE_SOLD_FROM: maybe(Moment),
	/** The request at the depository, while it can be confirmed. */
	PLEDGE_REF: maybe(text(40)),
})

/** Ours: the terms, the account and the call for margin. */
export const MtfFacts = z.object({
	/** What activation sanctions. */
	offered_limit: MoneyNonNegative,
	/** The least that a client brings, per cent of the value. */
	margin_from: Percent,
	/** Of each pledge and each release, with GST. */
	pledge_fee: MoneyNonNegative,
	/** Time of day, `21:00`. */
	pledge_by: word(z.string().regex(/^\d\d:\d\d$/)),
	/** Trading days after which the broker sells when margin or a pledge is missing. */
	square_off_days: whole(0, 60),
	can_activate: Flag,
	/** Why not, in the broker's words. */
	why_not: maybe(text(200)),
	/** What kind of reason that is, so that the page can say where it is mended. */
	why_not_kind: maybe(word(z.enum(['SEGMENT', 'DEBIT']))),
	activated_on: maybe(Day),
	/** Of the e-sign that waits, while it is PENDING. */
	esign_reference: maybe(text(40)),
	/** Money of the equity ledger that counts as margin. */
	cash: MoneyNonNegative,
	/** max(0, needed - held - cash). */
	shortfall: MoneyNonNegative,
	/** The end of the day by which it has to be made good; null without a shortfall. */
	shortfall_by: maybe(Day),
	positions: rows(MtfPositionFacts, 100),
})
export type MtfFacts = z.infer<typeof MtfFacts>

/** Ours: what each day cost, and what the ledger has of it. */
export const MtfInterest = z.object({
	days: rows(
		z.object({
			DATE: Day,
			ISIN: Isin,
			...cells({
				SYMBOL: text(80),
				/** Owed at the end of the day before. */
				FUNDED: MoneyNonNegative,
				INTEREST: MoneyNonNegative,
				/** The voucher of its month; null while the month runs. */
				VOUCHER_NO: maybe(text(30)),
			}),
		}),
		40_000,
	),
	/** One for each month that has ended. */
	postings: rows(z.object({ MONTH: z.string().regex(/^\d{4}-\d\d$/), VOUCHER_NO: text(30), DATE: Day, AMOUNT: MoneyNonNegative }), 60),
})
export type MtfInterest = z.infer<typeof MtfInterest>

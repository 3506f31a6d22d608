import { z } from 'zod/v4'
import { ClientCode, Day, Moment, MoneyNonNegative, otpSeconds, whole } from './common'
import { EsignResponse } from './esign'
import { id, personName, text, word } from './texts'
import { cells, knownRows, maybe, optional, part, rows } from './tolerant'
import { figure, Isin, Price, Quantity, ScripName, Share } from './units'

const RequestId = id(z.string().regex(/^[A-Za-z0-9_-]{6,40}$/))
const Units = figure(z.number().int(), 1, 100_000_000)
const BoId = id(z.string().regex(/^([0-9]{16}|IN[0-9]{14})$/))

/* Stock verification (e-DIS): the client allows the broker to take units out of the demat account for a sale. */

export const EdisHolding = z.object({
	isin: Isin,
	stock_name: ScripName,
	/** Units in the demat account. */
	qty: Quantity,
	/** Units covered by DDPI or a power of attorney; they need no verification. */
	poa_qty: Quantity,
	/** Units that can be verified. */
	free_qty: Quantity,
	/** Units verified and not sold yet. */
	verified_qty: Quantity,
	close_price: Price,
	/**
	 * Not in the specification: units sold on the days that a verification after the sale (POST) may name, and not delivered or verified
	 * yet. Part of `qty`.
	 */
	sold: optional(rows(z.object({ trade_date: Day, qty: Quantity }), 10)),
})
export const EdisHoldings = rows(EdisHolding, 200)
export type EdisHolding = z.infer<typeof EdisHolding>

export const TradeType = z.enum(['PRE', 'POST'])
export type TradeType = z.infer<typeof TradeType>

export const StockVerificationRequest = z.object({
	client_code: ClientCode,
	/** 1: all holdings, 2: the listed securities. */
	eDis_type: z.enum(['1', '2']),
	trade_type: TradeType,
	/** DD-MM-YYYY with POST; empty or absent with PRE. */
	post_trade_date: z
		.string()
		.regex(/^((0[1-9]|[12][0-9]|3[01])-(0[1-9]|1[0-2])-20[0-9]{2})?$/)
		.optional(),
	data: z
		.array(z.object({ isin: Isin, qty: Units, stock_name: ScripName, poa_qty: Quantity, free_qty: Quantity }))
		.min(1)
		.max(200),
})
export type StockVerificationRequest = z.infer<typeof StockVerificationRequest>

/** `expires_in` is in seconds. */
export const EdisOtp = z.object({ request_id: RequestId, expires_in: otpSeconds(1) })

export const ResendEdisOtp = z.object({ request_id: RequestId })

export const VerifyEdisOtpRequest = z.object({ otp: z.string().regex(/^[0-9]{6}$/), request_id: RequestId })

export const EdisResults = knownRows(z.object({ isin: Isin, qty: Quantity, status: word(z.enum(['SUCCESS', 'FAILED'])) }), 200)

/** Not in the specification: current verifications with the time they end, and the limits of the next one. */
export const StockVerifications = z.object({
	/** How many securities one OTP may cover. */
	max_securities: whole(1, Number.MAX_SAFE_INTEGER),
	/** The end of a verification made now. */
	valid_until: Moment,
	/** Days of sale that a verification after the sale may name, latest first. */
	trade_days: rows(Day, 10),
	verifications: rows(
		z.object({
			request_id: text(40),
			isin: Isin,
			stock_name: ScripName,
			...cells({
				qty: Units,
				trade_type: word(TradeType),
				verified_at: Moment,
				valid_until: Moment,
			}),
		}),
		1000,
	),
})
export type StockVerifications = z.infer<typeof StockVerifications>

/* Margin pledge. */

export const PledgeRow = z.object({
	ISIN: Isin,
	SCRIP_NAME: ScripName,
	/** FREE_QTY + PLEDGED_QTY; unsettled units are in neither. */
	QTY: Quantity,
	/** Units that can be pledged. */
	FREE_QTY: Quantity,
	PLEDGED_QTY: Quantity,
	CLOSE_PRICE: Price,
	/** The share of the value that does not count, in per cent. */
	HAIRCUT: Share,
	/** QTY x CLOSE_PRICE. */
	VALUE: MoneyNonNegative,
	/** PLEDGED_QTY x CLOSE_PRICE x (1 - HAIRCUT/100). */
	MARGIN: MoneyNonNegative,
})
export type PledgeRow = z.infer<typeof PledgeRow>

export const PledgeData = z.object({
	filtered_df: rows(PledgeRow, 300),
	total: part(z.object(cells({ VALUE: MoneyNonNegative, MARGIN: MoneyNonNegative, PLEDGED_VALUE: MoneyNonNegative }))),
})
export type PledgeData = z.infer<typeof PledgeData>

export const PledgeAction = z.enum(['pledge', 'unpledge'])
export type PledgeAction = z.infer<typeof PledgeAction>

export const PledgeRequest = z.object({
	client_code: ClientCode,
	action: PledgeAction,
	data: z
		.array(z.object({ isin: Isin, qty: Units }))
		.min(1)
		.max(100),
	confirmation: z.literal(true),
})

/** Nothing is pledged until the client confirms at the depository, at the address in `esign_response`. */
export const PledgeResult = z.object({ request_id: RequestId, esign_response: EsignResponse })

/** Not in the specification: the cost of a pledge requested now, and the deadline to confirm it. */
export const PledgeTerms = z.object({
	/** For each security in a request, GST included. */
	fee: MoneyNonNegative,
	max_securities: whole(1, 100),
	/** A later request has later deadlines. */
	ask_by: Moment,
	confirm_by: Moment,
	/** The day from which the pledge counts as margin. */
	margin_from: Day,
	/** Securities that count as cash. Half of the margin must be cash. */
	cash_equivalents: rows(Isin, 300),
})
export type PledgeTerms = z.infer<typeof PledgeTerms>

export const OnePledgeRequest = z.object({
	request_id: text(40),
	action: word(PledgeAction),
	/** MTF: of funded shares, made with their purchase. */
	purpose: maybe(word(z.enum(['MARGIN', 'MTF']))),
	lines: rows(z.object({ isin: Isin, stock_name: ScripName, qty: Units, margin: MoneyNonNegative }), 100),
	/** LAPSED: not confirmed in time. */
	status: word(z.enum(['WAITING', 'CONFIRMED', 'LAPSED'])),
	/** How the last visit to the depository ended, while the request waits. */
	last_outcome: maybe(word(z.enum(['CANCELLED', 'FAILED']))),
	reason: maybe(text(200)),
	asked_at: Moment,
	/** The client's deadline. A pledge of funded shares still waits after it, until the broker sells them. */
	confirm_by: Moment,
	margin_from: Day,
	/** The moment of the confirmation or of the last outcome. */
	ended_at: maybe(Moment),
	/** Lets the client go to the depository again; null when there is nothing left to confirm. */
	esign_response: maybe(EsignResponse),
})
export type OnePledgeRequest = z.infer<typeof OnePledgeRequest>

/** Not in the specification: the client's requests, latest first. */
export const PledgeRequests = rows(OnePledgeRequest, 200)

/* DDPI: a standing instruction that makes OTPs for single sales unnecessary. */

export const DdpiStatus = z.enum(['NOT_SIGNED', 'PENDING', 'ACTIVE'])
/** Depositories keep a flag. */
export const DdpiStatusWord = word(DdpiStatus, {
	...Object.fromEntries(['y', 'yes', '1', 'true', 'a', 'signed'].map((flag) => [flag, 'ACTIVE' as const])),
	...Object.fromEntries(['n', 'no', '0', 'false'].map((flag) => [flag, 'NOT_SIGNED' as const])),
})

export const DdpiDetails = z.object({
	...cells({
		bo_id: BoId,
		client_name: personName(80),
	}),
	ddpi_status: DdpiStatusWord,
	...cells({
		/** Set when ACTIVE. */
		signed_on: maybe(Day),
	}),
	clauses: rows(text(400, 1), 10),
})
export type DdpiDetails = z.infer<typeof DdpiDetails>

export const DdpiPdfRequest = z.object({ bo_id: BoId })

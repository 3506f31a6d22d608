import { z } from 'zod/v4'
import { ClientCode, Day, MoneyNonNegative } from './common'
import { cells, rows, text, word } from './tolerant'
import { Isin, Price, Quantity } from './units'

/* Public issues and the bids for them. Prices are rupees a share, which are shown and multiplied and never summed. */

/** The list of issues that is asked for. */
export const IpoCondition = z.enum(['current', 'upcoming'])
export type IpoCondition = z.infer<typeof IpoCondition>

export const IpoExchange = z.enum(['NSE', 'BSE'])
export type IpoExchange = z.infer<typeof IpoExchange>

/** IND (individual, up to ₹ 2 lakh), HNI (above it), EMP, SHA, POL; a broker may have more. */
const CategoryCode = z.string().regex(/^[A-Z]{2,5}$/)

export const IpoSymbol = z.string().regex(/^[A-Z0-9][A-Z0-9&_-]{0,19}$/)

/** 16 digits of CDSL, or IN and 14 of NSDL. */
const BoId = z.string().regex(/^(\d{16}|IN\d{14})$/)

/** `name@bank`. */
export const UpiId = z.string().regex(/^[A-Za-z0-9._-]{2,64}@[A-Za-z][A-Za-z0-9]{1,31}$/)

const Moment = z.iso.datetime({ offset: true })

const IpoCategory = z.object({
	code: CategoryCode,
	label: text(60),
	/** Least and largest amount of an application. */
	min_amount: MoneyNonNegative,
	max_amount: MoneyNonNegative,
	cut_off_allowed: z.boolean(),
	/** Rupees a share off the price. */
	discount: Price,
})

export const IpoIssue = z.object({
	symbol: IpoSymbol,
	name: text(80, 1),
	exchange: IpoExchange,
	open_date: Day,
	close_date: Day,
	min_price: Price,
	max_price: Price,
	cut_off_price: Price,
	tick_size: Price,
	lot_size: z.number().int().min(1),
	min_bid_qty: z.number().int().min(1),
	categories: rows(IpoCategory, 8),
	status: word(z.enum(['LIVE', 'UPCOMING', 'CLOSED'])),
	/** Last moment to accept the UPI mandate. */
	upi_cut_off: Moment,
	...cells({
		isin: Isin,
		face_value: Price,
		/** Crore rupees. */
		issue_size_cr: z.number().min(0),
		prospectus_url: z.string(),
		/** How many times each category is subscribed; null before the opening. */
		subscription: rows(z.object({ category: CategoryCode, times: z.number().min(0) }), 8).nullable(),
	}),
})
export type IpoIssue = z.infer<typeof IpoIssue>

export const IpoIssues = rows(IpoIssue, 50)
export const ListIposRequest = z.object({ condition: z.string() })

export const IpoClient = z.object({
	client_code: ClientCode,
	client_name: text(80, 1),
	/** Masked. */
	pan: text(10),
	BOId: rows(z.object({ dp: z.enum(['CDSL', 'NSDL']), id: BoId }), 5),
	/** The one used last. */
	...cells({ upi_id: UpiId.nullable() }),
	/** Those that this client may bid in. */
	categories: rows(CategoryCode, 8),
})
export type IpoClient = z.infer<typeof IpoClient>

const Bid = z.object({ quantity: Quantity.min(1), price: Price, cut_off: z.boolean() })

export const IpoBidRequest = z.object({
	symbol: IpoSymbol,
	category: CategoryCode,
	/** Empty only where the bank is paid by paper. */
	upi_id: z.union([UpiId, z.literal('')]),
	/** Of the highest bid. */
	quantity: Quantity.min(1),
	price: Price,
	/** What is to be blocked. */
	amount: MoneyNonNegative,
	BOId: BoId,
	/** Ours: up to three bids, of which one counts. Without it the bid is the one above. */
	bids: z.array(Bid).min(1).max(3).optional(),
})
export type IpoBidRequest = z.input<typeof IpoBidRequest>

/** What the exchange made of one bid. FAILED: it refused. */
const BidResult = z.object({
	status: z.enum(['SUCCESS', 'FAILED']),
	message: text(300),
	application_no: z.string().regex(/^[A-Z0-9]{6,20}$/),
	/** Empty when it FAILED. */
	bid_reference_no: z.string().regex(/^\d{0,20}$/),
	exchange: IpoExchange,
})

export const IpoBidResults = z.array(BidResult).min(1).max(3)
export type IpoBidResults = z.infer<typeof IpoBidResults>

const BidStatus = z.enum(['PENDING', 'ACCEPTED', 'REJECTED', 'CANCELLED'])
const MandateStatus = z.enum(['PENDING', 'SENT', 'ACCEPTED', 'REJECTED', 'EXPIRED'])

export const IpoBidRow = z.object({
	application_no: z.string().regex(/^[A-Z0-9]{6,20}$/),
	name: text(80, 1),
	...cells({
		symbol: IpoSymbol,
		exchange: word(IpoExchange),
		bid_reference_no: z.string().regex(/^\d{0,20}$/),
		category: text(5),
		quantity: Quantity,
		price: Price,
		amount: MoneyNonNegative,
		upi_id: UpiId.nullable(),
		bid_date: Day,
		status: word(BidStatus),
		mandate_status: word(MandateStatus),
		/** Null before the allotment. */
		allotted_qty: Quantity.nullable(),
		refund_amount: MoneyNonNegative.nullable(),
	}),
})
export type IpoBidRow = z.infer<typeof IpoBidRow>

export const IpoBidRows = rows(IpoBidRow, 200)

/** Ours: what the wire's list of issues leaves out. */
export const IpoFacts = z.object({
	/** Up to this amount, itself included, a bid is placed online; above it there is a form for the bank. */
	online_limit: MoneyNonNegative,
	max_bids: z.number().int().min(1).max(3),
	issues: rows(
		z.object({
			symbol: IpoSymbol,
			kind: text(20),
			registrar: text(80),
			allotment_date: Day,
			refund_date: Day,
			listing_date: Day,
			/** Last moment to bid, by category. */
			bids_until: rows(z.object({ category: CategoryCode, until: Moment }), 8),
			/** Of a live issue outside the hours of bids: when they are taken again. Null while they are taken, or when none will be. */
			bids_from: Moment.nullish(),
			/** How many times institutions, who bid elsewhere, have subscribed their part; null before the opening. */
			...cells({ qib_times: z.number().min(0).nullish() }),
		}),
		50,
	),
})
export type IpoFacts = z.infer<typeof IpoFacts>

/** Ours: an application with what was answered to it, and until when its mandate has to be accepted. */
export const IpoApplication = z.object({
	application_no: z.string().regex(/^[A-Z0-9]{6,20}$/),
	symbol: IpoSymbol,
	name: text(80, 1),
	category: CategoryCode,
	/** What is, was or would have been blocked. */
	amount: MoneyNonNegative,
	status: word(BidStatus),
	mandate_status: word(MandateStatus),
	/** Why it was rejected. */
	reason: text(200).nullable(),
	mandate_until: Moment,
	allotment_date: Day,
	results: IpoBidResults,
})
export type IpoApplication = z.infer<typeof IpoApplication>

export const IpoApplications = rows(IpoApplication, 200)

/** Up to this amount, itself included, a bid is placed online, where a broker does not say another. Paise. */
export const ONLINE_BID_LIMIT = 5_00_000_00

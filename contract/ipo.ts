import { z } from 'zod/v4'
import { ClientCode, Day, Flag, MomentWithZone, MoneyNonNegative, whole } from './common'
import { id, idOfCapitals, text, word, words } from './texts'
import { cells, maybe, rows, spare } from './tolerant'
import { figure, Isin, Price, Quantity } from './units'

/* Public issues and bids. Prices are in rupees a share; they are shown and multiplied, never added up. */

/** Which issues to list. */
export const IpoCondition = z.enum(['current', 'upcoming'])
export type IpoCondition = z.infer<typeof IpoCondition>

export const IpoExchange = z.enum(['NSE', 'BSE'])
export type IpoExchange = z.infer<typeof IpoExchange>

/** IND (individual, up to ₹ 2 lakh), HNI (above ₹ 2 lakh), EMP, SHA, POL; a broker may have more. */
const CategoryCode = idOfCapitals(z.string().regex(/^[A-Z]{2,5}$/))

export const IpoSymbol = id(z.string().regex(/^[A-Z0-9][A-Z0-9&_-]{0,19}$/))

/** CDSL: 16 digits; NSDL: IN and 14 digits. */
const BoId = id(z.string().regex(/^(\d{16}|IN\d{14})$/))

/** `name@bank`. */
export const UpiId = z.string().regex(/^[A-Za-z0-9._-]{2,64}@[A-Za-z][A-Za-z0-9]{1,31}$/)

const ApplicationNo = id(z.string().regex(/^[A-Z0-9]{6,20}$/))

const IpoCategory = z.object({
	code: CategoryCode,
	label: text(60),
	/** Smallest and largest amount of an application. */
	min_amount: MoneyNonNegative,
	max_amount: MoneyNonNegative,
	cut_off_allowed: Flag,
	/** Discount on the price, rupees a share. */
	discount: Price,
})

export const IpoIssue = z.object({
	symbol: IpoSymbol,
	name: text(80, 1),
	exchange: word(IpoExchange),
	open_date: Day,
	close_date: Day,
	min_price: Price,
	max_price: Price,
	...cells({ cut_off_price: Price }),
	tick_size: Price,
	lot_size: whole(1, Number.MAX_SAFE_INTEGER),
	min_bid_qty: whole(1, Number.MAX_SAFE_INTEGER),
	categories: rows(IpoCategory, 8),
	status: word(z.enum(['LIVE', 'UPCOMING', 'CLOSED'])),
	...cells({
		/** The last moment to accept the UPI mandate. */
		upi_cut_off: MomentWithZone,
		isin: Isin,
		face_value: Price,
		/** In crore rupees. */
		issue_size_cr: figure(z.number(), 0, Number.POSITIVE_INFINITY),
		prospectus_url: words(z.string()),
		/** How many times each category is subscribed; null before the issue opens. */
		subscription: maybe(rows(z.object({ category: CategoryCode, times: figure(z.number(), 0, Number.POSITIVE_INFINITY) }), 8)),
	}),
})
export type IpoIssue = z.infer<typeof IpoIssue>

export const IpoIssues = rows(IpoIssue, 50)
export const ListIposRequest = z.object({ condition: z.string() })

export const IpoClient = z.object({
	client_code: spare(ClientCode, () => null),
	client_name: text(80, 1),
	/** Masked. */
	...cells({ pan: text(10) }),
	BOId: rows(z.object({ dp: word(z.enum(['CDSL', 'NSDL'])), id: BoId }), 5),
	/** The UPI ID that the client used last. */
	...cells({ upi_id: maybe(word(UpiId)) }),
	/** Categories in which this client may bid. */
	categories: rows(CategoryCode, 8),
})
export type IpoClient = z.infer<typeof IpoClient>

/** Shares in one bid. */
const BidQuantity = z.number().int().min(1).max(100_000_000)

const Bid = z.object({ quantity: BidQuantity, price: Price, cut_off: z.boolean() })

export const IpoBidRequest = z.object({
	symbol: IpoSymbol,
	category: CategoryCode,
	/** Empty only for a paper application to the bank. */
	upi_id: z.union([UpiId, z.literal('')]),
	/** Quantity and price (rupees a share) of the bid with the highest amount. */
	quantity: BidQuantity,
	price: Price,
	/** The amount to block. */
	amount: MoneyNonNegative,
	BOId: BoId,
	/** Not in the specification: up to three bids, of which one counts. Without this field the one bid is in the fields above. */
	bids: z.array(Bid).min(1).max(3).optional(),
})
export type IpoBidRequest = z.input<typeof IpoBidRequest>

/** The exchange's response to one bid. FAILED: refused. */
const BidResult = z.object({
	status: word(z.enum(['SUCCESS', 'FAILED'])),
	message: text(300),
	application_no: ApplicationNo,
	/** Empty when the status is FAILED. */
	bid_reference_no: word(z.string().regex(/^\d{0,20}$/)),
	exchange: word(IpoExchange),
})

export const IpoBidResults = z.array(BidResult).min(1).max(3)
export type IpoBidResults = z.infer<typeof IpoBidResults>

const BidStatus = z.enum(['PENDING', 'ACCEPTED', 'REJECTED', 'CANCELLED'])
const MandateStatus = z.enum(['PENDING', 'SENT', 'ACCEPTED', 'REJECTED', 'EXPIRED'])

export const IpoBidRow = z.object({
	application_no: ApplicationNo,
	name: text(80, 1),
	...cells({
		symbol: IpoSymbol,
		exchange: word(IpoExchange),
		bid_reference_no: word(z.string().regex(/^\d{0,20}$/)),
		category: text(5),
		quantity: Quantity,
		price: Price,
		amount: MoneyNonNegative,
		upi_id: maybe(word(UpiId)),
		bid_date: Day,
		status: word(BidStatus),
		mandate_status: word(MandateStatus),
		/** Null before the allotment. */
		allotted_qty: maybe(Quantity),
		refund_amount: maybe(MoneyNonNegative),
	}),
})
export type IpoBidRow = z.infer<typeof IpoBidRow>

export const IpoBidRows = rows(IpoBidRow, 200)

/** Not in the specification: facts that the list of issues does not have. */
export const IpoFacts = z.object({
	/** A bid up to this amount (inclusive) is placed online; above it the client fills in a form for the bank. */
	online_limit: MoneyNonNegative,
	max_bids: whole(1, 3),
	issues: rows(
		z.object({
			symbol: IpoSymbol,
			kind: text(20),
			registrar: text(80),
			allotment_date: Day,
			refund_date: Day,
			listing_date: Day,
			/** The last moment to bid, by category. */
			bids_until: rows(z.object({ category: CategoryCode, until: MomentWithZone }), 8),
			/** For a live issue outside bidding hours: when bidding starts again. Null during bidding hours, or when bidding is over. */
			bids_from: maybe(MomentWithZone).optional(),
			/**
			 * How many times institutions have subscribed their part; null before the issue opens. Institutions do not bid through brokers'
			 * portals.
			 */
			...cells({ qib_times: maybe(figure(z.number(), 0, Number.POSITIVE_INFINITY)).optional() }),
		}),
		50,
	),
})
export type IpoFacts = z.infer<typeof IpoFacts>

/** Not in the specification: an application, the responses to it, and the deadline to accept its mandate. */
export const IpoApplication = z.object({
	application_no: ApplicationNo,
	symbol: IpoSymbol,
	name: text(80, 1),
	category: CategoryCode,
	/** The amount to block for the application. It stays the same when the money is released or was never blocked. */
	amount: MoneyNonNegative,
	status: word(BidStatus),
	mandate_status: word(MandateStatus),
	/** The reason for the rejection. */
	reason: maybe(text(200)),
	mandate_until: MomentWithZone,
	allotment_date: Day,
	results: IpoBidResults,
})
export type IpoApplication = z.infer<typeof IpoApplication>

export const IpoApplications = rows(IpoApplication, 200)

/** In paise. A bid up to this amount (inclusive) is placed online when the broker gives no other limit. */
export const ONLINE_BID_LIMIT = 5_00_000_00

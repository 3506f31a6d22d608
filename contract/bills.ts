import { z } from 'zod/v4'
import { Balance, ClientCode, Day, LedgerCocd, Money, MoneyNonNegative, NameInAddress } from './common'
import { id, text, word } from './texts'
import { cells, inner, maybe, nullish, rows } from './tolerant'
import { IsinOrNull, Price, Quantity, ScripName, Segment, Side, SignedQuantity } from './units'

/** The number of a contract note or bill; each broker has its own form. */
export const BillNoInAddress = NameInAddress

/** True for a path that leads out of the broker's file folder, or to another machine. */
const isOutside = (path: string) => /(^|[\\/])\.\.([\\/]|$)|^[\\/]|:\/\/|\p{Cc}/u.test(path)

/**
 * An opaque path from listContractBills. The portal never asks the broker for a path outside its folder, in case the list was tampered
 * with.
 */
const FilePath = id(
	z
		.string()
		.max(200)
		.regex(/^[A-Za-z0-9_-]{1,40}(\/[A-Za-z0-9_-]{1,40}){1,4}\.pdf$/),
	isOutside,
)

export const ContractBillsRequest = z.object({
	client_code: ClientCode,
	from_date: Day,
	to_date: Day,
	company_code: z.enum(['ALL', ...Segment.options]),
})

const ContractBillRow = z.object({
	BILL_DATE: Day,
	BILL_NO: text(20),
	...cells({
		SETL_NO: text(20),
		COCD: word(Segment),
		DOC_TYPE: word(z.enum(['CONTRACT NOTE', 'BILL'])),
		/** The amount posted to the ledger under BILL_NO; credit positive. */
		BILL_AMT: Balance,
		/** Null when there is no file. */
		file_path: maybe(FilePath),
	}),
})
/** Oldest first. */
export const ContractBills = rows(ContractBillRow)
export type ContractBills = z.infer<typeof ContractBills>

export const ContractBillFileRequest = z.object({ client_code: ClientCode.optional(), file_path: FilePath })

const ChargeKind = z.enum(['BROKERAGE', 'EXCHANGE', 'SEBI', 'CGST', 'SGST', 'IGST', 'STT', 'CTT', 'STAMP'])

export const NoteTrade = z.object({
	TRADE_NO: text(30),
	SCRIP_NAME: ScripName,
	...cells({
		ORDER_NO: text(30),
		ORDER_TIME: text(8),
		/** HH:MM:SS in India. */
		TRADE_TIME: text(8),
		ISIN: IsinOrNull,
		SIDE: word(Side),
		QTY: Quantity,
		/** The part of QTY that was squared off the same day. */
		INTRADAY_QTY: Quantity,
		GROSS_RATE: Price,
		/** Rupees a unit, rounded to four decimals. BROKERAGE is exact. */
		BROKERAGE_RATE: Price,
		/** GROSS_RATE plus brokerage for a purchase, minus brokerage for a sale. */
		NET_RATE: Price,
		/** For contracts only. */
		CLOSE_RATE: maybe(Price),
		/** QTY × GROSS_RATE. */
		AMOUNT: MoneyNonNegative,
		BROKERAGE: MoneyNonNegative,
		/** This trade's share of all charges of the note, brokerage included. */
		CHARGES: MoneyNonNegative,
	}),
})

export const NoteCharge = z.object({
	KIND: word(ChargeKind),
	/** The amount to which the rate applies. */
	BASE: MoneyNonNegative,
	/** Per cent as text, `₹ 20 per order`, or `rounding` for rounding to the whole rupee; the AMOUNT of rounding may be negative. */
	RATE: text(20),
	AMOUNT: Money,
	/** The rule in words, with its date. */
	RULE: text(200),
})

/**
 * A future marked to market. STOOD_AT is its value at the previous mark, or its cost if bought since. AMOUNT = QTY × CLOSE_RATE -
 * STOOD_AT. Long positions are positive.
 */
export const NoteMark = z.object({
	SCRIP_NAME: ScripName,
	...cells({ QTY: SignedQuantity, CLOSE_RATE: Price, STOOD_AT: Money, AMOUNT: Money }),
})

/**
 * Not in the specification: one contract note, line by line. NET = OBLIGATION - Σ AMOUNT of charges = the ledger entry under VOUCHER_NO.
 */
export const ContractNote = z.object({
	BILL_NO: text(20),
	BILL_DATE: Day,
	...cells({
		/** Null for a mark-to-market bill. */
		CONTRACT_NO: maybe(text(20)),
		SETL_NO: text(20),
		/** The day on which money and shares change hands. */
		SETTLES_ON: Day,
		COCD: word(Segment),
		/** The ledger and the entry to which the bill is posted; null when the bill is zero and is not posted. */
		LEDGER: word(LedgerCocd),
		VOUCHER_NO: maybe(text(30)),
		LEDGER_AMT: Balance,
		/** Sales minus purchases, before charges; for futures, the differences since the last mark to market. Positive: the client receives. */
		OBLIGATION: Balance,
		TOTAL_CHARGES: MoneyNonNegative,
		NET: Balance,
		file_path: maybe(FilePath),
	}),
	trades: inner(rows(NoteTrade)),
	charges: inner(rows(NoteCharge)),
	/** For a bill without trades: its mark to market. Absent when a broker has no such bills. */
	...cells({ mark: nullish(NoteMark) }),
})
export type ContractNote = z.infer<typeof ContractNote>

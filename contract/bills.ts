import { z } from 'zod/v4'
import { Balance, ClientCode, Day, LedgerCocd, Money, MoneyNonNegative, NameInAddress } from './common'
import { cells, id, maybe, rows, text, word } from './tolerant'
import { IsinOrNull, Price, Quantity, ScripName, Segment, Side, SignedQuantity } from './units'

/** The number of a contract note or bill, in the form of any broker. */
export const BillNoInAddress = NameInAddress

/** Leads out of the folder that the broker keeps such files in, or to another machine. */
const isOutside = (path: string) => /(^|[\\/])\.\.([\\/]|$)|^[\\/]|:\/\/|\p{Cc}/u.test(path)

/** Opaque, as listContractBills gives it. A broker whose list was tampered with is not asked for a file of another folder. */
export const FilePath = id(
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

export const ContractBillRow = z.object({
	BILL_DATE: Day,
	BILL_NO: text(20),
	...cells({
		SETL_NO: text(20),
		COCD: word(Segment),
		DOC_TYPE: word(z.enum(['CONTRACT NOTE', 'BILL'])),
		/** What was posted to the ledger under BILL_NO; credit positive. */
		BILL_AMT: Balance,
		/** Null: there is no file to ask for. */
		file_path: FilePath,
	}),
})
/** Oldest first. */
export const ContractBills = rows(ContractBillRow)
export type ContractBills = z.infer<typeof ContractBills>

export const ContractBillFileRequest = z.object({ client_code: ClientCode.optional(), file_path: FilePath })

export const ChargeKind = z.enum(['BROKERAGE', 'EXCHANGE', 'SEBI', 'CGST', 'SGST', 'IGST', 'STT', 'CTT', 'STAMP'])

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
		/** Of QTY, squared off the same day. */
		INTRADAY_QTY: Quantity,
		GROSS_RATE: Price,
		/** Rupees a unit, four decimals; rounded, BROKERAGE is exact. */
		BROKERAGE_RATE: Price,
		/** GROSS_RATE with brokerage: more when bought, less when sold. */
		NET_RATE: Price,
		/** Contracts only. */
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
	/** What the rate is taken of. */
	BASE: MoneyNonNegative,
	/** Per cent as text, `20 an order`, or `rounding` for the step to the whole rupee, whose AMOUNT may be negative. */
	RATE: text(20),
	AMOUNT: Money,
	/** In words, with its date. */
	RULE: text(200),
})

/** A future marked to market: AMOUNT = QTY × CLOSE_RATE - STOOD_AT, which it was marked at the time before, or bought for since. Long positive. */
export const NoteMark = z.object({
	SCRIP_NAME: ScripName,
	...cells({ QTY: SignedQuantity, CLOSE_RATE: Price, STOOD_AT: Money, AMOUNT: Money }),
})

/** Ours: one contract note, line by line. NET = OBLIGATION - Σ AMOUNT of charges = the ledger's entry under VOUCHER_NO. */
export const ContractNote = z.object({
	BILL_NO: text(20),
	BILL_DATE: Day,
	...cells({
		/** Null of a bill that is a mark to market. */
		CONTRACT_NO: maybe(text(20)),
		SETL_NO: text(20),
		/** When money and shares change hands. */
		SETTLES_ON: Day,
		COCD: word(Segment),
		/** The ledger it is posted to, and the entry there; null when it came to nothing and was not posted. */
		LEDGER: word(LedgerCocd),
		VOUCHER_NO: maybe(text(30)),
		LEDGER_AMT: Balance,
		/** Sales less purchases before charges (futures: the differences to the last mark to market); the client receives positive. */
		OBLIGATION: Balance,
		TOTAL_CHARGES: MoneyNonNegative,
		NET: Balance,
		file_path: FilePath,
	}),
	trades: rows(NoteTrade),
	charges: rows(NoteCharge),
	/** Of a bill that has no trades: the mark that it is of. Absent where a broker has no such bills. */
	mark: maybe(NoteMark).optional(),
})
export type ContractNote = z.infer<typeof ContractNote>

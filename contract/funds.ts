import { z } from 'zod/v4'
import { ClientCode, Day, Flag, LedgerCocd, Moment, MoneyNonNegative } from './common'
import { AccountNo, BankAccountType, Email, Ifsc, Mobile } from './modifications'
import { id, text, word } from './texts'
import { cells, maybe, rows, spare } from './tolerant'

/*
 * Money in and out. Schemas of requests are exact; schemas of responses name only what the portal needs.
 */

/** `BSE` means equity on any exchange; its ledger is NSE_CASH. */
export const FundSegment = z.enum(['BSE', 'MCX'])
export type FundSegment = z.infer<typeof FundSegment>

/** Rupees, at most two decimals. */
const Rupees = z
	.number()
	.refine((rupees) => Math.abs(rupees * 100 - Math.round(rupees * 100)) < 1e-6, 'Amount must have no more than 2 decimals')

export const UpiId = z.string().regex(/^[A-Za-z0-9._-]{2,64}@[A-Za-z][A-Za-z0-9]{1,31}$/)
const BankName = z.string().min(1).max(80)
const RequestId = id(z.string().regex(/^[A-Za-z0-9_-]{6,40}$/))

export const PaymentType = z.enum(['upi', 'netbanking'])
export type PaymentType = z.infer<typeof PaymentType>

export const CreatePayinRequest = z.object({
	account_no: AccountNo,
	bank_name: BankName,
	bank_ifsc: Ifsc,
	client_name: z.string().min(1).max(80),
	client_email: Email,
	client_mobile_no: Mobile,
	amount: Rupees.min(1).max(10_000_000),
	segment: FundSegment,
	/** For a UPI payment; empty or absent for net banking. */
	upi_id: z.union([UpiId, z.literal('')]).optional(),
})
export type CreatePayinRequest = z.infer<typeof CreatePayinRequest>

/**
 * The portal checks the address when the client follows it, so any text is accepted here. A value that is not text becomes an empty
 * address.
 */
const UrlText = z.string().max(2048).catch('')
export const PayinResult = z.object({ url_data: UrlText, request_id: RequestId })

export const FundMovementType = z.enum(['payin', 'payout'])
export type FundMovementType = z.infer<typeof FundMovementType>

export const FundMovement = z.object({
	request_id: text(40),
	date: Day,
	...cells({
		/** Always positive; the requested type gives the direction. */
		amount: MoneyNonNegative,
		segment: word(FundSegment),
		/** UPI, NETBANKING, NEFT, RTGS, IMPS. */
		mode: text(20),
		bank_name: text(80),
		/** Masked by the broker. */
		bank_acno: text(30),
		status: word(z.enum(['PENDING', 'SUCCESS', 'FAILED', 'REJECTED', 'CANCELLED'])),
		utr: maybe(text(30)),
		remarks: text(200),
	}),
})
export type FundMovement = z.infer<typeof FundMovement>
/** Newest first. */
export const FundMovements = rows(FundMovement, 100)

export const RequestPayoutRequest = z.object({
	client_code: ClientCode,
	/** Ledgers to pay from. */
	checkbox_payout: z.array(LedgerCocd).min(1).max(2),
	/** The requested amount, in rupees. The field name is the broker's. */
	ledger_balance: Rupees.min(1).max(100_000_000),
	bank_acno: AccountNo,
})
export const PayoutResult = z.object({
	request_id: RequestId,
	status: spare(word(z.literal('PENDING')), () => ''),
	amount: MoneyNonNegative,
})

/** Payments from accounts that are not registered for the client. */
export const UnauthorizedPayments = rows(
	z.object({
		date: Day,
		utr: text(30),
		...cells({
			amount: MoneyNonNegative,
			/** Masked by the broker. */
			from_account: text(30),
			from_name: text(80),
			status: word(z.enum(['ON_HOLD', 'REFUND_PENDING', 'REFUNDED'])),
			remarks: text(200),
		}),
	}),
	100,
)
export type UnauthorizedPayment = z.output<typeof UnauthorizedPayments>[number]

export const MandateChannel = z.enum(['netbanking', 'debitcard', 'aadhaar'])
export type MandateChannel = z.infer<typeof MandateChannel>

export const EmandateRequest = z.object({
	/** The maximum for one debit: text with exactly two decimals. */
	amount: z.string().regex(/^[1-9][0-9]{0,6}\.[0-9]{2}$/),
	bank_details: z.object({ bank_acno: AccountNo, ifsc_code: Ifsc, bank_name: BankName, account_type: BankAccountType }),
	/** The call for a physical mandate ignores it. */
	channel: MandateChannel,
	frequency: z.enum(['As presented', 'Monthly', 'Quarterly', 'Yearly']).optional(),
	start_date: Day.optional(),
})
export type EmandateRequest = z.infer<typeof EmandateRequest>
export const MandateStarted = z.object({ url_data: UrlText })

/** Not in the specification: the broker's limits, so that a form can show them first. The broker enforces them in any case. */
export const FundLimits = z.object({
	payin_min: MoneyNonNegative,
	payin_max: MoneyNonNegative,
	/** For one UPI payment. */
	upi_max: MoneyNonNegative,
	mandate_min: MoneyNonNegative,
	mandate_max: MoneyNonNegative,
	/** For a mandate confirmed with Aadhaar. */
	mandate_aadhaar_max: MoneyNonNegative,
})
export type FundLimits = z.infer<typeof FundLimits>

/**
 * Not in the specification: the batch that a payout requested now would join, for each ledger; the payouts in progress; and the day on
 * which unused money is returned automatically.
 */
export const PayoutTimetable = z.object({
	/** The next settlement of the running account, if the client does not trade before it. */
	settles_on: Day.nullish(),
	ledgers: rows(z.object({ COCD: word(LedgerCocd), cut_off: Moment, credited_by: Moment }), 2),
	open: rows(
		z.object({
			request_id: RequestId,
			COCD: word(LedgerCocd),
			amount: MoneyNonNegative,
			asked_at: Moment,
			/** The client can cancel until then. */
			cut_off: Moment,
			credited_by: Moment,
			can_cancel: Flag,
		}),
		10,
	),
})
export type PayoutTimetable = z.infer<typeof PayoutTimetable>

export const CancelPayoutRequest = z.object({ request_id: RequestId })

/** Not in the specification: mandates registered online, newest first. */
export const Mandates = rows(
	z.object({
		reference: text(40),
		...cells({
			asked_on: Day,
			amount: MoneyNonNegative,
			bank_name: text(80),
			/** Masked by the broker. */
			bank_acno: text(30),
			channel: word(MandateChannel),
			frequency: text(20),
			starts_on: spare(Day, () => null),
			ends_on: Day,
			status: word(z.enum(['STARTED', 'AT_BANK', 'ACTIVE', 'REJECTED', 'CANCELLED', 'EXPIRED'])),
			/** From the bank that accepted the mandate. */
			umrn: maybe(text(20)),
			remarks: text(200),
		}),
	}),
	100,
)
export type Mandate = z.output<typeof Mandates>[number]

export const CancelMandateRequest = z.object({ reference: RequestId })

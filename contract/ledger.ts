import { z } from 'zod/v4'
import { Balance, BalanceNonNegative, ClientCode, Day, LedgerCocd, MoneyNonNegative, YearStart } from './common'
import { cells, maybe, optional, rows, text, word } from './tolerant'

export const VoucherType = z.enum(['OPENING', 'BILL', 'RECEIPT', 'PAYMENT', 'JOURNAL'])
export type VoucherType = z.infer<typeof VoucherType>

export const LedgerRow = z.object({
	VOUCHER_DATE: Day,
	VOUCHER_NO: text(30),
	...cells({
		VOUCHER_TYPE: word(VoucherType),
		COCD: word(LedgerCocd),
		SETL_NO: maybe(text(20)),
		NARRATION: text(200),
		/** 0 on a credit row. */
		DR_AMT: MoneyNonNegative,
		/** 0 on a debit row. */
		CR_AMT: MoneyNonNegative,
		/** Running within its ledger: previous + CR_AMT - DR_AMT; credit positive. */
		BALANCE: Balance,
		/** The bill behind the entry, as in the contract bills. */
		BILL_NO: maybe(text(20)),
	}),
})
export type LedgerRow = z.infer<typeof LedgerRow>

export const LedgerReport = z.object({
	/** Oldest first; without a ledger code one ledger after the other. */
	filtered_df: rows(LedgerRow),
	/** The first row counts: sums of both sides, and CR_AMT - DR_AMT (the opening row included). */
	totals_df: rows(z.object({ DR_AMT: MoneyNonNegative, CR_AMT: MoneyNonNegative, BALANCE: Balance })),
})
export type LedgerReport = z.infer<typeof LedgerReport>

export const DownloadLedgerRequest = z.object({
	type: z.enum(['ALL', 'NSE_CASH', 'MCX']),
	client_code: ClientCode,
	download_type: z.enum(['pdf', 'excel']),
	year: YearStart,
})
export type DownloadLedgerRequest = z.infer<typeof DownloadLedgerRequest>

export const Withdrawable = z.object({
	/** max(0, ledger - unsettled - margin_used - interest_accrued - payouts_under_way). */
	balance: BalanceNonNegative,
	ledger: Balance,
	/** Credits that have not settled yet. */
	unsettled: MoneyNonNegative,
	/** Cash margin blocked. */
	margin_used: MoneyNonNegative,
	/** Ours: the margin of open contracts, and what pledged securities count against it: MARGIN - COLLATERAL, half of it at least, is cash. */
	margin_required: optional(MoneyNonNegative),
	collateral: optional(MoneyNonNegative),
	/** Ours: interest on margin funding that is owed and not posted yet. A broker that does not say it deducts none. */
	interest_accrued: optional(MoneyNonNegative),
	/** Ours: pay-outs asked for and not paid yet. A broker that does not say it deducts none. */
	payouts_under_way: optional(MoneyNonNegative),
})
export type Withdrawable = z.infer<typeof Withdrawable>

/** Ours: what makes up the deductions of one ledger, line by line. A broker without this call loses the lines, not the page. */
export const Deductions = rows(
	z.object({
		COCD: word(LedgerCocd),
		KIND: word(z.enum(['UNSETTLED', 'MARGIN', 'INTEREST', 'PAYOUT'])),
		NARRATION: text(200),
		AMOUNT: MoneyNonNegative,
		...cells({
			/** When the deduction is expected to end; null when that depends on the client. */
			CLEARS_ON: maybe(Day),
			BILL_NO: maybe(text(20)),
		}),
		/** Of the pay-out under way. */
		REFERENCE: maybe(text(40)).optional(),
	}),
)
export type Deductions = z.infer<typeof Deductions>

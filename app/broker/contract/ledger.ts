import { z } from 'zod/v4'
import { ClientCode, Day, LedgerCocd, Money, MoneyNonNegative, YearStart } from './common'

export const VoucherType = z.enum(['OPENING', 'BILL', 'RECEIPT', 'PAYMENT', 'JOURNAL'])
export type VoucherType = z.infer<typeof VoucherType>

export const LedgerRow = z.object({
	VOUCHER_DATE: Day,
	VOUCHER_NO: z.string().max(30),
	VOUCHER_TYPE: VoucherType,
	COCD: LedgerCocd,
	SETL_NO: z.string().max(20).nullable(),
	NARRATION: z.string().max(200),
	/** 0 on a credit row. */
	DR_AMT: MoneyNonNegative,
	/** 0 on a debit row. */
	CR_AMT: MoneyNonNegative,
	/** Running within its ledger: previous + CR_AMT - DR_AMT; credit positive. */
	BALANCE: Money,
	/** The bill behind the entry, as in the contract bills. */
	BILL_NO: z.string().max(20).nullable(),
})
export type LedgerRow = z.infer<typeof LedgerRow>

export const LedgerReport = z.object({
	/** Oldest first; without a ledger code one ledger after the other. */
	filtered_df: z.array(LedgerRow),
	/** The first row counts: sums of both sides, and CR_AMT - DR_AMT (the opening row included). */
	totals_df: z.array(z.object({ DR_AMT: MoneyNonNegative, CR_AMT: MoneyNonNegative, BALANCE: Money })).min(1),
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
	/** max(0, ledger - unsettled - margin_used). */
	balance: MoneyNonNegative,
	ledger: Money,
	/** Credits that have not settled yet. */
	unsettled: MoneyNonNegative,
	/** Cash margin blocked. */
	margin_used: MoneyNonNegative,
})
export type Withdrawable = z.infer<typeof Withdrawable>

/** Ours: what makes up the deductions of one ledger, line by line. A broker without this call loses the lines, not the page. */
export const Deductions = z.array(
	z.object({
		COCD: LedgerCocd,
		KIND: z.enum(['UNSETTLED', 'MARGIN']),
		NARRATION: z.string().max(200),
		/** When the deduction is expected to end; null when that depends on the client. */
		CLEARS_ON: Day.nullable(),
		AMOUNT: MoneyNonNegative,
		BILL_NO: z.string().max(20).nullable(),
	}),
)
export type Deductions = z.infer<typeof Deductions>

import { z } from 'zod/v4'
import { Balance, BalanceNonNegative, ClientCode, CreditAmount, Day, DebitAmount, LedgerCocd, MoneyNonNegative, YearStart } from './common'
import { isBlank } from './readers'
import { text, word } from './texts'
import { cells, maybe, optional, rows, runOn, spare, tolerant } from './tolerant'

export const VoucherType = z.enum(['OPENING', 'BILL', 'RECEIPT', 'PAYMENT', 'JOURNAL'])
export type VoucherType = z.infer<typeof VoucherType>

/** An amount that is not zero, as a number or as text. */
const hasAmount = (value: unknown) => (typeof value === 'number' || typeof value === 'string') && /[1-9]/.test(String(value))

/** What back offices write for an opening row, in small letters. */
const OPENINGS = Object.fromEntries(
	['op', 'ob', 'opn', 'opbal', 'op bal', 'opening balance', 'opening bal', 'b/f'].map((word) => [word, 'OPENING' as const]),
)
/** How its narration begins, which may be all that tells. */
const OPENING_WORDS = /^\s*((to|by)\s+)?(opening|op\.?)\s*bal|^\s*(to|by)?\s*bal(ance)?\.?\s*(b\/?[fd]\b|brought)/i

const readType = word(VoucherType, OPENINGS)

/** The day of an opening row that the broker gives none. */
export const NO_DAY = '1900-01-01'

type RawRow = Partial<Record<'VOUCHER_DATE' | 'VOUCHER_TYPE' | 'NARRATION' | 'DR_AMT' | 'CR_AMT', unknown>>

/** Many back offices leave the other side of an entry blank or out: beside an amount it is 0. */
function completeSides(row: RawRow): void {
	if (isBlank(row.DR_AMT) && hasAmount(row.CR_AMT)) row.DR_AMT = 0
	else if (isBlank(row.CR_AMT) && hasAmount(row.DR_AMT)) row.CR_AMT = 0
}

/** Many give their opening row no type or no day. Another row without a type has an empty one. */
function completeOpening(row: RawRow): void {
	if (isBlank(row.VOUCHER_TYPE)) row.VOUCHER_TYPE = OPENING_WORDS.test(String(row.NARRATION)) ? 'OPENING' : ''
	if (isBlank(row.VOUCHER_DATE) && readType.safeParse(row.VOUCHER_TYPE).data === 'OPENING') row.VOUCHER_DATE = NO_DAY
}

/** A row of the ledger that `complete` changes before it is read. */
function completed<Row extends z.ZodType>(
	row: Row,
	...complete: readonly ((row: RawRow) => void)[]
): z.ZodType<z.output<Row>, z.input<Row>> {
	return tolerant(row, (payload, context) => {
		const { value } = payload
		if (typeof value === 'object' && value !== null) for (const change of complete) change(value)
		return runOn(row, payload, context)
	})
}

export const LedgerRow = completed(
	z.object({
		VOUCHER_DATE: Day,
		VOUCHER_NO: text(30),
		...cells({
			/** Empty when the broker states none. */
			VOUCHER_TYPE: readType,
			COCD: word(LedgerCocd),
			SETL_NO: maybe(text(20)),
			NARRATION: text(200),
			/** 0 on a credit row. */
			DR_AMT: DebitAmount,
			/** 0 on a debit row. */
			CR_AMT: CreditAmount,
			/** Balance of its ledger after this row: previous + CR_AMT - DR_AMT; credit positive. */
			BALANCE: Balance,
			/** The bill that the entry comes from, as in the contract bills. */
			BILL_NO: maybe(text(20)),
		}),
	}),
	completeSides,
	completeOpening,
)
export type LedgerRow = z.infer<typeof LedgerRow>

export const LedgerReport = z.object({
	/** Oldest first. A request without a ledger code gets one ledger after the other. */
	filtered_df: rows(LedgerRow),
	/** Totals include the opening row: the sums of both sides, and CR_AMT - DR_AMT. */
	totals_df: spare(rows(completed(z.object({ DR_AMT: DebitAmount, CR_AMT: CreditAmount, BALANCE: Balance }), completeSides)), () => []),
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
	...cells({
		ledger: Balance,
		/** Credits that are not settled yet. */
		unsettled: MoneyNonNegative,
		/** Margin blocked in cash. */
		margin_used: MoneyNonNegative,
	}),
	/**
	 * Not in the specification: the margin of open contracts, and the pledged securities that count towards it. The rest (margin_required -
	 * collateral) must be cash, and cash must be at least half of margin_required.
	 */
	margin_required: optional(MoneyNonNegative),
	collateral: optional(MoneyNonNegative),
	/**
	 * Not in the specification: interest on margin funding that is owed and not posted yet. Nothing is deducted when a broker leaves it out.
	 */
	interest_accrued: optional(MoneyNonNegative),
	/** Not in the specification: payouts that are requested and not paid yet. Nothing is deducted when a broker leaves it out. */
	payouts_under_way: optional(MoneyNonNegative),
})
export type Withdrawable = z.infer<typeof Withdrawable>

/** Not in the specification: the deductions of one ledger, line by line. Without this call the page shows only the totals. */
export const Deductions = rows(
	z.object({
		COCD: word(LedgerCocd),
		KIND: word(z.enum(['UNSETTLED', 'MARGIN', 'INTEREST', 'PAYOUT'])),
		NARRATION: text(200),
		AMOUNT: MoneyNonNegative,
		...cells({
			/** When the deduction should end; null when that depends on the client. */
			CLEARS_ON: maybe(Day),
			BILL_NO: maybe(text(20)),
		}),
		/** The payout in progress. */
		REFERENCE: maybe(text(40)).optional(),
	}),
)
export type Deductions = z.infer<typeof Deductions>

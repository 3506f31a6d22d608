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
const OPENINGS = { op: 'OPENING', ob: 'OPENING', opn: 'OPENING', 'opening balance': 'OPENING', 'op bal': 'OPENING' } as const

const readType = word(VoucherType, OPENINGS)

type RawRow = Partial<Record<'VOUCHER_DATE' | 'VOUCHER_TYPE' | 'NARRATION' | 'DR_AMT' | 'CR_AMT', unknown>>

const isRow = (value: unknown): value is RawRow => typeof value === 'object' && value !== null

/** A row of two sides. Many back offices leave the other side of an entry blank or out: beside an amount it is 0. */
function twoSided<Row extends z.ZodType>(row: Row): z.ZodType<z.output<Row>, z.input<Row>> {
	return tolerant(row, (payload, context) => {
		if (isRow(payload.value)) {
			const { value: sides } = payload
			if (isBlank(sides.DR_AMT) && hasAmount(sides.CR_AMT)) sides.DR_AMT = 0
			else if (isBlank(sides.CR_AMT) && hasAmount(sides.DR_AMT)) sides.CR_AMT = 0
		}
		return runOn(row, payload, context)
	})
}

/** An opening row may have no day, and only its narration may say what it is. It gets the day of the row beside it. */
function withOpenings(list: z.ZodType<LedgerRow[], z.input<typeof LedgerRow>[]>) {
	return tolerant<LedgerRow[], z.input<typeof LedgerRow>[]>(list, (payload, context) => {
		const raw: readonly unknown[] = Array.isArray(payload.value) ? payload.value : []
		for (const [at, row] of raw.entries()) {
			if (!isRow(row) || (!isBlank(row.VOUCHER_TYPE) && !isBlank(row.VOUCHER_DATE)) || !isOpening(row)) continue
			row.VOUCHER_TYPE = 'OPENING'
			const beside = [raw[at + 1], raw[at - 1]].find(isRow)
			if (isBlank(row.VOUCHER_DATE) && beside) row.VOUCHER_DATE = beside.VOUCHER_DATE
		}
		return runOn(list, payload, context)
	})
}

const isOpening = ({ VOUCHER_TYPE, NARRATION }: RawRow) =>
	isBlank(VOUCHER_TYPE)
		? typeof NARRATION === 'string' && /^\s*opening\s+bal/i.test(NARRATION)
		: readType.safeParse(VOUCHER_TYPE).data === 'OPENING'

export const LedgerRow = twoSided(
	z.object({
		VOUCHER_DATE: Day,
		VOUCHER_NO: text(30),
		/** Empty when the broker states none. */
		VOUCHER_TYPE: spare(readType, () => ''),
		...cells({
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
)
export type LedgerRow = z.infer<typeof LedgerRow>

export const LedgerReport = z.object({
	/** Oldest first. A request without a ledger code gets one ledger after the other. */
	filtered_df: withOpenings(rows(LedgerRow)),
	/** Totals include the opening row: the sums of both sides, and CR_AMT - DR_AMT. */
	totals_df: spare(rows(twoSided(z.object({ DR_AMT: DebitAmount, CR_AMT: CreditAmount, BALANCE: Balance }))), () => []),
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

import { type z } from 'zod/v4'
import { type LedgerRow } from '#contract/ledger'
import { type Day, formatDay } from '#contract/values/dates'
import { formatYear } from '#contract/values/financial-year'
import { type Paise, toRupees } from '#contract/values/money'
import { SEGMENT_NAMES } from '#contract/values/segments'
import { type LedgerPeriod, type LedgerSums } from '#sandbox/book/read-ledger'
import { type Client } from '#sandbox/clients/clients'
import { type SandboxParts } from '#sandbox/types'

export const PDF_TYPE = 'application/pdf'
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The data of a ledger's file. The sums are read first, the entries while the file is written. */
export type LedgerFile = { parts: SandboxParts; client: Client; period: LedgerPeriod; year: number; sums: LedgerSums[]; madeAt: Date }

export const VOUCHER_NAMES = { OPENING: 'Opening', BILL: 'Bill', RECEIPT: 'Receipt', PAYMENT: 'Payment', JOURNAL: 'Journal' } as const

/** `Equity, Commodity`: the ledgers in a file. */
export const nameLedgers = ({ period }: LedgerFile): string => period.ledgers.map((cocd) => SEGMENT_NAMES[cocd]).join(', ') || 'None'

/** `01/04/2026 to 21/11/2026 (FY 2026-2027)`. */
export function showLedgerPeriod({ period: { from, to }, year }: LedgerFile): string {
	return `${formatDay(from)} to ${formatDay(to < from ? from : to)} (FY ${formatYear(year)})`
}

/**
 * The totals of all ledgers of a file, in paise. `debit` and `credit` include each ledger's opening balance on its side, as in the
 * report's totals_df. `cocd` is set for one ledger; several ledgers are one statement without a ledger code.
 */
export function sumLedgers(sums: readonly LedgerSums[]) {
	const add = (figure: (each: LedgerSums) => Paise) => sums.reduce((sum, each) => sum + figure(each), 0)
	// The opening row has both sides when one ledger begins with a debit and another with a credit.
	const opening = { debit: add(({ opening }) => Math.max(0, -opening)), credit: add(({ opening }) => Math.max(0, opening)) }
	return {
		cocd: sums.length === 1 ? sums[0]?.cocd : undefined,
		opening,
		debit: add(({ debit }) => debit) + opening.debit,
		credit: add(({ credit }) => credit) + opening.credit,
	}
}

/** The number of an opening row. It is the only entry without a voucher. */
export function openingNumber(cocd: LedgerSums['cocd'], from: Day): string {
	return `OP${from.slice(2).replaceAll('-', '')}${cocd === 'MCX' ? '0002' : '0001'}`
}

/** The row with a ledger's balance at the start of the period, in the API's format. */
export function openingRow({ cocd, opening }: LedgerSums, from: Day): z.input<typeof LedgerRow> {
	return {
		VOUCHER_DATE: from,
		VOUCHER_NO: openingNumber(cocd, from),
		VOUCHER_TYPE: 'OPENING',
		COCD: cocd,
		SETL_NO: null,
		NARRATION: 'OPENING BALANCE',
		DR_AMT: toRupees(Math.max(0, -opening)),
		CR_AMT: toRupees(Math.max(0, opening)),
		BALANCE: toRupees(opening),
		BILL_NO: null,
	}
}

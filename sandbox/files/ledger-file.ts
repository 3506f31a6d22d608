import { type z } from 'zod/v4'
import { type LedgerRow } from '~/broker/contract/ledger'
import { type Day } from '~/lib/days'
import { rupeesOf } from '~/lib/money'
import { type Client } from '#sandbox/clients'
import { type LedgerPeriod, type LedgerSums } from '#sandbox/book/read-ledger'
import { type SandboxParts } from '#sandbox/env'

export const PDF_TYPE = 'application/pdf'
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** What a ledger's file is made from: sums first, entries read while it is written. */
export type LedgerFile = { parts: SandboxParts; client: Client; period: LedgerPeriod; year: number; sums: LedgerSums[]; madeAt: Date }

/** `Equity (NSE_CASH)`, as the heading of a ledger. */
export function nameLedger(cocd: LedgerSums['cocd']): string {
	return cocd === 'MCX' ? 'Commodity (MCX)' : 'Equity (NSE_CASH)'
}

/** The number of an opening row, the one entry that no voucher stands behind. */
export function openingNumber(cocd: LedgerSums['cocd'], from: Day): string {
	return `OP${from.slice(2).replaceAll('-', '')}${cocd === 'MCX' ? '0002' : '0001'}`
}

/** The row that carries a ledger's balance into the period, on the wire. */
export function openingRow({ cocd, opening }: LedgerSums, from: Day): z.input<typeof LedgerRow> {
	return {
		VOUCHER_DATE: from,
		VOUCHER_NO: openingNumber(cocd, from),
		VOUCHER_TYPE: 'OPENING',
		COCD: cocd,
		SETL_NO: null,
		NARRATION: 'OPENING BALANCE',
		DR_AMT: rupeesOf(Math.max(0, -opening)),
		CR_AMT: rupeesOf(Math.max(0, opening)),
		BALANCE: rupeesOf(opening),
		BILL_NO: null,
	}
}

import { type Paise } from '#contract/values/money'

type Entry = { COCD: string; VOUCHER_TYPE: string; DR_AMT: Paise; CR_AMT: Paise; BALANCE: Paise }
type Totals = { DR_AMT: Paise; CR_AMT: Paise; BALANCE: Paise }

export type LedgerProof = {
	/** Brought forward; 0 when the ledger was requested without its opening. */
	opening: Paise
	/** Without the opening row. */
	credits: Paise
	debits: Paise
	/** opening + credits - debits: computed here, never copied. */
	closing: Paise
	/** The closing balance that the broker states. */
	stated: Paise
	/** Index of the first row whose stated balance does not follow from the rows above it in its own ledger. */
	firstWrong?: number
	/** The balance that this row should show. */
	expected?: Paise
	holds: boolean
}

/**
 * Checks opening + credits − debits = closing, in paise, against the broker's figures: each row's running balance within its own ledger,
 * and the totals. Credit is positive.
 */
export function proveLedger(rows: readonly Entry[], totals: Totals): LedgerProof {
	let opening = 0
	let credits = 0
	let debits = 0
	let firstWrong: number | undefined
	let expected: Paise | undefined
	const running = new Map<string, Paise>()

	rows.forEach((row, index) => {
		const balance = (running.get(row.COCD) ?? 0) + row.CR_AMT - row.DR_AMT
		running.set(row.COCD, balance)
		if (balance !== row.BALANCE && firstWrong === undefined) {
			firstWrong = index
			expected = balance
		}
		if (row.VOUCHER_TYPE === 'OPENING') opening += row.CR_AMT - row.DR_AMT
		else {
			credits += row.CR_AMT
			debits += row.DR_AMT
		}
	})

	const closing = opening + credits - debits
	const totalsHold = totals.BALANCE === closing && totals.CR_AMT - totals.DR_AMT === closing
	return { opening, credits, debits, closing, stated: totals.BALANCE, firstWrong, expected, holds: firstWrong === undefined && totalsHold }
}

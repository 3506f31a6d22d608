import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { allowRounding } from './rounding'

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
	/** Index of the first row whose stated balance does not follow from the rows above it. */
	firstWrong?: number
	/** The balance that this row should show. */
	expected?: Paise
	holds: boolean
	/** True when it holds although the broker's closing balance differs by the rounding of parts of a paisa. */
	isRounded: boolean
}

/** Finds the first row whose balance does not follow from the rows above it: those of its ledger, or all of them. */
function findWrong(rows: readonly Entry[], nameRun: (row: Entry) => string, isSame: Compare) {
	const running = new Map<string, Paise>()
	for (const [index, row] of rows.entries()) {
		const run = nameRun(row)
		const balance = (running.get(run) ?? 0) + row.CR_AMT - row.DR_AMT
		running.set(run, balance)
		if (!isSame(balance, row.BALANCE, index + 1))
			return { firstWrong: index, expected: balance, difference: Math.abs(balance - row.BALANCE) }
	}
	return undefined
}

type Wrong = NonNullable<ReturnType<typeof findWrong>>

/** True when more rows follow the first order of the balances than the second, or the first wrong row is nearer to it. */
const isCloser = (first: Wrong, second: Wrong) =>
	first.firstWrong > second.firstWrong || (first.firstWrong === second.firstWrong && first.difference < second.difference)

/** The accounts that also use the equity ledger; a broker may write their codes beside its running balance. */
const EQUITY: Readonly<Record<string, string>> = { NSE_FNO: 'NSE_CASH', CD_NSE: 'NSE_CASH' }

/** The rows over which a broker's balance may run: each ledger, each with the segments that are posted to it, or all of them. */
const RUNS: readonly ((row: Entry) => string)[] = [({ COCD }) => COCD, () => '', ({ COCD }) => EQUITY[COCD] ?? COCD]

/** Returns the first wrong row in the order of the balances that fits best; undefined when all rows follow one order. */
function findNearestWrong(rows: readonly Entry[], isSame: Compare): Wrong | undefined {
	let nearest: Wrong | undefined
	for (const nameRun of RUNS) {
		const wrong = findWrong(rows, nameRun, isSame)
		if (!wrong) return undefined
		if (!nearest || isCloser(wrong, nearest)) nearest = wrong
	}
	return nearest
}

/** Returns the rows of a broker that lists the newest first in the order of the contract: each ledger oldest first. */
export function orderOldestFirst<Row extends { COCD: string | null; VOUCHER_DATE: Day }>(rows: readonly Row[]): readonly Row[] {
	const last = new Map<string | null, Day>()
	let isNewestFirst = false
	for (const { COCD, VOUCHER_DATE } of rows) {
		const before = last.get(COCD) ?? VOUCHER_DATE
		if (VOUCHER_DATE > before) return rows
		if (VOUCHER_DATE < before) isNewestFirst = true
		last.set(COCD, VOUCHER_DATE)
	}
	return isNewestFirst ? rows.toReversed() : rows
}

type Compare = (made: Paise, stated: Paise, rows: number) => boolean

/** Returns the sums of a ledger's rows; `sides` are those of both columns with the opening rows. */
export function sumLedger(rows: readonly Pick<Entry, 'VOUCHER_TYPE' | 'DR_AMT' | 'CR_AMT'>[]) {
	let opening = 0
	let credits = 0
	let debits = 0
	// With the opening rows, as in the totals.
	const sides = { CR_AMT: 0, DR_AMT: 0 }
	for (const { VOUCHER_TYPE, CR_AMT, DR_AMT } of rows) {
		sides.CR_AMT += CR_AMT
		sides.DR_AMT += DR_AMT
		if (VOUCHER_TYPE === 'OPENING') opening += CR_AMT - DR_AMT
		else {
			credits += CR_AMT
			debits += DR_AMT
		}
	}
	return { opening, credits, debits, closing: opening + credits - debits, sides }
}

/**
 * Checks opening + credits − debits = closing, in paise, against the broker's figures: each row's running balance, and the totals of both
 * sides and of the balance. The balance may run in one of the ways of `RUNS`. Credit is positive. With
 * `isFiner` the broker's amounts have parts of a paisa: each row and each stated figure may be off by half a paisa, and all together by a
 * rupee at most.
 */
export function proveLedger(rows: readonly Entry[], totals: Totals, isFiner = false): LedgerProof {
	const { sides, ...sums } = sumLedger(rows)
	const isSame: Compare = (made, stated, count) => Math.abs(made - stated) <= (isFiner ? allowRounding(count + 2) : 0)
	const wrong = findNearestWrong(rows, isSame)
	const { closing } = sums
	const totalsHold =
		isSame(closing, totals.BALANCE, rows.length) &&
		isSame(sides.CR_AMT, totals.CR_AMT, rows.length) &&
		isSame(sides.DR_AMT, totals.DR_AMT, rows.length)
	const holds = wrong === undefined && totalsHold
	return {
		...sums,
		stated: totals.BALANCE,
		firstWrong: wrong?.firstWrong,
		expected: wrong?.expected,
		holds,
		isRounded: holds && totals.BALANCE !== closing,
	}
}

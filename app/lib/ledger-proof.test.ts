import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proveLedger } from './ledger-proof'

type Row = Parameters<typeof proveLedger>[0][number]

const movement = fc.record({
	COCD: fc.constantFrom('NSE_CASH', 'MCX'),
	isCredit: fc.boolean(),
	// Whole tens, so that an error of one paisa in one order of the balances is never right in the other.
	paise: fc.integer({ min: 1, max: 100_000_000 }).map((tens) => tens * 10),
})

/** A correct ledger: an opening row first, then movements, each with the running balance of its ledger, or of all with `isOfAll`. */
function written(opening: number, movements: { COCD: string; isCredit: boolean; paise: number }[], isOfAll = false): Row[] {
	const balances = new Map<string, number>([['NSE_CASH', opening]])
	const rows: Row[] = [
		{ COCD: 'NSE_CASH', VOUCHER_TYPE: 'OPENING', DR_AMT: Math.max(0, -opening), CR_AMT: Math.max(0, opening), BALANCE: opening },
	]
	for (const { COCD, isCredit, paise } of movements) {
		const run = isOfAll ? 'NSE_CASH' : COCD
		const BALANCE = (balances.get(run) ?? 0) + (isCredit ? paise : -paise)
		balances.set(run, BALANCE)
		rows.push({ COCD, VOUCHER_TYPE: 'JOURNAL', DR_AMT: isCredit ? 0 : paise, CR_AMT: isCredit ? paise : 0, BALANCE })
	}
	return rows
}

function sumRows(rows: Row[]) {
	const DR_AMT = rows.reduce((sum, row) => sum + row.DR_AMT, 0)
	const CR_AMT = rows.reduce((sum, row) => sum + row.CR_AMT, 0)
	return { DR_AMT, CR_AMT, BALANCE: CR_AMT - DR_AMT }
}

test('proves a correct ledger: opening + credits − debits = closing', () => {
	fc.assert(
		fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.array(movement), fc.boolean(), (opening, movements, isOfAll) => {
			const rows = written(opening, movements, isOfAll)
			const proof = proveLedger(rows, sumRows(rows))
			expect(proof).toMatchObject({ holds: true, opening, firstWrong: undefined })
			expect(proof.opening + proof.credits - proof.debits).toBe(proof.closing)
		}),
	)
})

test('finds one wrong paisa at the row where it starts', () => {
	fc.assert(
		fc.property(fc.array(movement, { minLength: 1 }), fc.nat(), fc.constantFrom(1, -1), fc.boolean(), (movements, at, paisa, isOfAll) => {
			const rows = written(0, movements, isOfAll)
			const wrong = 1 + (at % movements.length)
			const told = rows.map((row, index) => (index >= wrong ? { ...row, BALANCE: row.BALANCE + paisa } : row))
			expect(proveLedger(told, sumRows(rows))).toMatchObject({ holds: false, firstWrong: wrong, expected: rows[wrong]?.BALANCE })
		}),
	)
})

test('rejects totals that do not follow from the rows', () => {
	const rows = written(1845000, [{ COCD: 'NSE_CASH', isCredit: false, paise: 35400 }])
	const totals = sumRows(rows)
	expect(proveLedger(rows, totals).holds).toBe(true)
	expect(proveLedger(rows, { ...totals, BALANCE: totals.BALANCE + 1 })).toMatchObject({
		holds: false,
		firstWrong: undefined,
		closing: 1809600,
		stated: 1809601,
	})
	expect(proveLedger(rows, { ...totals, CR_AMT: totals.CR_AMT + 1 }).holds).toBe(false)
})

test('accepts the rounding of parts of a paisa only when the amounts have them', () => {
	// Three times 10.005: each row rounds to 10.01, the balances to 10.01, 20.01 and 30.02 (30.015).
	const row = { COCD: 'NSE_CASH', VOUCHER_TYPE: 'RECEIPT', DR_AMT: 0, CR_AMT: 1001 }
	const rows = [1001, 2001, 3002].map((BALANCE) => ({ ...row, BALANCE }))
	const totals = { DR_AMT: 0, CR_AMT: 3002, BALANCE: 3002 }
	expect(proveLedger(rows, totals, true)).toMatchObject({
		holds: true,
		isRounded: true,
		closing: 3003,
		stated: 3002,
		firstWrong: undefined,
	})
	expect(proveLedger(rows, totals)).toMatchObject({ holds: false, firstWrong: 1 })
	// Three rows, the balance and the total: at most 2.5 paise.
	expect(proveLedger(rows, { ...totals, BALANCE: 3000 }, true).holds).toBe(false)
})

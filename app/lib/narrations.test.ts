import { expect, test } from 'vitest'
import { explainNarration, toSentence } from './narrations'

test('an unknown narration has no explanation, rather than a wrong one', () => {
	expect(explainNarration('ZZZ')).toBeUndefined()
})

test.for([
	'OPENING BALANCE',
	'BILL NSE CASH N2024091',
	'DP CHARGES ITC SALE',
	'DP AMC 2024-25 INCL GST',
	'PAY-OUT CLIENT REQUEST UTR HDFCN24062400118',
])('explains %s', (narration) => {
	expect(explainNarration(narration)).toMatch(/\.$/)
})

test.for([
	['CASH MARGIN BLOCKED FOR OPEN POSITIONS', 'Cash margin blocked for open positions'],
	['MTF INTEREST OF THIS MONTH SO FAR, AT 14.99 %', 'MTF interest of this month so far, at 14.99 %'],
	['BILL NSE CASH M2026219', 'Bill NSE cash M2026219'],
	['PAYOUT PO261120-AB12CD, AS FAR AS THERE IS MONEY FOR IT', 'Payout PO261120-AB12CD, as far as there is money for it'],
	['MARGIN NSE_FNO, MTF-INTEREST', 'Margin NSE_FNO, MTF-interest'],
	['Margin for Reliance', 'Margin for Reliance'],
] as const)('writes %s as a sentence', ([narration, sentence]) => {
	expect(toSentence(narration)).toBe(sentence)
})

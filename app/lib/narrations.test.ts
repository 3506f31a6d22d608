import { expect, test } from 'vitest'
import { explainNarration } from './narrations'

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

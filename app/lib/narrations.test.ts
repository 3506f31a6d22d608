import { expect, test } from 'vitest'
import { explainNarration } from './narrations'

test('a narration nobody has explained says nothing rather than something wrong', () => {
	expect(explainNarration('ZZZ')).toBeUndefined()
})

test.for([
	'OPENING BALANCE',
	'BILL NSE CASH N2024091',
	'DP CHARGES ITC SALE',
	'DP AMC 2024-25 INCL GST',
	'PAY-OUT CLIENT REQUEST UTR HDFCN24062400118',
])('%s is explained', (narration) => {
	expect(explainNarration(narration)).toMatch(/\.$/)
})

import { expect, test } from 'vitest'
import { nameUnits } from './unit-names'

test.for([
	['a company’s shares', 'INE280A01028', 'share', 'shares'],
	['partly paid shares', 'IN9155A01020', 'share', 'shares'],
	['an ETF', 'INF732E01037', 'unit', 'units'],
	['a debenture', 'INE280A07017', 'unit', 'units'],
	['a government bond', 'IN0020230085', 'unit', 'units'],
	['a form that we do not know', 'TITAN', 'unit', 'units'],
] as const)('%s: one and several', ([, isin, one, several]) => {
	expect([nameUnits(isin, 1), nameUnits(isin, 15), nameUnits(isin, 0.5)]).toEqual([one, several, several])
})

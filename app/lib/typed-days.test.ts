import { expect, test } from 'vitest'
import { showDay, toIsoDay } from './typed-days'

test.for([
	['2026-03-31', '31/03/2026'],
	['31/02/2026', '31/02/2026'],
	['', ''],
])('shows %s as %s', ([text = '', shown]) => {
	expect(showDay(text)).toBe(shown)
})

test.for([
	['31/03/2026', '2026-03-31'],
	['1/4/2026', '2026-04-01'],
	['31-03-2026', '2026-03-31'],
	['31032026', '2026-03-31'],
	['31 3 2026', '2026-03-31'],
	[' 01.4.2026 ', '2026-04-01'],
	['2026-03-31', '2026-03-31'],
	['tomorrow', 'tomorrow'],
	// 1 November or 11 January.
	['1112026', '1112026'],
	['1/2-2026', '1/2-2026'],
	['31/02/2026', '31/02/2026'],
])('reads %s as %s', ([text = '', day]) => {
	expect(toIsoDay(text)).toBe(day)
})

import { expect, test } from 'vitest'
import { listDatePresets } from './date-presets.server'

/** The financial year on 22 November 2026. */
const YEAR = { from: '2026-04-01', to: '2026-11-22' }

const at = (search: string) => new URL(`https://portal.test/reports/ledger?${search}`)

test('presets follow the calendar, and the quarter the financial year', () => {
	expect(listDatePresets(at('year=2026-2027&page=3'), '2026-11-22', YEAR).map(({ label, href }) => [label, href])).toEqual([
		['This month', '/reports/ledger?year=2026-2027&from=2026-11-01&to=2026-11-22'],
		['Last month', '/reports/ledger?year=2026-2027&from=2026-10-01&to=2026-10-31'],
		['This quarter', '/reports/ledger?year=2026-2027&from=2026-10-01&to=2026-11-22'],
		['Whole year', '/reports/ledger?year=2026-2027'],
	])
})

test('in January, last month is December of last year and the quarter begins in January', () => {
	expect(
		listDatePresets(at(''), '2026-01-05', { from: '2025-04-01', to: '2026-01-05' }).map(({ href }) =>
			href.slice('/reports/ledger?'.length),
		),
	).toEqual(['from=2026-01-01&to=2026-01-05', 'from=2025-12-01&to=2025-12-31', 'from=2026-01-01&to=2026-01-05', ''])
})

test('a past year has its own quarters', () => {
	const past = listDatePresets(at('year=2025-2026&from=2026-01-01&to=2026-03-31'), '2026-11-22', { from: '2025-04-01', to: '2026-03-31' })
	expect(past.map(({ label, href, isCurrent }) => [label, href.slice('/reports/ledger?year=2025-2026'.length), isCurrent])).toEqual([
		['Apr–Jun', '&from=2025-04-01&to=2025-06-30', false],
		['Jul–Sep', '&from=2025-07-01&to=2025-09-30', false],
		['Oct–Dec', '&from=2025-10-01&to=2025-12-31', false],
		['Jan–Mar', '&from=2026-01-01&to=2026-03-31', true],
		['Whole year', '', false],
	])
})

test.each([
	['', 'Whole year'],
	['from=01/04/2026&to=22/11/2026', 'Whole year'],
	['from=2026-10-01&to=2026-10-31', 'Last month'],
	['from=01/10/2026&to=31/10/2026', 'Last month'],
	['from=2026-11-01', 'This month'],
	['from=2026-10-02&to=2026-10-31', undefined],
])('of %j the current preset is %j', (search, label) => {
	const current = listDatePresets(at(search), '2026-11-22', YEAR).filter(({ isCurrent }) => isCurrent)
	expect(current.map((each) => each.label)).toEqual(label ? [label] : [])
})

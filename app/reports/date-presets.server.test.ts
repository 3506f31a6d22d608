import { expect, test } from 'vitest'
import { listDatePresets } from './date-presets.server'

const at = (search: string) => new URL(`https://portal.test/reports/ledger?${search}`)

test('presets follow the calendar, and the quarter the financial year', () => {
	expect(listDatePresets(at('year=2026-2027&page=3'), '2026-11-22').map(({ label, href }) => [label, href])).toEqual([
		['This month', '/reports/ledger?year=2026-2027&from=2026-11-01&to=2026-11-22'],
		['Last month', '/reports/ledger?year=2026-2027&from=2026-10-01&to=2026-10-31'],
		['This quarter', '/reports/ledger?year=2026-2027&from=2026-10-01&to=2026-11-22'],
		['Whole year', '/reports/ledger?year=2026-2027'],
	])
})

test('in January, last month is December of last year and the quarter begins in January', () => {
	expect(listDatePresets(at(''), '2026-01-05').map(({ href }) => href.slice('/reports/ledger?'.length))).toEqual([
		'from=2026-01-01&to=2026-01-05',
		'from=2025-12-01&to=2025-12-31',
		'from=2026-01-01&to=2026-01-05',
		'',
	])
})

test('the current preset is marked', () => {
	const current = listDatePresets(at('from=2026-10-01&to=2026-10-31'), '2026-11-22').filter(({ isCurrent }) => isCurrent)
	expect(current.map(({ label }) => label)).toEqual(['Last month'])
})

import { expect, test } from 'vitest'
import { findSession, isMarketOpen, pickTimes } from './sessions'

test('has the hours of each segment, of Muhurat sessions and since the closing auction', () => {
	expect(findSession('NSE_CASH', '2026-06-10')).toEqual(['09:15', '15:30'])
	expect(findSession('NSE_CASH', '2026-07-31')).toEqual(['09:15', '15:30'])
	expect(findSession('NSE_CASH', '2026-08-03')).toEqual(['09:15', '15:15'])
	expect(findSession('NSE_FNO', '2026-07-31')).toEqual(['09:15', '15:30'])
	expect(findSession('NSE_FNO', '2026-08-03')).toEqual(['09:15', '15:40'])
	expect(findSession('CD_NSE', '2026-06-10')).toEqual(['09:00', '17:00'])
	expect(findSession('MCX', '2026-06-10')).toEqual(['09:00', '23:30'])
	for (const segment of ['NSE_CASH', 'NSE_FNO', 'MCX'] as const) expect(findSession(segment, '2025-10-21')).toEqual(['13:45', '14:45'])
})

test('closes currency and commodity on a special Saturday session of shares, and opens all segments on Muhurat', () => {
	const open = (day: string) => (['NSE_CASH', 'NSE_FNO', 'CD_NSE', 'MCX'] as const).filter((segment) => isMarketOpen(segment, day))
	expect(open('2024-05-18')).toEqual(['NSE_CASH', 'NSE_FNO'])
	expect(open('2025-02-01')).toEqual(['NSE_CASH', 'NSE_FNO'])
	expect(open('2023-11-12')).toEqual(['NSE_CASH', 'NSE_FNO', 'CD_NSE', 'MCX'])
	expect(open('2024-05-17')).toHaveLength(4)
})

test('picks times of a session in order, from its first second and never its last', () => {
	// An hour has 3,600 seconds: 0.5 of it is 14:15:00, 0.9999 is second 3,599 (0.9999 x 3,600 = 3,599.64).
	const drawn = [0.9999, 0, 0.5]
	expect(pickTimes(['13:45', '14:45'], 3, () => drawn.shift() ?? 0)).toEqual(['13:45:00', '14:15:00', '14:44:59'])
})

import { expect, test } from 'vitest'
import { formatDeadline, formatMoment } from './moments'

/* India is 5 h 30 min ahead: 11:30 UTC of 20/11/2026 is 17:00 there, and 18:30 UTC its midnight. */

const NOW = new Date('2026-11-20T05:30:00Z')

test.each([
	['2026-11-20T11:30:00Z', '17:00 today'],
	['2026-11-21T03:30:00Z', '09:00 tomorrow'],
	['2026-11-24T18:29:00Z', '23:59 on 24/11/2026'],
	['2026-11-20T18:30:00Z', 'the end of today'],
	['2026-11-21T18:30:00Z', 'the end of tomorrow'],
	['2026-11-18T18:30:00Z', 'the end of 18/11/2026'],
	['2026-11-19T18:30:00Z', 'the end of 19/11/2026'],
])('a deadline at %s is %s', (deadline, words) => {
	expect(formatDeadline(new Date(deadline), NOW)).toBe(words)
})

test('a moment has the day of India', () => {
	expect(formatMoment('2026-11-20T18:30:00Z')).toBe('00:00 on 21/11/2026')
})

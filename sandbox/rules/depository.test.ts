import { expect, test } from 'vitest'
import { findVerificationEnd } from './depository'

test.each([
	['2026-11-06T17:29', '2026-11-06T17:30'],
	// Friday after the end: the next trading day is the Muhurat Sunday, with its only session from 18:00 to 19:00.
	['2026-11-06T17:30', '2026-11-08T19:00'],
	['2026-11-08T18:59', '2026-11-08T19:00'],
	['2026-11-08T19:00', '2026-11-09T17:30'],
])('a verification made at %s in India ends at %s', (now, end) => {
	expect(findVerificationEnd(new Date(`${now}:00+05:30`))).toEqual(new Date(`${end}:00+05:30`))
})

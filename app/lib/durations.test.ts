import { expect, test } from 'vitest'
import { formatDuration } from './durations'

test.for([
	[7_200_000, '2 hours'],
	[3_600_000, 'an hour'],
	[1_800_000, '30 minutes'],
	[5_400_000, '90 minutes'],
	[43_200_000, '12 hours'],
	[60_000, 'a minute'],
	[8000, 'a minute'],
	[90_000, '2 minutes'],
] as const)('writes %i milliseconds as %s', ([ms, words]) => {
	expect(formatDuration(ms)).toBe(words)
})

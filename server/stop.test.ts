import { expect, test } from 'vitest'
import { drainMs } from './stop'

test.for([
	// The default: a post that waits 30 s for the broker still gets its reply.
	[30_000, 35_000],
	// A broker that may take two minutes.
	[120_000, 125_000],
	[1500, 30_000],
	// 0 disables the timeout.
	[0, 30_000],
] as const)('a broker timeout of %i ms gives open requests %i ms to end', ([timeout, drain]) => {
	expect(drainMs(timeout)).toBe(drain)
})

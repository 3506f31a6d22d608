import { afterAll, vi } from 'vitest'
import { forgetPortal } from './built-portal'

/* Vitest evaluates this before each file of tests. Files share a process, so a file leaves it as it was. */

forgetPortal()
const { fetch } = globalThis
afterAll(() => {
	vi.useRealTimers()
	vi.unstubAllGlobals()
	vi.unstubAllEnvs()
	globalThis.fetch = fetch
})

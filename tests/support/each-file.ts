import { afterAll, vi } from 'vitest'
import { forgetPortal } from './built-portal'
import { restoreNetwork } from './test-wire'

/* Vitest evaluates this before each test file. Test files share a process, so each file restores the state of the process at its end. */

forgetPortal()
const { fetch } = globalThis
afterAll(() => {
	vi.useRealTimers()
	vi.unstubAllGlobals()
	vi.unstubAllEnvs()
	restoreNetwork()
	globalThis.fetch = fetch
})

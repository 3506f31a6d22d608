import { Agent } from 'undici'
import { afterAll, vi } from 'vitest'
import { forgetPortal } from './built-portal'

/* Vitest evaluates this before each test file. Test files share a process, so each file restores the state of the process at its end. */

forgetPortal()
const { dispatch } = Agent.prototype
const { fetch } = globalThis
afterAll(() => {
	vi.useRealTimers()
	vi.unstubAllGlobals()
	vi.unstubAllEnvs()
	Agent.prototype.dispatch = dispatch
	globalThis.fetch = fetch
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findClientByName, rememberLoginName } from './login-names.server'

const DAY_MS = 86_400_000

let now = 1_000
function waitDays(days: number) {
	now += days * DAY_MS
	vi.advanceTimersByTime(days * DAY_MS)
}

// The store holds `performance` itself, so replacing the global would have no effect.
beforeEach(() => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
	vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
	vi.useRealTimers()
	vi.restoreAllMocks()
})

test('remembers a name for 30 days after the last login with it, not after the first', async () => {
	expect(await rememberLoginName('asha@mail.test', 'KH10042')).toBe(true)
	waitDays(20)
	expect(await rememberLoginName('asha@mail.test', 'KH10042')).toBe(false)
	waitDays(29)
	expect(await findClientByName('asha@mail.test')).toBe('KH10042')
	waitDays(2)
	expect(await findClientByName('asha@mail.test')).toBe('asha@mail.test')
})

test('reports a name as new when another client logs in with it', async () => {
	expect(await rememberLoginName('joint@mail.test', 'KH10042')).toBe(true)
	expect(await rememberLoginName('joint@mail.test', 'KH10077')).toBe(true)
	expect(await findClientByName('joint@mail.test')).toBe('KH10077')
})

import { expect, test } from 'vitest'
import { toIndianDay } from '#contract/values/dates'
import { createClock } from './clock'
import { readSettings } from './settings'

test('needs no settings at all', () => {
	expect(readSettings({})).toMatchObject({ port: 4000, host: '127.0.0.1', dataDirectory: '.data/sandbox', hasFixedOtp: false })
})

test('names every wrong variable and shows no value', () => {
	const wrong = { SANDBOX_PORT: 'secret-port', SANDBOX_TODAY: '2026-02-30', DATABASE_URL: 'mysql://user:hidden@db' }
	expect(() => readSettings(wrong)).toThrow(/SANDBOX_PORT.*\n.*DATABASE_URL.*\n.*SANDBOX_TODAY/)
	expect(() => readSettings(wrong)).not.toThrow(/secret-port|hidden/)
})

test('listens only on this machine unless ALLOW_SANDBOX is set', () => {
	for (const ALLOW_SANDBOX of [undefined, '0', 'true'])
		expect(() => readSettings({ HOST: '0.0.0.0', ALLOW_SANDBOX })).toThrow('HOST: an address beyond this machine needs ALLOW_SANDBOX=1')
	expect(readSettings({ HOST: '0.0.0.0', ALLOW_SANDBOX: '1' }).host).toBe('0.0.0.0')
})

test('moves the clock to another day, from which it continues', () => {
	let real = Date.UTC(2030, 0, 1, 18, 29)
	const clock = createClock('2026-11-21', () => new Date(real))
	expect(toIndianDay(clock.now())).toBe('2026-11-21')
	real += 120_000
	expect(toIndianDay(clock.now())).toBe('2026-11-22')
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parseSettings } from '~/config/parse-settings.server'
import { type Env } from './guard'
import { maintenance } from './maintenance'

let folder = ''
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'khata-flag-'))
	vi.useFakeTimers({ toFake: ['Date', 'performance'] })
})
afterEach(() => {
	vi.useRealTimers()
	rmSync(folder, { recursive: true })
})

test('the flag file is seen after a second, also when the clock was set back', async () => {
	const flag = path.join(folder, 'maintenance')
	const app = new Hono<Env>()
	app.use(maintenance(parseSettings({ ...process.env, MAINTENANCE_FILE: flag })))
	app.get('*', (c) => c.text(c.var.isMaintenance ? 'maintenance' : 'page'))
	const read = async () => (await app.request('/dashboard')).text()
	expect(await read()).toBe('page')
	writeFileSync(flag, '')
	vi.setSystemTime(Date.now() - 3_600_000)
	vi.advanceTimersByTime(900)
	expect(await read()).toBe('page')
	vi.advanceTimersByTime(200)
	expect(await read()).toBe('maintenance')
	rmSync(flag)
	vi.advanceTimersByTime(1100)
	expect(await read()).toBe('page')
})

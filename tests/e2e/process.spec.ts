import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { BROKERS_CLOCK } from '#tests/support/brokers-day'
import { copyBooks } from './kept'
import { breakBroker, enter, expect, BROKER, test } from './portal'
import { answering, SECRET, start, startPortal, stopAll } from './process'
import { readCsrf, TextBrowser } from './text-browser'

/* The portal's process: how it starts and stops, and maintenance. */

test.afterEach(stopAll)

test('SIGTERM during a download: finishes it, accepts no new request, and exits with 0', async () => {
	const portal = await startPortal(3113)
	const browser = new TextBrowser(portal.origin)
	await browser.login('BULK01')
	await breakBroker({ operation: 'downloadLedger', kind: 'huge', mb: 96, client: 'BULK01', count: 1 })
	const answer = await browser.open('/downloads/ledger/pdf')
	expect(answer.statusCode).toBe(200)
	// Nothing of the body has been read, so the portal cannot have sent all of it.
	const ended = portal.stop()
	await expect.poll(() => isListening(3113)).toBe(false)
	let size = 0
	for await (const bytes of answer) size += (bytes as Buffer).length
	expect(answer.complete).toBe(true)
	expect(size).toBe(96 * 1_048_576)
	expect(await ended).toBe(0)
})

test('SIGTERM to npm, the portal and its sandbox at once lets a running withdrawal finish', async () => {
	test.setTimeout(240_000)
	const [origin, sandbox, folder] = ['http://127.0.0.1:3264', 'http://127.0.0.1:3265', '.cache/sandbox-3265']
	copyBooks(folder)
	const settings = { PORT: '3264', SANDBOX_PORT: '3265', SANDBOX_DATA_DIR: folder, SANDBOX_TODAY: BROKERS_CLOCK, LOG_LEVEL: 'warn' }
	// The signal goes to the whole process group, as from a container or Ctrl-C.
	const group = spawn('npm', ['start'], { env: { ...process.env, NODE_ENV: 'production', ...settings }, detached: true, stdio: 'ignore' })
	const ended = once(group, 'exit')
	try {
		await expect(async () => answering(origin, '/readyz')).toPass({ timeout: 180_000 })
		const browser = new TextBrowser(origin)
		await browser.login('DEMO01')
		const { text } = await browser.send('/funds/withdraw')
		const bank = /<option value="(0-[^"]+)"/.exec(text)?.[1] ?? ''
		const idempotency_key = /name="idempotency_key"[^>]*value="([^"]*)"/.exec(text)?.[1] ?? ''
		const json = { 'content-type': 'application/json' }
		const fault = JSON.stringify({ operation: 'requestPayout', client: 'DEMO01', kind: 'slow', ms: 3000, count: 1 })
		expect((await fetch(`${sandbox}/control/faults`, { method: 'POST', headers: json, body: fault })).ok).toBe(true)
		const post = browser.send('/funds/withdraw', { csrf: readCsrf(text), idempotency_key, ledgers: 'NSE_CASH', amount: '7', bank })
		await expect.poll(async () => (await (await fetch(`${sandbox}/control/log`)).text()).includes('"requestPayout"')).toBe(true)

		process.kill(-(group.pid ?? 0), 'SIGTERM')
		const answer = await post
		expect([answer.status, answer.location]).toEqual([303, expect.stringContaining('/funds/payout?ref=')])
		await ended
		// No process is left behind.
		await expect.poll(() => Promise.all([isListening(3264), isListening(3265)])).toEqual([false, false])
	} finally {
		if (group.exitCode === null && group.signalCode === null) process.kill(-(group.pid ?? 0), 'SIGKILL')
	}
})

test('a file turns maintenance on and off without a restart', async ({ page }, info) => {
	const flag = info.outputPath('maintenance')
	const portal = await startPortal(3113, { MAINTENANCE_FILE: flag })
	await page.goto(`${portal.origin}/login`)
	await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
	const readStatus = async () => (await page.request.get(`${portal.origin}/theme`, { maxRedirects: 0 })).status()
	const goesOff = async () => {
		writeFileSync(flag, '')
		await expect.poll(readStatus).toBe(503)
	}
	const comesBack = async () => {
		rmSync(flag)
		await expect.poll(readStatus).not.toBe(503)
	}

	await goesOff()
	for (const path of ['/login', '/dashboard', '/downloads/ledger/pdf']) {
		const answer = await page.goto(portal.origin + path)
		expect(answer?.status()).toBe(503)
		expect(Number(answer?.headers()['retry-after'])).toBeGreaterThan(0)
		await expect(page.getByRole('heading', { level: 1, name: 'Under maintenance' })).toBeVisible()
		await expect(page).toHaveTitle(/^Under maintenance · /)
	}
	expect((await page.request.get(`${portal.origin}/healthz`)).status()).toBe(200)

	await comesBack()
	await page.goto(`${portal.origin}/login`)
	await enter(page, 'DEMO01')
	await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()

	// Also for requests of a script: a followed link and a sent form.
	const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ledger', exact: true })
	for (const step of [link, page.getByRole('button', { name: 'Dark' })]) {
		await goesOff()
		await step.click()
		await expect(page.getByRole('heading', { level: 1, name: 'Under maintenance' })).toBeVisible()
		await comesBack()
		await page.goto(`${portal.origin}/dashboard`)
		await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
	}
})

const SAFE = { PORT: '3114', BROKER_URL: BROKER, SESSION_SECRET: SECRET, PUBLIC_URL: 'https://portal.example' }
const { PUBLIC_URL: _, ...WITHOUT_ADDRESS } = SAFE
const { SESSION_SECRET: __, ...WITHOUT_SECRET } = SAFE

for (const { what, settings, names, hides } of [
	{ what: 'a short secret', settings: { ...SAFE, SESSION_SECRET: 'Zk4-short-Qw9' }, names: 'SESSION_SECRET', hides: 'Zk4-short-Qw9' },
	{ what: 'a secret of one letter', settings: { ...SAFE, SESSION_SECRET: 'z'.repeat(40) }, names: 'SESSION_SECRET', hides: 'zzzzzzzz' },
	{
		what: 'a short secret behind a good one',
		settings: { ...SAFE, SESSION_SECRET: `${SECRET},old-one-Vt7` },
		names: 'SESSION_SECRET',
		hides: 'old-one-Vt7',
	},
	{ what: 'no secret', settings: WITHOUT_SECRET, names: 'SESSION_SECRET', hides: SECRET },
	{ what: 'no public address', settings: WITHOUT_ADDRESS, names: 'PUBLIC_URL', hides: SECRET },
	{
		what: 'a public address without TLS',
		settings: { ...SAFE, PUBLIC_URL: 'http://portal-in-the-open.example' },
		names: 'PUBLIC_URL',
		hides: 'portal-in-the-open',
	},
	{
		what: 'a broker without TLS',
		settings: { ...SAFE, BROKER_URL: 'http://broker-in-the-open.example' },
		names: 'BROKER_URL',
		hides: 'broker-in-the-open',
	},
	{
		what: 'the sandbox in place of a misspelt BROKER_URL',
		settings: { PORT: '3114', SANDBOX_PORT: '4114', BROKER_URI: 'https://api.broker.example', PUBLIC_URL: 'https://client.broker.example' },
		names: 'BROKER_URL: is required',
		hides: 'client.broker.example',
	},
	{
		what: 'the sandbox for the whole network',
		settings: { PORT: '3114', SANDBOX_PORT: '4114', HOST: '0.0.0.0' },
		names: 'ALLOW_SANDBOX',
		hides: SECRET,
	},
]) {
	test(`does not start with ${what}`, async () => {
		const begun = Date.now()
		const program = start(['build/server.js'], settings as Record<string, string>)
		expect(await program.exit).toBeGreaterThan(0)
		// It took 5.5 s on a slow machine; a wait for a broker or a port would take longer.
		expect(Date.now() - begun).toBeLessThan(15_000)
		expect(program.output()).toContain(names)
		expect(program.output()).not.toContain(hides)
		expect(program.output(), 'a message, not a stack').not.toMatch(/\n\s+at /)
	})
}

function isListening(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1', () => {
			socket.destroy()
			resolve(true)
		}).on('error', () => resolve(false))
	})
}

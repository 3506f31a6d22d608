import { type Page } from '@playwright/test'
import { connect } from 'node:net'
import { rmSync, writeFileSync } from 'node:fs'
import { breakBroker, enter, expect, login, PASSWORD, SANDBOX, test } from './portal'
import { SECRET, start, startPortal, stopAll } from './process'
import { TextBrowser } from './text-browser'

/* How long a session lives, where it lives, and what ends it. */

test.afterEach(stopAll)

// Playwright turns the back/forward cache off; people's browsers do not.
test.use({
	launchOptions: {
		executablePath: process.env.CHROMIUM || undefined,
		args: ['--no-sandbox', '--disable-gpu'],
		ignoreDefaultArgs: ['--disable-back-forward-cache'],
	},
})

test('the browser’s storage holds nothing of the session', async ({ page, context }) => {
	await login(page)
	const secrets = await secretsOf('DEMO01')
	for (const path of [
		'/dashboard',
		'/reports/ledger',
		'/reports/ledger/NSE_CASH',
		'/reports/ledger/deducted',
		'/rekyc',
		'/nothing',
		'/maintenance',
	]) {
		await page.goto(path)
		const kept = await page.evaluate(async () =>
			JSON.stringify([
				{ ...localStorage },
				{ ...sessionStorage },
				document.cookie,
				await indexedDB.databases(),
				await caches.keys(),
				Object.entries(window).find(([name]) => name === '__remixContext'),
			]),
		)
		const html = await page.content()
		for (const secret of secrets) {
			expect(kept, path).not.toContain(secret)
			expect(html, path).not.toContain(secret)
		}
		expect(await page.evaluate(() => document.cookie), 'no cookie is for scripts').toBe('')
	}
	for (const { name, value, httpOnly, sameSite } of await context.cookies()) {
		expect({ name, httpOnly, sameSite }).toEqual({ name, httpOnly: true, sameSite: 'Lax' })
		for (const secret of secrets) expect(Buffer.from(value, 'base64url').toString('latin1') + value).not.toContain(secret)
	}
})

test('logout in one tab is logout in all', async ({ page, context }) => {
	await login(page)
	const other = await context.newPage()
	await other.goto('/dashboard')
	await logout(page)
	await other.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ledger', exact: true }).click()
	await expect(other).toHaveURL(/\/login/)
	await expect(other.getByText(/₹/)).toHaveCount(0)
})

test('back after logout shows the login page', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/ledger')
	await page.goto('/dashboard')
	await logout(page)
	for (let steps = 0; steps < 3; steps++) {
		await page.goBack()
		await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
		await expect(page.getByText(/₹/)).toHaveCount(0)
	}
})

test('a page that comes back out of memory asks whether its session still stands', async ({ page, context }) => {
	await login(page)
	const other = await context.newPage()
	await other.goto('/dashboard')
	await logout(other)
	await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
	await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
	await expect(page).toHaveURL(/\/login/)
})

test.describe('idle', () => {
	test('a notice first, which one tab may answer for all; then the login page', async ({ page, context }) => {
		const portal = await startPortal(3110, { IDLE_MS: '8000' })
		await page.goto(`${portal.origin}/login`)
		await enter(page, 'DEMO01')
		await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
		const other = await context.newPage()
		await other.goto(`${portal.origin}/reports/ledger`)
		const stay = (tab: Page) => tab.getByRole('button', { name: 'Stay signed in' })

		await test.step('staying in one tab takes the notice from both', async () => {
			await expect(stay(page)).toBeVisible()
			await expect(stay(other)).toBeVisible()
			await stay(other).click()
			await expect(stay(other)).toBeHidden()
			await expect(stay(page)).toBeHidden()
		})
		await test.step('the server has been told: the session outlives its first limit', async () => {
			await expect(stay(page)).toBeVisible()
			await stay(page).click()
			await expect(stay(other)).toBeHidden()
			await page.reload()
			await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
		})
		await test.step('a key in one tab counts for the other', async () => {
			// Past the time at which the other tab would have warned, had it been alone.
			const until = Date.now() + 6000
			await expect
				.poll(
					async () => {
						await page.keyboard.press('Shift')
						expect(await stay(other).isVisible()).toBe(false)
						return Date.now() > until
					},
					{ intervals: [700], timeout: 15_000 },
				)
				.toBe(true)
		})
		await test.step('nobody answers', async () => {
			for (const tab of [page, other]) await expect(tab).toHaveURL(/\/login\?reason=idle$/, { timeout: 20_000 })
			await expect(page.getByText('You were logged out after a minute without activity.')).toBeVisible()
		})
		await test.step('a copy of the cookie is worth nothing', async () => {
			expect((await context.cookies(portal.origin)).filter(({ name }) => /session|activity/.test(name))).toEqual([])
		})
	})

	test('the server ends it too, for a browser that no longer runs', async () => {
		const portal = await startPortal(3110, { IDLE_MS: '2000' })
		const browser = new TextBrowser(portal.origin)
		expect((await browser.login('DEMO01')).status).toBe(303)
		const cookie = browser.cookieHeader()
		await expect
			.poll(async () => (await fetch(`${portal.origin}/reports/ledger`, { headers: { cookie }, redirect: 'manual' })).status)
			.toBe(200)
		// Each look would keep it alive; one look after the limit must not find it.
		const before = Date.now()
		await expect.poll(() => Date.now() - before, { intervals: [500] }).toBeGreaterThan(2500)
		const answer = await fetch(`${portal.origin}/reports/ledger`, { headers: { cookie }, redirect: 'manual' })
		expect(answer.headers.get('location')).toMatch(/^\/login\?.*reason=idle/)
	})
})

test('a session survives a restart and moves between processes that share the secret', async ({ page }) => {
	let first = await startPortal(3111)
	await page.goto(`${first.origin}/login`)
	await enter(page, 'DEMO01')
	await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
	expect(await first.stop()).toBe(0)
	first = await startPortal(3111)
	await page.goto(`${first.origin}/reports/ledger`)
	await expect(page.getByRole('table', { name: 'Ledger' })).toBeVisible()

	const second = await startPortal(3112)
	await page.goto(`${second.origin}/reports/ledger`)
	await expect(page.getByRole('table', { name: 'Ledger' })).toBeVisible()
	// A form that one process made is good at the other.
	await page.goto(`${first.origin}/dashboard`)
	await page.getByRole('button', { name: 'Dark' }).click()
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
	await page.goto(`${second.origin}/dashboard`)
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
	await first.stop('SIGKILL')
	await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ledger', exact: true }).click()
	await expect(page.getByRole('table', { name: 'Ledger' })).toBeVisible()

	// Another secret, another house: the cookie opens nothing there.
	const stranger = await startPortal(3111, { SESSION_SECRET: [...SECRET].reverse().join('') })
	await page.goto(`${stranger.origin}/dashboard`)
	await expect(page).toHaveURL(/\/login/)
})

test('told to stop during a download, the portal finishes it, takes nobody else, and ends well', async () => {
	const portal = await startPortal(3113)
	const browser = new TextBrowser(portal.origin)
	await browser.login('DEBT01')
	await breakBroker({ operation: 'downloadLedger', kind: 'huge', mb: 96, client: 'DEBT01', count: 1 })
	const answer = await browser.open('/downloads/ledger/pdf')
	expect(answer.statusCode).toBe(200)
	// Nothing of the body has been read: it cannot have been sent.
	const ended = portal.stop()
	await expect.poll(() => isListening(3113)).toBe(false)
	let size = 0
	for await (const bytes of answer) size += (bytes as Buffer).length
	expect(answer.complete).toBe(true)
	expect(size).toBe(96 * 1_048_576)
	expect(await ended).toBe(0)
})

test('maintenance comes and goes with a file, without a restart', async ({ page }, info) => {
	const flag = info.outputPath('maintenance')
	const portal = await startPortal(3113, { MAINTENANCE_FILE: flag })
	await page.goto(`${portal.origin}/login`)
	await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
	const statusOf = async () => (await page.request.get(`${portal.origin}/theme`, { maxRedirects: 0 })).status()
	const goesOff = async () => {
		writeFileSync(flag, '')
		await expect.poll(statusOf).toBe(503)
	}
	const comesBack = async () => {
		rmSync(flag)
		await expect.poll(statusOf).not.toBe(503)
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

	// Of somebody who is in the middle of something, too: a link that a script follows, a form that a script sends.
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

const SAFE = { PORT: '3114', BROKER_URL: SANDBOX, SESSION_SECRET: SECRET, PUBLIC_URL: 'https://portal.example' }
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
		expect(Date.now() - begun).toBeLessThan(5000)
		expect(program.output()).toContain(names)
		expect(program.output()).not.toContain(hides)
		expect(program.output(), 'a message, not a stack').not.toMatch(/\n\s+at /)
	})
}

async function logout(page: Page) {
	await page.getByRole('banner').getByRole('button', { name: /Aarav/ }).click()
	await page.getByRole('button', { name: 'Logout' }).click()
	await expect(page).toHaveURL(/\/login$/)
}

function isListening(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1', () => {
			socket.destroy()
			resolve(true)
		}).on('error', () => resolve(false))
	})
}

/** What must never reach a browser, as the broker knows it: tokens of its log, numbers of its books. */
async function secretsOf(client: string): Promise<string[]> {
	const tokens = await tokensOf(client)
	const profile = await fetch(`${SANDBOX}/v2/account-profile/personal-details?source=connect`, {
		headers: { 'auth-token': tokens.at(-1) ?? '', 'client-code': client },
	})
	const numbers = [...new Set((await profile.text()).match(/"[A-Z]{5}\d{4}[A-Z]"|"\d{9,18}"/g))].map((quoted) => quoted.slice(1, -1))
	expect(numbers.length).toBeGreaterThan(0)
	return [...tokens, ...numbers, PASSWORD]
}

async function tokensOf(client: string): Promise<string[]> {
	const log = (await (await fetch(`${SANDBOX}/control/log`)).json()) as { data: { headers: Record<string, string> }[] }
	const tokens = new Set(
		log.data.filter(({ headers }) => headers['client-code'] === client).flatMap(({ headers }) => headers['auth-token'] ?? []),
	)
	expect(tokens.size).toBeGreaterThan(0)
	return [...tokens]
}

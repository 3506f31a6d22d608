import { type Page } from '@playwright/test'
import { CHROMIUM } from '#scripts/chromium'
import { enter, expect, findTokens, login, PASSWORD, readFingerprints, readProfile, test } from './portal'
import { SECRET, startPortal, stopAll } from './process'
import { TextBrowser } from './text-browser'

/* How long a session lasts, where it is stored, and what ends it. */

test.afterEach(stopAll)

// Playwright turns the back/forward cache off; clients' browsers do not.
test.use({ launchOptions: { ...CHROMIUM, ignoreDefaultArgs: ['--disable-back-forward-cache'] } })

/** Every address of the site map without a parameter, and some with one. Downloads and final steps show no screen. */
const SCREENS = [
	'/dashboard',
	'/dashboard?dialog=change-password',
	'/reports/ledger',
	'/reports/ledger/NSE_CASH',
	'/reports/ledger/deducted',
	'/reports/profitnloss',
	'/reports/income-tax',
	'/reports/downloads',
	'/reports/holding',
	'/myaccount',
	'/myaccount/mobile',
	'/myaccount/email',
	'/myaccount/bank',
	'/myaccount/segments',
	'/myaccount/nominee',
	'/myaccount/income',
	'/myaccount/requests',
	'/myaccount/closure',
	'/dpprocess',
	'/dpprocess/pledge',
	'/dpprocess/ddpi',
	'/connect/ipo',
	'/connect/ipo/bids',
	'/connect/mtf',
	'/funds',
	'/funds/withdraw',
	'/funds/payout',
	'/funds/e-mandate',
	'/funds/history',
	'/esign',
	'/rekyc',
	'/nothing',
	'/maintenance',
]

/** Pages that show the client's own numbers, such as the demat account number. */
const OWN_NUMBERS = /^\/(?:myaccount|dpprocess|funds|connect|esign)/

test('the browser’s storage contains nothing of the session', async ({ page, context }) => {
	test.slow()
	await login(page)
	const secrets = await listSecrets('DEMO01')
	/** The storage of each screen. It is checked later, because the sandbox's log is long. */
	const texts: [path: string, text: string][] = []
	for (const path of SCREENS) {
		await page.goto(path, { waitUntil: 'domcontentloaded' })
		const kept = await page.evaluate(async () =>
			JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases(), await caches.keys()]),
		)
		const inPage = await page.evaluate(() => JSON.stringify(Object.entries(window).find(([name]) => name === '__remixContext')))
		const html = await page.content()
		for (const secret of secrets) expect(kept, path).not.toContain(secret)
		for (const secret of OWN_NUMBERS.test(path) ? [PASSWORD] : secrets) expect(`${inPage} ${html}`, path).not.toContain(secret)
		texts.push([path, `${kept} ${inPage} ${html}`])
		expect(await page.evaluate(() => document.cookie), 'no cookie is for scripts').toBe('')
	}
	for (const { name, value, httpOnly, sameSite } of await context.cookies()) {
		expect({ name, httpOnly, sameSite }).toEqual({ name, httpOnly: true, sameSite: 'Lax' })
		const readable = `${Buffer.from(value, 'base64url').toString('latin1')} ${value}`
		for (const secret of secrets) expect(readable).not.toContain(secret)
		texts.push([name, readable])
	}
	const fingerprints = await readFingerprints('DEMO01')
	for (const [place, text] of texts) expect(findTokens(text, fingerprints), place).toEqual([])
})

test('logout in one tab ends the session in all tabs', async ({ page, context }) => {
	await login(page)
	const other = await context.newPage()
	await other.goto('/dashboard')
	await logout(page)
	await other.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ledger', exact: true }).click()
	await expect(other).toHaveURL(/\/login/)
	await expect(other.getByText(/₹/)).toHaveCount(0)
})

test('the login page after logout has an empty storage', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/ledger')
	// A page writes its scroll positions when it is left.
	await page.goto('/dashboard')
	expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual(['positions'])
	await logout(page)
	await expect.poll(() => page.evaluate(() => [...Object.keys(sessionStorage), ...Object.keys(localStorage)])).toEqual([])
})

test('the back button after logout shows the login page', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/ledger')
	await page.goto('/dashboard')
	await logout(page)
	for (let steps = 0; steps < 3; steps++) {
		await page.goBack()
		await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
		await expect(page.getByText(/₹/)).toHaveCount(0)
	}
})

test('a page restored from the back/forward cache checks that its session is still valid', async ({ page, context }) => {
	await login(page)
	const other = await context.newPage()
	await other.goto('/dashboard')
	await logout(other)
	await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
	await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
	await expect(page).toHaveURL(/\/login/)
})

test.describe('inactivity', () => {
	test('shows a warning that one tab may answer for all, then the login page', async ({ page, context }) => {
		// The warning leaves eight seconds for an answer: on a slow machine three were not enough.
		test.setTimeout(150_000)
		const portal = await startPortal(3110, { IDLE_MS: '16000' })
		await page.goto(`${portal.origin}/login`)
		await enter(page, 'DEMO01')
		await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
		const other = await context.newPage()
		await other.goto(`${portal.origin}/reports/ledger`)
		const stay = (tab: Page) => tab.getByRole('button', { name: 'Stay signed in' })

		await test.step('Stay signed in closes the warning in both tabs', async () => {
			await expect(stay(page)).toBeVisible()
			await expect(stay(other)).toBeVisible()
			await stay(other).click()
			await expect(stay(other)).toBeHidden()
			await expect(stay(page)).toBeHidden()
		})
		await test.step('the server extends the session beyond its first limit', async () => {
			await expect(stay(page)).toBeVisible()
			await stay(page).click()
			await expect(stay(other)).toBeHidden()
			await page.reload()
			await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
		})
		await test.step('a key press in one tab counts for the other', async () => {
			// Without the key press the other tab would have shown the warning after eight seconds.
			const until = Date.now() + 9500
			await expect
				.poll(
					async () => {
						await page.keyboard.press('Shift')
						expect(await stay(other).isVisible()).toBe(false)
						return Date.now() > until
					},
					{ intervals: [700], timeout: 30_000 },
				)
				.toBe(true)
		})
		await test.step('without an answer the session ends', async () => {
			for (const tab of [page, other]) await expect(tab).toHaveURL(/\/login\?reason=idle&redirectTo=%2F[\w%]+$/, { timeout: 40_000 })
			await expect(page.getByText('You were logged out after a minute without activity.')).toBeVisible()
		})
		await test.step('the session cookies are deleted', async () => {
			expect((await context.cookies(portal.origin)).filter(({ name }) => /session|activity/.test(name))).toEqual([])
		})
	})

	test('the server also ends the session of a closed browser', async () => {
		const portal = await startPortal(3110, { IDLE_MS: '4000' })
		const browser = new TextBrowser(portal.origin)
		expect((await browser.login('DEMO01')).status).toBe(303)
		const cookie = browser.cookieHeader()
		await expect
			.poll(async () => (await fetch(`${portal.origin}/reports/ledger`, { headers: { cookie }, redirect: 'manual' })).status)
			.toBe(200)
		// Each request would extend the session, so the test makes one request after the limit.
		const before = Date.now()
		await expect.poll(() => Date.now() - before, { intervals: [500] }).toBeGreaterThan(4500)
		const answer = await fetch(`${portal.origin}/reports/ledger`, { headers: { cookie }, redirect: 'manual' })
		expect(answer.headers.get('location')).toMatch(/^\/login\?.*reason=idle/)
	})
})

test('a session survives a restart, and works in every process with the same secret', async ({ page }) => {
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
	// One process accepts the form of another.
	await page.goto(`${first.origin}/dashboard`)
	await page.getByRole('button', { name: 'Dark' }).click()
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
	await page.goto(`${second.origin}/dashboard`)
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
	await first.stop('SIGKILL')
	await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ledger', exact: true }).click()
	await expect(page.getByRole('table', { name: 'Ledger' })).toBeVisible()

	// A process with another secret cannot open the cookie.
	const stranger = await startPortal(3111, { SESSION_SECRET: [...SECRET].reverse().join('') })
	await page.goto(`${stranger.origin}/dashboard`)
	await expect(page).toHaveURL(/\/login/)
})

async function logout(page: Page) {
	await page.getByRole('banner').getByRole('button', { name: /Aarav/ }).click()
	await page.getByRole('button', { name: 'Logout' }).click()
	await expect(page).toHaveURL(/\/login$/)
}

/** Values of the broker's books that must never reach a browser. Tokens are checked separately. */
async function listSecrets(client: string): Promise<string[]> {
	const numbers = [...new Set((await readProfile(client)).match(/"[A-Z]{5}\d{4}[A-Z]"|"\d{9,18}"/g))].map((quoted) => quoted.slice(1, -1))
	expect(numbers.length).toBeGreaterThan(0)
	return [...numbers, PASSWORD]
}

test('a tab shows the name of the client whose money it shows, after another client logged in', async ({ page, context }) => {
	await login(page, 'DEMO01', '/funds/withdraw', true)
	const name = page.getByRole('banner')
	await expect(name).toContainText('Aarav')
	const other = await context.newPage()
	await other.goto('/dashboard')
	await other.getByRole('banner').getByRole('button', { name: /Aarav/ }).click()
	await other.getByRole('button', { name: 'Logout' }).click()
	await enter(other, 'BULK01')
	await expect(other.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
	// The other tab tells it, when its scripts run.
	await expect(name).toContainText('Nilesh')

	// Nobody tells a tab that was asleep. A click on its own address loads the whole page.
	await other.goto('/logout')
	await other.evaluate(() => (BroadcastChannel.prototype.postMessage = () => {}))
	await page.evaluate(() => (BroadcastChannel.prototype.postMessage = () => {}))
	await context.clearCookies()
	await other.addInitScript(() => (BroadcastChannel.prototype.postMessage = () => {}))
	await login(other, 'CASH01', '/funds', true)
	await expect(name).toContainText('Nilesh')
	await page.getByRole('link', { name: 'Withdraw', exact: true }).click()
	await expect(name).toContainText('Kavita')
})

test('a form typed in one tab works after the same client logged in again in another', async ({ page, context }) => {
	await login(page, 'CASH01', '/myaccount/email', true)
	await page.getByLabel('New e-mail').fill('typed.before@example.com')
	const other = await context.newPage()
	await context.clearCookies()
	const renewed = page.waitForResponse((response) => response.url().includes('/myaccount/email.data'))
	await login(other, 'CASH01', '/dashboard', true)
	await renewed
	await expect(page.getByLabel('New e-mail')).toHaveValue('typed.before@example.com')
	await page.getByRole('button', { name: 'Send OTP' }).click()
	await expect(page.getByLabel('OTP')).toBeVisible()
})

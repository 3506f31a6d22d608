import { type Page } from '@playwright/test'
import { expect, login, save, test } from './portal'

/* Pages without a form load their scripts at the first pointer move, touch, key or focus. */

test.use({ isTouched: false })

const isLive = (page: Page) =>
	page.evaluate(() => Object.keys(document.querySelector('main') ?? {}).some((name) => name.startsWith('__react')))

/** The addresses of scripts that a page requests from now on. */
function watchScripts(page: Page): string[] {
	const scripts: string[] = []
	page.on('request', (request) => void (request.resourceType() === 'script' && scripts.push(request.url())))
	return scripts
}

for (const path of ['/dashboard', '/reports/holding', '/reports/ledger', '/reports/profitnloss', '/reports/downloads']) {
	test(`${path} loads no script before the first touch, and all of them after it`, async ({ page }) => {
		await login(page, 'DEMO01')
		const scripts = watchScripts(page)
		await page.goto(path, { waitUntil: 'networkidle' })
		await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
		expect(scripts).toEqual([])
		expect(await isLive(page)).toBe(false)

		// The first pointer event has no movement when the browser does not know the earlier position.
		await page.mouse.move(300, 300, { steps: 3 })
		await expect.poll(() => isLive(page)).toBe(true)
		expect(scripts.length).toBeGreaterThan(3)
	})
}

test('a touch counts while the rest of the document is on its way', async ({ page }) => {
	await login(page, 'DEMO01')
	const tools = await page.context().newCDPSession(page)
	const slow = { offline: false, latency: 0, downloadThroughput: 60_000, uploadThroughput: -1 }
	await tools.send('Network.emulateNetworkConditions', slow)
	// A finger at the first paint.
	await page.addInitScript(() => {
		new PerformanceObserver(() => {
			document.documentElement.title = document.readyState
			dispatchEvent(new Event('pointerdown'))
		}).observe({ type: 'paint', buffered: true })
	})
	await page.goto('/reports/ledger', { waitUntil: 'domcontentloaded' })
	expect(await page.evaluate(() => document.documentElement.title)).toBe('loading')
	await tools.send('Network.emulateNetworkConditions', { ...slow, downloadThroughput: -1 })
	// Without a touch they load after ten seconds.
	await expect.poll(() => isLive(page), { timeout: 7000 }).toBe(true)
})

test('a key press loads the scripts, and so does a wait, because only scripts end an idle session on the screen', async ({ page }) => {
	await login(page, 'DEMO01')
	await page.goto('/reports/ledger')
	await page.keyboard.press('Tab')
	await expect.poll(() => isLive(page)).toBe(true)

	await page.clock.install()
	await page.goto('/reports/ledger')
	expect(await isLive(page)).toBe(false)
	await page.clock.runFor(11_000)
	await expect.poll(() => isLive(page)).toBe(true)
})

test('a page with a form loads its scripts at once', async ({ page }) => {
	await login(page, 'DEMO01')
	await page.goto('/funds/withdraw')
	await expect.poll(() => isLive(page)).toBe(true)
})

test('a dialog with a form over a report loads its scripts at once', async ({ page }) => {
	await login(page, 'DEMO01')
	await page.goto('/dashboard?dialog=change-password')
	await expect(page.getByRole('button', { name: 'Show password' }).first()).toBeVisible()
})

test('a first touch on the menu button of a phone opens the menu, which stays open', async ({ page }) => {
	await login(page, 'DEMO01')
	await page.setViewportSize({ width: 390, height: 844 })
	await page.goto('/dashboard')
	await page.getByRole('button', { name: 'Open menu' }).click()
	await expect.poll(() => isLive(page)).toBe(true)
	// The browser is idle after the effects of the first render have run.
	await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
	await expect(page.locator('#menu')).toBeInViewport()
	expect(await page.locator('#menu').evaluate((menu) => menu.matches(':popover-open'))).toBe(true)
	await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Holding' }).click()
	await expect(page.getByRole('heading', { level: 1, name: 'Holding' })).toBeVisible()
	expect(await page.locator('#menu').evaluate((menu) => menu.matches(':popover-open'))).toBe(false)
})

test('a first touch on a link opens its page', async ({ page }) => {
	await login(page, 'DEMO01')
	await page.goto('/dashboard')
	await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ledger' }).click()
	await expect(page.getByRole('heading', { level: 1, name: 'Ledger' })).toBeVisible()
})

test('a first touch on a file link loads the file once, with its messages', async ({ page }) => {
	await login(page, 'DEMO01')
	await page.goto('/reports/ledger')
	const files: string[] = []
	page.on('request', (request) => void (request.url().includes('/downloads/') && files.push(request.url())))
	const { path } = await save(page, /^PDF/)
	expect(path).toBeTruthy()
	await expect(page.getByText(/^LEDGER .*is downloaded successfully$/)).toBeVisible()
	expect(files).toHaveLength(1)
})

test('a file clicked twice before late scripts arrive is loaded once, without them', async ({ page }) => {
	await login(page, 'DEMO01')
	let letCome = () => {}
	await page.route('**/assets/libraries-*.js', async (route) => {
		await new Promise<void>((resolve) => (letCome = resolve))
		await route.continue()
	})
	await page.goto('/reports/ledger')
	await page.clock.install()
	const files: string[] = []
	page.on('request', (request) => void (request.url().includes('/downloads/') && files.push(request.url())))
	const file = page.waitForEvent('download')
	await page.getByRole('link', { name: /^PDF/ }).dblclick({ noWaitAfter: true })
	await page.clock.runFor(6000)
	expect((await file).suggestedFilename()).toMatch(/\.pdf$/)
	letCome()
	await expect.poll(() => isLive(page)).toBe(true)
	await page.clock.runFor(6000)
	expect(files).toHaveLength(1)
})

test('a year chosen while no script arrives is shown', async ({ page }) => {
	await login(page, 'DEMO01')
	await page.route('**/assets/*.js', (route) => route.abort())
	await page.goto('/reports/profitnloss?year=2026-2027')
	await page.getByLabel('Financial year').selectOption('2025-2026')
	await page.waitForURL('**/reports/profitnloss?year=2025-2026')
	await expect(page.getByText('01/04/2025 to 31/03/2026').first()).toBeVisible()
})

test('a year chosen as the first thing on a page is shown at once, without another document', async ({ page }) => {
	await login(page, 'DEMO01')
	await page.goto('/reports/profitnloss?year=2026-2027')
	await page.evaluate(() => void Object.assign(window, { isSame: true }))
	await page.getByLabel('Financial year').selectOption('2025-2026')
	await page.waitForURL('**/reports/profitnloss?year=2025-2026')
	await expect(page.getByText('01/04/2025 to 31/03/2026').first()).toBeVisible()
	expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
})

import { type Page } from '@playwright/test'
import { expect, login, save, test } from './portal'

/* Pages that are only read load their scripts at the first sign of a person. */

test.use({ isTouched: false })

const isLive = (page: Page) =>
	page.evaluate(() => Object.keys(document.querySelector('main') ?? {}).some((name) => name.startsWith('__react')))

/** The addresses of scripts that a page asks for from now on. */
function watchScripts(page: Page): string[] {
	const scripts: string[] = []
	page.on('request', (request) => void (request.resourceType() === 'script' && scripts.push(request.url())))
	return scripts
}

for (const path of ['/dashboard', '/reports/holding', '/reports/ledger', '/reports/profitnloss', '/reports/downloads']) {
	test(`${path} loads no script before it is touched, and all of them then`, async ({ page }) => {
		await login(page, 'DEMO01')
		const scripts = watchScripts(page)
		await page.goto(path, { waitUntil: 'networkidle' })
		await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
		expect(scripts).toEqual([])
		expect(await isLive(page)).toBe(false)

		// The first event has no movement where the browser does not know the place before.
		await page.mouse.move(300, 300, { steps: 3 })
		await expect.poll(() => isLive(page)).toBe(true)
		expect(scripts.length).toBeGreaterThan(3)
	})
}

test('a key loads the scripts too, and so does time: only they end an idle session on the screen', async ({ page }) => {
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

test('a form’s page has its scripts at once', async ({ page }) => {
	await login(page, 'DEMO01')
	await page.goto('/funds/withdraw')
	await expect.poll(() => isLive(page)).toBe(true)
})

test('a dialog with a form over such a page has its scripts at once', async ({ page }) => {
	await login(page, 'DEMO01')
	await page.goto('/dashboard?dialog=change-password')
	await expect(page.getByRole('button', { name: 'Show password' }).first()).toBeVisible()
})

test('the first touch may open the menu of a phone, which stays open', async ({ page }) => {
	await login(page, 'DEMO01')
	await page.setViewportSize({ width: 390, height: 844 })
	await page.goto('/dashboard')
	await page.getByRole('button', { name: 'Open menu' }).click()
	await expect.poll(() => isLive(page)).toBe(true)
	// The browser is idle once the effects of the first drawing have run.
	await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
	await expect(page.locator('#menu')).toBeInViewport()
	expect(await page.locator('#menu').evaluate((menu) => menu.matches(':popover-open'))).toBe(true)
	await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Holding' }).click()
	await expect(page.getByRole('heading', { level: 1, name: 'Holding' })).toBeVisible()
	expect(await page.locator('#menu').evaluate((menu) => menu.matches(':popover-open'))).toBe(false)
})

test('the first touch may be on a link: the page that it leads to is shown', async ({ page }) => {
	await login(page, 'DEMO01')
	await page.goto('/dashboard')
	await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ledger' }).click()
	await expect(page.getByRole('heading', { level: 1, name: 'Ledger' })).toBeVisible()
})

test('the first touch may be on a file: its messages are shown, and it is loaded once', async ({ page }) => {
	await login(page, 'DEMO01')
	await page.goto('/reports/ledger')
	const files: string[] = []
	page.on('request', (request) => void (request.url().includes('/downloads/') && files.push(request.url())))
	const { path } = await save(page, /^PDF/)
	expect(path).toBeTruthy()
	await expect(page.getByText(/^LEDGER .*is downloaded successfully$/)).toBeVisible()
	expect(files).toHaveLength(1)
})

test('where the scripts come late, a file that was clicked twice is loaded once, without them', async ({ page }) => {
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

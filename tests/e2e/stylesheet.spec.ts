import { type Page } from '@playwright/test'
import { enter, expect, login, test } from './portal'
import { startPortal, stopAll } from './process'

/*
 * The first page of a browser looks the same before the file of all rules arrives. The second page takes that file from the cache, and
 * looks like the first.
 */

test.afterEach(stopAll)

const readLook = (page: Page) =>
	page.evaluate(() => {
		const { backgroundColor, fontFamily } = getComputedStyle(document.body)
		return { backgroundColor, fontFamily, button: document.querySelector('button[type=submit]')?.getBoundingClientRect().height }
	})

for (const javaScriptEnabled of [true, false]) {
	test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
		test.use({ javaScriptEnabled })

		test('the first page carries its rules, the second loads nothing for it', async ({ page }) => {
			const styles: number[] = []
			page.on('requestfinished', async (request) => {
				if (!request.url().endsWith('.css')) return
				const { responseBodySize } = await request.sizes()
				styles.push(responseBodySize)
			})
			await page.goto('/login', { waitUntil: 'networkidle' })
			const look = await readLook(page)
			expect(await page.locator('style').first().innerHTML()).toContain('--color-primary')
			await expect.poll(() => styles.filter((bytes) => bytes > 5000)).toHaveLength(1)

			await page.goto('/login?again', { waitUntil: 'networkidle' })
			expect(await page.locator('style').first().innerHTML()).not.toContain('--color-primary')
			expect(await readLook(page)).toEqual(look)
			// From the cache: no byte of a body came over the network.
			expect(styles.filter((bytes) => bytes > 0)).toHaveLength(1)
		})
	})
}

test('when the file is lost, the next page is a document with its own look', async ({ page }) => {
	await page.route('**/*.css', (route) => route.abort(), { times: 1 })
	const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.css'))
	await page.goto('/login', { waitUntil: 'networkidle' })
	await lost
	await enter(page, 'CASH01')
	await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
	await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' })).toBeVisible()
	await expect(page.getByText('Printed on')).toBeHidden()
})

test('a link has the broker’s colour in the palette that the system or the client chose', async ({ browser }) => {
	const { origin } = await startPortal(3118, { BRAND_COLOUR: '#b3261e', BRAND_COLOUR_DARK: '#ffb4ab' })
	const [light, dark] = ['rgb(179, 38, 30)', 'rgb(255, 180, 171)']
	for (const [colorScheme, chosen, colour] of [
		['light', undefined, light],
		['dark', undefined, dark],
		['dark', 'light', light],
		['light', 'dark', dark],
	] as const) {
		const context = await browser.newContext({ colorScheme })
		if (chosen) await context.addCookies([{ name: 'theme', value: chosen, url: origin }])
		const page = await context.newPage()
		// The rules stand in the first page, and in a file from the second on.
		for (const path of ['/login', '/login?again']) {
			await page.goto(origin + path)
			const link = page.getByRole('link', { name: 'Forgot password' })
			await expect(link, `${path}: ${colorScheme} system, ${chosen ?? 'not'} chosen`).toHaveCSS('color', colour)
		}
		await context.close()
	}
})

const PAGES = [
	'/dashboard',
	'/reports/ledger?year=2025-2026',
	'/reports/holding',
	'/reports/income-tax?year=2025-2026',
	'/funds',
	'/myaccount/nominee',
	'/dpprocess/pledge',
	'/connect/ipo',
]

/** The place and look of every element of the page, a line for each. */
const readElements = (page: Page) =>
	page.evaluate(() => {
		const names = [
			'display',
			'visibility',
			'color',
			'background-color',
			'border',
			'border-radius',
			'padding',
			'font',
			'text-decoration',
			'opacity',
			'z-index',
		]
		return Array.from(document.querySelectorAll('body, body *:not(script, link)'), (element) => {
			const { x, y, width, height } = element.getBoundingClientRect()
			const style = getComputedStyle(element)
			const before = getComputedStyle(element, '::before').content
			return [
				element.tagName,
				element.getAttribute('class'),
				x,
				y,
				width,
				height,
				before,
				...names.map((name) => style.getPropertyValue(name)),
			].join(' | ')
		})
	})

test.describe('a first page before the file of all rules has arrived', () => {
	test.use({ javaScriptEnabled: false })
	for (const width of [390, 1280])
		test(`looks like the page after that at ${width} px`, async ({ page }) => {
			let letGo = () => {}
			let held = Promise.resolve()
			await page.setViewportSize({ width, height: 900 })
			// Without the transitions of colours.
			await page.emulateMedia({ reducedMotion: 'reduce' })
			await login(page)
			await page.route('**/*.css', async (route) => {
				await held
				await route.continue()
			})
			for (const path of PAGES) {
				held = new Promise((resolve) => (letGo = resolve))
				await page.context().clearCookies({ name: /stylesheet$/ })
				// The end of the page waits for the file.
				await page.goto(path, { waitUntil: 'commit' })
				await expect(page.locator('body > link[rel=stylesheet]'), path).toHaveCount(1)
				const before = await readElements(page)
				letGo()
				await page.waitForLoadState('load')
				expect(before.length, path).toBeGreaterThan(100)
				expect(await readElements(page), path).toEqual(before)
			}
		})
})

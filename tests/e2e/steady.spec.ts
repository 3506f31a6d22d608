import { type Page } from '@playwright/test'
import { expect, login, test } from './portal'

/* A drawn page does not move: not for a font that arrives late, not for a row, not when the scripts start. */

const PAGES = [
	'/dashboard',
	'/reports/holding',
	'/reports/ledger?year=2025-2026',
	'/reports/profitnloss?year=2025-2026',
	'/reports/income-tax?year=2025-2026',
	'/myaccount/requests',
	'/funds',
	'/dpprocess/pledge',
	'/connect/mtf',
]
const FONTS = 4

/** Makes fonts wait until `drawn` is called, as at a first visit on a slow network. Nothing comes from the browser's cache. */
async function holdFonts(page: Page) {
	const devtools = await page.context().newCDPSession(page)
	await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
	let letGo = () => {}
	let held = Promise.resolve()
	await page.route('**/*.woff2', async (route) => {
		await held
		await route.continue()
	})
	return {
		hold: () => void (held = new Promise((resolve) => (letGo = resolve))),
		drawn: () => letGo(),
	}
}

/** Waits until the page is drawn. */
const untilDrawn = (page: Page) => page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)

/** Waits until all fonts have arrived and React has taken over the page. */
const untilReady = (page: Page) =>
	page.waitForFunction((fonts) => {
		const arrived = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.woff2'))
		const isLive = Object.keys(document.querySelector('main') ?? {}).some((name) => name.startsWith('__react'))
		return arrived.length === fonts && isLive
	}, FONTS)

/** Returns how much the page has moved until its next frame, as the browser counts it (cumulative layout shift). */
function readShift(page: Page): Promise<number> {
	return page.evaluate(async () => {
		let shift = 0
		const add = (entries: PerformanceEntryList) => {
			for (const entry of entries as (PerformanceEntry & { value: number })[]) shift += entry.value
		}
		const observer = new PerformanceObserver((list) => add(list.getEntries()))
		observer.observe({ type: 'layout-shift', buffered: true })
		// The first frame applies what has arrived, the second reports it.
		for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
		add(observer.takeRecords())
		return shift
	})
}

for (const width of [390, 1280]) {
	test(`no page moves after it is drawn at ${width} px`, async ({ page }) => {
		await login(page)
		const fonts = await holdFonts(page)
		await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
		for (const path of PAGES) {
			fonts.hold()
			await page.goto(path, { waitUntil: 'domcontentloaded' })
			await untilDrawn(page)
			fonts.drawn()
			await untilReady(page)
			// A table that arrives in parts can widen a column while it is drawn. Late fonts moved these pages by 0.03 to 0.2.
			expect(await readShift(page), `${path} at ${width} px`).toBeLessThan(0.02)
		}
	})
}

const LONG_TABLES = [
	['/reports/ledger?year=2025-2026', 'Ledger'],
	['/reports/contractnbill', 'Contract/Bill'],
	['/reports/global-summary', 'Global Summary'],
	['/reports/global-details', 'Global Details'],
	['/reports/profitnloss?year=2025-2026', 'Profit & Loss'],
] as const

test.describe('without scripts', () => {
	test.use({ javaScriptEnabled: false })
	test('a long table has the widths of its columns before its last rows arrive', async ({ page }) => {
		await login(page)
		for (const width of [768, 1280, 1920])
			for (const [path, title] of LONG_TABLES) {
				await page.setViewportSize({ width, height: 900 })
				await page.goto(path)
				const [whole, begun] = await page.getByRole('table', { name: title, exact: true }).evaluate((table: HTMLTableElement) => {
					const measure = () => [...table.querySelectorAll('thead th')].map((head) => head.getBoundingClientRect().width)
					const all = measure()
					table.tFoot?.remove()
					for (const row of [...(table.tBodies[0]?.rows ?? [])].slice(5)) row.remove()
					return [all, measure()]
				})
				const moved = whole?.map((each, index) => Math.abs(each - (begun?.[index] ?? 0))) ?? []
				expect(moved.length).toBeGreaterThan(7)
				expect(Math.max(...moved), `${path} at ${width} px`).toBeLessThan(0.5)
			}
	})
})

import { type Locator } from '@playwright/test'
import { enter, expect, test } from './portal'
import { startPortal, stopAll } from './process'
import { tooWide } from './width'

/* The name of a broker without a logo. */

test.afterEach(stopAll)

/** As long as BRAND_NAME may be. */
const LONGEST = 'Motilal Oswal Financial Services Limited'

/** The size of its letters in pixels, how many lines it takes (a font that arrives late is not used on the first page), and whether it is cut. */
function readName(name: Locator) {
	return name.evaluate((element) => {
		const { fontSize, lineHeight } = getComputedStyle(element)
		return {
			size: Number.parseFloat(fontSize),
			lines: String(Math.round(element.getBoundingClientRect().height / Number.parseFloat(lineHeight))),
			isCut: element.scrollWidth > element.clientWidth,
		}
	})
}

test('a name of 40 characters is readable on a phone and on a wide screen', async ({ page }) => {
	const { origin } = await startPortal(3119, { BRAND_NAME: LONGEST })
	const onLines = (lines: RegExp) => ({ size: 13, lines: expect.stringMatching(lines), isCut: false })
	const inHeader = page.getByRole('banner').locator('a', { hasText: LONGEST }).getByText(LONGEST)
	for (const width of [390, 1280]) {
		await page.setViewportSize({ width, height: 900 })
		await page.goto(`${origin}/login`)
		await expect.poll(() => readName(inHeader), `login at ${width} px`).toEqual(onLines(width === 390 ? /2|3/ : /2/))
		expect(await tooWide(page)).toEqual([])
	}
	await enter(page, 'DEMO01')
	await page.waitForURL((url) => url.pathname !== '/login')
	await expect.poll(() => readName(inHeader)).toEqual(onLines(/2/))
	await expect.poll(async () => (await page.getByRole('banner').boundingBox())?.height).toBe(64)
	await page.setViewportSize({ width: 390, height: 900 })
	await page.getByRole('button', { name: 'Open menu' }).click()
	const inMenu = page.getByRole('navigation', { name: 'Main' }).getByText(LONGEST)
	await expect.poll(() => readName(inMenu)).toEqual(onLines(/2|3/))
	expect(await tooWide(page)).toEqual([])
})

test('a short name is larger, on one line', async ({ page }) => {
	const { origin } = await startPortal(3119, { BRAND_NAME: 'Khata' })
	await page.goto(`${origin}/login`)
	const name = page.getByRole('banner').getByRole('link', { name: 'Khata' }).getByText('Khata')
	await expect.poll(() => readName(name)).toEqual({ size: 22, lines: '1', isCut: false })
})

import { type Page } from '@playwright/test'
import { expect, test } from './portal'

/* The second page of a browser takes its stylesheet from the cache, and looks like the first. */

const readLook = (page: Page) =>
	page.evaluate(() => {
		const { backgroundColor, fontFamily } = getComputedStyle(document.body)
		return { backgroundColor, fontFamily, button: document.querySelector('button[type=submit]')?.getBoundingClientRect().height }
	})

for (const javaScriptEnabled of [true, false]) {
	test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
		test.use({ javaScriptEnabled })

		test('the first page carries the stylesheet, the second loads nothing for it', async ({ page }) => {
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
			expect(await page.locator('style').first().innerHTML()).toBe('')
			expect(await readLook(page)).toEqual(look)
			// From the cache: no byte of a body came over the network.
			expect(styles.filter((bytes) => bytes > 0)).toHaveLength(1)
		})
	})
}

import { type Page } from '@playwright/test'
import { expect, login, test } from './portal'
import { findOverlaps } from './legible'
import { tooWide } from './width'

/* The figures of the sandbox change with the day, and a client may own more than the sandbox's. No page is wider than a phone for it. */

const PAGES = [
	'/dashboard',
	'/reports/holding',
	'/reports/ledger?year=2025-2026',
	'/reports/ledger/deducted',
	'/reports/contractnbill',
	'/reports/profitnloss?year=2025-2026',
	'/reports/global-summary',
	'/reports/global-details',
	'/reports/income-tax?year=2025-2026',
	'/funds',
	'/funds/withdraw',
	'/dpprocess/pledge',
	'/connect/ipo',
	'/connect/ipo/bids',
	'/connect/mtf',
	'/myaccount/closure',
]

test.use({ javaScriptEnabled: false })

/** Puts a larger amount in place of each amount with a rupee sign. Charts have a size of their own. */
function enlarge(page: Page, amount: string): Promise<number> {
	return page.evaluate((large) => {
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
		let changed = 0
		for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
			if (text.parentElement?.closest('svg, script') || !/₹ [\d,.]*\d/.test(text.data)) continue
			text.data = text.data.replace(/₹ [\d,.]*\d/g, large)
			changed += 1
		}
		return changed
	}, amount)
}

test('amounts of crores do not make a page wider than a phone', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page)
	for (const path of PAGES) {
		await page.goto(path)
		expect.soft(await enlarge(page, '₹ 99,99,99,999.99'), path).toBeGreaterThan(0)
		for (const width of [390, 320]) {
			await page.setViewportSize({ width, height: 844 })
			expect.soft(await tooWide(page), `${path} at ${width} px`).toEqual([])
		}
	}
})

test('words of the broker without blanks do not make a page wider than a phone', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page)
	for (const path of ['/dashboard', '/reports/ledger?year=2025-2026', '/dpprocess/pledge']) {
		await page.goto(path)
		const joined = await page.locator('main :is(li, dt:has(~ dd > svg), .alert p)').evaluateAll((lines) => {
			let changed = 0
			for (const line of lines) {
				const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
				for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
					if (text.data.length < 25 || text.parentElement?.closest('.whitespace-nowrap')) continue
					text.data = text.data.replaceAll(' ', '/').repeat(2)
					changed += 1
				}
			}
			return changed
		})
		expect(joined, path).toBeGreaterThan(0)
		for (const width of [390, 320]) {
			await page.setViewportSize({ width, height: 844 })
			expect.soft(await tooWide(page), `${path} at ${width} px`).toEqual([])
		}
	}
})

/** As in the settings of the browser, so that the widths of media queries in rem differ too. */
async function enlargeLetters(page: Page, standard: number) {
	const devtools = await page.context().newCDPSession(page)
	await devtools.send('Page.enable')
	await devtools.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } })
}

test('letters of one and a half times the size lie over nothing on a phone, and make no page wider', async ({ page }) => {
	await page.setViewportSize({ width: 412, height: 900 })
	await enlargeLetters(page, 24)
	await login(page)
	for (const path of [...PAGES, '/myaccount/nominee', '/myaccount/requests', '/connect/ipo?condition=upcoming', '/funds/history']) {
		await page.goto(path)
		expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('24px')
		expect.soft(await findOverlaps(page), path).toEqual([])
		expect.soft(await tooWide(page), path).toEqual([])
	}
})

test('letters of twice the size lie over nothing in the ledger on a desktop', async ({ page }) => {
	await page.setViewportSize({ width: 1280, height: 900 })
	await enlargeLetters(page, 32)
	await login(page)
	await page.goto('/reports/ledger?year=2025-2026')
	expect(await findOverlaps(page)).toEqual([])
})

test('the cards of the dashboard have room for letters of one and a half times the size', async ({ page }) => {
	await page.setViewportSize({ width: 1280, height: 900 })
	await login(page)
	await page.evaluate(() => void (document.documentElement.style.fontSize = '24px'))
	const covered = await page.getByRole('link', { name: /^How is this made up/ }).evaluateAll((links) =>
		links.flatMap((link) => {
			const range = document.createRange()
			const title = link.closest('section')?.querySelector('h2')
			range.selectNodeContents(title ?? link)
			return range.getBoundingClientRect().right > link.getBoundingClientRect().left ? [title?.textContent] : []
		}),
	)
	expect(covered).toEqual([])
	await expect(page.getByRole('link', { name: /^How is this made up/ })).toHaveCount(3)
})

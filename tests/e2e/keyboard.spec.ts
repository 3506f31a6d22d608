import { type Page } from '@playwright/test'
import { expect, login, test } from './portal'

/* Use by keyboard alone: where the focus goes, that it is visible, and that an early key press breaks nothing. */

test('the first Tab stop is the link that skips the menu', async ({ page }) => {
	for (const path of ['/login', '/dashboard', '/reports/ledger']) {
		if (path === '/dashboard') await login(page, 'CASH01')
		await page.goto(path)
		await page.keyboard.press('Tab')
		const skip = page.getByRole('link', { name: 'Skip to main content' })
		await expect(skip).toBeFocused()
		await expect(skip).toBeInViewport()
		await page.keyboard.press('Enter')
		await expect(page.locator('#main')).toBeFocused()
	}
})

test('a key pressed during hydration does not stop it', async ({ page }) => {
	// One page in six failed before the fix, so each page is a new try.
	for (let load = 0; load < 20; load++) {
		await page.goto('/login', { waitUntil: 'domcontentloaded' })
		for (let press = 0; press < 3; press++) await page.keyboard.press('Tab')
		await page.waitForFunction(() => Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactProps')))
	}
})

test('the same refusal a second time gets the focus again', async ({ page }) => {
	await login(page, 'CASH01', '/dpprocess')
	const problem = page.getByRole('alert').filter({ hasText: 'There is a problem' })
	for (let attempt = 0; attempt < 2; attempt++) {
		await page.getByRole('button', { name: 'Verify', exact: true }).click()
		await expect(problem).toBeFocused()
		await expect(problem).toBeInViewport()
		await page.locator('#main').focus()
	}
})

test('the wheel over a focused number does not change a bid', async ({ page }) => {
	await login(page, 'CASH01', '/connect/ipo/KONKANLOG')
	const quantity = page.getByRole('spinbutton', { name: 'Quantity' })
	await quantity.fill('500')
	await quantity.hover()
	for (let turn = 0; turn < 3; turn++) await page.mouse.wheel(0, 120)
	await page.keyboard.press('Tab')
	await expect(quantity).toHaveValue('500')
})

for (const theme of ['light', 'dark']) {
	test(`the focus is visible, ${theme}`, async ({ page, context, baseURL }) => {
		await context.addCookies([{ name: 'theme', value: theme, url: baseURL }])
		await page.goto('/login')
		await expectVisibleFocus(page, 6)
		await login(page, 'CASH01')
		await page.goto('/reports/ledger')
		await expectVisibleFocus(page, 40)
		await page.goto('/dashboard')
		await expectVisibleFocus(page, 30)
	})
}

/** Tabs through the page. Each stop must be another element, and must look different when it has the focus. */
async function expectVisibleFocus(page: Page, stops: number) {
	const seen = new Set<string>()
	for (let stop = 0; stop < stops; stop++) {
		await page.keyboard.press('Tab')
		const found = await page.evaluate(() => {
			const element = document.activeElement
			if (!(element instanceof HTMLElement) || element === document.body) return undefined
			const look = (at: Element) => {
				const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } = getComputedStyle(at)
				return JSON.stringify([
					outlineStyle === 'none' ? 0 : outlineWidth,
					outlineStyle === 'none' ? 0 : outlineColor,
					boxShadow,
					borderColor,
					backgroundColor,
				])
			}
			const [focused, isVisible] = [look(element), element.matches(':focus-visible')]
			const box = element.getBoundingClientRect()
			const name = `${element.tagName} ${element.textContent.trim().slice(0, 40)} ${element.getAttribute('name') ?? ''}${element.getAttribute('value') ?? ''}`
			element.blur()
			const blurred = look(element)
			element.focus()
			return { name, isSeen: isVisible && focused !== blurred && box.width > 0 && box.height > 0 }
		})
		// After the last stop the focus leaves the page.
		if (!found) break
		expect.soft(found, `stop ${stop + 1}`).toMatchObject({ isSeen: true })
		seen.add(found.name)
	}
	expect(seen.size).toBeGreaterThan(3)
}

import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { CHROMIUM } from '#scripts/chromium'
import { PASSWORD } from '#sandbox/db/seed/personas'

type Palette = 'light' | 'dark'
export type Look = { width: number; palette: Palette; hasScripts: boolean }

const HEIGHTS: Record<number, number> = { 390: 844, 1280: 900 }

export function openCamera(): Promise<Browser> {
	return chromium.launch(CHROMIUM)
}

/** Returns a browser context of this look in which the client has signed in. */
export async function signIn(browser: Browser, url: string, client: string, look: Look): Promise<BrowserContext> {
	const context = await browser.newContext({
		baseURL: url,
		viewport: { width: look.width, height: HEIGHTS[look.width] ?? 900 },
		colorScheme: look.palette,
		javaScriptEnabled: look.hasScripts,
		reducedMotion: 'reduce',
	})
	const page = await context.newPage()
	await page.goto('/login')
	await page.getByLabel('Client code').fill(client)
	await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
	await page.getByRole('button', { name: 'Login' }).click()
	await page.waitForURL((address) => address.pathname !== '/login')
	await page.close()
	return context
}

/** Writes a picture of a page once its fonts have loaded, and its scripts too if it has any. `isWhole` takes the page's whole length. */
export async function takePicture(
	context: BrowserContext,
	path: string,
	file: string,
	{ isWhole, hasScripts }: { isWhole: boolean; hasScripts: boolean },
): Promise<void> {
	const page = await context.newPage()
	// A page whose fonts are late is drawn in another face (docs/decisions/034). The second time they are in the browser's cache.
	for (let loads = 0; loads < 3; loads++) {
		await page.goto(path, { waitUntil: 'networkidle' })
		if (await hasOwnFonts(page)) break
	}
	if (hasScripts) {
		// A page that is only read loads its scripts at the first input.
		await page.mouse.wheel(0, 0)
		await page.waitForFunction(() => Object.keys(document.querySelector('main') ?? {}).some((name) => name.startsWith('__react')))
		// The browser does not always report this a second time. Then nothing has been under way for two seconds.
		await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => {})
	}
	await page.screenshot({ path: file, fullPage: isWhole, animations: 'disabled' })
	await page.close()
}

/** True when the heading and the foot of a page, which have the two weights, are drawn in the portal's own fonts. */
async function hasOwnFonts(page: Page): Promise<boolean> {
	const session = await page.context().newCDPSession(page)
	await session.send('DOM.enable')
	await session.send('CSS.enable')
	const { root } = await session.send('DOM.getDocument')
	const drawn = await Promise.all(
		['h1', 'footer'].map(async (selector) => {
			const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector })
			// 0 stands for no such element.
			return nodeId === 0 || (await session.send('CSS.getPlatformFontsForNode', { nodeId })).fonts.some(({ isCustomFont }) => isCustomFont)
		}),
	)
	await session.detach()
	return drawn.every(Boolean)
}

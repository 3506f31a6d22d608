import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import { CHROMIUM } from '#scripts/chromium'

export function openBrowser(): Promise<Browser> {
	return chromium.launch(CHROMIUM)
}

/** Gives a browser the cookies of a Cookie header. */
export async function takeCookies(context: BrowserContext, url: string, header: string): Promise<void> {
	const pairs = header.split('; ').filter(Boolean)
	if (pairs.length === 0) return
	await context.addCookies(pairs.map((pair) => ({ name: pair.slice(0, pair.indexOf('=')), value: pair.slice(pair.indexOf('=') + 1), url })))
}

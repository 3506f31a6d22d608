import { type Browser, type BrowserContext, chromium } from '@playwright/test'

const ARGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
]

export function openBrowser(): Promise<Browser> {
	return chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ARGS })
}

/** Gives a browser the cookies of a Cookie header. */
export async function takeCookies(context: BrowserContext, url: string, header: string): Promise<void> {
	const pairs = header.split('; ').filter(Boolean)
	if (pairs.length === 0) return
	await context.addCookies(pairs.map((pair) => ({ name: pair.slice(0, pair.indexOf('=')), value: pair.slice(pair.indexOf('=') + 1), url })))
}

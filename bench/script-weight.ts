import { get, type IncomingMessage } from 'node:http'
import { type Browser } from '@playwright/test'
import { openBrowser, takeCookies } from './browser'
import { type Figure } from './figures'
import { type Program } from './programs'

const PAGES = [
	{ path: '/login', atMost: 90 },
	{ path: '/dashboard', atMost: 82 },
	{ path: '/reports/ledger', atMost: 85 },
]

/** Measures the JavaScript that a browser with an empty cache loads for a page, in bytes on the network: modules, preloads, manifest. */
export async function measureScriptWeight(portal: Program, cookie: string): Promise<Figure[]> {
	const browser = await openBrowser()
	try {
		const figures: Figure[] = []
		for (const { path, atMost } of PAGES) {
			const { bytes, files } = await weigh(browser, portal.url, path, path === '/login' ? '' : cookie)
			figures.push({ what: `${path}: JavaScript, brotli`, value: bytes / 1024, unit: 'KB', atMost, note: `${files} files` })
		}
		return figures
	} finally {
		await browser.close()
	}
}

async function weigh(browser: Browser, portal: string, path: string, cookie: string): Promise<{ bytes: number; files: number }> {
	const context = await browser.newContext()
	await takeCookies(context, portal, cookie)
	const page = await context.newPage()
	const scripts = new Set<string>()
	page.on('response', (answer) => {
		if (/javascript/.test(answer.headers()['content-type'] ?? '') || new URL(answer.url()).pathname === '/__manifest')
			scripts.add(answer.url())
	})
	await page.goto(portal + path, { waitUntil: 'networkidle' })
	// A page that is only read loads its scripts at this input (docs/decisions/031).
	await page.mouse.move(50, 50, { steps: 3 })
	await page.waitForFunction(() => Object.keys(document.querySelector('main') ?? {}).some((name) => name.startsWith('__react')))
	await page.waitForLoadState('networkidle')
	if (new URL(page.url()).pathname !== path) throw new Error(`${path} led to ${page.url()}`)
	await context.close()
	// Chromium requests brotli only over https. So the files are fetched once more, as https would send them.
	let bytes = 0
	for (const url of scripts) bytes += await bodyBytes(url, cookie)
	return { bytes, files: scripts.size }
}

async function bodyBytes(url: string, cookie: string): Promise<number> {
	const answer = await new Promise<IncomingMessage>((resolve, reject) => {
		get(url, { headers: { cookie, 'accept-encoding': 'gzip, br' } }, resolve).on('error', reject)
	})
	let bytes = 0
	for await (const part of answer) bytes += (part as Buffer).length
	return bytes
}

import { execFileSync } from 'node:child_process'
import { type Browser, type BrowserContext, type Page } from '@playwright/test'
import { openBrowser, takeCookies } from './browser'
import { type Figure, median } from './figures'
import { type Program, start } from './programs'

const FLOOR_PORT = 4204
const RUNS = 5
/** "Slow 4G" of Chromium's own tools, and a processor four times slower. Bytes a second. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 209_715, uploadThroughput: 96_000 }
const SLOWER = 4
/** Bytes and requests are counted until the page has been quiet for this time, in milliseconds. */
const QUIET_MS = 1000

/** Ratios to the floor of the same run. */
type Limits = { painted: number; live: number; requests: number; kb: number; againKb: number }
const PAGES: { path: string; limits: Limits }[] = [
	{ path: '/dashboard', limits: { painted: 1.15, live: 1.15, requests: 12, kb: 110, againKb: 30 } },
	{ path: '/reports/ledger', limits: { painted: 1.3, live: 1.3, requests: 12, kb: 110, againKb: 30 } },
]

/** Milliseconds from the request; `shift` is the layout shift that a reader sees. */
type Visit = { painted: number; live: number; requests: number; bytes: number; shift: number }

/**
 * First and second visits of a browser on a slow line, beside the smallest Remix page, in turns: the largest paint, the moment React has
 * taken over the page, requests, and bytes on the network.
 */
export async function measureVisits(portal: Program, cookie: string): Promise<Figure[]> {
	execFileSync('node_modules/.bin/remix', ['vite:build', 'bench/floor', '--logLevel', 'error'], { stdio: 'inherit' })
	const serve = [`${process.cwd()}/node_modules/.bin/remix-serve`, 'build/server/index.js']
	const floor = await start('floor', serve, FLOOR_PORT, { PORT: String(FLOOR_PORT) }, '/', 'bench/floor')
	const browser = await openBrowser()
	try {
		const floors: Visit[] = []
		const visits = PAGES.map(() => ({ first: [] as Visit[], second: [] as Visit[] }))
		for (let run = 0; run < RUNS; run++) {
			floors.push((await visitTwice(browser, floor.url, '/', '')).first)
			for (const [at, { path }] of PAGES.entries()) {
				const { first, second } = await visitTwice(browser, portal.url, path, cookie)
				visits[at]?.first.push(first)
				visits[at]?.second.push(second)
			}
		}
		return [
			...listFigures('the floor', floors),
			...PAGES.flatMap(({ path, limits }, at) => {
				const { first = [], second = [] } = visits[at] ?? {}
				return [
					...compare(path, first, floors, limits),
					{ what: `${path}, second visit: on the network`, value: middle(second, 'bytes') / 1024, unit: 'KB', atMost: limits.againKb },
					{ what: `${path}, second visit: layout shift`, value: middle(second, 'shift'), unit: '' },
				]
			}),
		]
	} finally {
		await browser.close()
		await floor.stop()
	}
}

const middle = (visits: readonly Visit[], field: keyof Visit) => median(visits.map((visit) => visit[field]))

function listFigures(what: string, visits: readonly Visit[]): Figure[] {
	return [
		{ what: `${what}: largest paint`, value: middle(visits, 'painted') / 1000, unit: 's' },
		{ what: `${what}: live`, value: middle(visits, 'live') / 1000, unit: 's' },
		{ what: `${what}: on the network`, value: middle(visits, 'bytes') / 1024, unit: 'KB', note: `${middle(visits, 'requests')} requests` },
	]
}

function compare(path: string, visits: readonly Visit[], floors: readonly Visit[], limits: Limits): Figure[] {
	const ratio = (field: 'painted' | 'live') => median(visits.map((visit, run) => visit[field] / (floors[run]?.[field] ?? Number.NaN)))
	const seconds = (field: 'painted' | 'live') => `${(middle(visits, field) / 1000).toFixed(2)} s`
	return [
		{
			what: `${path}: largest paint, ratio to the floor`,
			value: ratio('painted'),
			unit: '',
			atMost: limits.painted,
			note: seconds('painted'),
		},
		{ what: `${path}: live, ratio to the floor`, value: ratio('live'), unit: '', atMost: limits.live, note: seconds('live') },
		{ what: `${path}: requests`, value: middle(visits, 'requests'), unit: '', atMost: limits.requests },
		{ what: `${path}: on the network`, value: middle(visits, 'bytes') / 1024, unit: 'KB', atMost: limits.kb },
		{ what: `${path}: layout shift`, value: middle(visits, 'shift'), unit: '' },
	]
}

declare global {
	interface Window {
		/** What the page's observer (WATCH) has seen. */
		seen: Omit<Visit, 'requests' | 'bytes'>
	}
}

/** With an empty cache, and once more with what the first visit left in it. */
async function visitTwice(browser: Browser, url: string, path: string, cookie: string): Promise<{ first: Visit; second: Visit }> {
	const context = await browser.newContext()
	try {
		await takeCookies(context, url, cookie)
		return { first: await visit(context, url + path), second: await visit(context, url + path) }
	} finally {
		await context.close()
	}
}

async function visit(context: BrowserContext, address: string): Promise<Visit> {
	const page = await context.newPage()
	const tools = await context.newCDPSession(page)
	await tools.send('Network.enable')
	await tools.send('Network.emulateNetworkConditions', NETWORK)
	await tools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
	const cached = new Set<string>()
	let requests = 0
	let bytes = 0
	tools.on('Network.requestServedFromCache', ({ requestId }) => void cached.add(requestId))
	tools.on('Network.responseReceived', ({ requestId, response }) => void (response.fromDiskCache && cached.add(requestId)))
	tools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
		if (cached.has(requestId)) return
		requests++
		bytes += encodedDataLength
	})
	// Text, not a function: the compiler adds helpers that a browser does not know to functions with names.
	await page.addInitScript(WATCH)
	await page.goto(address, { waitUntil: 'load' })
	await page.waitForFunction(() => window.seen.live > 0, undefined, { polling: 50 })
	await untilQuiet(page)
	const { painted, live, shift } = await page.evaluate(() => window.seen)
	await page.close()
	return { painted, live, shift, requests, bytes }
}

/** Until no request has begun for a second. */
async function untilQuiet(page: Page): Promise<void> {
	const isAsking = () =>
		page.waitForEvent('request', { timeout: QUIET_MS }).then(
			() => true,
			() => false,
		)
	while (await isAsking());
}

/** React marks every element that it has taken over with a property of this name. */
const WATCH = `
	window.seen = { painted: 0, live: 0, shift: 0 }
	new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.painted = entry.startTime })
		.observe({ type: 'largest-contentful-paint', buffered: true })
	new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value })
		.observe({ type: 'layout-shift', buffered: true })
	const isLive = () => document.querySelector('main') && Object.keys(document.querySelector('main')).some((name) => name.startsWith('__reactFiber'))
	const timer = setInterval(() => { if (isLive()) { seen.live = performance.now(); clearInterval(timer) } }, 10)
`

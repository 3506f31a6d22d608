import { execFileSync } from 'node:child_process'
import { type Browser, type BrowserContext, type Page } from '@playwright/test'
import { openBrowser, takeCookies } from './browser'
import { type Figure, median } from './figures'
import { type Program, start } from './programs'

const FLOOR_PORT = 4204
const RUNS = 5
/**
 * The "Slow 4G" of Lighthouse and Chromium's developer tools for single requests, with their factors of 3.75 and 0.9 (a round trip of
 * 150 ms and 1.6 Mbit/s on the wire), and a processor four times slower. Latency in milliseconds, throughput in bytes per second.
 */
const NETWORK = { offline: false, latency: 150 * 3.75, downloadThroughput: ((1.6 * 1024 * 1024) / 8) * 0.9, uploadThroughput: 84_375 }
const SLOWER = 4
/** Bytes and requests are counted until the page has made no request for this time, in milliseconds. */
const QUIET_MS = 1000

/** Ratios to the floor of the same run. */
type Limits = { painted: number; live: number; requests: number; kb: number; againKb: number }
const PAGES: { path: string; limits: Limits }[] = [
	{ path: '/dashboard', limits: { painted: 1.15, live: 1.15, requests: 12, kb: 110, againKb: 30 } },
	{ path: '/reports/ledger', limits: { painted: 1.3, live: 1.3, requests: 12, kb: 110, againKb: 30 } },
]

/**
 * Milliseconds from the request. `shift` is the layout shift that a reader sees. `live` is 0 on a page that gets no input before its
 * scripts load.
 */
type Visit = { painted: number; live: number; requests: number; bytes: number; shift: number }
type Visits = { first: Visit; second: Visit; touched: Visit }

/**
 * Measures first and second visits of a browser on a slow line, in turns with the smallest Remix page. For a page that is only read: the
 * largest paint, requests, and bytes on the network. For a page that a person touches at the first paint: the moment when React has
 * taken over the page, and all bytes until then.
 */
export async function measureVisits(portal: Program, cookie: string): Promise<Figure[]> {
	execFileSync('node_modules/.bin/remix', ['vite:build', 'bench/floor', '--logLevel', 'error'], { stdio: 'inherit' })
	const serve = [`${process.cwd()}/node_modules/.bin/remix-serve`, 'build/server/index.js']
	const floor = await start('floor', serve, FLOOR_PORT, { PORT: String(FLOOR_PORT) }, '/', 'bench/floor')
	const browser = await openBrowser()
	try {
		const floors: Visit[] = []
		const visits: Visits[][] = PAGES.map(() => [])
		for (let run = 0; run < RUNS; run++) {
			floors.push((await visitThrice(browser, floor.url, '/', '')).touched)
			for (const [at, { path }] of PAGES.entries()) visits[at]?.push(await visitThrice(browser, portal.url, path, cookie))
		}
		return [
			...listFigures('the floor', floors),
			...PAGES.flatMap(({ path, limits }, at) => {
				const pick = (which: keyof Visits) => visits[at]?.map((each) => each[which]) ?? []
				const second = pick('second')
				return [
					...compare(path, pick('first'), pick('touched'), floors, limits),
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

function compare(path: string, visits: readonly Visit[], touched: readonly Visit[], floors: readonly Visit[], limits: Limits): Figure[] {
	const ratio = (of: readonly Visit[], field: 'painted' | 'live') =>
		median(of.map((visit, run) => visit[field] / (floors[run]?.[field] ?? Number.NaN)))
	const seconds = (of: readonly Visit[], field: 'painted' | 'live') => `${(middle(of, field) / 1000).toFixed(2)} s`
	return [
		{
			what: `${path}: largest paint, ratio to the floor`,
			value: ratio(visits, 'painted'),
			unit: '',
			atMost: limits.painted,
			note: seconds(visits, 'painted'),
		},
		{
			what: `${path}: live when touched at once, ratio to the floor`,
			value: ratio(touched, 'live'),
			unit: '',
			atMost: limits.live,
			note: `${seconds(touched, 'live')}, painted at ${seconds(touched, 'painted')}`,
		},
		{ what: `${path}: requests`, value: middle(visits, 'requests'), unit: '', atMost: limits.requests },
		{ what: `${path}: on the network`, value: middle(visits, 'bytes') / 1024, unit: 'KB', atMost: limits.kb },
		{
			what: `${path}: on the network with its scripts`,
			value: middle(touched, 'bytes') / 1024,
			unit: 'KB',
			note: `${middle(touched, 'requests')} requests`,
		},
		{ what: `${path}: layout shift`, value: middle(visits, 'shift'), unit: '' },
	]
}

declare global {
	interface Window {
		/** What the observer of the page (WATCH) has measured. */
		seen: Omit<Visit, 'requests' | 'bytes'>
	}
}

/** Visits the page with an empty cache, again with the cache of the first visit, and with an empty cache and a touch. */
async function visitThrice(browser: Browser, url: string, path: string, cookie: string): Promise<Visits> {
	const reader = await browser.newContext()
	const person = await browser.newContext()
	try {
		// Without the `stylesheet` cookie, which says that the browser has the stylesheet: the cookies come from another program, and
		// this browser is new.
		const own = cookie
			.split('; ')
			.filter((pair) => !pair.startsWith('stylesheet='))
			.join('; ')
		for (const context of [reader, person]) await takeCookies(context, url, own)
		const first = await visit(reader, url + path)
		return { first, second: await visit(reader, url + path), touched: await visit(person, url + path, true) }
	} finally {
		await reader.close()
		await person.close()
	}
}

async function visit(context: BrowserContext, address: string, isTouched = false): Promise<Visit> {
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
	// Text and not a function, because the compiler adds helpers to named functions that a browser does not know.
	await page.addInitScript(WATCH)
	if (isTouched) await page.addInitScript(TOUCH)
	await page.goto(address, { waitUntil: 'load' })
	if (isTouched) await page.waitForFunction(() => window.seen.live > 0, undefined, { polling: 50 })
	await untilQuiet(page)
	const { painted, live, shift } = await page.evaluate(() => window.seen)
	await page.close()
	return { painted, live, shift, requests, bytes }
}

/** Waits until no request has started for a second. */
async function untilQuiet(page: Page): Promise<void> {
	const isAsking = () =>
		page.waitForEvent('request', { timeout: QUIET_MS }).then(
			() => true,
			() => false,
		)
	while (await isAsking());
}

/** React gives every element that it has taken over a property with this name. */
const WATCH = `
	window.seen = { painted: 0, live: 0, shift: 0 }
	new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.painted = entry.startTime })
		.observe({ type: 'largest-contentful-paint', buffered: true })
	new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value })
		.observe({ type: 'layout-shift', buffered: true })
	const isLive = () => document.querySelector('main') && Object.keys(document.querySelector('main')).some((name) => name.startsWith('__reactFiber'))
	const timer = setInterval(() => { if (isLive()) { seen.live = performance.now(); clearInterval(timer) } }, 10)
`

/** Simulates a finger on the screen at the first paint. */
const TOUCH = `
	new PerformanceObserver(() => dispatchEvent(new Event('pointerdown'))).observe({ type: 'paint', buffered: true })
`

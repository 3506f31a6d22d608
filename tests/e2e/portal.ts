import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Cookie, type Download, expect, type Page, test as base } from '@playwright/test'
import { type RunOptions } from 'axe-core'
import { claim } from './claims'

export const PASSWORD = 'Demo@1234'
/** Set when the tests go through nginx with TLS to two portals (`npm test -- --deployed`). */
const isDeployed = process.env.DEPLOYED === '1'
export const PORTAL = isDeployed ? 'https://localhost:8443' : 'http://127.0.0.1:3100'
export const SANDBOX = isDeployed ? 'https://localhost:4443' : 'http://127.0.0.1:4100'
/** The same sandbox without TLS, for portals that a test starts. */
export const BROKER = isDeployed ? 'http://127.0.0.1:4000' : SANDBOX
/** A second portal and sandbox for tests that make calls fail and sessions end, so that other tests can use the first at the same time. */
export const FAILING = { portal: 'http://127.0.0.1:3101', sandbox: 'http://127.0.0.1:4101' }

/** Text that no page may show, whatever the broker sends: raw values, a stack, another program's error page. */
export const NONSENSE = /undefined|\bNaN\b|\[object |Invalid Date|\bat \S+ \(|node_modules|<!doctype|It works!/i

/** A page that fails the test on any browser error: a blocked resource, a script error, a lost request. */
export const test = base.extend<{ isTouched: boolean; touched: void; complaints: string[]; mended: void }>({
	/** True to touch each page when it is ready. A page without a form then loads its scripts at once, and not seconds later. */
	isTouched: [true, { option: true }],
	touched: [
		async ({ context, isTouched }, use) => {
			if (isTouched) await context.addInitScript(() => addEventListener('DOMContentLoaded', () => dispatchEvent(new Event('wheel'))))
			await use()
		},
		{ auto: true },
	],
	complaints: [
		async ({ page }, use) => {
			const complaints: string[] = []
			page.on('console', (message) => {
				// The console reports a status of 4xx as an error; the test checks the page of that response. Remix also reports an error
				// when a person leaves the page before it has fetched the routes of its links, or before the end of a reply (`network error`).
				if (
					message.type() === 'error' &&
					!/^Failed to (load resource|fetch manifest patches)|^TypeError: network error$/.test(message.text())
				)
					complaints.push(message.text())
			})
			// A navigation that replaces another one aborts its reply, and turbo-stream leaves the promise of the end of that without a handler.
			page.on('pageerror', ({ name, message }) => {
				if (name !== 'AbortError' || message !== 'signal is aborted without reason') complaints.push(message)
			})
			await use(complaints)
			expect(complaints).toEqual([])
		},
		{ auto: true },
	],
	/** Stores the address of the portal, and removes all faults after each test. */
	mended: [
		async ({ baseURL }, use) => {
			origin = baseURL ?? PORTAL
			await use()
			await mendBroker()
		},
		{ auto: true },
	],
})

/** The portal of the current test. */
let origin = PORTAL
/** The cookies of earlier logins in this worker, by portal and client. */
const sessions = new Map<string, Cookie[]>()

/**
 * Opens a page as a client. A session of an earlier test of the worker is used again, unless it has ended or the test needs its `own`:
 * the portal caches the broker's replies of a session for a short time.
 */
export async function login(page: Page, code = 'DEMO01', redirectTo = '', own = false) {
	const key = `${origin} ${code}`
	const begun = own ? undefined : sessions.get(key)
	if (begun) {
		await page.context().addCookies(begun)
		await page.goto(redirectTo || '/dashboard')
		if (new URL(page.url()).pathname !== '/login') return
	}
	await page.goto(`/login${redirectTo && `?redirectTo=${encodeURIComponent(redirectTo)}`}`)
	await enter(page, code)
	await page.waitForURL((url) => url.pathname !== '/login')
	if (own) return
	const cookies = await page.context().cookies()
	sessions.set(
		key,
		cookies.filter(({ name }) => /session|activity/.test(name)),
	)
}

/** Fills in and sends the login form. */
export async function enter(page: Page, code: string, password = PASSWORD) {
	await page.getByLabel('Client code').fill(code)
	await page.getByLabel('Password', { exact: true }).fill(password)
	await page.getByRole('button', { name: 'Login' }).click()
}

/** Follows a download link by its first word; returns the file's name and bytes. */
export async function save(page: Page, name: RegExp): Promise<{ name: string; bytes: Buffer; path: string; download: Download }> {
	const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
	const path = await download.path()
	return { name: download.suggestedFilename(), bytes: readFileSync(path), path, download }
}

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')
const EVERY_RULE: RunOptions['runOnly'] = {
	type: 'tag',
	values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
/** The only rules that check colours. */
const OF_COLOURS: RunOptions['runOnly'] = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** Findings of axe against WCAG 2.2 AA and good practice, one line each. */
export async function listViolations(page: Page, runOnly = EVERY_RULE): Promise<string[]> {
	// Once for each document, because the script has half a megabyte.
	if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
	return page.evaluate(async (rules) => {
		// Hundreds of rows differ only in their text, and checking them takes seconds. So one row of each shape is checked.
		const shapes = new Set<string>()
		const describe = (element: Element) => [
			element.tagName,
			element.className,
			element.textContent.trim() !== '',
			...element.getAttributeNames(),
			element.getAttribute('role'),
		]
		const alike = [...document.querySelectorAll('tbody > tr, li')].filter((row) => {
			const parts = [row.parentElement ?? row, row, ...row.querySelectorAll('*')]
			const shape = JSON.stringify([row.closest('table, ul, ol')?.className, parts.map(describe)])
			return shapes.size === shapes.add(shape).size
		})
		const { axe } = window as unknown as { axe: typeof import('axe-core') }
		const found = await axe.run({ exclude: alike }, { runOnly: rules, resultTypes: ['violations'] })
		return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
	}, runOnly)
}

/** Findings in both palettes: all rules in the dark one, then the rules of colours in the light one. The page stays light. */
export async function listInBothPalettes(page: Page): Promise<string[]> {
	const found: string[] = []
	for (const [colorScheme, rules] of [
		['dark', EVERY_RULE],
		['light', OF_COLOURS],
	] as const) {
		// No transitions: a button that changes its colour has a wrong contrast for a moment.
		await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
		found.push(...(await listViolations(page, rules)).map((line) => `${colorScheme}: ${line}`))
	}
	return found
}

type Fault = {
	/** An operationId, or `*` for all. */
	operation: string
	kind: string
	/** Tests that run at the same time share the sandbox, so each fault is for one client, and no other file breaks that client's calls. */
	client: string
	/** How many calls fail; all when left out, until the fault is removed. */
	count?: number
	ms?: number
	mb?: number
}

/** The addresses of the current faults. */
const made = new Set<string>()

/** Makes one call of the broker fail for one client, until it is removed or the test ends. */
export async function breakBroker(fault: Fault, sandbox = SANDBOX) {
	claim('faults', fault.client, sandbox)
	const faults = `${sandbox}/control/faults`
	const answer = await fetch(faults, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(fault),
	})
	const text = await answer.text()
	expect(answer.ok, text).toBe(true)
	made.add(`${faults}/${(JSON.parse(text) as { data: { id: number } }).data.id}`)
}

/** Removes the faults of this test only. */
export async function mendBroker() {
	for (const fault of made) await fetch(fault, { method: 'DELETE' })
	made.clear()
}

/** Finds tokens of a client in a text. Compares everything with the shape of a token with the fingerprints of readFingerprints. */
export function findTokens(text: string, fingerprints: ReadonlySet<string>): string[] {
	const shapes = (text.match(/[\w-]{43,}/g) ?? []).flatMap((run) =>
		Array.from({ length: run.length - TOKEN_LENGTH + 1 }, (_, at) => run.slice(at, at + TOKEN_LENGTH)),
	)
	return shapes.filter((shape) => fingerprints.has(`sha256:${createHash('sha256').update(shape).digest('hex').slice(0, 16)}`))
}

/** The fingerprints of a client's tokens in the sandbox's log. */
export async function readFingerprints(client: string, sandbox = SANDBOX): Promise<Set<string>> {
	const log = (await (await fetch(`${sandbox}/control/log`)).json()) as { data: { headers: Record<string, string> }[] }
	const own = log.data.filter(({ headers }) => headers['client-code'] === client)
	const fingerprints = new Set(own.flatMap(({ headers }) => headers['auth-token'] ?? []))
	expect(fingerprints.size).toBeGreaterThan(0)
	return fingerprints
}

/** 32 bytes in base64url. */
const TOKEN_LENGTH = 43

/** Logs a client in at the broker; returns its profile as the broker writes it. */
export async function readProfile(client: string, sandbox = SANDBOX): Promise<string> {
	const granted = await fetch(`${sandbox}/v2/user/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ username: client, password: PASSWORD }),
	})
	const { data } = (await granted.json()) as { data: { authToken: string } }
	const profile = await fetch(`${sandbox}/v2/account-profile/personal-details?source=connect`, {
		headers: { 'auth-token': data.authToken, 'client-code': client },
	})
	return await profile.text()
}

/** The purposes of an OTP. The sandbox has one OTP of each at a time. */
const OTP_WORDS = { delivery: /(\d{6}) is the OTP to allow the delivery/, change: /(\d{6}) is the OTP to (?!allow the delivery)/ }

/** The latest OTP that the sandbox sent to a client, for a change of the account or a delivery of shares; '' when there is none. */
export async function readOtp(client: string, purpose: keyof typeof OTP_WORDS = 'change', sandbox = SANDBOX): Promise<string> {
	claim(`${purpose} OTPs`, client, sandbox)
	const text = await (await fetch(`${sandbox}/outbox?client=${client}`)).text()
	return OTP_WORDS[purpose].exec(text)?.[1] ?? ''
}

/** Ends the client's sessions at the broker: the next call of each gets a 401. */
export async function expireTokens(client: string, sandbox: string) {
	claim('faults', client, sandbox)
	const answer = await fetch(`${sandbox}/control/expire`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ client }),
	})
	expect(answer.ok).toBe(true)
}

export { expect }

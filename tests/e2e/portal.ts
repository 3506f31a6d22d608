import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { type Download, expect, type Page, test as base } from '@playwright/test'

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
export const test = base.extend<{ complaints: string[]; mended: void }>({
	complaints: [
		async ({ page }, use) => {
			const complaints: string[] = []
			page.on('console', (message) => {
				// A status of 4xx is announced as an error of the console; the test looks at the page that came with it. Remix
				// announces so too that a person left the page before it had looked ahead.
				if (message.type() === 'error' && !/^Failed to (load resource|fetch manifest patches)/.test(message.text()))
					complaints.push(message.text())
			})
			page.on('pageerror', (error) => complaints.push(error.message))
			await use(complaints)
			expect(complaints).toEqual([])
		},
		{ auto: true },
	],
	/** Removes all faults after each test. */
	mended: [
		async ({ browserName: _ }, use) => {
			await use()
			await mendBroker()
		},
		{ auto: true },
	],
})

export async function login(page: Page, code = 'DEMO01', redirectTo = '') {
	await page.goto(`/login${redirectTo && `?redirectTo=${encodeURIComponent(redirectTo)}`}`)
	await enter(page, code)
	await page.waitForURL((url) => url.pathname !== '/login')
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

/** Findings of axe against WCAG 2.2 AA and good practice, one line each. */
export async function listViolations(page: Page): Promise<string[]> {
	const { violations } = await new AxeBuilder({ page })
		// Its other way puts frames together in a second page, which takes as long again; no page of ours has a frame.
		.setLegacyMode()
		.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
		// The rows of a long table are alike, and looking at hundreds takes ten seconds: its first and last are looked at.
		.exclude('tbody tr:nth-child(n+9):not(:nth-last-child(-n+3))')
		.options({ resultTypes: ['violations'] })
		.analyze()
	return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
}

type Fault = {
	/** An operationId, or `*` for all. */
	operation: string
	kind: string
	/**
	 * All tests that run at the same time share the sandbox's faults, so each fault is for one client, and no two test files share a client.
	 */
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

/**
 * Finds a client's tokens in a text. The sandbox's log has only fingerprints of tokens, so everything with the shape of a token is
 * compared with them.
 */
export async function findTokens(text: string, client: string): Promise<string[]> {
	const log = (await (await fetch(`${SANDBOX}/control/log`)).json()) as { data: { headers: Record<string, string> }[] }
	const own = log.data.filter(({ headers }) => headers['client-code'] === client)
	const fingerprints = new Set(own.flatMap(({ headers }) => headers['auth-token'] ?? []))
	expect(fingerprints.size).toBeGreaterThan(0)
	const shapes = (text.match(/[\w-]{43,}/g) ?? []).flatMap((run) =>
		Array.from({ length: run.length - TOKEN_LENGTH + 1 }, (_, at) => run.slice(at, at + TOKEN_LENGTH)),
	)
	return shapes.filter((shape) => fingerprints.has(`sha256:${createHash('sha256').update(shape).digest('hex').slice(0, 16)}`))
}
/** 32 bytes in base64url. */
const TOKEN_LENGTH = 43

/** Logs a client in at the broker; returns its profile as the broker writes it. */
export async function readProfile(client: string): Promise<string> {
	const granted = await fetch(`${SANDBOX}/v2/user/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ username: client, password: PASSWORD }),
	})
	const { data } = (await granted.json()) as { data: { authToken: string } }
	const profile = await fetch(`${SANDBOX}/v2/account-profile/personal-details?source=connect`, {
		headers: { 'auth-token': data.authToken, 'client-code': client },
	})
	return await profile.text()
}

/** Ends the client's sessions at the broker: the next call of each gets a 401. */
export async function expireTokens(client: string, sandbox: string) {
	const answer = await fetch(`${sandbox}/control/expire`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ client }),
	})
	expect(answer.ok).toBe(true)
}

export { expect }

import { AxeBuilder } from '@axe-core/playwright'
import { type Download, expect, type Page, test as base } from '@playwright/test'
import { readFileSync } from 'node:fs'

export const PASSWORD = 'Demo@1234'
export const SANDBOX = 'http://127.0.0.1:4100'

/** A page on which anything the browser complains about fails the test: a blocked resource, an error of a script, a lost request. */
export const test = base.extend<{ complaints: string[] }>({
	complaints: [
		async ({ page }, use) => {
			const complaints: string[] = []
			page.on('console', (message) => {
				// A status of 4xx is announced as an error of the console; the test looks at the page that came with it.
				if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text())
			})
			page.on('pageerror', (error) => complaints.push(error.message))
			await use(complaints)
			expect(complaints).toEqual([])
		},
		{ auto: true },
	],
})

export async function login(page: Page, code = 'DEMO01', redirectTo = '') {
	await page.goto(`/login${redirectTo && `?redirectTo=${encodeURIComponent(redirectTo)}`}`)
	await page.getByLabel('Client code').fill(code)
	await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
	await page.getByRole('button', { name: 'Login' }).click()
	await page.waitForURL((url) => url.pathname !== '/login')
}

/** Follows a download link by its first word and gives the file's name and bytes. */
export async function save(page: Page, name: RegExp): Promise<{ name: string; bytes: Buffer; download: Download }> {
	const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
	return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()), download }
}

/** No violation of WCAG 2.2 AA that a machine can find. */
export async function expectAccessible(page: Page) {
	const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze()
	expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([])
}

/** Makes one call of the broker misbehave, until it is mended. */
export async function breakBroker(fault: { operation: string; kind: string; client?: string; times?: number; ms?: number; mb?: number }) {
	const answer = await fetch(`${SANDBOX}/control/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fault) })
	expect(answer.ok, await answer.text()).toBe(true)
}

export async function mendBroker() {
	await fetch(`${SANDBOX}/control/faults`, { method: 'DELETE' })
}

export { expect }

import { type Page, type TestInfo } from '@playwright/test'
import { breakBroker, expect, login, NONSENSE, PORTAL, SANDBOX, save, test, listInBothPalettes } from './portal'

/*
 * A report opened from another product of the broker: no login, no menu, one report of one client, and no part of the link in the
 * address. Runs with JavaScript and without, each with its own client, because a fault is set for one client.
 */
const chooseClient = ({ project }: TestInfo) => (project.name === 'with JavaScript' ? 'CLOS01' : 'CASH01')

/** A link as another product makes it. A link of 0 minutes has expired. */
async function linkFor(client: string, minutes = 30): Promise<string> {
	const answer = await fetch(`${SANDBOX}/control/report-links`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ client, minutes, portal: PORTAL }),
	})
	return ((await answer.json()) as { data: { url: string } }).data.url
}

const REPORT = `${PORTAL}/client/reports`
/** The report of one of the links that are open in a browser. */
const OPENED = /\/client\/reports\?link=[\w-]{36}$/

async function expectReport(page: Page, client: string) {
	await expect(page.getByRole('heading', { level: 1, name: 'Profit & Loss' })).toBeVisible()
	await expect(page.locator('main')).toContainText(client)
	await expect(page.getByRole('table', { name: 'Segments' })).toBeVisible()
	await expect(page.getByRole('table', { name: 'Profit & Loss', exact: true })).toBeVisible()
	await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
	await expect(page.locator('body')).not.toContainText(NONSENSE)
}

test('a link opens the report, where the client selects a year and saves files', async ({ page }, info) => {
	const client = chooseClient(info)
	const link = await linkFor(client)
	await page.goto(link)
	await expect(page).toHaveURL(OPENED)
	await expectReport(page, client)
	expect(await page.content()).not.toContain(new URL(link).searchParams.get('SessionId'))

	const years = page.getByLabel('Financial year')
	const last = (await years.locator('option').allInnerTexts())[1] ?? ''
	await years.selectOption(last)
	await page.getByRole('button', { name: 'Show' }).click()
	await expect(page).toHaveURL(new RegExp(`year=${last}`))
	await expect(page.locator('main')).toContainText(`01/04/${last.slice(0, 4)} to 31/03/${last.slice(5)}`)
	for (const [name, file] of [
		[/^PDF/, 'PNL.pdf'],
		[/^Excel/, 'PNL.xls'],
		[/^CSV(?! of)/, 'PNL.csv'],
	] as const) {
		const saved = await save(page, name)
		expect([saved.name, saved.bytes.length > 100]).toEqual([`${client}_${file}`, true])
	}
	await page.getByRole('button', { name: 'Generate' }).click()
	await expect(page.getByText('The summary bundle is being made')).toBeVisible()
	await expect(page).toHaveURL(OPENED)
	// The year of the last request.
	await expect(years).toHaveValue(last)
})

test('a link opens only its report, and does not affect a login', async ({ page }, info) => {
	const client = chooseClient(info)
	await page.goto(await linkFor(client))
	for (const address of ['/dashboard', '/reports/profitnloss', '/reports/ledger']) {
		await page.goto(address)
		await expect(page).toHaveURL(/\/login\?redirectTo=/)
	}
	await login(page, 'DEMO01')
	await page.goto(await linkFor(client))
	await expectReport(page, client)
	await page.goto('/reports/profitnloss')
	await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
	await expect(page.locator('body')).toContainText('DEMO01')
})

test('replaces an expired token automatically, with a short notice', async ({ page }, info) => {
	const client = chooseClient(info)
	await page.goto(await linkFor(client))
	await expectReport(page, client)
	await breakBroker({ operation: 'getPnlSegmentReport', kind: '401', client, count: 1 })
	await page.reload()
	await expect(page.getByRole('status').getByText('Token refreshed, please try again')).toBeVisible()
	await expectReport(page, client)
	await breakBroker({ operation: 'downloadPnlReport', kind: '401', client, count: 1 })
	const { name } = await save(page, /^PDF/)
	expect(name).toBe(`${client}_PNL.pdf`)
})

test('an invalid link shows a message that says what to do', async ({ page }, info) => {
	const client = chooseClient(info)
	const valid = new URL(await linkFor(client))
	const LINKS: [string, status: number, message: string][] = [
		[await linkFor(client, 0), 403, 'This link is not valid or has expired'],
		[`${valid.href}1`, 403, 'This link is not valid or has expired'],
		[valid.href.replace('CONNECT', 'OTHER'), 403, 'This link is not valid or has expired'],
		[valid.href.replace(client, 'NEW001'), 403, 'This link is not valid or has expired'],
		[`${REPORT}?UserId=${client}`, 403, 'A part of its address is missing'],
		[REPORT, 403, 'A bookmark, or its address in another browser'],
	]
	for (const [link, status, message] of LINKS) {
		const answer = await page.goto(link)
		expect([link, answer?.status()]).toEqual([link, status])
		await expect(page.getByRole('heading', { level: 1, name: 'Profit & Loss' })).toBeVisible()
		await expect(page.getByText(message)).toBeVisible()
		await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
		await expect(page.getByRole('table')).toHaveCount(0)
	}
})

test('the report is accessible and fits on a desktop and on a phone, in both palettes', async ({ page }, info) => {
	const client = chooseClient(info)
	for (const address of [await linkFor(client), await linkFor(client, 0)]) {
		await page.goto(address)
		await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
		for (const width of [1280, 390]) {
			await page.setViewportSize({ width, height: 900 })
			expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
			// Axe is a script, and would never end in a page without scripts.
			if (info.project.name === 'with JavaScript') expect(await listInBothPalettes(page)).toEqual([])
		}
	}
})

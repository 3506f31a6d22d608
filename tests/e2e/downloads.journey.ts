import { get, type IncomingMessage } from 'node:http'
import { type Page, type TestInfo } from '@playwright/test'
import { PORTS } from '#scripts/deployment/deployment'
import { breakBroker, expect, login, mendBroker, PORTAL, save, test } from './portal'

/*
 * A failed download never saves an error page as the file, and is never reported as done. The page with the link shows the message.
 */
const chooseClient = ({ project }: TestInfo) => (project.name === 'with JavaScript' ? 'NEW001' : 'DEBT01')

/** A whole year without margin entries, because the broker makes its PDF and Excel. */
const PAGE = '/reports/ledger?filtered=1&opening=Y'

const REFUSALS = [
	{ kind: '429', said: 'Too many requests. Please try again later' },
	{ kind: '404', said: 'No Data Found!' },
	{ kind: '500', said: 'Something went wrong! Please try again later' },
	{ kind: '503', said: 'System is under maintenance. Please try again after some time' },
	{ kind: 'html', said: 'The broker’s system did not send the file.' },
	{ kind: 'nulljson', said: 'The broker’s system did not send the file.' },
	{ kind: 'redirect', said: 'The broker’s system could not complete this request.' },
	{ kind: 'hang', said: 'The broker took too long to answer.' },
]

test('a download that the broker refuses or corrupts shows the reason on its page', async ({ page }, info) => {
	const client = chooseClient(info)
	await login(page, client)
	// HTML from a broker that never sent this file means that it does not have the operation, so the portal makes the file.
	await page.goto(PAGE)
	await saveAndFollow(page, info)
	if (process.env.DEPLOYED === '1') await saveThroughEach(page)
	const saved = savedBy(page)
	for (const { kind, said } of REFUSALS) {
		await page.goto(PAGE)
		await breakBroker({ operation: 'downloadLedger', kind, client })
		await page.getByRole('link', { name: /^PDF/ }).click()
		await expect(page.getByRole('alert').filter({ hasText: said }), kind).toBeVisible()
		await expect(page).toHaveURL(new RegExp(`${PAGE.replaceAll(/[?.]/g, '\\$&')}$`))
		await expect(page.getByRole('heading', { level: 1, name: 'Ledger' })).toBeVisible()
		await expect(page.getByText('downloaded successfully')).toHaveCount(0)
		await mendBroker()
	}
	expect(saved).toEqual([])
})

test('a download after the session has ended leads to the login page', async ({ page }, info) => {
	const client = chooseClient(info)
	await login(page, client, '/reports/ledger')
	await page.goto(PAGE)
	const saved = savedBy(page)
	await breakBroker({ operation: 'downloadLedger', kind: '401', client })
	await page.getByRole('link', { name: /^PDF/ }).click()
	if (info.project.name === 'with JavaScript') {
		await expect(page.locator('.toast.tone-error')).toBeVisible()
		await expect(page).toHaveURL(/\/reports\/ledger/)
	}
	// Not to the file: after the login a browser would save it and stay on the login page.
	await expect(page).toHaveURL(/\/login\?redirectTo=%2Freports%2Fledger/)
	await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
	expect(saved).toEqual([])
})

test('a file that breaks off is a failed download, and the next try is complete', async ({ page }, info) => {
	const client = chooseClient(info)
	await login(page, client, PAGE)
	await breakBroker({ operation: 'downloadLedger', kind: 'reset', client })
	if (info.project.name === 'with JavaScript') {
		const saved = savedBy(page)
		await page.getByRole('link', { name: /^Excel/ }).click()
		await expect(page.getByRole('alert').filter({ hasText: 'could not be downloaded' })).toBeVisible()
		await expect(page.getByText('downloaded successfully')).toHaveCount(0)
		expect(saved).toEqual([])
	} else {
		const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^Excel/ }).click()])
		expect(await download.failure()).toBeTruthy()
	}
	await mendBroker()
	const { name, bytes, download } = await save(page, /^Excel/)
	expect(await download.failure()).toBeNull()
	expect(name).toBe(`${client}_LEDGER.xlsx`)
	// The last record of a zip file, so the file is complete.
	expect(bytes.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')).toBeGreaterThan(bytes.length - 100)
})

test('a file of many megabytes arrives complete under the portal’s name', async ({ page }, info) => {
	const client = chooseClient(info)
	await login(page, client, PAGE)
	await breakBroker({ operation: 'downloadLedger', kind: 'huge', mb: 40, client })
	const { name, bytes } = await save(page, /^PDF/)
	expect(name).toBe(`${client}_LEDGER.pdf`)
	expect(bytes).toHaveLength(40 * 1_048_576)
	expect(bytes.subarray(0, 8).toString()).toBe('%PDF-1.7')
})

/** Saves the file through every process behind nginx, because each one remembers separately that the broker has sent it. */
async function saveThroughEach(page: Page) {
	const { host } = new URL(PORTAL)
	const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
	const headers = { host, cookie, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https', 'x-forwarded-host': host }
	const path = PAGE.replace('/reports/ledger', '/downloads/ledger/pdf')
	for (const port of PORTS.portals) {
		const answer = await new Promise<IncomingMessage>((resolve, reject) => {
			get({ host: '127.0.0.1', port, path, headers }, resolve).on('error', reject)
		})
		expect([port, answer.statusCode]).toEqual([port, 200])
		for await (const _ of answer);
	}
}

/** Saves a slow file. With scripts, short messages show its start and its end. */
async function saveAndFollow(page: Page, info: TestInfo) {
	const client = chooseClient(info)
	await breakBroker({ operation: 'downloadLedger', kind: 'slow', ms: 1000, client, count: 1 })
	const hasScripts = info.project.name === 'with JavaScript'
	const toasts = page.getByRole('status')
	const [{ name }] = await Promise.all([
		save(page, /^PDF/),
		hasScripts && expect(toasts.getByText(/^LEDGER .*is being downloaded\.\.\.$/)).toBeVisible(),
	])
	expect(name).toBe(`${client}_LEDGER.pdf`)
	if (!hasScripts) return
	await expect(toasts.getByText(/^LEDGER .*is downloaded successfully$/)).toBeVisible()
	// There is one message at a time, so the second has replaced the first.
	await expect(toasts.getByText('is being downloaded')).toHaveCount(0)
}

/** The names of the files that the browser saves from now on. */
function savedBy(page: Page): string[] {
	const names: string[] = []
	page.on('download', (download) => names.push(download.suggestedFilename()))
	return names
}

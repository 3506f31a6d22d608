import { type Page, type TestInfo } from '@playwright/test'
import { breakBroker as breakAt, enter, expect, expireTokens, FAILING, login as loginAs, mendBroker, NONSENSE, test } from './portal'

/*
 * Failures of the broker: a failed part does not affect the rest of its page, a page whose only call failed keeps the menu and shows a
 * message, and nothing of the broker's error is shown. The two projects run at the same time, each with its own client.
 */
const chooseClient = ({ project }: TestInfo) => (project.name === 'with JavaScript' ? 'CASH01' : 'CLOS01')

test.use({ baseURL: FAILING.portal })
/** Each test has its own session, because a cached reply would not fail. */
const login = (page: Page, client: string, to = '') => loginAs(page, client, to, true)
const breakBroker = (fault: Parameters<typeof breakAt>[0]) => breakAt(fault, FAILING.sandbox)

const REFERENCE = /reference [0-9A-F]{4}-[0-9A-F]{6}/i

/**
 * The ledger's status and message for one failure of each kind that browsers may show differently. All pages with all failures:
 * tests/faults/pages.test.ts. Rows of wrong types: tests/routes/reports/bad-rows.test.ts.
 */
const FAILURES = [
	{ kind: 'hang', status: 504, said: 'The broker took too long to answer.' },
	{ kind: '500', status: 502, said: 'Something went wrong! Please try again later' },
	{ kind: 'html500', status: 502, said: 'could not complete this request' },
	{ kind: 'badjson', status: 502, said: 'sent an unexpected response' },
	{ kind: 'reset', status: 502, said: 'sent an unexpected response' },
] as const

for (const { kind, status, said, ...how } of FAILURES) {
	test(`${kind}: the ledger shows the message and keeps the menu, a dashboard card shows it alone`, async ({ page }, info) => {
		const client = chooseClient(info)
		await login(page, client)
		await breakBroker({ operation: 'getLedgerReport', kind, client, ...how })
		await breakBroker({ operation: 'getDashboardHolding', kind, client, ...how })

		await test.step('the ledger', async () => {
			const answer = await page.goto('/reports/ledger')
			expect(answer?.status()).toBe(status)
			await expectShell(page, 'Ledger')
			await expect(page.getByRole('main')).toContainText(said)
			const reference = REFERENCE.exec(await page.getByRole('main').innerText())?.[0]
			expect(reference?.toLowerCase()).toBe(`reference ${answer?.headers()['x-request-id']?.toLowerCase()}`)
			expect(await page.locator('body').innerText()).not.toMatch(NONSENSE)
			await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible()
		})

		await test.step('the card', async () => {
			const answer = await page.goto('/dashboard')
			expect(answer?.status()).toBe(200)
			await expectShell(page, 'Dashboard')
			const card = page.getByRole('region', { name: 'Total holding', exact: true })
			await expect(card).toContainText(said)
			await expect(card).toContainText(`Reference ${answer?.headers()['x-request-id']}`)
			await expect(card).not.toContainText('₹')
			for (const name of ['Ledger', 'Deducted ledger'])
				await expect(page.getByRole('region', { name, exact: true })).toContainText(/₹ [\d,]+\.\d\d/)
			expect(await page.locator('body').innerText()).not.toMatch(NONSENSE)
		})

		await test.step('Try again works once the broker is back', async () => {
			await mendBroker()
			const card = page.getByRole('region', { name: 'Total holding', exact: true })
			await card.getByRole('link', { name: 'Try again' }).click()
			await expect(card).toContainText(/₹ [\d,]+\.\d\d/)
			await page.goto('/reports/ledger')
			await expect(page.getByRole('table', { name: 'Ledger' })).toContainText('Opening balance')
		})
	})
}

test('a failed call does not affect the other cards', async ({ page }, info) => {
	const client = chooseClient(info)
	await login(page, client)
	const cards = {
		getDashboardLedger: 'Ledger',
		getDashboardDeductedLedger: 'Deducted ledger',
		getDashboardHolding: 'Total holding',
		getDashboard: 'Notices',
	}
	for (const [operation, broken] of Object.entries(cards)) {
		await breakBroker({ operation, kind: 'nulljson', client })
		expect((await page.goto('/dashboard'))?.status()).toBe(200)
		for (const name of Object.values(cards)) {
			const failed = page.getByRole('region', { name, exact: true }).getByText('could not be loaded')
			await expect(failed).toHaveCount(name === broken ? 1 : 0)
		}
		await mendBroker()
	}
})

test('“No data” is an empty state, not a failure', async ({ page }, info) => {
	const client = chooseClient(info)
	await login(page, client)
	for (const operation of [
		'getLedgerReport',
		'getDashboardLedger',
		'getDashboardDeductedLedger',
		'getDashboardHolding',
		'getDashboard',
		'listQuickLinks',
		'listDeductions',
	]) {
		await breakBroker({ operation, kind: '404', client })
	}
	for (const path of ['/reports/ledger', '/dashboard', '/reports/ledger/deducted']) {
		const answer = await page.goto(path)
		expect(answer?.status(), path).toBe(200)
		if (path === '/reports/ledger')
			await expect(page.getByText(/No entries between \d\d\/\d\d\/\d{4} and \d\d\/\d\d\/\d{4}\./)).toBeVisible()
		await expect(page.getByRole('main'), path).not.toContainText(/could not be loaded|Try again|No Data Found/)
		expect(await page.locator('body').innerText()).not.toMatch(NONSENSE)
	}
})

test('accepts a slow response within the timeout', async ({ page }, info) => {
	const client = chooseClient(info)
	await login(page, client)
	await breakBroker({ operation: 'getLedgerReport', kind: 'slow', ms: 1000, client, count: 1 })
	await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ledger', exact: true }).click()
	if (info.project.name === 'with JavaScript') {
		// The portal announces that a page is loading, and then moves the focus to its heading.
		await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeVisible()
		await expect(page.locator('main')).toHaveAttribute('aria-busy', 'true')
		await expect(page.getByRole('heading', { level: 1, name: 'Ledger' })).toBeFocused()
		await expect(page.getByRole('progressbar', { name: 'Loading' })).toHaveCount(0)
		await expect(page.locator('main')).not.toHaveAttribute('aria-busy')
	}
	await expect(page.getByRole('table', { name: 'Ledger' })).toContainText('Opening balance')
})

test('shows the broker’s text as text, whatever it contains', async ({ page }, info) => {
	const client = chooseClient(info)
	const dialogs: string[] = []
	page.on('dialog', (dialog) => {
		dialogs.push(dialog.message())
		void dialog.dismiss()
	})
	for (const operation of ['login', 'getLedgerReport', 'listQuickLinks', 'getPersonalDetails', 'listDeductions']) {
		await breakBroker({ operation, kind: 'xss', client })
	}
	await login(page, client)
	const planted = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'
	await expect(page.getByRole('banner')).toContainText('Welcome, <script>alert(1)</script>')
	await expect(page.getByRole('region', { name: 'Quick links' })).toContainText(planted)
	await page.goto('/reports/ledger')
	await expect(page.getByRole('table', { name: 'Ledger' })).toContainText(planted)
	await page.goto('/reports/ledger/deducted')
	await expect(page.getByRole('heading', { level: 1, name: 'Deducted ledger' })).toBeVisible()
	expect(await page.locator('img[src="x"]').count()).toBe(0)
	expect(dialogs).toEqual([])
})

test('finds a difference of one paisa, and shows where it starts', async ({ page }, info) => {
	const client = chooseClient(info)
	await login(page, client, '/reports/ledger/NSE_CASH')
	await expect(page.getByText(/Opening .* = closing/)).toBeVisible()
	const last = page.getByRole('table', { name: 'Ledger' }).locator('tbody tr').last()
	await breakBroker({ operation: 'getLedgerReport', kind: 'mismatch', client })
	await page.goto('/reports/ledger/NSE_CASH?refresh=1')
	const banner = page.getByRole('note').filter({ hasText: 'This ledger does not add up.' })
	await expect(banner).toContainText('a difference of ₹ 0.01')
	await expect(page.getByText(/Opening .* = closing/)).toHaveCount(0)
	const next = page.getByRole('link', { name: 'Next' })
	while (await next.isVisible()) {
		const before = page.url()
		await next.click()
		await page.waitForURL((url) => url.href !== before)
		await expect(page.getByText(/\d+–\d+ of/)).toContainText(`${Number(new URL(page.url()).searchParams.get('page')) * 100 - 99}–`)
	}
	const [, day = '', voucher = ''] = (await last.innerText()).split('\t').map((text) => text.trim())
	await expect(banner).toContainText(`It starts on ${day} at voucher ${voucher}`)
	await expect(last).toHaveClass(/wrong/)
})

test('a session ended by the broker leads to the login page once, and back', async ({ page }, info) => {
	const client = chooseClient(info)
	await login(page, client)
	await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
	const visits = recordDocuments(page)
	// The broker refuses several calls at once.
	await expireTokens(client, FAILING.sandbox)
	const ledger = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ledger', exact: true })
	if (info.project.name === 'with JavaScript') {
		await ledger.click()
		await expect(page.getByText(/has expired|log in again/i).first()).toBeVisible()
		const told = Date.now()
		await page.waitForURL(/\/login\?redirectTo=%2Freports%2Fledger$/)
		expect(Date.now() - told, 'there is time to read why').toBeGreaterThan(1500)
	} else {
		await ledger.click()
		await expect(page).toHaveURL(/\/login\?redirectTo=%2Freports%2Fledger$/)
		await expect(page.getByText(/has expired|log in again/i).first()).toBeVisible()
	}
	expect(visits.filter((path) => path === '/login')).toHaveLength(1)
	await enter(page, client)
	await expect(page).toHaveURL(/\/reports\/ledger$/)
	await expect(page.getByRole('table', { name: 'Ledger' })).toContainText('Opening balance')
})

test('many 401 responses at once make one notice and one redirect to the login page', async ({ page }, info) => {
	const client = chooseClient(info)
	await login(page, client, '/reports/ledger')
	await breakBroker({ operation: '*', kind: '401', client })
	const visits = recordDocuments(page)
	// A new page load has nothing typed to keep, so it redirects at once.
	await page.goto('/dashboard')
	await expect(page).toHaveURL(/\/login\?redirectTo=%2Fdashboard$/)
	await expect(page.getByText('Token has expired')).toHaveCount(1)
	expect(visits).toEqual(['/dashboard', '/login'])
	// The cookie is gone, so nothing private is left.
	await mendBroker()
	await page.goto('/reports/ledger')
	await expect(page).toHaveURL(/\/login\?redirectTo/)
})

test('keeps what was typed when the session ends while a form is open', async ({ page }, info) => {
	const client = chooseClient(info)
	await login(page, client, '/myaccount/mobile')
	await page.getByLabel('New mobile number').fill('98200 00077')
	await expireTokens(client, FAILING.sandbox)
	await page.getByRole('button', { name: 'Send OTP' }).click()
	// With a script the page says why, and then opens the login page; without one the login page says it.
	await expect(page.getByText('Token has expired').first()).toBeVisible()
	await page.waitForURL('**/login**')
	await enter(page, client)
	await page.waitForURL('**/myaccount/mobile')
	await expect(page.getByText('What you typed is still here')).toBeVisible()
	await expect(page.getByLabel('New mobile number')).toHaveValue('98200 00077')
})

test('keeps the form when the broker does not answer', async ({ page }, info) => {
	const client = chooseClient(info)
	await login(page, client, '/myaccount/email')
	await breakBroker({ operation: 'modifyProfile', kind: '500', client })
	await page.getByLabel('New e-mail').fill('kept@example.com')
	await page.getByRole('button', { name: 'Send OTP' }).click()
	await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText('Nothing was changed')
	await expect(page.getByLabel('New e-mail')).toHaveValue('kept@example.com')
})

test('keeps the form while the broker answers 503 to everything', async ({ page, javaScriptEnabled }, info) => {
	const client = chooseClient(info)
	await login(page, client, '/myaccount/email')
	await page.getByLabel('New e-mail').fill('kept@example.com')
	await breakBroker({ operation: '*', kind: '503', client })
	await page.getByRole('button', { name: 'Send OTP' }).click()
	if (javaScriptEnabled === false) {
		// The page after the form needs the broker too. The browser keeps the form one page back.
		await expect(page.getByRole('heading', { level: 1, name: 'Under maintenance' })).toBeVisible()
		await expect(page.getByRole('main')).toContainText('see first whether it was recorded')
		await mendBroker()
		await page.goBack()
	} else {
		await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText('under maintenance')
		await mendBroker()
	}
	await expect(page.getByLabel('New e-mail')).toHaveValue('kept@example.com')
	await page.getByRole('button', { name: 'Send OTP' }).click()
	await page.waitForURL('**/myaccount/email/otp')
})

/** The pages requested from now on. */
function recordDocuments(page: Page): string[] {
	const paths: string[] = []
	page.on('request', (request) => request.isNavigationRequest() && paths.push(new URL(request.url()).pathname))
	return paths
}

async function expectShell(page: Page, title: string) {
	await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
	await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
	await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' })).toBeVisible()
	await expect(page.getByText('CLIENT', { exact: true })).toBeVisible()
	await expect(page).toHaveTitle(new RegExp(`${title} · `))
}

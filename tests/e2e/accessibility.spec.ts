import { type Page } from '@playwright/test'
import { breakBroker, expect, FAILING, login, mendBroker, test, listViolations } from './portal'
import { tooWide } from './width'

/*
 * Every page in each of its states, light and dark, on a desktop and on a phone: axe finds nothing, and nothing is wider than the window.
 */
test.describe.configure({ timeout: 240_000 })

const DESKTOP = { size: { width: 1280, height: 900 }, colorScheme: 'light' } as const
const PHONE = { size: { width: 390, height: 900 }, colorScheme: 'dark' } as const
/** Each width and each palette once: the width does not depend on the palette, and contrast does not depend on the width. */
const LOOKS = [DESKTOP, PHONE] as const

test.use({ viewport: DESKTOP.size, contextOptions: { reducedMotion: 'reduce' } })

test('pages without the menu', async ({ page }) => {
	const look = looker(page)
	await page.goto('/login')
	await look('login')
	await page.getByRole('button', { name: 'Login' }).click()
	await expect(page.getByRole('alert')).toContainText('There is a problem')
	await look('login, refused')
	await page.goto('/nothing')
	await look('404')
	await page.goto('/maintenance')
	await look('maintenance')
	await login(page, 'DORM01')
	await expect(page.getByRole('heading', { name: 'Re-KYC required' })).toBeVisible()
	await look('re-KYC')
})

test('pages with figures', async ({ page }) => {
	const look = looker(page)
	await login(page)
	await look('dashboard')
	await page.getByRole('banner').getByRole('button', { name: /Aarav/ }).click()
	await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
	await look('user menu')
	await page.goto('/reports/ledger')
	await look('ledger')
	await page.setViewportSize(PHONE.size)
	await page.getByRole('button', { name: 'Open menu' }).click()
	await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' })).toBeInViewport()
	await look('menu drawer', [PHONE])
	await page.goto('/reports/ledger/NSE_CASH?columns=all')
	await page.locator('tbody details summary').first().click()
	await look('ledger of one type, a narration explained')
	await page.goto('/reports/ledger/deducted')
	await look('deducted ledger')
	await page.goto('/reports/ledger?from=31/02/2026')
	await expect(page.getByRole('alert')).toContainText('There is a problem')
	await look('ledger, filter error')
})

test('reports', async ({ page }) => {
	const look = looker(page)
	await login(page)
	for (const report of [
		'holding',
		'position',
		'contractnbill',
		'profitnloss',
		'global-summary',
		'global-details',
		'income-tax',
		'downloads',
	]) {
		await page.goto(`/reports/${report}`)
		await look(report)
	}
	await page.goto('/reports/holding')
	await page.getByRole('table', { name: 'Holding' }).getByRole('link', { name: 'HDFCBANK' }).click()
	await expect(page.getByRole('heading', { name: 'If sold today' })).toBeVisible()
	await look('lots of a holding')
	await page.goto('/reports/contractnbill')
	await page.getByRole('table', { name: 'Contract/Bill' }).getByRole('link', { name: /^NC/ }).first().click()
	await expect(page.getByRole('heading', { name: 'From trades to the ledger' })).toBeVisible()
	await look('contract note')
})

test('account pages and their requests', async ({ page }) => {
	const look = looker(page)
	await page.goto('/forgot-password')
	await look('forgot password')
	await login(page)
	for (const tab of ['', '/mobile', '/email', '/bank', '/segments', '/nominee', '/income', '/requests', '/closure']) {
		await page.goto(`/myaccount${tab}`)
		await look(`my account${tab}`)
	}
	await page.goto('/myaccount/email')
	await page.getByRole('button', { name: 'Send OTP' }).click()
	await expect(page.getByRole('alert')).toContainText('There is a problem')
	await look('a change, refused')
	await page.goto('/dashboard?dialog=change-password')
	await expect(page.getByRole('dialog')).toBeVisible()
	await look('change password')
})

test('money and securities', async ({ page }) => {
	const look = looker(page)
	await login(page)
	for (const path of [
		'/funds',
		'/funds/withdraw',
		'/funds/e-mandate',
		'/funds/history',
		'/dpprocess',
		'/dpprocess/pledge',
		'/dpprocess/ddpi',
		'/connect/ipo',
		'/connect/ipo?condition=upcoming',
		'/connect/ipo?condition=past',
		'/connect/ipo/bids',
		'/connect/mtf',
	]) {
		await page.goto(path)
		await look(path)
	}
	await page.goto('/connect/ipo')
	await page.getByRole('table', { name: 'Issues' }).getByRole('link', { name: 'Apply' }).first().click()
	await page.getByLabel('UPI ID').fill('nobody')
	await page.getByRole('button', { name: 'Review bid' }).click()
	await expect(page.getByRole('alert')).toContainText('There is a problem')
	await look('a bid, refused')
	await page.goto('/funds/withdraw')
	await page.getByRole('button', { name: 'Withdraw' }).click()
	await expect(page.getByRole('alert')).toContainText('There is a problem')
	await look('a withdrawal, refused')
})

test('pages without figures', async ({ page }) => {
	const look = looker(page)
	await login(page, 'NEW001')
	await look('empty dashboard')
	await page.goto('/reports/ledger?filtered=1')
	await expect(page.getByText('No entries between')).toBeVisible()
	await look('empty ledger')
	await page.goto('/reports/ledger/MCX')
	await look('ledger that the client does not have')
	for (const path of [
		'/funds',
		'/funds/withdraw',
		'/funds/history',
		'/dpprocess',
		'/dpprocess/pledge',
		'/connect/ipo/bids',
		'/connect/mtf',
	]) {
		await page.goto(path)
		await look(`${path}, empty`)
	}
})

test.describe('while the broker fails', () => {
	test.use({ baseURL: FAILING.portal })
	test('failed parts and failed pages', async ({ page }) => {
		const look = looker(page)
		await login(page, 'DEBT01', '', true)
		for (const operation of ['getDashboardLedger', 'getDashboardHolding', 'getDashboard', 'getWithdrawableAmount']) {
			await breakBroker({ operation, kind: '500', client: 'DEBT01' }, FAILING.sandbox)
		}
		await page.goto('/dashboard')
		await expect(page.getByText('Ledger could not be loaded.').first()).toBeVisible()
		await look('dashboard with failed parts')
		await page.goto('/reports/ledger/deducted')
		await look('deducted ledger with failed parts')
		await breakBroker({ operation: 'getLedgerReport', kind: '500', client: 'DEBT01' }, FAILING.sandbox)
		expect((await page.goto('/reports/ledger'))?.status()).toBe(502)
		await look('failed ledger')
		await mendBroker()
		await breakBroker({ operation: 'getLedgerReport', kind: 'mismatch', client: 'DEBT01' }, FAILING.sandbox)
		await page.goto('/reports/ledger')
		await expect(page.getByText('This ledger does not add up.')).toBeVisible()
		await look('ledger that does not add up')
	})
})

/** Checks the page in its current state in each look, also at a phone's smallest width, and continues after a failure. */
function looker(page: Page) {
	return async (state: string, looks: readonly (typeof LOOKS)[number][] = LOOKS) => {
		for (const { size, colorScheme } of looks) {
			await page.emulateMedia({ colorScheme })
			await page.setViewportSize(size)
			const name = `${state}, ${colorScheme} at ${size.width} px`
			expect.soft(await listViolations(page), name).toEqual([])
			expect.soft(await tooWide(page), name).toEqual([])
		}
		await page.setViewportSize({ ...PHONE.size, width: 320 })
		expect.soft(await tooWide(page), `${state} at 320 px`).toEqual([])
		await page.setViewportSize(DESKTOP.size)
	}
}

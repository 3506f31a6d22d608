import { type Page, type Route } from '@playwright/test'
import { expect, login, SANDBOX, test as base } from './portal'

/* What a page with scripts does while the connection is lost, and when a reply is not one of the portal. */

/** The browser reports each lost request. */
const test = base.extend({ complaints: async ({ page: _ }, use) => use([]) })

const UNKNOWN = 'No answer came, so this may or may not have been done.'
const LOOK_FIRST = 'Check your connection, and see whether it was done before you send it again.'

/** Sends each post of this page on, and replaces its reply. */
async function replacePosts(page: Page, path: string, replace: (route: Route) => Promise<void>) {
	await page.route(`**${path}.data*`, (route) => (route.request().method() === 'POST' ? replace(route) : route.continue()))
}

test('a payout whose reply was lost is made once, when the kept form is sent again', async ({ page }) => {
	await login(page, 'CASH01', '/funds/withdraw')
	await replacePosts(page, '/funds/withdraw', async (route) => {
		await route.fetch()
		await route.abort()
	})
	await page.getByRole('checkbox', { name: 'Equity' }).check()
	await page.getByLabel('Amount').fill('103.25')
	await page.getByRole('button', { name: 'Withdraw' }).click()
	const told = page.getByRole('alert').filter({ hasText: UNKNOWN })
	await expect(told).toContainText('send it again: it is not done twice')
	await expect(page.getByRole('heading', { level: 1, name: 'Funds' })).toBeVisible()
	await expect(page.getByLabel('Amount')).toHaveValue('103.25')

	await page.unrouteAll()
	await page.getByRole('button', { name: 'Withdraw' }).click()
	await expect(page.getByRole('heading', { level: 1, name: 'Payout' })).toBeVisible()
	await expect(page.getByText('₹ 103.25 is on its way')).toBeVisible()
	await expect(told).toHaveCount(0)
	await page.goto('/funds/history?table=payouts')
	const payouts = page.getByRole('row').filter({ hasText: '103.25' })
	await expect(payouts).toHaveCount(1)
	// Another journey of this client begins without a payout under way.
	await payouts.getByRole('link').and(page.locator('[href*="/funds/payout"]')).click()
	await page.getByRole('button', { name: 'Cancel payout' }).click()
	await expect(page.getByText('You cancelled this payout.')).toBeVisible()
})

test('a form that a limit of the server or a proxy refuses stays as typed', async ({ page }) => {
	await login(page, 'CASH01', '/myaccount/email')
	const said = 'What you sent took too long to arrive. Please send it again.'
	for (const [reply, words] of [
		[{ status: 408, contentType: 'text/plain; charset=UTF-8', body: said }, said],
		// It might send a second OTP.
		[{ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }, `${UNKNOWN} ${LOOK_FIRST}`],
	] as const) {
		await replacePosts(page, '/myaccount/email', (route) => route.fulfill(reply))
		await page.getByLabel('New e-mail').fill('somebody.else@example.com')
		await page.getByRole('button', { name: 'Send OTP' }).click()
		await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible()
		await expect(page.getByLabel('New e-mail')).toHaveValue('somebody.else@example.com')
		await page.unrouteAll()
	}
})

test('the dialog of the password stays when its reply is lost, empty as after each reply, and works again', async ({ page }) => {
	await login(page, 'CASH01', '/myaccount?dialog=change-password')
	const dialog = page.getByRole('dialog')
	const send = async () => {
		await dialog.getByLabel('Current password', { exact: true }).fill('Wrong@1234')
		await dialog.getByLabel('New password', { exact: true }).fill('Another@1234')
		await dialog.getByLabel('Confirm password', { exact: true }).fill('Another@1234')
		await dialog.getByRole('button', { name: 'Change Password' }).click()
	}
	await replacePosts(page, '/change-password', async (route) => {
		await route.fetch()
		await route.abort()
	})
	await send()
	await expect(page.getByRole('alert').filter({ hasText: `${UNKNOWN} ${LOOK_FIRST}` })).toBeVisible()
	await expect(dialog.getByLabel('Current password', { exact: true })).toHaveValue('')
	await page.unrouteAll()
	await send()
	await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toBeVisible()
})

test('without a connection a form keeps what was typed, and a pending payment stays on the screen until it is received', async ({
	page,
	context,
}) => {
	test.slow()
	await login(page, 'DEBT01', '/funds')
	await page.getByLabel('Amount').fill('1,700.50')
	await page.getByLabel('UPI ID').fill('imran@okbank')
	await context.setOffline(true)
	await page.getByRole('button', { name: 'Add funds' }).click()
	await expect(page.getByRole('alert').filter({ hasText: UNKNOWN })).toBeVisible()
	await expect(page.getByLabel('Amount')).toHaveValue('1,700.50')

	await context.setOffline(false)
	const [tab] = await Promise.all([context.waitForEvent('page'), page.getByRole('button', { name: 'Add funds' }).click()])
	await tab.waitForURL(`${SANDBOX}/pay?**`)
	const pending = page.getByRole('heading', { level: 1, name: 'Payment pending' })
	await expect(pending).toBeVisible()
	await context.setOffline(true)
	// The page looks for news every four seconds.
	await page.waitForEvent('requestfailed')
	await page.waitForEvent('requestfailed')
	await expect(pending).toBeVisible()
	await expect(page.getByText('Something went wrong')).toHaveCount(0)
	await context.setOffline(false)
	await tab.getByRole('button', { name: 'Pay', exact: true }).click()
	await expect(page.getByRole('heading', { level: 1, name: 'Payment received' })).toBeVisible()
})

test('a link without a connection ends in the browser’s own message, and works again after it', async ({ page, context }) => {
	await login(page, 'CASH01', '/myaccount')
	await page.route('**/*.data*', (route) => route.abort())
	await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Funds', exact: true }).click()
	// The document is loaded in place of the data.
	await expect(page.getByRole('heading', { level: 1, name: 'Funds' })).toBeVisible()
	await context.setOffline(true)
	await page.unrouteAll()
	await page.getByRole('link', { name: 'Withdraw', exact: true }).first().click()
	await expect.poll(() => page.url()).toMatch(/^chrome-error:/)
})

import { expect, type Page } from '@playwright/test'
import { offers } from './optional-steps'
import { login, NONSENSE, PORTAL, SANDBOX, save, test, listInBothPalettes, listViolations } from './portal'

/** Findings of axe in both palettes; axe needs JavaScript. */
async function expectAccessible(page: Page) {
	if (test.info().project.use.javaScriptEnabled !== false) expect(await listInBothPalettes(page)).toEqual([])
}

/** Checks the heading, that axe finds nothing, and that no raw value such as `undefined` is shown. */
async function expectPage(page: Page, heading: string) {
	await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
	await expect(page).toHaveTitle(new RegExp(`^(Error: )?${heading} · Khata$`))
	await expectAccessible(page)
	await expect(page.locator('body')).not.toContainText(NONSENSE)
}

/** Clicks `Add funds` and returns the payment page: a new tab with JavaScript, the same tab without. */
async function toPaymentPage(page: Page): Promise<Page> {
	const button = page.getByRole('button', { name: 'Add funds' })
	if (test.info().project.use.javaScriptEnabled === false) {
		await button.click()
		await page.waitForURL(`${SANDBOX}/pay?**`)
		return page
	}
	// A double click makes no second payment and no second tab.
	const [tab] = await Promise.all([page.context().waitForEvent('page'), button.dblclick()])
	await tab.waitForURL(`${SANDBOX}/pay?**`)
	expect(await tab.evaluate(() => window.opener)).toBeNull()
	// This tab shows the state of the payment, and links to the payment page in case it did not open.
	await page.waitForURL(`${PORTAL}/funds/return?**`)
	await expectPage(page, 'Payment pending')
	await expect(page.getByRole('link', { name: 'Open the payment page' })).toHaveAttribute('href', tab.url())
	expect(page.context().pages()).toHaveLength(2)
	return tab
}

test('adds money: wrong, failed, pending, received', async ({ page, javaScriptEnabled }) => {
	// It checks nine pages in both palettes.
	test.slow()
	const amount = javaScriptEnabled === false ? '1,500.25' : '1,600.75'
	await login(page, 'DEBT01', '/funds')
	await expectPage(page, 'Funds')
	await page.getByRole('button', { name: 'Add funds' }).click()
	const problem = page.getByRole('alert').filter({ hasText: 'There is a problem' })
	await expect(problem).toContainText('Enter an amount')
	await expectPage(page, 'Funds')
	await page.getByRole('link', { name: '₹ 5,000', exact: true }).click()
	await expect(page.getByLabel('Amount')).toHaveValue('5000')
	// With scripts the page stays, so no other typed value is lost.
	await expect(page).toHaveURL(javaScriptEnabled === false ? /\?amount=5000$/ : /\/funds$/)
	const all = page.getByRole('link', { name: 'All you owe' })
	const [owed = ''] = /[\d,]+\.\d\d$/.exec((await all.textContent()) ?? '') ?? []
	await all.click()
	await expect(page.getByLabel('Amount')).toHaveValue(owed.replaceAll(',', '').replace(/\.00$/, ''))

	for (const [button, heading] of [
		['Fail', 'Payment failed'],
		['Pay, bank answers later', 'Payment pending'],
		['Pay', 'Payment received'],
	] as const) {
		await page.goto('/funds')
		await page.getByLabel('Amount').fill(amount)
		await page.getByRole('radio', { name: 'UPI', exact: true }).check()
		await page.getByLabel('UPI ID').fill('me@examplebank')
		const payment = await toPaymentPage(page)
		await expect(payment.getByRole('heading', { level: 1, name: 'Payment' })).toBeVisible()
		// The sandbox's page, in the palette in which it was opened.
		if (javaScriptEnabled !== false) expect(await listViolations(payment)).toEqual([])
		await payment.getByRole('button', { name: button, exact: true }).click()
		await payment.waitForURL(`${PORTAL}/funds/return?**`)
		await expectPage(payment, heading)
		await payment.reload()
		await expect(payment.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
		if (payment === page) continue
		await payment.close()
		// The first tab again.
		await page.reload()
		await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
	}
	await page.goto('/funds/return?ref=PI000000')
	await expectPage(page, 'Payment not found')
	await page.getByRole('link', { name: 'See the history of your funds' }).click()
	const payins = page.getByRole('table', { name: 'Pay-ins' })
	// Both projects use the same books with different amounts: three payments started, one received.
	await expect(payins.locator('tbody tr').filter({ hasText: amount })).toHaveCount(3)
	await expect(payins.locator('tbody tr').filter({ hasText: amount }).filter({ hasText: 'Success' })).toHaveCount(1)
	await expectPage(page, 'Funds')
	await save(page, /CSV of pay-ins/)
})

test('withdraws money: too much, once, cancelled', async ({ page, javaScriptEnabled }) => {
	// Each project has its own client, because both use the same books.
	const code = javaScriptEnabled === false ? 'CASH01' : 'DEMO01'
	await login(page, code, '/funds/withdraw')
	await expectPage(page, 'Funds')
	await expect(page.getByRole('table', { name: 'Equity: from ledger to withdrawable' })).toContainText('You can withdraw')
	await page.getByRole('checkbox', { name: 'Equity' }).check()
	await page.getByLabel('Amount').fill('99999999')
	await page.getByRole('button', { name: 'Withdraw' }).click()
	await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText('You can withdraw up to')
	await expectPage(page, 'Funds')
	await expect(page.getByRole('checkbox', { name: 'Equity' })).toBeChecked()
	await page.getByLabel('Amount').fill('2')
	// A double click makes no second order.
	await page.getByRole('button', { name: 'Withdraw' }).dblclick()
	await page.waitForURL('**/funds/payout?**')
	await expectPage(page, 'Payout')
	await expect(page.getByText('₹ 2.00 is on its way')).toBeVisible()
	await page.reload()
	await page.goto('/funds/history')
	await expect(page.getByRole('table', { name: 'Pay-outs' }).getByRole('row').filter({ hasText: 'Pending' })).toHaveCount(1)
	await page.getByRole('table', { name: 'Pay-outs' }).getByRole('link').and(page.locator('[href*="/funds/payout"]')).first().click()
	await expectPage(page, 'Payout')
	if (!offers('the end of a payout')) return
	await page.getByRole('button', { name: 'Cancel payout' }).click()
	await expect(page.getByText('You cancelled this payout.')).toBeVisible()
	await expect(page.getByRole('button', { name: 'Cancel payout' })).toHaveCount(0)
})

test('registers and lists a mandate, or prints it', async ({ page }) => {
	await login(page, 'NEW001', '/funds/e-mandate')
	await expectPage(page, 'Funds')
	await page.getByLabel('Amount').fill('5000')
	await page.getByRole('radio', { name: 'Net banking' }).check()
	await page.getByRole('button', { name: 'Create mandate' }).click()
	await page.waitForURL(`${SANDBOX}/mandate?**`)
	await page.getByRole('button', { name: 'Confirm' }).click()
	await page.waitForURL(`${PORTAL}/funds/e-mandate?**`)
	if (offers('the list of mandates and the end of one')) {
		await expect(page.getByText('You confirmed the mandate.')).toBeVisible()
		await expectPage(page, 'Funds')
		await page.getByRole('table', { name: 'Mandates' }).getByRole('link', { name: 'Cancel' }).first().click()
		await expect(page.getByRole('heading', { name: 'Cancel this mandate?' })).toBeVisible()
		await expectPage(page, 'Funds')
		await page.getByRole('button', { name: 'Cancel mandate' }).click()
		await expect(page.getByRole('table', { name: 'Mandates' })).toContainText('Cancelled')
	} else {
		await expect(page.getByText('At most ₹ 5,000.00')).toBeVisible()
		await expectPage(page, 'Funds')
	}
	await page.getByLabel('Amount').fill('5000')
	await page.getByRole('radio', { name: 'Physical form' }).check()
	const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Create mandate' }).click()])
	expect(download.suggestedFilename()).toBe('NEW001_EMANDATE.pdf')
	await expect(page.getByText('Your mandate form is being downloaded.')).toBeVisible()
})

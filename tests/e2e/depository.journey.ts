import { expect, type Page } from '@playwright/test'
import { offers } from './optional-steps'
import { login, NONSENSE, PORTAL, readOtp, SANDBOX, save, test, listInBothPalettes, listViolations } from './portal'

const hasScript = () => test.info().project.use.javaScriptEnabled !== false

/** Checks the heading, that axe finds nothing (where scripts run), and that no raw value such as `undefined` is shown. */
async function expectPage(page: Page, heading: string) {
	await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
	await expect(page).toHaveTitle(new RegExp(`^(Error: )?${heading} · Khata$`))
	if (hasScript()) expect(await listInBothPalettes(page)).toEqual([])
	await expect(page.locator('body')).not.toContainText(NONSENSE)
}

/** Each project has its own client, because both run at the same time on the same books. */
const chooseClient = () => (hasScript() ? 'DEMO01' : 'CASH01')

test('verifies stocks with an OTP: wrong, sent again, right', async ({ page }) => {
	const client = chooseClient()
	await login(page, client, '/dpprocess')
	await expectPage(page, 'DP Process')
	await page.getByRole('button', { name: 'Verify', exact: true }).click()
	await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText('Select at least one security')
	await expectPage(page, 'DP Process')

	const row = page
		.getByRole('table', { name: 'Holdings' })
		.getByRole('row')
		.filter({ has: page.locator('input[type=checkbox]:not([disabled])') })
	const last = row.last()
	const free = Number(await last.getByRole('textbox').inputValue())
	await last.getByRole('checkbox').check()
	await last.getByRole('textbox').fill(String(free + 1))
	const verify = page.getByRole('button', { name: 'Verify', exact: true })
	if (hasScript()) await expect(verify).toHaveAttribute('aria-disabled', 'true')
	else {
		await verify.click()
		await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText(`You can verify up to ${free} of`)
	}
	await last.getByRole('textbox').fill('1')
	// With a search and a sort, the typed values stay.
	await page.getByLabel('Search').fill('no such share')
	await page.getByRole('button', { name: 'Apply' }).click()
	await expect(row).toHaveCount(1)
	await expect(row.getByRole('textbox')).toHaveValue('1')
	await expect(row.getByRole('checkbox')).toBeChecked()
	await page.getByLabel('Search').fill('')
	await page.getByRole('button', { name: 'Value' }).click()
	await expect(page.getByRole('columnheader', { name: 'Value' })).toHaveAttribute('aria-sort', 'ascending')
	const typed = row.filter({ has: page.locator('input[type=checkbox]:checked') })
	await expect(typed.getByRole('textbox')).toHaveValue('1')
	await expectPage(page, 'DP Process')
	await page.getByRole('button', { name: 'Verify', exact: true }).click()

	await page.waitForURL('**/dpprocess/otp')
	await expectPage(page, 'DP Process')
	const dialog = page.getByRole('dialog', { name: 'Verify with the OTP' })
	await expect(dialog).toBeVisible()
	if (hasScript()) {
		await expect(dialog.getByLabel('OTP', { exact: true })).toBeFocused()
		await page.keyboard.press('Escape')
		await page.waitForURL('**/dpprocess')
		await expect(dialog).toHaveCount(0)
		await page.goBack()
		await expect(dialog).toBeVisible()
	} else await expect(page.getByRole('table', { name: 'Holdings' })).toHaveCount(0)
	const code = await readOtp(client, 'delivery')
	await dialog.getByLabel('OTP', { exact: true }).fill(code === '111111' ? '222222' : '111111')
	await dialog.getByRole('button', { name: 'Verify OTP' }).click()
	await expect(dialog.getByText('The OTP is incorrect. You have 4 attempts left.').first()).toBeVisible()
	await expect(dialog.getByLabel('OTP', { exact: true })).toHaveValue('')
	const resend = dialog.getByRole('button', { name: 'Resend OTP' })
	if (hasScript()) await expect(resend).toBeDisabled()
	else {
		await resend.click()
		await expect(dialog.getByText(/You can ask for a new OTP in \d+ seconds/)).toBeVisible()
	}
	await dialog.getByLabel('OTP', { exact: true }).fill(code)
	await dialog.getByRole('button', { name: 'Verify OTP' }).click()

	await page.waitForURL('**/dpprocess')
	// A toast of success fades after a second, sooner than a slow machine looks; its words stay.
	await expect(page.locator('.toast')).toContainText('Stocks verified successfully')
	const hasList = offers('what is verified for sale')
	if (hasList) await expect(page.getByRole('table', { name: 'Verified', exact: true })).toContainText(/17:30 on/)
	else await expect(page.getByRole('heading', { name: 'Verified', exact: true })).toHaveCount(0)
	// Nothing is selected now, so nothing is verified twice.
	await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
	await expectPage(page, 'DP Process')
	if (hasList) expect((await save(page, /^CSV\s?: verified/)).name).toMatch(/^[A-Z0-9]+_VERIFIED\.csv$/)
	await page.goto('/dpprocess/otp')
	await expect(page).toHaveURL(/\/dpprocess$/)
})

test('pledges shares: total, review, depository, and back', async ({ page }) => {
	await login(page, chooseClient(), '/dpprocess/pledge')
	await expectPage(page, 'DP Process')
	const table = page.getByRole('table', { name: 'Margin pledge' })
	await expect(table.getByRole('row').last()).toContainText('Total')
	const row = table
		.getByRole('row')
		.filter({ has: page.locator('input:not([disabled])') })
		.first()
	const total = page.locator('.running-total')
	// Nothing is typed yet.
	await expect(total).toHaveCount(0)
	await row.getByRole('textbox').fill('1')
	const isin = /IN[A-Z0-9]{10}/.exec((await row.getByRole('rowheader').textContent()) ?? '')?.[0] ?? ''
	if (hasScript()) await expect(page.getByRole('button', { name: 'Update total' })).toHaveCount(0)
	else await page.getByRole('button', { name: 'Update total' }).click()
	await expect(total).toContainText(/Margin added₹ (?!0\.00)/)
	const after = /Total margin after₹ ([\d,.]+)/.exec((await total.textContent()) ?? '')?.[1] ?? ''
	await page.getByRole('button', { name: 'Review' }).click()

	await page.waitForURL('**/dpprocess/pledge/review?**')
	await expectPage(page, 'DP Process')
	await expect(page.getByRole('definition').filter({ hasText: after })).toBeVisible()
	await page.getByRole('button', { name: 'Confirm' }).click()
	await page.waitForURL(`${SANDBOX}/depository?**`)
	if (hasScript()) expect(await listViolations(page)).toEqual([])
	const isListed = offers('how a pledge ended, and its confirmation once more')
	if (isListed) {
		await page.getByRole('button', { name: 'Cancel' }).click()
		await page.waitForURL(`${PORTAL}/dpprocess/pledge/return?**`)
		await expect(page.getByText('You cancelled at the depository. Nothing has changed.')).toBeVisible()
		await page.getByRole('button', { name: 'Confirm at the depository' }).click()
		await page.waitForURL(`${SANDBOX}/depository?**`)
		await page.getByRole('button', { name: 'Fail' }).click()
		await page.waitForURL(`${PORTAL}/dpprocess/pledge/return?**`)
		await expectPage(page, 'Not confirmed')
		await page.getByRole('button', { name: 'Confirm at the depository' }).click()
		await page.waitForURL(`${SANDBOX}/depository?**`)
	}
	await page.getByRole('button', { name: 'Confirm' }).click()
	await page.waitForURL(`${PORTAL}/dpprocess/pledge/return?**`)
	await expectPage(page, isListed ? 'Pledge confirmed' : 'Sent back from the depository')
	if (!isListed) await expect(page.getByText('The depository says that you have confirmed.')).toBeVisible()

	// The back button twice shows the same order, which is already done.
	await page.goto('/dpprocess/pledge')
	await expect(page.getByRole('table', { name: 'Margin pledge' }).getByRole('row').last()).toContainText(after)
	const requests = page.getByRole('table', { name: 'Pledge requests' })
	if (isListed) await expect(requests.getByRole('row').filter({ hasText: 'Confirmed' })).toHaveCount(1)
	else await expect(requests).toHaveCount(0)
	await expectPage(page, 'DP Process')

	// Then releases the shares, with a quantity typed and the rows sorted again.
	await page.getByLabel('Unpledge').check()
	const pledged = table.getByRole('row').filter({ hasText: isin })
	await pledged.getByRole('textbox').fill('1')
	const sort = hasScript() ? 'Pledged' : 'Free'
	await page.getByRole('button', { name: sort, exact: true }).click()
	const pledgedHead = page.getByRole('columnheader', { name: 'Pledged', exact: true })
	if (hasScript()) await expect(pledgedHead).toHaveAttribute('aria-sort', 'ascending')
	else await expect(pledgedHead).toHaveCount(1)
	await expect(page.getByRole('columnheader', { name: 'Free', exact: true })).toHaveCount(0)
	await expect(pledged.getByRole('textbox')).toHaveValue('1')
	await expect(page.getByLabel('Unpledge')).toBeChecked()
	await page.getByRole('button', { name: 'Review' }).click()
	await page.getByRole('button', { name: 'Confirm' }).click()
	await page.waitForURL(`${SANDBOX}/depository?**`)
	await page.getByRole('button', { name: 'Confirm' }).click()
	await expectPage(page, isListed ? 'Unpledge confirmed' : 'Sent back from the depository')
})

test('reads, downloads and signs the DDPI', async ({ page }) => {
	await login(page, hasScript() ? 'DEBT01' : 'NEW001', '/dpprocess/ddpi')
	await expectPage(page, 'DP Process')
	await expect(page.getByText('Not signed')).toBeVisible()
	const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /PDF/ }).click()])
	expect(download.suggestedFilename()).toMatch(/^[A-Z0-9]+_EDDPI\.pdf$/)
	await page.getByRole('button', { name: 'Proceed to e-sign' }).click()
	await page.waitForURL(`${SANDBOX}/esign**`)
	await page.getByRole('button', { name: 'Sign', exact: true }).click()
	await page.waitForURL(`${PORTAL}/esign/return?**`)
	await expectPage(page, offers('how an e-sign ended') ? 'Signed' : 'Sent back from e-sign')
	await page.getByRole('link', { name: 'Back to DDPI' }).click()
	await expect(page.getByText('Active', { exact: true })).toBeVisible()
	await expectPage(page, 'DP Process')
	await expect(page.getByRole('button', { name: 'Proceed to e-sign' })).toHaveCount(0)
})

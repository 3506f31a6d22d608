import { expect, type Page } from '@playwright/test'
import { offers } from './optional-steps'
import { login, NONSENSE, PORTAL, SANDBOX, test, listInBothPalettes } from './portal'

/** Checks the heading, that axe finds nothing in both palettes (where scripts run), and that no raw value such as `undefined` is shown. */
async function expectPage(page: Page, heading = 'Margin Trading Facility') {
	await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
	await expect(page).toHaveTitle(new RegExp(`^(Error: )?${heading} · Khata$`))
	if (test.info().project.use.javaScriptEnabled !== false) expect(await listInBothPalettes(page)).toEqual([])
	await expect(page.locator('body')).not.toContainText(NONSENSE)
}

// Each project activates its own client, because an activation cannot be undone.
const chooseClient = (javaScriptEnabled: boolean | undefined) => (javaScriptEnabled === false ? 'BULK01' : 'CASH01')

test('reads the terms, leaves, continues from the dashboard, signs, and is active', async ({ page, javaScriptEnabled }) => {
	await login(page, chooseClient(javaScriptEnabled), '/connect/mtf')
	await expectPage(page)
	await expect(page.getByRole('table', { name: 'What it costs' })).toContainText('30 days')
	await page.getByRole('button', { name: 'Activate MTF' }).click()

	await page.waitForURL(`${SANDBOX}/esign**`)
	await page.getByRole('button', { name: 'Cancel' }).click()
	await page.waitForURL(`${PORTAL}/esign/return?**`)
	await expectPage(page, 'Not signed')
	await page.goto('/connect/mtf')
	await expectPage(page)
	await expect(page.getByText('Your activation awaits your e-sign.')).toBeVisible()
	if (offers('what needs attention')) {
		await page.goto('/dashboard')
		const item = page.getByRole('listitem').filter({ hasText: 'Margin trading facility awaits your e-sign.' })
		await expect(item).toContainText(/By \d\d:\d\d tomorrow/)
		await item.getByRole('link', { name: /^Sign/ }).click()
		await page.getByRole('button', { name: 'Sign again' }).click()
	} else {
		await page.getByRole('button', { name: 'Activate MTF' }).click()
	}
	await page.waitForURL(`${SANDBOX}/esign**`)
	await page.getByRole('button', { name: 'Sign', exact: true }).click()
	await page.waitForURL(`${PORTAL}/esign/return?**`)
	await expectPage(page, offers('how an e-sign ended') ? 'Signed' : 'Sent back from e-sign')
	await page.goto('/connect/mtf')
	await expectPage(page)
	await expect(page.getByText('You have no funded positions.')).toBeVisible()
	// Nothing stands on the heading.
	const [heading, table] = await Promise.all(
		['heading', 'table'].map((role) => page.getByRole(role as 'heading', { name: 'Funded positions' }).boundingBox()),
	)
	expect((heading?.y ?? 0) + (heading?.height ?? Infinity)).toBeLessThanOrEqual(table?.y ?? 0)
	await page.goto('/dashboard')
	await expect(page.getByText('Margin trading facility awaits your e-sign.')).toHaveCount(0)
})

test('an active account shows its positions and the interest of each day, with search and sort', async ({ page }) => {
	await login(page, 'DEMO01', '/connect/mtf')
	await expectPage(page)
	const positions = page.getByRole('table', { name: 'Funded positions' })
	await expect(positions.getByRole('row')).toHaveCount(5)
	if (!offers('interest day by day')) return
	await page.getByText('Day by day').click()
	await page.getByLabel('Search').fill('BEL')
	await page.getByRole('button', { name: 'Apply' }).click()
	await page.waitForURL('**q=BEL**')
	const days = page.getByRole('table', { name: 'Interest', exact: true })
	await expect(days).not.toContainText('POWERGRID')
	await expect(days.getByRole('columnheader', { name: 'Date' })).toHaveAttribute('aria-sort', 'ascending')
	await days.getByRole('link', { name: 'Date', exact: true }).click()
	await page.waitForURL('**sort=-date**')
	await expect(days.getByRole('columnheader', { name: 'Date' })).toHaveAttribute('aria-sort', 'descending')
	await expect(page.getByLabel('Search')).toHaveValue('BEL')
	await expectPage(page)
})

// Both projects use the same client, so neither confirms. tests/routes/dashboard/attention.test.ts does.
test('a funded purchase leads from the dashboard to the depository, and stays open when it is cancelled there', async ({ page }) => {
	await login(page, 'DEMO01', '/dashboard')
	const item = page.getByRole('region', { name: 'Needs your attention' }).getByRole('listitem').filter({ hasText: '120 shares of NTPC' })
	await expect(item).toContainText(/[Dd]ue by 21:00|By 21:00/)
	await expectPage(page, 'Dashboard')
	await item.getByRole('link', { name: /^Confirm the pledge/ }).click()
	await expectPage(page, 'Confirm the pledge')
	await expect(page.getByText(/If you do not confirm it, the broker sells these shares at \d\d:\d\d/)).toBeVisible()
	await page.getByRole('button', { name: 'Confirm at the depository' }).click()
	await page.waitForURL(`${SANDBOX}/depository?**`)
	await expect(page.getByText('for margin funding')).toBeVisible()
	await page.getByRole('button', { name: 'Cancel' }).click()
	await page.waitForURL(`${PORTAL}/dpprocess/pledge/return?**`)
	await expect(page.getByText('You cancelled at the depository. Nothing has changed.')).toBeVisible()
	await page.goto('/connect/mtf')
	await expect(page.getByRole('table', { name: 'Funded positions' })).toContainText('0 of 120 pledged, the rest by 21:00')
	await page.getByRole('link', { name: 'Confirm the pledge' }).click()
	await expectPage(page, 'Confirm the pledge')
})

test('the dashboard shows what needs attention, with a link to where it is done', async ({ page }) => {
	await login(page, 'DEBT01', '/dashboard')
	await expectPage(page, 'Dashboard')
	const list = page.getByRole('region', { name: 'Needs your attention' })
	await expect(list.getByRole('listitem').filter({ hasText: 'on Equity' })).toContainText(/You owe ₹ [\d,]+\.\d\d/)
	await expect(list.getByRole('link', { name: /^Add funds/ })).toHaveAttribute('href', /^\/funds\?amount=[\d.]+&segment=BSE$/)
})

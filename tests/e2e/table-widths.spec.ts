import { isLong } from '#sandbox/testing/runs'
import { findCovering } from './legible'
import { expect, login, test } from './portal'
import { findCutTables } from './width'

/** Every page whose address leads to a table. */
const PAGES = [
	'/dashboard',
	'/myaccount/bank',
	'/myaccount/requests',
	'/funds',
	'/funds/withdraw',
	'/funds/e-mandate',
	'/funds/history',
	'/reports/holding',
	'/reports/holding?q=LTD',
	'/reports/ledger/deducted',
	...[...(isLong ? ['2024-2025'] : []), '2025-2026', '2026-2027'].flatMap((year) =>
		['ledger', 'position', 'contractnbill', 'profitnloss', 'global-summary', 'global-details', 'income-tax'].map(
			(report) => `/reports/${report}?year=${year}`,
		),
	),
	'/dpprocess',
	'/dpprocess/pledge',
	'/connect/ipo',
	'/connect/ipo?condition=upcoming',
	'/connect/ipo/bids',
	'/connect/mtf',
]

const WIDTHS = [360, 390, 768, 1280, 1440, 1920]

test('no table of a default view is wider than its box', async ({ page }) => {
	test.setTimeout(240_000)
	await login(page)
	const findFirst = async (path: string, start: string) => {
		await page.goto(path)
		return (await page.locator(`tbody a[href^="${start}"]`).first().getAttribute('href')) ?? 'no link'
	}
	// A note of each exchange and the lots of a holding have their own tables.
	const details = [await findFirst('/reports/holding', '/reports/holding/IN')]
	for (const exchange of ['NC', 'NF', 'MX'])
		details.push(await findFirst('/reports/contractnbill?year=2026-2027', `/reports/contractnbill/${exchange}`))
	for (const path of [...PAGES, ...details]) {
		await page.goto(path)
		await page.locator('details:has(table)').evaluateAll((folds) => folds.forEach((fold) => fold.setAttribute('open', '')))
		for (const width of WIDTHS) {
			await page.setViewportSize({ width, height: 900 })
			const { count, cut } = await findCutTables(page)
			expect.soft(count, `tables of ${path} at ${width} px`).toBeGreaterThan(0)
			expect.soft(cut, `${path} at ${width} px`).toEqual([])
			expect.soft(await findCovering(page), `${path} at ${width} px`).toEqual([])
		}
	}
})

test('the names of downloads do not run into their links, also on a small phone and a tablet', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/downloads')
	for (const width of [320, 390, 768, 1024, 1280]) {
		await page.setViewportSize({ width, height: 900 })
		expect(await findCovering(page), `at ${width} px`).toEqual([])
	}
})

test('a wide window shows the main columns of the bids, and the others by a link', async ({ page }) => {
	await page.setViewportSize({ width: 1920, height: 900 })
	await login(page, 'DEMO01', '/connect/ipo/bids')
	const table = page.getByRole('table', { name: 'Bid report' })
	const reference = table.getByRole('columnheader', { name: 'Reference' })
	await expect(table.getByRole('columnheader', { name: 'Released' })).toBeVisible()
	await expect(reference).toBeHidden()
	await page.getByRole('link', { name: 'All columns' }).click()
	await expect(reference).toBeVisible()
})

test('a wide window shows columns of zeros only by the checkbox', async ({ page }) => {
	await page.setViewportSize({ width: 1920, height: 900 })
	await login(page, 'DEMO01', '/dpprocess')
	const ddpi = page.getByRole('table', { name: 'Holdings' }).getByRole('columnheader', { name: 'DDPI' })
	await expect(ddpi).toBeHidden()
	await page.getByRole('checkbox', { name: 'All columns' }).check()
	await expect(ddpi).toBeVisible()
})

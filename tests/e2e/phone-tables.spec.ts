import { execFileSync } from 'node:child_process'
import { type Page } from '@playwright/test'
import { findTouching } from './figure-gaps'
import { findBroken, findOverlaps, findSmall } from './legible'
import { expect, login, test } from './portal'

/** The main columns of each report on a phone. They must be visible without scrolling at every width. */
const REPORTS = [
	['/reports/holding', 'Holding', ['Symbol', 'Quantity', 'Value (₹)', 'Unrealised (₹)']],
	['/reports/ledger?year=2025-2026', 'Ledger', ['Date', 'Narration', 'Credit (₹)', 'Balance (₹)']],
	['/reports/profitnloss?year=2026-2027', 'Profit & Loss', ['Name', 'Realised (₹)', 'Net (₹)']],
	['/reports/profitnloss?year=2025-2026', 'Profit & Loss', ['Name', 'Realised (₹)', 'Net (₹)']],
	['/reports/profitnloss?year=2025-2026', 'Segments', ['Segment', 'Realised (₹)', 'Net (₹)']],
	['/reports/profitnloss?year=2025-2026', 'Charges by kind', ['Name', 'All charges (₹)']],
	['/reports/income-tax?year=2025-2026', 'Summary', ['Head', 'Net (₹)', 'After set-off (₹)']],
	['/reports/income-tax?year=2025-2026', 'Income Tax', ['Name', 'Sold', 'Gain (₹)']],
	['/reports/position', 'Position', ['Contract', 'Net quantity', 'MTM (₹)']],
	['/reports/contractnbill?year=2025-2026', 'Contract/Bill', ['Date', 'Bill', 'Amount (₹)', 'Download']],
	['/reports/global-summary?year=2025-2026', 'Global Summary', ['Name', 'Realised (₹)', 'Unrealised (₹)']],
	['/reports/global-details?year=2025-2026', 'Global Details', ['Date', 'Name', 'Net (₹)']],
	// Of the words of the first head only `All` is visible.
	['/dpprocess', 'Holdings', ['Select\nAll\nfree', 'Name', 'Free', 'Quantity']],
	['/dpprocess/pledge', 'Margin pledge', ['Name', 'Gives (₹)', 'Quantity']],
	['/funds/history', 'Pay-ins', ['Date', 'Status', 'Amount (₹)']],
	['/connect/ipo', 'Issues', ['Issue', 'Apply']],
	['/connect/ipo/bids', 'Bid report', ['Issue', 'Bid status']],
	['/myaccount/bank', 'Bank accounts', ['Account', 'Bank', 'Default']],
] as const

/** Opens the fold that holds the table, if it is closed. */
async function unfold(page: Page, title: string) {
	const folded = page.locator('details:not([open])', { has: page.locator('caption', { hasText: new RegExp(`^${title}$`) }) })
	if ((await folded.count()) > 0) await folded.locator('summary').first().click()
}

test('a report shows its main columns at each width, only those on a phone, without a box that scrolls, and all columns by a link', async ({
	page,
}) => {
	test.slow()
	await login(page)
	for (const [path, title, heads] of REPORTS) {
		// The phone is first, so that an earlier wide window cannot leave room for missing columns.
		await page.setViewportSize({ width: 390, height: 900 })
		if (!page.url().endsWith(path)) await page.goto(path)
		await unfold(page, title)
		expect(await page.getByRole('table', { name: title }).getByRole('columnheader').allInnerTexts(), path).toEqual(heads)
		// A phone scrolls the page.
		const box = page.getByRole('region', { name: `Table: ${title}` })
		expect(await box.evaluate((shown) => shown.scrollHeight - shown.clientHeight), `${title} of ${path}`).toBe(0)
		await expect(box, `${title} of ${path}`).toHaveCSS('max-height', 'none')
		for (const width of [390, 768, 1280, 1440, 1920]) {
			await page.setViewportSize({ width, height: 900 })
			const cut = await box.evaluate(
				(frame, names) => {
					const { left, right } = frame.getBoundingClientRect()
					const found = [...frame.querySelectorAll<HTMLElement>('thead th')].filter(({ innerText }) => names.includes(innerText.trim()))
					const isOut = (head: HTMLElement) => head.getBoundingClientRect().left < left || head.getBoundingClientRect().right > right + 0.5
					return found.length < names.length ? ['a head is missing'] : found.filter(isOut).map(({ innerText }) => innerText)
				},
				heads as readonly string[],
			)
			expect(cut, `${title} of ${path} at ${width} px`).toEqual([])
			if (width === 390 || width === 1280) expect(await findTouching(page, title), `${title} of ${path} at ${width} px`).toEqual([])
			const framed = page.locator('section').getByRole('region', { name: `Table: ${title}` })
			for (const frame of await framed.all()) await expect(frame, 'a frame in a frame').toHaveCSS('border-left-width', '0px')
			expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${path} at ${width} px`).toBeLessThanOrEqual(0)
		}
		await page.setViewportSize({ width: 390, height: 900 })
		expect(await findSmall(page), path).toEqual([])
		expect(await findBroken(page), path).toEqual([])
	}
	await page.setViewportSize({ width: 390, height: 844 })
	// A row has either a debit or a credit, so one column shows both.
	await page.goto('/reports/ledger?year=2025-2026')
	const cells = page.getByRole('table', { name: 'Ledger' }).getByRole('row').nth(2).getByRole('cell')
	await expect(cells).toHaveCount(3)
	// The last line stays in sight. A hidden cell in it would show the rows that scroll behind it.
	for (const cell of await page.getByRole('table', { name: 'Ledger' }).locator('tfoot > tr > *').all())
		expect(await cell.evaluate((shown) => getComputedStyle(shown).visibility)).toBe('visible')
	await page.goto('/reports/holding?q=LTD')
	const isin = page.getByRole('columnheader', { name: 'ISIN' })
	await expect(isin).toBeHidden()
	await page.getByRole('link', { name: 'All columns' }).click()
	await expect(isin).toBeVisible()
	await expect(page.getByRole('columnheader', { name: '#' })).toBeVisible()
	await page.getByRole('button', { name: 'Apply' }).click()
	await expect(page).toHaveURL(/columns=all/)
	await page.getByRole('link', { name: 'Fewer columns' }).click()
	await expect(isin).toBeHidden()
	await page.goto('/reports/holding?q=nothing-has-this-name')
	await expect(page.getByRole('link', { name: 'All columns' })).toHaveCount(0)
})

test('a contract note shows the main columns of its trades on a phone, and the others by a link', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/contractnbill?year=2025-2026')
	await page.getByRole('table', { name: 'Contract/Bill' }).getByRole('link', { name: /^NC/ }).first().click()
	const trades = page.getByRole('region', { name: 'Table: Trades' })
	const heads = trades.getByRole('columnheader')
	for (const [width, shown] of [
		[390, ['Name', 'Amount (₹)']],
		[768, ['#', 'Name', 'Side', 'Quantity', 'Net rate (₹)', 'Amount (₹)', 'All charges (₹)']],
	] as const) {
		await page.setViewportSize({ width, height: 844 })
		await expect(heads).toHaveText([...shown])
		expect(await trades.evaluate((box) => box.scrollWidth - box.clientWidth), `at ${width} px`).toBe(0)
	}
	await page.setViewportSize({ width: 390, height: 844 })
	await page.getByRole('link', { name: 'All columns' }).click()
	await expect(heads.filter({ hasText: 'Gross rate' })).toBeVisible()
})

test('a phone shows the windows of advance tax that are not zero below each head, and a wide window all five in columns', async ({
	page,
}) => {
	await login(page, 'DEMO01', '/reports/income-tax?year=2025-2026')
	const box = page.getByRole('region', { name: 'Table: Advance tax' })
	for (const [width, areStacked] of [
		[390, true],
		[700, true],
		[768, false],
		[1280, false],
	] as const) {
		await page.setViewportSize({ width, height: 900 })
		const cells = await box
			.getByRole('row', { name: /^Dividends/ })
			.getByRole('cell')
			.all()
		const figures = await Promise.all(cells.map((cell) => cell.innerText()))
		if (areStacked) expect(figures).not.toContain('0.00')
		else expect(figures.length).toBe(6)
		const tops = await Promise.all(cells.map(async (cell) => Math.round((await cell.boundingBox())?.y ?? 0)))
		expect(new Set(tops).size, `at ${width} px`).toBe(areStacked ? cells.length : 1)
		const labels = await Promise.all(cells.map((cell) => cell.evaluate((shown) => getComputedStyle(shown, '::before').content)))
		expect(
			labels.map((label) => /^"(\d\d-\w+ to \d\d-\w+|Year)"$/.test(label)),
			`at ${width} px`,
		).toEqual(labels.map(() => areStacked))
		expect(await box.evaluate((shown) => shown.scrollWidth - shown.clientWidth), `at ${width} px`).toBe(0)
		const none = box.getByRole('row', { name: /^Speculative/ })
		if (areStacked) await expect(none).toHaveCount(0)
		else await expect(none.getByRole('cell')).toHaveText(Array.from({ length: 6 }, () => '0.00'))
		await expect(page.getByText('What is not shown is zero.')).toBeVisible({ visible: areStacked })
	}
})

test('on a phone a second line shows the values of the hidden columns of a row', async ({ page }) => {
	await login(page)
	for (const [path, title, says] of [
		[
			'/reports/holding',
			'Holding',
			/^"([+−]?\d+\.\d\d %|(avg\s[\d,.]+ ·\s)?price\s[\d,.]+( ·\scost\snot\sknown)?|avg\s[\d,.]+ ·\s[\d,]+\s(pledged|unsettled))"$/,
		],
		['/reports/position', 'Position', /^"expiry [\d/]+ ·\savg\s[\d,.]+ ·\sprice\s[\d,.]+"$/],
		['/reports/global-summary?year=2025-2026', 'Global Summary', /^"(Closed|([\d,]+ units|Short\s[\d,]+) ·\sValue −?[\d,]+\.\d\d)"$/],
		[
			'/reports/profitnloss?year=2025-2026',
			'Profit & Loss',
			/^"(Cost not known|(Unrealised\s[+−][\d,]+\.\d\d)?( ·\s)?(Charges\s[\d,]+\.\d\d)?)"$/,
		],
		['/reports/profitnloss?year=2025-2026', 'Segments', /^"(Unrealised\s[+−][\d,]+\.\d\d)?( ·\s)?(Charges\s[\d,]+\.\d\d)?"$/],
		['/reports/contractnbill?year=2025-2026', 'Contract/Bill', /^"(Contract note|Bill) ·\s(Equity|Future & Options|Currency|Commodity)"$/],
		['/reports/global-details?year=2025-2026', 'Global Details', /^"(Buy|Sell) [\d,]+ × [\d,]+\.\d{2,4} ·\sall\scharges\s[\d,.]+"$/],
		['/reports/income-tax?year=2025-2026', 'Income Tax', /^"(Short-term|Long-term|Speculative|Future & Options|Commodity)"$/],
		['/reports/income-tax?year=2025-2026', 'Dividends', /^"(TDS [\d,]+\.\d\d|Buyback, taxed as a dividend)"$/],
	] as const) {
		if (!page.url().endsWith(path)) await page.goto(path)
		await unfold(page, title)
		const box = page.getByRole('region', { name: `Table: ${title}`, exact: true })
		for (const [width, isShown] of [
			[1280, false],
			[390, true],
		] as const) {
			await page.setViewportSize({ width, height: 900 })
			const lines = await box.locator('[data-below]').evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::after').content))
			expect(lines.length, title).toBeGreaterThan(0)
			expect(
				lines.filter((line) => says.test(line) !== isShown),
				`${title} at ${width} px`,
			).toEqual([])
			expect(await box.evaluate((shown) => shown.scrollWidth - shown.clientWidth), `${title} at ${width} px`).toBe(0)
		}
	}
})

test('a phone scrolls the page, with the total in sight at its lower edge', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'DEMO01', '/reports/ledger?year=2025-2026')
	const box = page.getByRole('region', { name: 'Table: Ledger' })
	const total = box.getByRole('rowheader', { name: 'Total' })
	const last = box.getByRole('row').nth(-2)
	await expect(last).not.toBeInViewport()
	await last.scrollIntoViewIfNeeded()
	await expect(total).toBeInViewport()
	expect(await page.evaluate(() => scrollY)).toBeGreaterThan(844)
	// The other columns are shown by scrolling the box sideways.
	await page.goto('/reports/ledger?year=2025-2026&columns=all')
	expect(await box.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBeGreaterThan(100)
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
	// A wide window shows heads and total while its box scrolls.
	await page.setViewportSize({ width: 1280, height: 900 })
	expect(await box.evaluate((shown) => shown.scrollHeight - shown.clientHeight)).toBeGreaterThan(100)
	const findBottom = (shown: Element) => Math.round(shown.getBoundingClientRect().bottom)
	expect(await total.evaluate(findBottom)).toBeLessThanOrEqual(await box.evaluate(findBottom))
})

test('a table on a phone begins below its title, and its heads do not overlap when it is empty', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page)
	/** The positions of the text of visible heads, from left to right. */
	const findHeads = (title: string) =>
		page.getByRole('table', { name: title }).evaluate((table) =>
			[...table.querySelectorAll('thead th')].flatMap((head) => {
				const words = document.createRange()
				words.selectNodeContents(head.querySelector('a') ?? head)
				const { left, right, top, bottom } = words.getBoundingClientRect()
				return right > left ? [{ left: Math.round(left), right, top, bottom }] : []
			}),
		)
	for (const [path, title] of [
		['/reports/position', 'Position'],
		['/reports/holding', 'Holding'],
		['/reports/ledger?year=2025-2026', 'Ledger'],
		['/reports/ledger?year=2025-2026&q=zzzz', 'Ledger'],
	] as const) {
		await page.goto(path)
		const heads = await findHeads(title)
		expect(heads.length, path).toBeGreaterThan(2)
		expect(heads[0]?.left, path).toBe(16)
		const isCrossed = heads.some((one, at) =>
			heads
				.slice(at + 1)
				.some((other) => one.right > other.left && one.left < other.right && one.bottom > other.top && one.top < other.bottom),
		)
		expect(isCrossed, path).toBe(false)
	}
})

test('a table with fields shows all columns on a phone, and typed values stay', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'DEMO01', '/dpprocess')
	const table = page.getByRole('table', { name: 'Holdings' })
	const value = table.getByRole('columnheader', { name: 'Value' })
	await expect(value).toBeHidden()
	const quantity = table.getByRole('textbox').first()
	// Typing a quantity selects the row.
	await quantity.fill('7')
	await expect(table.getByRole('checkbox').first()).toBeChecked()
	await page.getByRole('checkbox', { name: 'All columns' }).check()
	await expect(value).toBeVisible()
	await expect(quantity).toHaveValue('7')
	await page.getByRole('checkbox', { name: 'All columns' }).uncheck()
	await expect(value).toBeHidden()
})

test('a ledger of short narrations keeps its two lines on a phone', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	// Only the opening balance.
	await login(page, 'DEMO01', '/reports/ledger?from=2026-04-01&to=2026-04-05')
	await expect(page.getByRole('table', { name: 'Ledger' }).getByText('Opening balance')).toBeVisible()
	await expect(page.getByRole('columnheader', { name: /^Balance/ })).toBeInViewport({ ratio: 1 })
	expect(await findOverlaps(page)).toEqual([])
})

test('the page links of a long ledger are in one row on a phone', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'BULK01', '/reports/ledger?page=3')
	const findTop = async (name: string, role: 'link' | 'button') => (await page.getByRole(role, { name, exact: true }).boundingBox())?.y
	const go = await findTop('Go', 'button')
	for (const name of ['First', 'Previous', 'Next', 'Last']) expect(await findTop(name, 'link'), name).toBe(go)
})

test('prints all columns, also from a phone', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/holding')
	await expect(page.getByRole('heading', { level: 1, name: 'Holding' })).toBeVisible()
	const paper = execFileSync('pdftotext', ['-layout', '-', '-'], { input: await page.pdf(), encoding: 'utf8' })
	for (const head of ['Symbol', 'ISIN', 'Pledged', 'Value', 'Unrealised']) expect(paper).toContain(head)
	expect(paper).not.toContain('All columns')
})

test('a phone shows text that is large enough to read, and targets that are large enough to press', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page)
	// The first test checks the reports, which it opens for their columns.
	for (const path of ['/dashboard', '/funds', '/myaccount']) {
		await page.goto(path)
		await expect(page.locator('body')).toHaveCSS('font-size', '16px')
		expect(await findSmall(page), path).toEqual([])
		expect(await findBroken(page), path).toEqual([])
	}
})

import { type Page } from '@playwright/test'
import { expect, login, test } from './portal'

test('the header of a phone is one row, and its controls are wide enough for a finger', async ({ page }) => {
	await login(page)
	const header = page.getByRole('banner')
	for (const path of ['/reports/holding', '/funds'])
		for (const width of [390, 320]) {
			await page.setViewportSize({ width, height: 844 })
			await page.goto(path)
			expect((await header.boundingBox())?.height, `${path} at ${width} px`).toBeLessThanOrEqual(64)
			await expect(header.locator('p', { hasText: 'Khata' })).toBeVisible()
			const controls = await header.locator('button:visible, select:visible').all()
			expect(controls.length).toBe(path === '/funds' ? 3 : 4)
			for (const control of controls) {
				const box = await control.boundingBox()
				expect(Math.min(box?.width ?? 0, box?.height ?? 0), `${await control.innerText()} at ${width} px`).toBeGreaterThanOrEqual(44)
			}
		}
	await expect(page.getByRole('button', { name: 'Dark' })).toHaveCount(0)
	await page.getByRole('button', { name: 'Open menu' }).click()
	const dark = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Dark' })
	expect((await dark.boundingBox())?.height).toBeGreaterThanOrEqual(44)
	await dark.click()
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
	// Without a script the year has a button of its own.
	const plain = await openWithoutScripts(page)
	for (const path of ['/reports/holding', '/funds'])
		for (const width of [390, 320]) {
			await plain.setViewportSize({ width, height: 844 })
			await plain.goto(path)
			await expect(plain.getByRole('button', { name: 'Show' })).toBeVisible()
			await expect(plain.getByRole('banner').locator('p', { hasText: 'Khata' })).toBeInViewport({ ratio: 1 })
			if (width === 390) {
				await expect(plain.getByText('CLIENT').first()).toBeInViewport({ ratio: 1 })
				const name = plain.getByRole('banner').locator('p', { hasText: 'Welcome, ' })
				await expect(name).toBeInViewport({ ratio: 1 })
				expect(await name.evaluate((line) => line.scrollWidth - line.clientWidth), 'the name is not cut').toBeLessThanOrEqual(0)
			}
			expect((await plain.getByRole('banner').boundingBox())?.height, `${path} at ${width} px`).toBeLessThanOrEqual(64)
		}
	await plain.context().close()
})

test('the first screen of a phone has the balances, the holding, the link to add funds and the attention list', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 700 })
	await login(page)
	await page.goto('/dashboard')
	for (const title of ['Ledger', 'Deducted ledger', 'Total holding'])
		await expect(page.getByRole('region', { name: title, exact: true }), title).toBeInViewport({ ratio: 1 })
	for (const name of ['Add funds', 'Withdraw funds']) await expect(page.getByRole('link', { name })).toBeInViewport({ ratio: 1 })
	await page.setViewportSize({ width: 390, height: 844 })
	await expect(page.getByText(/\d things? needs? you/)).toBeInViewport({ ratio: 1 })
})

test('a search is closed on a phone, and open when it narrows the rows', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page)
	for (const path of ['/reports/holding', '/funds/history', '/dpprocess', '/dpprocess/pledge']) {
		await page.goto(path)
		await expect(page.getByLabel('Search'), path).toBeHidden()
		await page.getByRole('checkbox', { name: 'Filters' }).press('Space')
		await page.getByLabel('Search').fill('A')
		await page.getByLabel('Search').press('Enter')
		await expect(page).toHaveURL(/q=A/)
		await expect(page.getByLabel('Search'), path).toBeVisible()
		await expect(page.getByLabel('Search'), path).toHaveValue('A')
	}
	await page.goto('/reports/holding?q=LTD')
	await expect(page.getByLabel('Search')).toBeVisible()
	// A short list has no search.
	await page.goto('/reports/position')
	await expect(page.getByLabel('Search')).toHaveCount(0)
	await page.goto('/reports/position?q=A')
	await expect(page.getByLabel('Search')).toHaveValue('A')
})

/** A page of the same client without scripts. */
async function openWithoutScripts(page: Page): Promise<Page> {
	const context = await page.context().browser()?.newContext({ javaScriptEnabled: false, baseURL: page.url() })
	if (!context) throw new Error('the page has no browser')
	await context.addCookies(await page.context().cookies())
	return context.newPage()
}

test('a report shows its result on the first screen of a phone, with filters folded and page links in one row', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'DEMO01', '/reports/ledger?year=2025-2026')
	const table = page.getByRole('table', { name: 'Ledger' })
	await expect(page.getByText('Closing balance')).toBeInViewport()
	// The answer is first at every width, also in the reading order.
	const isFirst = async () => {
		const [opening, closing] = await Promise.all(
			['Opening balance', 'Closing balance'].map((text) => page.locator('dt', { hasText: text }).boundingBox()),
		)
		return (closing?.y ?? 0) < (opening?.y ?? 0)
	}
	expect(await isFirst()).toBe(true)
	// The newest entries stand above the table, whose order is the broker's.
	await expect(page.getByText('Latest', { exact: true })).toBeInViewport()
	await expect(table.getByRole('row').nth(2)).toBeInViewport({ ratio: 1 })
	const from = page.getByLabel('From', { exact: true })
	await expect(from).toBeHidden()
	await page.getByRole('checkbox', { name: 'Filters' }).press('Space')
	await expect(from).toBeVisible()
	await page.getByLabel('Search').fill('BILL')
	await page.getByRole('button', { name: 'Apply' }).click()
	await expect(page).toHaveURL(/q=BILL/)
	// A search that narrows the rows is shown, also when the page was opened by its address.
	await page.reload()
	await expect(page.getByLabel('Search')).toHaveValue('BILL')
	await expect(page.getByLabel('Search')).toBeVisible()
})

test('a bid shows its allotment and the state of its mandate on a phone', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'DEMO01', '/connect/ipo/bids')
	const table = page.getByRole('table', { name: 'Bid report' })
	const findRow = (issue: string) => table.getByRole('row').filter({ hasText: issue })
	await expect(findRow('Malabar Tools Ltd.').getByText('Not allotted').first()).toBeInViewport({ ratio: 1 })
	await expect(findRow('Vidarbha Energy Systems Ltd.').getByText('The UPI mandate was not accepted in time')).toBeVisible()
	await expect(findRow('Malabar Tools Ltd.').getByText('₹ 14,952.00').first()).toBeVisible()
	await expect(findRow('Sahyadri Agro Foods Ltd.').getByText('Accept mandate by')).toBeVisible()
	const box = page.getByRole('region', { name: 'Table: Bid report' })
	expect(await box.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBeLessThanOrEqual(0)
	await page.setViewportSize({ width: 1280, height: 900 })
	await expect(findRow('Sahyadri Agro Foods Ltd.').getByText('Accept mandate by')).toBeHidden()
	await expect(findRow('Malabar Tools Ltd.').getByText('Approved', { exact: true })).toBeVisible()
})

test('a quantity above the free units is marked while it is typed', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'DEMO01', '/dpprocess')
	const row = page
		.getByRole('table', { name: 'Holdings' })
		.getByRole('row')
		.filter({ has: page.getByRole('checkbox') })
		.first()
	const quantity = row.getByRole('textbox')
	const free = await quantity.inputValue()
	await quantity.fill('999999')
	await expect(row.getByText(`At most ${free}`)).toBeVisible()
	await expect(quantity).toHaveAttribute('aria-invalid', 'true')
	await expect(page.getByText('Correct the marked quantities')).toBeInViewport()
	// The button sends nothing, and leads to the quantity.
	const verify = page.getByRole('button', { name: 'Verify', exact: true })
	await expect(verify).toHaveAttribute('aria-disabled', 'true')
	await verify.click({ force: true })
	await expect(quantity).toBeFocused()
	// For a verification after a sale, the limit is the units sold that day, not the free units.
	await page.getByLabel('Post', { exact: true }).check()
	await expect(row.getByText(`At most ${free}`)).toHaveCount(0)
	await page.getByLabel('Pre', { exact: true }).check()
	await quantity.fill(free)
	await expect(quantity).not.toHaveAttribute('aria-invalid')
	await expect(page.getByText('at the last close')).toBeVisible()
	await expect(verify).not.toHaveAttribute('aria-disabled')
})

test('a quantity that cannot be pledged or released is marked while it is typed', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'DEMO01', '/dpprocess/pledge')
	const row = page.getByRole('table', { name: 'Margin pledge' }).getByRole('row').filter({ hasText: 'Axis Bank Ltd.' })
	const quantity = row.getByRole('textbox')
	// The second cell has the free units. A phone hides it, and has them below the name.
	const free = (await row.locator('td').nth(1).textContent()) ?? ''
	await expect(row.getByText(`${free} free`)).toBeVisible()
	await quantity.fill(String(Number(free) + 1))
	await expect(row.getByText(`At most ${free}`)).toBeVisible()
	await expect(quantity).toHaveAttribute('aria-invalid', 'true')
	await expect(page.getByText('Correct the marked quantities')).toBeInViewport()
	await quantity.fill('1,5')
	await expect(row.getByText('Whole units')).toBeVisible()
	await quantity.fill(free)
	await expect(quantity).not.toHaveAttribute('aria-invalid')
	await expect(page.getByText('Correct the marked quantities')).toHaveCount(0)
	// A release lists what is pledged, and takes nothing of what was typed.
	await page.getByLabel('Unpledge').check()
	await expect(row).toHaveCount(0)
	await expect(page.getByText('Type how many to unpledge')).toBeVisible()
	await page.getByLabel('Pledge', { exact: true }).check()
	await expect(quantity).toHaveValue(free)
	await expect(page.getByText('1 security', { exact: true })).toBeVisible()
})

test('a phone aligns the line below a state with its text, and the figures of a card with their labels', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'DEMO01', '/dpprocess/pledge')
	const findBox = (words: string | RegExp, table: string) =>
		page
			.getByRole('table', { name: table })
			.getByText(words)
			.first()
			.evaluate((shown) => {
				const range = document.createRange()
				range.selectNodeContents(shown)
				return { left: Math.round(range.getBoundingClientRect().left) }
			})
	const state = await findBox(/^Awaiting your/, 'Pledge requests')
	expect((await findBox(/^(Confirm|Was due) by \d/, 'Pledge requests')).left).toBe(state.left)
	await page.goto('/funds')
	const payments = 'Payments from unregistered accounts'
	await expect(page.getByRole('table', { name: payments }).getByText('On hold').filter({ visible: true })).toHaveCount(1)
	await page.goto('/connect/mtf')
	// A figure of a card is to the right of its label, not below it.
	const limit = page.getByRole('region', { name: 'Funded', exact: true })
	const label = await limit.locator('dt').last().boundingBox()
	const figure = await limit.locator('dd').last().boundingBox()
	expect(figure?.x).toBeGreaterThan((label?.x ?? 0) + (label?.width ?? 0))
	expect(figure?.y).toBeLessThan((label?.y ?? 0) + (label?.height ?? 0))
})

test('the button of a long form stays in sight once something is selected, and shows how much is selected', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'DEMO01', '/dpprocess')
	const verify = page.getByRole('button', { name: 'Verify', exact: true })
	// It waits below the table, where it covers no row, until something is selected.
	await expect(verify).not.toBeInViewport()
	await expect(page.getByText('0 selected')).toBeVisible()
	const boxes = page.getByRole('table', { name: 'Holdings' }).getByRole('checkbox')
	await boxes.nth(0).check()
	await expect(verify).toBeInViewport({ ratio: 1 })
	await boxes.nth(1).check()
	await expect(page.getByText('2 selected')).toBeInViewport({ ratio: 1 })
	await boxes.nth(1).uncheck()
	const row = page.getByRole('row').filter({ has: page.getByRole('checkbox', { checked: true }) })
	await row.getByRole('textbox').fill('2')
	const heads = await page.getByRole('table', { name: 'Holdings' }).locator('thead th').allTextContents()
	const close = await row.locator('> *').nth(heads.indexOf('Close (₹)')).textContent()
	const twice = 2 * Math.round(Number(close?.replaceAll(',', '')) * 100)
	const sum = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 }).format(twice / 100)
	await expect(page.getByText(`₹ ${sum} at the last close`)).toBeInViewport({ ratio: 1 })
	await boxes.nth(1).check()
	// The bar does not cover an element that the keyboard reaches.
	await boxes.nth(1).focus()
	for (let step = 0; step < 12; step++) {
		await page.keyboard.press('Tab')
		const isCovered = await page.evaluate(() => {
			const { left, top } = (document.activeElement as HTMLElement).getBoundingClientRect()
			return document.elementFromPoint(left + 4, top + 4) !== document.activeElement
		})
		expect(isCovered, `after ${step + 1} steps`).toBe(false)
	}
	await page.goto('/dpprocess/pledge')
	const review = page.getByRole('button', { name: 'Review' })
	await expect(page.getByText('No quantity entered')).toBeVisible()
	await page.getByRole('table', { name: 'Margin pledge' }).getByRole('textbox').first().fill('1')
	await expect(review).toBeInViewport({ ratio: 1 })
	await expect(page.getByText('1 security', { exact: true })).toBeVisible()
})

test('the bar with the main button of a form of money stays in view, and covers no field with focus', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 700 })
	await login(page)
	for (const [path, name] of [
		['/funds', 'Add funds'],
		['/connect/ipo/KONKANLOG', 'Review bid'],
	] as const) {
		await page.goto(path)
		const button = page.getByRole('button', { name, exact: true })
		await expect(button).toBeInViewport({ ratio: 1 })
		const fields = page.locator('main form').filter({ has: button }).locator('input:visible:enabled, select:visible:enabled')
		expect(await fields.count()).toBeGreaterThan(3)
		for (const field of await fields.all()) {
			await field.focus()
			const covered = await field.evaluate((element) => {
				const { left, top, width, height } = element.getBoundingClientRect()
				const above = document.elementFromPoint(left + width / 2, top + height / 2)
				return !(above && (element.contains(above) || above.contains(element) || above.closest('label')?.contains(element)))
			})
			expect(covered, `${path}: ${await field.getAttribute('name')}`).toBe(false)
		}
		await expect(button).toBeInViewport({ ratio: 1 })
	}
})

test('the table of a chart fits a phone', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page)
	for (const [path, names] of [
		['/dashboard', ['Portfolio value and invested amount by month', 'Allocation by sector']],
		['/reports/holding', ['Allocation by holding', 'Allocation by sector']],
		['/reports/profitnloss', ['Realised by month']],
	] as const) {
		await page.goto(path)
		for (const name of names) {
			const box = page.getByRole('region', { name: `Table: ${name}` })
			await page
				.locator('details', { has: page.locator('caption', { hasText: name }) })
				.evaluate((shown: HTMLDetailsElement) => (shown.open = true))
			await expect(box).toBeVisible()
			expect(await box.evaluate((shown) => shown.scrollWidth - shown.clientWidth), name).toBeLessThanOrEqual(0)
		}
	}
})

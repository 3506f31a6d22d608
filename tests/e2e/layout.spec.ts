import { expect, login, test } from './portal'

/* Where parts of a page stand, and that nothing lies over what a finger presses. */

test('a narration opens wherever a finger presses it', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'DEMO01', '/reports/ledger?year=2025-2026')
	const narrations = page.getByRole('table', { name: 'Ledger' }).locator('.opens > summary')
	await expect(narrations).toHaveCount(100)
	const covered = await narrations.evaluateAll((summaries) =>
		summaries.flatMap((summary) => {
			summary.scrollIntoView({ block: 'center' })
			const { left, top, width, height } = summary.getBoundingClientRect()
			const isFree = [0.1, 0.5, 0.9].every((across) =>
				[0.2, 0.8].every((down) => summary.contains(document.elementFromPoint(left + width * across, top + height * down))),
			)
			return isFree && height >= 32 ? [] : [`${summary.textContent} ${height}`]
		}),
	)
	expect(covered).toEqual([])
})

test('the nominees of today stand above their form on a phone, and right of it where there is room', async ({ page }) => {
	await login(page, 'DEMO01', '/myaccount/nominee')
	const findBox = async (name: string) => {
		const box = await page.getByRole('region', { name }).boundingBox()
		if (!box) throw new Error(`${name} is not shown`)
		return box
	}
	for (const width of [390, 1280]) {
		await page.setViewportSize({ width, height: 900 })
		const [form, current] = [await findBox('Change nominees'), await findBox('Your nominees')]
		if (width === 390) expect(current.y + current.height).toBeLessThanOrEqual(form.y)
		else expect([current.y, current.x >= form.x + form.width]).toEqual([form.y, true])
	}
})

test('three cards leave no empty place', async ({ page }) => {
	await login(page, 'DEMO01', '/connect/mtf')
	const cards = page.locator('.cards')
	const findRight = async (which: typeof cards) => {
		const { x, width } = (await which.boundingBox())!
		return Math.round(x + width)
	}
	for (const width of [390, 700, 1024, 1280, 1600]) {
		await page.setViewportSize({ width, height: 900 })
		await expect(cards.locator('> *')).toHaveCount(3)
		expect([width, await findRight(cards.locator('> *').last())]).toEqual([width, await findRight(cards)])
	}
})

for (const address of ['/dpprocess', '/dpprocess/pledge'])
	test(`the bar with the button does not cover the field that is typed in: ${address}`, async ({ page }) => {
		await page.setViewportSize({ width: 390, height: 844 })
		await login(page, 'DEMO01', address)
		const field = page.locator('.filled-in').getByRole('textbox').nth(6)
		await expect(field).toBeVisible()
		// At the edge of the screen, where a finger can just reach it.
		await field.evaluate((input) => window.scrollTo(0, scrollY + input.getBoundingClientRect().bottom - innerHeight + 10))
		await field.click()
		await page.keyboard.type('2')
		await expect(page.getByRole('status').filter({ hasText: '1 s' })).toBeVisible()
		const [typed, bar] = [await field.boundingBox(), await page.locator('.chosen').boundingBox()]
		if (!typed || !bar) throw new Error('The field or the bar is not shown')
		expect(bar.y + bar.height).toBeLessThanOrEqual(844)
		expect(bar.height).toBeLessThanOrEqual(112)
		expect(typed.y + typed.height).toBeLessThanOrEqual(bar.y)
	})

test('the tax estimate and the exemption share a row where there is room', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/income-tax')
	const findTop = async (name: string) => (await page.getByRole('region', { name }).boundingBox())?.y
	await page.setViewportSize({ width: 1280, height: 900 })
	expect(await findTop('Exemption and taxes paid')).toBe(await findTop('How the estimate is made up'))
	await page.setViewportSize({ width: 390, height: 844 })
	expect(await findTop('Exemption and taxes paid')).toBeGreaterThan((await findTop('How the estimate is made up')) ?? 0)
})

test('a phone shows no total line without a sum', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'DEMO01', '/reports/global-details')
	// Contract values of futures have no sum with cash, and a phone has no columns of charges.
	const foot = page.getByRole('table', { name: 'Global Details' }).locator('tfoot tr')
	await expect(foot).toHaveText(/Total.*—$/)
	await expect(foot).toBeHidden()
	await page.setViewportSize({ width: 1280, height: 900 })
	await expect(foot).toBeVisible()
})

test('the heads and sums of a long table, and the menu, stay in sight while the page scrolls', async ({ page }) => {
	for (const [width, height] of [
		[390, 844],
		[1280, 900],
	] as const) {
		await page.setViewportSize({ width, height })
		await login(page, 'DEMO01', '/reports/profitnloss')
		const table = page.getByRole('table', { name: 'Profit & Loss', exact: true })
		await table.hover()
		await table
			.getByRole('row')
			.nth(25)
			.evaluate((row) => row.scrollIntoView({ block: 'center' }))
		const [head, sum] = [table.getByRole('columnheader').filter({ visible: true }).first(), table.locator('tfoot th')]
		await expect.poll(async () => Math.round((await head.boundingBox())?.y ?? -1)).toBe(0)
		const total = await sum.boundingBox()
		expect(Math.round((total?.y ?? 0) + (total?.height ?? 0))).toBe(height)
		if (width === 1280) await expect(page.getByRole('link', { name: 'Dashboard', exact: true })).toBeInViewport()
	}
})

test('a table with hidden cells scrolls, and its first column stays readable', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'DEMO01', '/reports/ledger?year=2025-2026&columns=all')
	const frame = page.getByRole('region', { name: 'Table: Ledger' })
	await frame.hover()
	await frame.evaluate((box) => box.scrollTo(260, 0))
	const date = frame.locator('tbody .held').nth(3)
	await expect.poll(() => frame.evaluate((box) => box.scrollLeft)).toBe(260)
	expect(
		await date.evaluate((cell) => {
			const { left, right, top, height } = cell.getBoundingClientRect()
			return [left + 4, right - 4].every((x) => cell.contains(document.elementFromPoint(x, top + height / 2)))
		}),
	).toBe(true)
})

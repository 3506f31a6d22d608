import { expect, login, test } from './portal'

test('what was typed for a pledge does not come back in a release', async ({ page }) => {
	await login(page, 'DEMO01', '/dpprocess/pledge')
	const quantity = (name: string) =>
		page.getByRole('table', { name: 'Margin pledge' }).getByRole('row').filter({ hasText: name }).getByRole('textbox')
	const reviewAndReturn = async () => {
		await page.getByRole('button', { name: 'Review' }).click()
		await expect(page.getByRole('button', { name: 'Confirm' })).toBeVisible()
		await page.goBack()
	}
	await quantity('Titan').fill('4')
	await reviewAndReturn()
	await expect(quantity('Titan')).toHaveValue('4')
	await page.getByRole('radio', { name: 'Unpledge' }).check()
	await expect(quantity('Titan')).toHaveCount(0)
	await quantity('ITC Ltd.').fill('3')
	await reviewAndReturn()
	await expect(page.getByRole('radio', { name: 'Unpledge' })).toBeChecked()
	await expect(quantity('ITC Ltd.')).toHaveValue('3')
	await expect(quantity('Titan')).toHaveCount(0)
	expect(page.url()).not.toContain('INE280A01028')
	await reviewAndReturn()
})

test('each request keeps its own quantities', async ({ page }) => {
	await login(page, 'DEMO01', '/dpprocess/pledge')
	// Of HDFC Bank 40 are free and 60 pledged, so it is in both lists.
	const quantity = page.getByRole('table', { name: 'Margin pledge' }).getByRole('row').filter({ hasText: 'HDFC Bank' }).getByRole('textbox')
	await quantity.fill('2')
	await page.getByRole('radio', { name: 'Unpledge' }).check()
	await expect(quantity).toHaveValue('')
	await expect(page.getByText('No quantity entered')).toBeVisible()
	await quantity.fill('3')
	await page.getByRole('radio', { name: 'Pledge', exact: true }).check()
	await expect(quantity).toHaveValue('2')
	await page.getByRole('radio', { name: 'Unpledge' }).check()
	await expect(quantity).toHaveValue('3')
	await page.getByRole('button', { name: 'Review' }).click()
	await expect(page.getByText('Your open positions may use this margin.')).toBeVisible()
	expect(new URL(page.url()).searchParams.get('INE040A01034')).toBe('3')
})

test('a link of the error summary leads to its field in view, and the errors stay', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 })
	await login(page, 'DEMO01', '/dpprocess/pledge')
	const field = page.getByRole('table', { name: 'Margin pledge' }).getByRole('textbox').first()
	await page.getByRole('button', { name: 'Review' }).click()
	const link = page.getByRole('alert').getByRole('link', { name: 'Enter a quantity to pledge' })
	for (let time = 0; time < 2; time++) {
		await link.click()
		await expect(field).toBeFocused()
		const box = await field.boundingBox()
		expect(box?.y).toBeGreaterThan(100)
		expect(box?.y).toBeLessThan(700)
		await expect(field).toHaveAttribute('aria-invalid', 'true')
		await expect(link).toHaveCount(1)
		await expect(page).toHaveTitle(/^Error: /)
	}
})

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

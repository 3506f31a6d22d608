import { writeFileSync } from 'node:fs'
import { expect, login, SANDBOX, test } from './portal'

/* A file that is far too large, from a real browser: the form comes back with the limit. */

// The projects run at the same time on one sandbox, so each has its own client.
const chooseClient = (javaScriptEnabled: boolean) => (javaScriptEnabled ? 'DEBT01' : 'CLOS01')
const MB = 1024 * 1024

test('refuses proofs of 26 MB and of 80 MB in the form, which then accepts a smaller one', async ({ page, javaScriptEnabled }, info) => {
	const client = chooseClient(javaScriptEnabled)
	await login(page, client, '/myaccount/segments')
	await page.getByLabel('Currency Derivatives').check()
	await page.getByRole('button', { name: 'Send OTP' }).click()
	await page.waitForURL(/\/otp$/)
	for (const megabytes of [26, 80]) {
		const file = info.outputPath(`${megabytes}.pdf`)
		writeFileSync(file, Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(megabytes * MB, 0x20)]))
		await page.getByLabel('Proof type').selectOption('Salary Slip')
		await page.getByLabel('Proof file').setInputFiles(file)
		const outbox = await (await fetch(`${SANDBOX}/outbox?client=${client}`)).text()
		await page.getByLabel('OTP', { exact: true }).fill(/(\d{6}) is the OTP/.exec(outbox)?.[1] ?? '')
		await page.getByRole('button', { name: 'Verify OTP' }).click()
		await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText(
			'The selected file must be smaller than 5MB',
		)
		await expect(page).toHaveTitle(/^Error: Segments/)
		await expect(page.getByRole('heading', { level: 1, name: 'Segments' })).toBeVisible()
		await expect(page.getByLabel('Proof type')).toHaveValue('Salary Slip')
		await expect(page.getByLabel('Proof file')).toHaveAttribute('aria-invalid', 'true')
	}
	await page.getByRole('button', { name: 'Start again' }).click()
	await page.waitForURL(/\/myaccount\/segments$/)
})

import { writeFileSync } from 'node:fs'
import { expect, login, SANDBOX, test } from './portal'

/* A file that is far too large, as a browser sends it: the form comes back and says the limit. */

// The projects run at once over one sandbox: each has a client of its own.
const chooseClient = (javaScriptEnabled: boolean) => (javaScriptEnabled ? 'DEBT01' : 'CLOS01')
const MB = 1024 * 1024

test('a proof of 26 MB, and one of 80 MB, are refused in the form, which is then sent with another', async ({
	page,
	javaScriptEnabled,
}, info) => {
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

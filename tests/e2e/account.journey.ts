import { readFileSync, writeFileSync } from 'node:fs'
import { type Page } from '@playwright/test'
import { offers } from './optional-steps'
import { expect, login, NONSENSE, PORTAL, readOtp, SANDBOX, test, listViolations } from './portal'

/* Every change of the account, with and without JavaScript, with correct and wrong values. */

// The projects run at the same time on one sandbox, so each has its own clients.
const chooseClient = (javaScriptEnabled: boolean) => (javaScriptEnabled ? 'CASH01' : 'NEW001')

const PDF = {
	name: 'salary.pdf',
	mimeType: 'application/pdf',
	buffer: Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
}

// No transitions: a button that changes its colour has a wrong contrast for a moment.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Checks the heading, that axe finds nothing, and that no raw value such as `undefined` is shown. */
async function expectPage(page: Page, heading: string) {
	await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
	await expect(page).toHaveTitle(new RegExp(`^(Error: )?${heading} · Khata$`))
	// axe is a script, so it runs only where scripts run.
	if (test.info().project.use.javaScriptEnabled !== false) expect(await listViolations(page)).toEqual([])
	await expect(page.locator('body')).not.toContainText(NONSENSE)
}

async function expectProblem(page: Page, words: string | RegExp) {
	await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText(words)
	await expect(page).toHaveTitle(/^Error: /)
}

async function sendOtp(page: Page) {
	await page.getByRole('button', { name: 'Send OTP' }).click()
	await page.waitForURL(/\/otp$/)
}

async function verify(page: Page, code: string) {
	await page.getByLabel('OTP', { exact: true }).fill(code)
	await page.getByRole('button', { name: 'Verify OTP' }).click()
}

/** Signs on the e-sign provider's own origin, and comes back. */
async function sign(page: Page) {
	await expectPage(page, 'You are about to sign')
	await page.getByRole('button', { name: 'Proceed to e-sign' }).click()
	await page.waitForURL(`${SANDBOX}/esign**`)
	await page.getByRole('button', { name: 'Sign', exact: true }).click()
	await page.waitForURL(`${PORTAL}/esign/return**`)
	const said = offers('how an e-sign ended') ? 'Signed at' : 'The e-sign page says that you have signed.'
	await expect(page.getByText(said)).toBeVisible()
}

test('changes the e-mail: wrong OTP, right OTP, reload and back, e-sign', async ({ page, javaScriptEnabled }) => {
	const client = chooseClient(javaScriptEnabled)
	const address = `new.${client.toLowerCase()}@example.com`
	await login(page, client, '/myaccount')
	await expectPage(page, 'My Account')
	await page.getByRole('link', { name: 'Change e-mail' }).click()
	await expectPage(page, 'Change e-mail')
	await page.getByLabel('New e-mail').fill('nobody')
	await page.getByRole('button', { name: 'Send OTP' }).click()
	await expectProblem(page, 'Enter an e-mail address in the correct format')
	await expectPage(page, 'Change e-mail')
	await expect(page.getByLabel('New e-mail')).toHaveValue('nobody')
	await page.getByLabel('New e-mail').fill(address)
	await sendOtp(page)
	await expectPage(page, 'Change e-mail')
	await expect(page.getByText(/OTP sent to n•••@example.com/)).toBeVisible()
	await expect(page.getByText(address, { exact: true })).toBeVisible()
	if (javaScriptEnabled) {
		// Before the wait is over, pressing it does nothing.
		await expect(page.getByRole('button', { name: 'Resend OTP' })).toBeDisabled()
		await expect(page.getByText(/^in 0:\d\d$/)).toBeVisible()
		await page.getByRole('button', { name: 'Resend OTP' }).click({ force: true })
	} else await expect(page.getByText('You can ask for a new OTP at')).toBeVisible()

	const code = await readOtp(client)
	await verify(page, code === '111111' ? '222222' : '111111')
	await expectProblem(page, 'The OTP is incorrect. You have 4 attempts left.')
	await expectPage(page, 'Change e-mail')
	await expect(page.getByLabel('OTP', { exact: true })).toHaveValue('')
	await page.goto('/myaccount/email/otp')
	await expect(page.getByText('You have 4 attempts left.')).toBeVisible()
	await page.goto('/myaccount')
	await page.goBack()
	await verify(page, code)
	await page.waitForURL('**/esign')
	await sign(page)
	await page.goto('/myaccount')
	await expect(page.getByText('n•••@example.com')).toBeVisible()
	await page.goto('/myaccount/email/otp')
	await expect(page).toHaveURL(/\/myaccount\/email$/)
})

test('adds a bank account that needs only its MICR code, and a second one that needs a proof', async ({ page, javaScriptEnabled }) => {
	const client = chooseClient(javaScriptEnabled)
	await login(page, client, '/myaccount/bank')
	await expectPage(page, 'Bank accounts')
	const fill = async (account: string, ifsc: string) => {
		// Folded for a client who has an account.
		await page.getByText('Add bank account', { exact: true }).click()
		await page.getByLabel('Account number', { exact: true }).fill(account)
		await page.getByLabel('Confirm account number').fill(account)
		await page.getByLabel('IFSC').fill(ifsc)
		await page.getByLabel('Account type').selectOption('Savings')
	}
	await fill('30210042118855', 'ZZZZ0MICR01')
	await page.getByRole('button', { name: 'Send OTP' }).click()
	await expectProblem(page, 'Invalid MICR code.')
	await expectPage(page, 'Bank accounts')
	await expect(page.getByLabel('IFSC')).toHaveCount(0)
	await page.getByLabel('MICR', { exact: true }).fill('400229010')
	await sendOtp(page)
	await expectPage(page, 'Bank accounts')
	await expect(page.getByLabel(/Proof file/)).toHaveCount(0)
	await verify(page, await readOtp(client))
	await expect(page.getByRole('row', { name: /••••••8855/ })).toContainText('SANDBOX BANK')
	await expect(page.getByText('Bank added successfully')).toBeAttached()

	await fill('30210042118800', 'HDFC0000060')
	await sendOtp(page)
	await expectPage(page, 'Bank accounts')
	const large = { ...PDF, buffer: Buffer.concat([PDF.buffer, Buffer.alloc(6 * 1024 * 1024, 0x20)]) }
	await page.getByLabel('Proof file', { exact: true }).setInputFiles(large)
	await verify(page, await readOtp(client))
	await expectProblem(page, 'The selected file must be smaller than 5MB')
	await expectPage(page, 'Bank accounts')
	await page.getByLabel('Proof file', { exact: true }).setInputFiles(PDF)
	await verify(page, await readOtp(client))
	await page.waitForURL('**/esign')
	await sign(page)
	await page.goto('/myaccount/bank')
	await page
		.getByRole('row', { name: /••••••8800/ })
		.getByRole('button', { name: /Make default/ })
		.click()
	await expect(page.getByRole('row', { name: /••••••8800/ }).getByText('Default: gets payouts')).toBeVisible()
})

test('adds and removes nominees with buttons, and signs', async ({ page, javaScriptEnabled }) => {
	const client = chooseClient(javaScriptEnabled)
	await login(page, client, '/myaccount/nominee')
	await expectPage(page, 'Nominees')
	const row = (at: number) => page.getByRole('group', { name: `Nominee ${at}`, exact: true })
	const fill = async (at: number, [name, relation, pan, dob, share]: [string, string, string, string, string]) => {
		await row(at).getByLabel('Name', { exact: true }).fill(name)
		await row(at).getByLabel('Relation', { exact: true }).selectOption(relation)
		await row(at).getByLabel('PAN', { exact: true }).fill(pan)
		await row(at).getByLabel('Date of birth').fill(dob)
		await row(at).getByLabel('Share %').fill(share)
	}
	await fill(1, ['Anand Rao', 'Brother', 'AAAPR7364M', '1984-02-09', '60'])
	await page.getByRole('button', { name: 'Add nominee' }).click()
	await expect(row(2)).toBeVisible()
	// A second click before the first has finished is ignored.
	await expect(page.locator('form[aria-busy]')).toHaveCount(0)
	await page.getByRole('button', { name: 'Add nominee' }).click()
	await expect(row(3)).toBeVisible()
	await expect(page.locator('form[aria-busy]')).toHaveCount(0)
	await expectPage(page, 'Nominees')
	await page.getByRole('button', { name: 'Remove nominee 2' }).click()
	await expect(row(3)).toHaveCount(0)
	await expect(row(1).getByLabel('Name', { exact: true })).toHaveValue('Anand Rao')
	await fill(2, ['Ira Rao', 'Daughter', 'BBBPR5190H', '2020-11-23', '30'])
	await page.getByRole('button', { name: 'Send OTP' }).click()
	await expectProblem(page, 'Enter the guardian’s name')
	await expectPage(page, 'Nominees')
	await row(2).getByLabel('Guardian name').fill('Anand Rao')
	await row(2).getByLabel('Guardian relation').selectOption('Other')
	await row(2).getByLabel('Guardian PAN').fill('AAAPR7364M')
	await page.getByRole('button', { name: 'Send OTP' }).click()
	await expectProblem(page, 'Shares must add up to 100%. They add up to 90.00%.')
	await expect(page.locator('form[aria-busy]')).toHaveCount(0)
	await page.getByRole('button', { name: 'Split equally' }).click()
	await expect(row(2).getByLabel('Share %')).toHaveValue('50')
	await sendOtp(page)
	await expectPage(page, 'Nominees')
	await expect(page.getByText(/Ira Rao, Daughter, 50 %.*registered to/)).toBeVisible()
	await verify(page, await readOtp(client))
	await page.waitForURL('**/esign')
	await sign(page)
	await page.goto('/myaccount')
	await expect(page.getByRole('listitem').filter({ hasText: 'Ira Rao' })).toContainText('50 %')
})

test('adds a segment after proofs of 26 MB and of 80 MB, and an income, and the history shows all', async ({
	page,
	javaScriptEnabled,
}, info) => {
	const client = chooseClient(javaScriptEnabled)
	await login(page, client, '/myaccount/segments')
	await expectPage(page, 'Segments')
	await expect(page.getByRole('checkbox', { name: 'Cash' })).toBeChecked()
	await expect(page.getByRole('checkbox', { name: 'Cash' })).toBeDisabled()
	await page.getByRole('button', { name: 'Send OTP' }).click()
	await expectProblem(page, 'Select a segment to activate')
	await page.getByRole('checkbox', { name: 'Currency Derivatives' }).check()
	await sendOtp(page)
	await expectPage(page, 'Segments')
	await page.getByLabel('Proof type').selectOption('Salary Slip')
	// A file that is far too large: the form comes back with the limit.
	for (const megabytes of [26, 80]) {
		const file = info.outputPath(`${megabytes}.pdf`)
		writeFileSync(file, Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(megabytes * 1_048_576, 0x20)]))
		await page.getByLabel('Proof file').setInputFiles(file)
		await verify(page, await readOtp(client))
		// The first refusal is shown while the second file is sent.
		await expect(page.locator('form[aria-busy]')).toHaveCount(0)
		await expectProblem(page, 'The selected file must be smaller than 5MB')
		await expect(page).toHaveTitle(/^Error: Segments/)
		await expect(page.getByLabel('Proof type')).toHaveValue('Salary Slip')
		await expect(page.getByLabel('Proof file')).toHaveAttribute('aria-invalid', 'true')
	}
	await page.getByLabel('Proof file').setInputFiles(PDF)
	await verify(page, await readOtp(client))
	await page.waitForURL('**/esign')
	await sign(page)

	await page.goto('/myaccount/income')
	await expectPage(page, 'Income')
	await page.getByRole('radio', { name: 'Above ₹ 1 crore' }).check()
	await sendOtp(page)
	await expectPage(page, 'Income')
	await page.getByLabel('Proof file').setInputFiles(PDF)
	const isKept = offers('the list of changes and their forms')
	const finish = async () => {
		await verify(page, await readOtp(client))
		// When the broker does not send the declaration again, the page itself holds it.
		if (!isKept) await page.getByRole('link', { name: 'Download your signed declaration (PDF)' }).click()
	}
	const [download] = await Promise.all([page.waitForEvent('download'), finish()])
	expect(download.suggestedFilename()).toBe(`${client}_INCOME.pdf`)
	await expect(page.getByText('Income updated.')).toBeVisible()
	await expectPage(page, 'Income')
	if (!isKept) return

	await page.getByRole('link', { name: 'Requests' }).click()
	await expectPage(page, 'Requests')
	const row = page.getByRole('row', { name: /Change of annual income/ })
	await expect(row).toContainText('OTP')
	await expect(row).toContainText('Above ₹ 1 crore')
	const [form] = await Promise.all([
		page.waitForEvent('download'),
		row
			.first()
			.getByRole('link', { name: /Form \(PDF\)/ })
			.click(),
	])
	expect(readFileSync(await form.path(), 'latin1').slice(0, 5)).toBe('%PDF-')
})

test('a second tab does not repeat the request of the first', async ({ page, context, javaScriptEnabled }) => {
	const client = chooseClient(javaScriptEnabled)
	await login(page, client, '/myaccount/mobile')
	await page.getByLabel('New mobile number').fill('98200 00001')
	await sendOtp(page)
	const other = await context.newPage()
	await other.goto('/myaccount/mobile')
	await other.getByLabel('New mobile number').fill('98200 00002')
	await sendOtp(other)
	await verify(page, await readOtp(client))
	await expect(page.getByText(/OTP sent to •+0002/)).toBeVisible()
	await verify(page, await readOtp(client))
	await page.waitForURL('**/esign')
	await expect(page.getByText('98200 00002', { exact: true })).toBeVisible()
	await other.getByRole('button', { name: 'Start again' }).click()
	await expect(other).toHaveURL(/\/myaccount\/mobile$/)
})

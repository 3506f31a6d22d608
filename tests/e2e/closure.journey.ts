import { expect, type Page } from '@playwright/test'
import { type Program } from '#scripts/programs'
import { offers } from './optional-steps'
import { login, NONSENSE, test as base, listViolations } from './portal'
import { startOwn } from './process'

/* Other tests cannot use a client with a waiting closure, so these tests start their own portal and sandbox for each project. */
const ports = (hasScripts: boolean) => (hasScripts ? { portal: 3163, sandbox: 4163 } : { portal: 3164, sandbox: 4164 })

const test = base.extend<{ sandbox: string }>({
	baseURL: async ({ javaScriptEnabled }, use) => use(`http://127.0.0.1:${ports(javaScriptEnabled ?? true).portal}`),
	sandbox: async ({ javaScriptEnabled }, use) => use(`http://127.0.0.1:${ports(javaScriptEnabled ?? true).sandbox}`),
})

let program: Program | undefined
test.beforeAll(async ({ browserName: _ }, { project }) => {
	test.setTimeout(200_000)
	program = await startOwn(ports(project.use.javaScriptEnabled ?? true))
})
test.afterAll(() => program?.stop())

const PDF = {
	name: 'master.pdf',
	mimeType: 'application/pdf',
	buffer: Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
}
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='
const TEXT = { name: 'sign.txt', mimeType: 'text/plain', buffer: Buffer.from('Meenakshi Iyer') }
const PNG = { name: 'sign.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') }

// No transitions: a button that changes its colour has a wrong contrast for a moment.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** axe is a script, so it runs only where scripts run. */
async function expectAccessible(page: Page) {
	if (test.info().project.use.javaScriptEnabled !== false) expect(await listViolations(page)).toEqual([])
}

/** Checks the heading, that axe finds nothing, and that no raw value such as `undefined` is shown. */
async function expectPage(page: Page, heading: string) {
	await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
	await expect(page).toHaveTitle(new RegExp(`^(Error: )?${heading} · Khata$`))
	await expectAccessible(page)
	await expect(page.locator('body')).not.toContainText(NONSENSE)
}

async function answer(page: Page, holdings: string) {
	await page.getByLabel('Reason', { exact: true }).selectOption('Moving to another broker')
	await page.getByRole('radio', { name: 'Trading and Demat', exact: true }).check()
	await page.getByRole('radio', { name: holdings, exact: true }).check()
	await page.getByRole('button', { name: 'Continue' }).click()
}

test('a client with debts sees the amount and where to pay it, and cannot request the closure', async ({ page }) => {
	await login(page, 'DEBT01', '/myaccount/closure')
	await expectPage(page, 'Account closure')
	const debt = /₹ [\d,]+\.\d\d is owed/
	if (offers('tasks, state and end of a closure')) {
		const task = page.getByRole('listitem').filter({ hasText: 'Pay what you owe' })
		await expect(task).toContainText('To do')
		await expect(task).toContainText(debt)
		await expect(task.getByRole('link', { name: /Add funds/ })).toHaveAttribute('href', /^\/funds\?amount=[\d.]+$/)
	} else await expect(page.getByRole('listitem').filter({ hasText: debt })).toContainText('To do')
	await expect(page.getByRole('button', { name: 'Continue' })).toHaveCount(0)
})

test('closes an account with holdings by transfer: wrong, right, cancelled, signed, withdrawn', async ({
	page,
	baseURL,
	sandbox,
	javaScriptEnabled,
}) => {
	await login(page, 'CLOS01', '/myaccount/closure')
	await expectPage(page, 'Account closure')
	await page.getByRole('button', { name: 'Continue' }).click()
	await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText('Select a reason')
	await expectPage(page, 'Account closure')
	await answer(page, 'Close and transfer holdings')

	await expectPage(page, 'Transfer your holdings')
	for (const id of ['CDSL BO ID', 'NSDL BO ID']) await expect(page.getByLabel(id)).toBeHidden()
	await page.getByLabel('Target account type').selectOption('CDSL')
	await expect(page.getByLabel('NSDL BO ID')).toBeHidden()
	await page.getByLabel('CDSL BO ID').fill('13000000')
	await page.getByRole('button', { name: 'Continue' }).click()
	await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText('BO ID must be 16 numbers')
	await expectPage(page, 'Transfer your holdings')
	await expect(page.getByLabel('CDSL BO ID')).toHaveValue('13000000')
	await page.getByLabel('CDSL BO ID').fill('1300000000200815')
	await page.getByLabel('Client master').setInputFiles(PDF)
	await page.getByLabel('Signature').setInputFiles(TEXT)
	await page.getByRole('button', { name: 'Continue' }).click()
	await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toBeVisible()
	// With JavaScript the page and its selected files stay; without it the client selects them again.
	if (javaScriptEnabled === false) await expect(page.getByLabel('CDSL BO ID')).toHaveValue('1300000000200815')
	await page.getByLabel('Client master').setInputFiles(PDF)
	await page.getByLabel('Signature').setInputFiles(PNG)
	await page.getByRole('button', { name: 'Continue' }).click()

	await expectPage(page, 'Check your answers')
	await page.reload()
	await expect(page.getByText('CDSL 1300000000200815')).toBeVisible()
	await page.getByRole('button', { name: 'Proceed to e-sign' }).click()

	await page.waitForURL(`${sandbox}/esign**`)
	await expectAccessible(page)
	await page.getByRole('button', { name: 'Cancel' }).click()
	await page.waitForURL(`${baseURL}/esign/return?**`)
	await expectPage(page, 'Not signed')
	await expect(page.getByText('You cancelled the e-sign. Nothing has changed.')).toBeVisible()
	await page.getByRole('button', { name: 'Sign again' }).click()
	await page.waitForURL(`${sandbox}/esign**`)
	await page.getByRole('button', { name: 'Sign', exact: true }).click()
	await page.waitForURL(`${baseURL}/esign/return?**`)
	await expectPage(page, offers('how an e-sign ended') ? 'Signed' : 'Sent back from e-sign')
	await page.getByRole('link', { name: 'Back to Account closure' }).click()

	await expectPage(page, 'Account closure')
	if (!offers('tasks, state and end of a closure')) return
	await expect(page.getByText('Your account is being closed.')).toBeVisible()
	await expect(page.getByText('Closing', { exact: true })).toBeVisible()
	await page.getByRole('button', { name: 'Withdraw the request' }).click()
	await expect(page.getByText('Your account is being closed.')).toHaveCount(0)
	await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
})

test('the confirm page shows what will be signed, and an unknown e-sign leads nowhere', async ({ page, baseURL, sandbox }) => {
	await login(page, 'NEW001', '/myaccount/closure')
	await page.goto('/esign')
	await expectPage(page, 'Nothing to sign')
	await page.goto('/myaccount/closure')
	await page.getByLabel('Reason', { exact: true }).selectOption('Moving to another broker')
	await page.getByRole('radio', { name: 'Trading and Demat', exact: true }).check()
	await page.getByRole('radio', { name: 'Close the account', exact: true }).check()
	await page.getByRole('button', { name: 'Continue' }).click()
	await page.getByRole('button', { name: 'Proceed to e-sign' }).click()
	await page.waitForURL(`${sandbox}/esign**`)
	await page.goto('/esign')
	await expectPage(page, 'You are about to sign')
	await expect(page.getByText('Account closure · Last step: sign')).toBeVisible()
	await page.getByRole('button', { name: 'Proceed to e-sign' }).click()
	await page.waitForURL(`${sandbox}/esign**`)
	await page.getByRole('button', { name: 'Fail' }).click()
	await page.waitForURL(`${baseURL}/esign/return?**`)
	await expectPage(page, 'Not signed')
	if (!offers('tasks, state and end of a closure')) return
	await page.goto('/myaccount/closure')
	await page.getByRole('button', { name: 'Withdraw the request' }).click()
	await expect(page.getByText('awaits your e-sign')).toHaveCount(0)
})

import { type Page } from '@playwright/test'
import { type Program } from '#scripts/programs'
import { offers } from './optional-steps'
import { enter, expect, login, PASSWORD, save, test as base, listViolations } from './portal'
import { startOwn } from './process'

/*
 * Passwords and re-KYC change how other tests log in, so these tests start two portals and sandboxes: one with JavaScript and one
 * without, at the same time.
 */
const ports = (hasScripts: boolean) => (hasScripts ? { portal: 3161, sandbox: 4161 } : { portal: 3162, sandbox: 4162 })

const test = base.extend<{ sandbox: string }>({
	baseURL: async ({ javaScriptEnabled }, use) => use(`http://127.0.0.1:${ports(javaScriptEnabled ?? true).portal}`),
	sandbox: async ({ javaScriptEnabled }, use) => use(`http://127.0.0.1:${ports(javaScriptEnabled ?? true).sandbox}`),
})

test.describe.configure({ mode: 'serial', timeout: 120_000 })
test.use({ contextOptions: { reducedMotion: 'reduce' } })

let program: Program | undefined
test.beforeAll(async ({ browserName: _ }, { project }) => {
	// The first start makes the books.
	test.setTimeout(200_000)
	program = await startOwn(ports(project.use.javaScriptEnabled ?? true))
})
test.afterAll(() => program?.stop())

/** axe is a script, so it runs only where scripts run. */
async function expectNothingFound(page: Page) {
	if (test.info().project.use.javaScriptEnabled === false) return
	expect(await listViolations(page)).toEqual([])
}

const alert = (page: Page) => page.getByRole('alert').filter({ hasText: 'There is a problem' })

async function fill(page: Page, fields: Record<string, string>, button: string) {
	for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
	await page.getByRole('button', { name: button, exact: true }).click()
}

async function readCode(sandbox: string, client: string): Promise<string> {
	const outbox = await (await fetch(`${sandbox}/outbox?client=${client}`)).text()
	return /(\d{6}) is the OTP to reset your password/.exec(outbox)?.[1] ?? ''
}

test('changes the password from any page, and ends all other sessions', async ({ page, browser, baseURL, javaScriptEnabled }) => {
	const elsewhere = await (await browser.newContext({ baseURL, javaScriptEnabled })).newPage()
	if (javaScriptEnabled !== false) await elsewhere.clock.install()
	await login(elsewhere, 'CASH01', '', true)
	await login(page, 'CASH01', '/reports/ledger?q=DP')
	await page
		.getByRole('banner')
		.getByRole('button', { name: /[A-Z][a-z]+ / })
		.click()
	await page.getByRole('link', { name: 'Change Password' }).click()
	await expect(page).toHaveURL(/\/reports\/ledger\?q=DP&dialog=change-password$/)
	await expect(page.getByRole('dialog', { name: 'Change Password' })).toBeVisible()
	await expectNothingFound(page)

	await page.getByRole('button', { name: 'Change Password' }).click()
	for (const words of ['Current Password is required', 'New Password is required', 'Confirm Password is required'])
		await expect(alert(page)).toContainText(words)
	await expect(page).toHaveTitle(/^Error: /)
	await expectNothingFound(page)

	await fill(page, { 'Current password': PASSWORD, 'New password': 'Monsoon#25', 'Confirm password': 'Monsoon#26' }, 'Change Password')
	await expect(alert(page)).toContainText('New password and confirm password must be different')
	await expect(page.getByLabel('New password')).toHaveValue('')
	await fill(page, { 'Current password': 'not mine', 'New password': 'Monsoon#25', 'Confirm password': 'Monsoon#25' }, 'Change Password')
	await expect(alert(page)).toContainText('Current password is incorrect')
	await expect(page.locator('.toast')).toContainText('Current password is incorrect')

	await fill(page, { 'Current password': PASSWORD, 'New password': 'Monsoon#25', 'Confirm password': 'Monsoon#25' }, 'Change Password')
	await expect(page).toHaveURL(/\/login$/, { timeout: 30_000 })
	await expect(page.getByText('Password changed successfully. Please log in with your new password.')).toBeVisible()

	// With JavaScript an open tab finds out one minute after its last keep-alive.
	if (javaScriptEnabled === false) await elsewhere.goto('/dashboard')
	else {
		await elsewhere.clock.fastForward(61_000)
		await elsewhere.mouse.move(300, 300)
	}
	await expect(elsewhere).toHaveURL(/\/login\?redirectTo=%2Fdashboard$/)
	await expect(elsewhere.getByText('Your password was changed')).toBeVisible()
	await elsewhere.context().close()

	await enter(page, 'CASH01')
	await expect(alert(page)).toContainText('Invalid username or password')
	await enter(page, 'CASH01', 'Monsoon#25')
	await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('closing the dialog leads back to the page it was opened on', async ({ page }) => {
	await login(page)
	await page.goto('/reports/ledger?q=DP&dialog=change-password')
	await page.getByRole('button', { name: 'Close' }).click()
	await expect(page).toHaveURL(/\/reports\/ledger\?q=DP$/)
	await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('sets a forgotten password with an OTP, and survives a reload, the back button and a second tab', async ({
	page,
	context,
	sandbox,
	javaScriptEnabled,
}) => {
	await page.goto('/login')
	await page.getByRole('link', { name: 'Forgot password?' }).click()
	await expect(page.getByRole('heading', { level: 1, name: 'Forgot password' })).toBeVisible()
	await expectNothingFound(page)
	await fill(page, { 'Client code': '' }, 'Send OTP')
	await expect(alert(page)).toContainText('Enter your client code')
	await expect(page).toHaveTitle(/^Error: Forgot password/)
	await expectNothingFound(page)

	await fill(page, { 'Client code': 'demo01' }, 'Send OTP')
	await expect(page.getByText('If the client code exists')).toBeVisible()
	await expect(page.getByLabel('OTP')).toHaveAttribute('autocomplete', 'one-time-code')
	await expectNothingFound(page)
	await page.reload()
	await fill(page, { OTP: '000000' }, 'Verify OTP')
	await expect(alert(page)).toContainText('The OTP is incorrect. You have 4 attempts left.')
	await expect(page.getByLabel('OTP')).toHaveValue('')
	await expectNothingFound(page)
	const resend = page.getByRole('button', { name: 'Resend OTP' })
	if (javaScriptEnabled === false) {
		await resend.click()
		await expect(alert(page)).toContainText(/You can ask for a new OTP in \d+ seconds/)
	} else await expect(resend).toBeDisabled()

	const second = await context.newPage()
	await second.goto('/forgot-password')
	await fill(second, { OTP: await readCode(sandbox, 'DEMO01') }, 'Verify OTP')
	await expect(second.getByLabel('New password')).toBeVisible()
	await expectNothingFound(second)
	// The first tab's step is over, and it leads to the current one.
	await fill(page, { OTP: '111111' }, 'Verify OTP')
	await expect(page.getByLabel('New password')).toBeVisible()
	await page.goto('/login')
	await page.goBack()
	await expect(page.getByLabel('New password')).toBeVisible()

	await fill(page, { 'New password': 'short', 'Confirm password': 'short' }, 'Change Password')
	await expect(alert(page)).toContainText('New password must be 8 characters or more')
	await fill(page, { 'New password': 'Sahyadri@1042', 'Confirm password': 'Sahyadri@1042' }, 'Change Password')
	await expect(page).toHaveURL(/\/login$/)
	await expect(page.getByText('Your password has been reset. Log in.')).toBeVisible()
	await fill(second, { 'New password': 'Another@1042', 'Confirm password': 'Another@1042' }, 'Change Password')
	await expect(second.getByText('This form is out of date.')).toBeVisible()
	await second.goto('/forgot-password')
	await expect(second.getByLabel('Client code')).toBeVisible()
	await enter(page, 'DEMO01', 'Sahyadri@1042')
	await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('an unknown client code gets the same response as a known one', async ({ page }) => {
	await page.goto('/forgot-password')
	await fill(page, { 'Client code': 'NOBODY77' }, 'Send OTP')
	await fill(page, { OTP: '123456' }, 'Verify OTP')
	await expect(alert(page)).toContainText('The OTP is incorrect. You have 4 attempts left.')
	await page.getByRole('button', { name: 'Start again' }).click()
	await expect(page.getByLabel('Client code')).toHaveValue('')
})

test('a dormant client saves statements, leaves re-KYC, fails it, completes it, and is signed in', async ({ page, sandbox }) => {
	await login(page, 'DORM01')
	await expect(page).toHaveURL(/\/rekyc$/)
	await expect(page.getByRole('heading', { level: 1, name: 'Re-KYC required' })).toBeVisible()
	await expectNothingFound(page)
	await page.goto('/reports/holding')
	await expect(page).toHaveURL(/\/rekyc$/)
	const file = await save(page, /^PDF ?: ledger 2023-2024/)
	expect([file.name, file.bytes.subarray(0, 5).toString()]).toEqual(['DORM01_LEDGER_2023-2024.pdf', '%PDF-'])

	if (!offers('why a client is dormant, and the address of re-KYC')) {
		await expect(page.getByText('could not be loaded')).toHaveCount(0)
		await expect(page.getByText('Start re-KYC is not available here. Contact support.')).toBeVisible()
		return
	}
	for (const [button, words] of [
		['Save and leave', 'Re-KYC is not complete'],
		['Fail', 'Re-KYC failed'],
	] as const) {
		await page.getByRole('link', { name: 'Start re-KYC' }).click()
		await expect(page).toHaveURL(new RegExp(`^${sandbox}/rekyc/`))
		await page.getByRole('button', { name: button }).click()
		await expect(page).toHaveURL(/\/rekyc\?status=/)
		await expect(page.getByText(words)).toBeVisible()
		await expectNothingFound(page)
	}
	await page.getByRole('link', { name: 'Start re-KYC' }).click()
	await page.getByLabel('PAN card').check()
	await page.getByRole('button', { name: 'Complete re-KYC' }).click()
	await expect(page.getByRole('alert')).toContainText('Give this: Proof of address')
	for (const box of await page.getByRole('checkbox').all()) await box.check()
	await page.getByRole('button', { name: 'Complete re-KYC' }).click()
	await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
	await page.goto('/rekyc')
	await expect(page).toHaveURL(/\/dashboard$/)
})

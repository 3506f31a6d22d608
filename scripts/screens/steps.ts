import { type Page } from '@playwright/test'

/** The code of every OTP: the server of the pictures has `SANDBOX_FIXED_OTP`. */
const OTP = '123456'

const PDF = {
	name: 'proof.pdf',
	mimeType: 'application/pdf',
	buffer: Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
}
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='
const PNG = { name: 'signature.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') }

/** Screens that only a form leads to: the client, and how to get there. */
export const STEPS: Record<string, { client: string; walk: (page: Page) => Promise<void> }> = {
	'mobile-otp': { client: 'CASH01', walk: askForMobile },
	'mobile-sign': {
		client: 'CASH01',
		walk: async (page) => {
			await askForMobile(page)
			await verify(page)
			await page.waitForURL('**/esign')
		},
	},
	'mobile-signed': {
		client: 'CASH01',
		walk: async (page) => {
			await askForMobile(page)
			await verify(page)
			await signAtProvider(page)
		},
	},
	'bank-otp': { client: 'CASH01', walk: (page) => addBank(page, '123456789012') },
	'bank-proof': { client: 'CASH01', walk: (page) => addBank(page, '123456789000') },
	'segment-otp': {
		client: 'NEW001',
		walk: async (page) => {
			await page.goto('/myaccount/segments')
			await page.getByLabel('Future & Options').check()
			await sendOtp(page)
		},
	},
	'income-otp': {
		client: 'NEW001',
		walk: async (page) => {
			await page.goto('/myaccount/income')
			await page.getByLabel('10 to 25 lakh').check()
			await sendOtp(page)
		},
	},
	'closure-transfer': { client: 'CLOS01', walk: askForClosure },
	'closure-check': { client: 'CLOS01', walk: checkClosure },
	'closure-signed': {
		client: 'CLOS01',
		walk: async (page) => {
			await checkClosure(page)
			await signAtProvider(page)
		},
	},
}

async function sendOtp(page: Page) {
	await page.getByRole('button', { name: 'Send OTP' }).click()
	await page.waitForURL('**/otp')
}

async function verify(page: Page) {
	await page.getByLabel('OTP', { exact: true }).fill(OTP)
	await page.getByRole('button', { name: 'Verify OTP' }).click()
}

async function askForMobile(page: Page) {
	await page.goto('/myaccount/mobile')
	// The form is folded while another change waits for the e-sign.
	const another = page.getByText('Change to another number')
	if (await another.isVisible()) await another.click()
	await page.getByLabel('New mobile number').fill('98765 43210')
	await sendOtp(page)
}

async function addBank(page: Page, account: string) {
	await page.goto('/myaccount/bank')
	await page.getByText('Add bank account').first().click()
	await page.getByLabel('Account number', { exact: true }).fill(account)
	await page.getByLabel('Confirm account number').fill(account)
	await page.getByLabel('IFSC').fill('HDFC0001234')
	await page.getByLabel('Account type').selectOption('Savings')
	await sendOtp(page)
}

async function askForClosure(page: Page) {
	await page.goto('/myaccount/closure')
	await page.getByLabel('Reason', { exact: true }).selectOption('Moving to another broker')
	await page.getByRole('radio', { name: 'Trading and Demat', exact: true }).check()
	await page.getByRole('radio', { name: 'Close and transfer holdings', exact: true }).check()
	await page.getByRole('button', { name: 'Continue' }).click()
	await page.waitForURL('**/closure/transfer')
}

async function checkClosure(page: Page) {
	await askForClosure(page)
	await page.getByLabel('Target account type').selectOption('CDSL')
	await page.getByLabel('CDSL BO ID').fill('1300000000200815')
	await page.getByLabel('Client master').setInputFiles(PDF)
	await page.getByLabel('Signature').setInputFiles(PNG)
	await page.getByRole('button', { name: 'Continue' }).click()
	await page.waitForURL('**/closure/check')
}

/** Signs on the page of the e-sign provider, which then sends the client back. */
async function signAtProvider(page: Page) {
	await page.getByRole('button', { name: 'Proceed to e-sign' }).click()
	await page.getByRole('button', { name: 'Sign', exact: true }).click()
	await page.waitForURL('**/esign/return**')
}

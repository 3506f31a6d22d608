import { expect, test, vi } from 'vitest'
import { lastCode, PDF, readText, sendCode, wrongCode } from '#tests/support/account'
import { openPortalForFile, signedIn } from '#tests/support/portal'

/* The text of a form before it is filled in, and after it is shown again. */

vi.stubEnv('PASSWORD_RULE', 'Ten characters, among them a figure.')
const opened = openPortalForFile()

test('the segments show whether commodity is active, and other pages link to them', async () => {
	const readSegments = async (code: string) => readText((await (await signedIn(opened, code)).visit('/myaccount/segments')).html)
	expect(await readSegments('DEMO01')).toMatch(
		/Your segments Cash Active Future & Options Active Currency Derivatives Active Commodity Active Mutual fund Active Add a segment Step 1 of 3: details · OTP · e-sign Segments to add SLBM/,
	)
	expect(await readSegments('CASH01')).toMatch(/Add a segment .* Commodity It cannot be added here .* Your segments Cash Active/)
})

test('the segments speak of proof of income only when a derivative segment can be added', async () => {
	const readSegments = async (code: string) => readText((await (await signedIn(opened, code)).visit('/myaccount/segments')).html)
	expect(await readSegments('DEMO01')).toContain('The next step asks for it. You then e-sign.')
	expect(await readSegments('CASH01')).toContain('The next step asks for it and, for derivatives, for proof of income. You then e-sign.')
})

test('the segments show the active ones that only the broker has a name for, as the profile does', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	opened.rewriteCalls('/v2/account-profile/personal-details', (json) => {
		const { dp_details } = json.data as { dp_details: object }
		Object.assign(dp_details, { activate_segment: 'Equity,Derivatives' })
	})
	expect(readText((await visitor.visit('/myaccount?refresh=1')).html)).toContain('Active segments Equity, Derivatives')
	expect(readText((await visitor.visit('/myaccount/segments?refresh=1')).html)).toContain('Your segments Equity Active Derivatives Active')
})

test('the field of a new mobile number or e-mail shows the expected format', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	expect(readText((await visitor.visit('/myaccount/mobile')).html)).toContain('10 digits, like 98765 43210. With or without +91')
	expect(readText((await visitor.visit('/myaccount/email')).html)).toContain('Like name@example.com')
})

test('a field with nothing but blanks and signs gets the message of an empty one', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	for (const [page, fields, words] of [
		['/myaccount/mobile', { input: ' - ' }, 'Enter a 10-digit mobile number'],
		['/funds', { amount: ' ₹ , ' }, 'Enter an amount'],
		['/funds/withdraw', { amount: '₹' }, 'Enter an amount'],
		['/funds/e-mandate', { amount: ' ' }, 'Enter an amount'],
		['/myaccount/bank', { acc_number: '  ', ifsc_code: ' - ' }, 'Enter an IFSC in the correct format'],
		['/myaccount/nominee', { 'nominees[0].pan': ' ', 'nominees[0].share': ' % ' }, 'Enter the share'],
	] as const) {
		const text = readText(await (await visitor.post(page, page, fields)).text())
		expect(text, page).toContain(words)
		expect(text, page).not.toMatch(/Invalid input|expected string/)
	}
	await visitor.post('/myaccount/mobile', '/myaccount/mobile', { input: '98200 00088' })
	const sent = await sendCode(visitor, '/myaccount/mobile/otp', { otp: '  ' })
	expect(readText(await sent.text())).toMatch(/There is a problem Enter the OTP /)
})

test('the broker’s rule for a new password is shown beside its field', async () => {
	const { html } = await (await signedIn(opened, 'CASH01')).visit('/dashboard?dialog=change-password')
	expect(readText(html)).toMatch(/New password Ten characters, among them a figure\. Confirm password/)
})

test('a form shown again says that its files must be selected again', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const AGAIN = 'If you selected a file here, select it again: it was not kept.'
	await visitor.post('/myaccount/income', '/myaccount/income', { income: '1-5 Lakh' })
	const address = '/myaccount/income/otp'
	expect(readText((await visitor.visit(address)).html)).not.toContain(AGAIN)
	expect(readText((await visitor.visit(address)).html)).toMatch(
		/Current annual income ₹ 10 to 25 lakh New annual income ₹ 1 to 5 lakh OTP sent .* OTP 6 digits Proof file .* What counts as proof of income One of these: Bank/,
	)
	const wrong = await sendCode(visitor, address, { otp: wrongCode(await lastCode('CASH01')) }, { file: PDF })
	expect([wrong.status, readText(await wrong.text())]).toEqual([422, expect.stringContaining(AGAIN)])

	const closing = await signedIn(opened, 'CLOS01')
	const closure = '/myaccount/closure'
	await closing.post(closure, closure, { reason: 'Other', close: 'Trading and Demat', holdings: 'transfer' })
	const transfer = `${closure}/transfer`
	expect(readText((await closing.visit(transfer)).html)).not.toContain(AGAIN)
	const unfit = await sendCode(closing, transfer, { account_type: 'CDSL', cdsl_bo_id: '12' }, { client_master: PDF, signature: PDF })
	expect([unfit.status, readText(await unfit.text()).split(AGAIN)]).toEqual([400, expect.objectContaining({ length: 3 })])
})

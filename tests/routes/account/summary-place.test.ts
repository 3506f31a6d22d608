import { expect, test } from 'vitest'
import { sendCode } from '#tests/support/account'
import { openPortalForFile, signedIn } from '#tests/support/portal'

/* The summary of errors is in the first screen of a phone: nothing long stands above it. */

const opened = openPortalForFile()

const expectFirst = (html: string, long = /<(dl|table|form|section|input)\b/) => {
	const above = html.slice(html.indexOf('<main'), html.indexOf('There is a problem'))
	expect(above).not.toBe('')
	expect(above).not.toMatch(long)
}

test.each([
	['/myaccount/bank', { acc_number: '12' }],
	['/myaccount/nominee', {}],
	['/myaccount/segments', {}],
	['/myaccount/income', {}],
	['/myaccount/closure', { reason: '' }],
	['/funds/e-mandate', { amount: '0' }],
	['/dpprocess', { trade_type: 'PRE' }],
	['/dpprocess/pledge', { action: 'pledge' }],
])('%s has it above what is registered and above its form', async (page, fields) => {
	const visitor = await signedIn(opened, page === '/myaccount/closure' ? 'CLOS01' : 'DEMO01')
	const answer = await visitor.post(page, page, fields)
	expect(answer.status).toBe(400)
	expectFirst(await answer.text())
})

test('the OTP step has it above what is requested', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const form = { acc_number: '30210042118855', confirm_acc_number: '30210042118855', ifsc_code: 'ICIC0000004', account_type: 'Savings' }
	await visitor.post('/myaccount/bank', '/myaccount/bank', form)
	const refused = await sendCode(visitor, '/myaccount/bank/otp', { otp: '12' })
	expect(refused.status).toBe(400)
	// The heading of the step may stand above it.
	expectFirst(await refused.text(), /<(dl|table|form|input)\b/)
})

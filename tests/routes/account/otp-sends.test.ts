import { expect, test } from 'vitest'
import { hidden, lastCode, readText, sendCode } from '#tests/support/account'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'

/* Each start of a change sends a code, perhaps to a stranger: the portal limits them for each client, the broker those of one request. */

const opened = openPortalForFile()

const start = (visitor: Visitor, at: number) =>
	visitor.post('/myaccount/mobile', '/myaccount/mobile', { input: `98765 ${String(10_000 + at)}` })

test('a client starts fifteen changes in a quarter of an hour, in all sessions; refused forms do not count', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const page = await visitor.visit('/myaccount/mobile')
	for (let at = 0; at < 3; at++)
		expect((await visitor.postRaw('/myaccount/mobile', { csrf: hidden(page.html, 'csrf'), input: '123' })).status).toBe(400)
	opened.breakBroker(({ url }) =>
		url.includes('mobile') ? Response.json({ status: 'error', message: 'Not now.', data: null }, { status: 422 }) : undefined,
	)
	for (let at = 0; at < 3; at++) expect((await start(visitor, at)).status).toBe(422)
	opened.breakBroker(undefined)

	for (let at = 0; at < 8; at++) expect((await start(visitor, at)).status).toBe(303)
	const again = await signedIn(opened, 'CASH01')
	for (let at = 8; at < 15; at++) expect((await start(again, at)).status).toBe(303)
	opened.asked.length = 0
	const refused = await start(again, 15)
	expect(refused.status).toBe(429)
	expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(600)
	const html = await refused.text()
	expect(readText(html)).toContain('Too many OTP requests. Try again in 15 minutes.')
	expect(html).toContain('98765 10015')
	expect(opened.asked.some(({ url }) => url.includes('mobile'))).toBe(false)
	// Other clients are not affected.
	expect((await start(await signedIn(opened, 'CLOS01'), 0)).status).toBe(303)
})

test('after the last resend of a request the earlier OTPs still work', async () => {
	const OTP = '/myaccount/mobile/otp'
	const visitor = await signedIn(opened, 'DEBT01')
	// The broker allows the next code at once, so the portal asks it.
	opened.rewriteCalls('/v1/modifications/profile-modifications', (json) => void Object.assign(json.data as object, { resend_in: 0 }))
	await start(visitor, 1)
	const code = await lastCode('DEBT01')
	const message = 'No more OTPs can be sent for this request. Start again.'
	opened.breakBroker(({ url }) =>
		url.includes('/profile-modifications') ? Response.json({ status: 'error', message, data: null }, { status: 429 }) : undefined,
	)
	const refused = await sendCode(visitor, OTP, { intent: 'resend_otp' })
	const text = readText(await refused.text())
	expect([refused.status, text]).toEqual([429, expect.stringContaining(message)])
	expect(text).not.toContain('Too many incorrect attempts')
	opened.breakBroker(undefined)
	expect((await sendCode(visitor, OTP, { otp: code })).headers.get('location')).toBe('/esign')
})

test.for([
	['/myaccount/mobile', { input: '98765 20001' }, 'mobile'],
	['/myaccount/income', { income: '5-10 Lakh' }, 'income'],
] as const)('two presses of “Send OTP” on %s send one code', async ([page, fields, path]) => {
	const visitor = await signedIn(opened, 'DEBT01')
	const csrf = hidden((await visitor.visit(page)).html, 'csrf')
	opened.asked.length = 0
	const answers = await Promise.all([1, 2].map(() => visitor.postRaw(page, { csrf, ...fields })))
	expect(answers.map(({ status }) => status)).toEqual([303, 303])
	expect(opened.asked.filter(({ url, method }) => method === 'POST' && url.includes(path))).toHaveLength(1)
})

test('five codes refused in fifteen minutes are the most, also at a broker that sends nothing but a message', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	expect((await start(visitor, 0)).status).toBe(303)
	const OTP = '/myaccount/mobile/otp'
	const isVerify = ({ url }: Request) => url.includes('verify_otp')
	const refuse = (status: number, data: unknown) =>
		opened.breakBroker((request) =>
			isVerify(request) ? Response.json({ status: 'error', message: 'Invalid OTP', data }, { status }) : undefined,
		)
	// A refusal about another field, or about the time, says nothing of the code.
	for (const [status, data] of [
		[422, { fields: [{ name: 'file', message: 'No PDF' }] }],
		[422, { retry_after: 3 }],
		[409, null],
	] as const) {
		refuse(status, data)
		expect((await sendCode(visitor, OTP, { otp: '111111' })).status).not.toBe(429)
	}
	for (const [at, status] of [422, 400, 403, 200, 422].entries()) {
		refuse(status, null)
		const answer = await sendCode(visitor, OTP, { otp: `22222${at}` })
		expect([answer.status, readText(await answer.text())]).toEqual([422, expect.stringContaining('Invalid OTP')])
	}
	opened.asked.length = 0
	const sixth = await sendCode(visitor, OTP, { otp: '333333' })
	expect([sixth.status, readText(await sixth.text())]).toEqual([429, expect.stringContaining('Too many incorrect OTPs.')])
	expect(opened.asked.filter(isVerify)).toEqual([])
})

test('a wrong code is refused in the broker’s words, with the attempts that are left', async () => {
	const visitor = await signedIn(opened, 'CLOS01')
	expect((await start(visitor, 0)).status).toBe(303)
	for (const [at, [message, shown]] of [
		['This OTP is for another request', 'This OTP is for another request. You have 3 attempts left.'],
		['Wrong code, 3 tries left!', 'Wrong code, 3 tries left!'],
		['Invalid OTP', 'The OTP is incorrect. You have 3 attempts left.'],
	].entries()) {
		opened.breakBroker(({ url }) =>
			url.includes('verify_otp') ? Response.json({ status: 'error', message, data: { attempts_left: 3 } }, { status: 422 }) : undefined,
		)
		const answer = await sendCode(visitor, '/myaccount/mobile/otp', { otp: `44444${at}` })
		expect([answer.status, readText(await answer.text())]).toEqual([422, expect.stringContaining(shown as string)])
	}
})

test('an expired change says so in the broker’s words', async () => {
	const visitor = await signedIn(opened, 'CLOS01')
	expect((await start(visitor, 1)).status).toBe(303)
	opened.breakBroker(({ url }) =>
		url.includes('verify_otp')
			? Response.json({ status: 'error', message: 'The branch closed this request', data: null }, { status: 410 })
			: undefined,
	)
	const answer = await sendCode(visitor, '/myaccount/mobile/otp', { otp: '555555' })
	expect([answer.status, readText(await answer.text())]).toEqual([
		422,
		expect.stringContaining('The branch closed this request. Start again.'),
	])
})

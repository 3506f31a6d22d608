import { describe, expect, test } from 'vitest'
import { atProvider, hidden, lastCode, sendCode, readText, wrongCode } from '#tests/support/account'
import { openPortalForFile, signedIn, Visitor } from '#tests/support/portal'
import { listAttributes, readTable, readTitle } from '#tests/support/readers'

/* Every change of the account without a script: correct and wrong, in order and out of order. */

const opened = openPortalForFile()

const OTP = '/myaccount/mobile/otp'

async function sentTo(visitor: Visitor, number: string) {
	const answer = await visitor.post('/myaccount/mobile', '/myaccount/mobile', { input: number })
	expect(answer.status).toBe(303)
	expect(answer.headers.get('location')).toBe(OTP)
}

describe('a new mobile number', () => {
	test('is accepted in every usual spelling, and in no other', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		for (const [typed, words] of [
			['', 'Enter your new mobile number'],
			['12345', 'Enter a 10-digit mobile number, like 98765 43210'],
			['９８７６５４３２１０', 'Enter a 10-digit mobile number, like 98765 43210'],
			['98860 54321', 'Enter a different mobile number'],
		] as const) {
			const answer = await visitor.post('/myaccount/mobile', '/myaccount/mobile', { input: typed })
			expect(answer.status).toBe(400)
			const html = await answer.text()
			expect(readTitle(html)).toMatch(/^Error: Change mobile/)
			expect(html).toContain('There is a problem')
			expect(readText(html)).toContain(words)
			expect(html.includes(`value="${typed}"`)).toBe(typed !== '')
		}
		for (const typed of ['+91-9876500011', '098765 00012', '98765 00013']) await sentTo(visitor, typed)
	})

	test('goes from details to the code to the e-sign, and shows in the profile once signed', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		await sentTo(visitor, '98765 00021')
		const { html } = await visitor.visit(OTP)
		expect(readText(html)).toContain('OTP sent to ••••••0021')
		expect(listAttributes(html, 'input[autocomplete="one-time-code"][inputmode="numeric"]', 'name')).toEqual(['otp'])
		expect(readText(html)).toContain('Current mobile number ••••••4321 New mobile number 98765 00021 OTP sent to ••••••0021')

		const code = await lastCode('CASH01')
		const wrong = await sendCode(visitor, OTP, { otp: wrongCode(code) })
		expect(wrong.status).toBe(422)
		const said = await wrong.text()
		expect(readText(said)).toContain('The OTP is incorrect. You have 4 attempts left.')
		expect(said).toContain('<title>Error: ')
		expect(said).not.toContain(wrongCode(code))
		// The error is in the summary and at the field, and not a third time between them.
		expect(readText(said).match(/You have 4 attempts left/g)).toHaveLength(2)
		// A reload still finds the step.
		expect(readText((await visitor.visit(OTP)).html)).toContain('You have 4 attempts left.')

		const right = await sendCode(visitor, OTP, { otp: `${code.slice(0, 3)} ${code.slice(3)}` })
		expect(right.status).toBe(303)
		expect(right.headers.get('location')).toBe('/esign')
		expect(readText((await visitor.visit('/myaccount')).html)).toContain('••••••4321')
		const signed = await atProvider(visitor)
		expect(readText(signed.html)).toContain('Signed at')
		expect(readText(signed.html)).toContain('The request Old mobile number ••••••4321 New mobile number ••••••0021')
		expect(readText((await visitor.visit('/myaccount')).html)).toContain('••••••0021')
		// The step ended with its code.
		expect((await visitor.send(OTP)).headers.get('location')).toBe('/myaccount/mobile')
	})

	test('shows its times by the broker’s clock, as in the message with the code', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		await sentTo(visitor, '98765 00025')
		const text = readText((await visitor.visit(OTP)).html)
		// The broker's day starts at 11:00. A code is valid for ten minutes, and another one is sent after thirty seconds.
		const [, shown = ''] = /valid until (11:\d\d) IST/.exec(text) ?? []
		const messages = await (await fetch('https://sandbox.test/outbox?client=CASH01')).text()
		expect(messages).toMatch(/valid until 11:\d\d IST/)
		const [, sent = ''] = /valid until (\d\d:\d\d) IST/.exec(messages) ?? []
		const minute = (time: string) => Number(time.slice(3))
		expect(Math.abs(minute(shown) - minute(sent))).toBeLessThanOrEqual(1)
		expect(text).toMatch(/You can ask for a new OTP at 11:0\d:\d\d/)
		const haste = await sendCode(visitor, OTP, { intent: 'resend_otp' })
		expect(readText(await haste.text())).toMatch(/You can ask for a new OTP at 11:0\d:\d\d/)
	})

	test('shows malformed codes again without a call', async () => {
		const visitor = await signedIn(opened, 'DEBT01')
		await sentTo(visitor, '98765 00031')
		const { html } = await visitor.visit(OTP)
		const before = opened.asked.length
		for (const [otp, words] of [
			['', 'Enter the OTP'],
			['12345', 'not entered enough numbers'],
			['1234567', 'entered too many numbers'],
			['12ab56', 'The OTP must be 6 numbers'],
			['１２３４５６', 'The OTP must be 6 numbers'],
		] as const) {
			const answer = await sendCode(visitor, OTP, { otp }, {}, html)
			expect(answer.status).toBe(400)
			const said = await answer.text()
			expect(readText(said)).toContain(words)
			if (otp) expect(said).not.toContain(`value="${otp}"`)
		}
		expect(opened.asked.slice(before).filter(({ url }) => url.includes('verify_otp'))).toEqual([])
	})

	test('ends after five wrong codes; the portal does not call the broker for a sixth', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		await sentTo(visitor, '98765 00041')
		const code = await lastCode('NEW001')
		for (let at = 4; at >= 1; at--) {
			const answer = await sendCode(visitor, OTP, { otp: wrongCode(code) })
			expect(readText(await answer.text())).toContain(`You have ${at} ${at === 1 ? 'attempt' : 'attempts'} left.`)
		}
		const last = await sendCode(visitor, OTP, { otp: wrongCode(code) })
		expect(last.status).toBe(429)
		// A new code is refused for as long.
		expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(600)
		expect(readText(await last.text())).toContain('Too many incorrect attempts. Start again.')
		expect((await visitor.send(OTP)).status).toBe(302)

		await sentTo(visitor, '98765 00041')
		const before = opened.asked.length
		const limited = await sendCode(visitor, OTP, { otp: await lastCode('NEW001') })
		expect(limited.status).toBe(429)
		expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(600)
		expect(opened.asked.slice(before).filter(({ url }) => url.includes('verify_otp'))).toEqual([])
	})

	test('cannot be entered out of order, by another client, or for another change', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		expect((await visitor.send('/myaccount/email/otp')).headers.get('location')).toBe('/myaccount/email')
		await sentTo(visitor, '98765 00051')
		const other = await signedIn(opened, 'DEBT01')
		for (const [name, value] of visitor.cookies) if (name.includes('pending')) other.cookies.set(name, value)
		expect((await other.send(OTP)).headers.get('location')).toBe('/myaccount/mobile')
		// The cookie of one change, sent under the name of another.
		for (const [name, value] of [...visitor.cookies])
			if (name.includes('pending-mobile')) visitor.cookies.set(name.replace('mobile', 'email'), value)
		expect((await visitor.send('/myaccount/email/otp')).headers.get('location')).toBe('/myaccount/email')
		expect((await visitor.visit('/myaccount/nothing/otp')).status).toBe(404)
	})

	test('verifies the change that the code was sent for, not a later one of another tab', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		await sentTo(visitor, '98765 00061')
		const first = (await visitor.visit(OTP)).html
		await sentTo(visitor, '98765 00062')
		const answer = await sendCode(visitor, OTP, { otp: await lastCode('CASH01') }, {}, first)
		expect(answer.headers.get('location')).toBe(OTP)
		expect(readText((await visitor.visit(OTP)).html)).toContain('This OTP request is no longer valid')
		// Extra fields are ignored.
		const before = opened.asked.length
		const right = await sendCode(visitor, OTP, { otp: await lastCode('CASH01'), input: '9999999999', client_code: 'DEMO01' })
		expect(right.headers.get('location')).toBe('/esign')
		const [sent] = opened.asked.slice(before).filter(({ url }) => url.includes('verify_otp'))
		expect(await sent?.json()).toMatchObject({ input: '9876500062' })
		expect(sent?.headers.get('client-code')).toBe('CASH01')
	})

	test('shows the finished change when the back button sends its step again', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		await sentTo(visitor, '98765 00065')
		const { html } = await visitor.visit(OTP)
		const code = await lastCode('CASH01')
		// After a wrong code the back button shows the step with its first key.
		expect((await sendCode(visitor, OTP, { otp: wrongCode(code) }, {}, html)).status).toBe(422)
		expect((await sendCode(visitor, OTP, { otp: code }, {}, html)).headers.get('location')).toBe('/esign')
		const before = opened.asked.length
		expect((await sendCode(visitor, OTP, { otp: code }, {}, html)).headers.get('location')).toBe('/esign')
		expect(readText((await visitor.visit('/esign')).html)).toContain('This OTP was accepted already. Nothing was done twice.')
		expect(opened.asked.slice(before).filter(({ url }) => url.includes('verify_otp'))).toEqual([])
		// Another client in the same browser sees nothing of it.
		const other = await signedIn(opened, 'DEBT01')
		for (const [name, value] of visitor.cookies) if (name.includes('otp-done')) other.cookies.set(name, value)
		expect(
			(
				await sendCode(other, OTP, { otp: code, csrf: hidden((await other.visit('/myaccount/mobile')).html, 'csrf') }, {}, html)
			).headers.get('location'),
		).toBe('/myaccount/mobile')
		expect(readText((await other.visit('/myaccount/mobile')).html)).toContain('This OTP request is no longer valid')
	})

	test('keeps two kinds of change apart', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		await sentTo(visitor, '98765 00071')
		const ofMobile = await lastCode('CLOS01')
		await visitor.post('/myaccount/email', '/myaccount/email', { input: 'somebody.new@example.com' })
		const ofEmail = await lastCode('CLOS01')
		expect((await sendCode(visitor, '/myaccount/email/otp', { otp: wrongCode(ofEmail) })).status).toBe(422)
		expect((await sendCode(visitor, OTP, { otp: ofMobile })).headers.get('location')).toBe('/esign')
		expect((await sendCode(visitor, '/myaccount/email/otp', { otp: ofEmail })).headers.get('location')).toBe('/esign')
	})

	test('sends another code only after the wait, and starts again on request', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		await sentTo(visitor, '98765 00081')
		const { html } = await visitor.visit(OTP)
		expect(readText(html)).toMatch(/You can ask for a new OTP at \d\d:\d\d:\d\d/)
		const soon = await sendCode(visitor, OTP, { intent: 'resend_otp' })
		expect(soon.status).toBe(429)
		expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(20)
		const again = await sendCode(visitor, OTP, { intent: 'start_again' })
		expect(again.headers.get('location')).toBe('/myaccount/mobile')
		expect((await visitor.send(OTP)).status).toBe(302)
	})

	test('is sent once for a double click', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		await sentTo(visitor, '98765 00091')
		const { html } = await visitor.visit(OTP)
		const otp = await lastCode('CASH01')
		const answers = await Promise.all([1, 2, 3, 4].map(() => sendCode(visitor, OTP, { otp }, {}, html)))
		expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
		const { html: requests } = await visitor.visit('/myaccount/requests')
		const { rows } = readTable(requests, 'Requests')
		expect(rows.filter((cells) => cells[4]?.endsWith('0091'))).toHaveLength(1)
	})

	test('says after a lost reply that the change may have been made, and keeps the key', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		await sentTo(visitor, '98765 00092')
		const { html } = await visitor.visit(OTP)
		const otp = await lastCode('CASH01')
		opened.breakBroker((request) => (request.url.includes('verify_otp') ? new Response('gone', { status: 502 }) : undefined))
		const answer = await sendCode(visitor, OTP, { otp }, {}, html)
		expect(answer.status).toBe(502)
		const said = await answer.text()
		expect(readText(said)).toContain('may already have been recorded')
		expect(hidden(said, 'idempotency_key')).toBe(hidden(html, 'idempotency_key'))
	})
})

describe('a session that ends during a form', () => {
	test('restores the typed values to the same client, once', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { html } = await visitor.visit('/myaccount/email')
		opened.breakBroker((request) =>
			request.url.includes('profile-modifications')
				? Response.json({ status: 'error', message: 'Token expired' }, { status: 401 })
				: undefined,
		)
		const ended = await visitor.postRaw('/myaccount/email', { csrf: hidden(html, 'csrf'), input: 'typed.once@example.com' })
		expect(ended.headers.get('location')).toBe('/login?redirectTo=%2Fmyaccount%2Femail')
		opened.breakBroker(undefined)
		const unsent = [...visitor.cookies].find(([name]) => name.includes('unsent'))
		expect(unsent?.[1]).not.toContain('typed.once')

		const other = new Visitor(opened.portal)
		if (unsent) other.cookies.set(...unsent)
		await other.login('DEBT01')
		expect((await other.visit('/myaccount/email')).html).not.toContain('typed.once')

		const back = await visitor.login('CASH01', 'Demo@1234', '/myaccount/email')
		const page = await visitor.visit(back.headers.get('location') ?? '')
		expect(page.html).toContain('value="typed.once@example.com"')
		expect(readText(page.html)).toContain('What you typed is still here')
		expect((await visitor.visit('/myaccount/email')).html).not.toContain('typed.once')
	})

	test('does not restore a code', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		await sentTo(visitor, '98765 00099')
		const { html } = await visitor.visit(OTP)
		opened.breakBroker(() => Response.json({ status: 'error', message: 'Token expired' }, { status: 401 }))
		await sendCode(visitor, OTP, { otp: '123456' }, {}, html)
		opened.breakBroker(undefined)
		expect([...visitor.cookies.keys()].filter((name) => name.includes('unsent'))).toEqual([])
		const back = await visitor.login('CASH01', 'Demo@1234', OTP)
		expect(back.headers.get('location')).toBe(OTP)
		// The step itself was not lost.
		expect((await visitor.visit(OTP)).status).toBe(200)
	})
})

test('no secret of these tests is in the logs', () => {
	const logs = opened.lines.join('\n')
	for (const secret of ['9876500', 'typed.once', 'somebody.new', 'Demo@1234']) expect(logs).not.toContain(secret)
	expect(logs).toContain('/myaccount/mobile/otp')
})

import { expect, test } from 'vitest'
import { hidden } from '#tests/support/account'
import { openPortalForFile, signedIn, Visitor } from '#tests/support/portal'
import { listAttributes } from '#tests/support/readers'

/* Who may use an idempotency key, and which part of its form the portal stores. */

const opened = openPortalForFile()

const BANK = '/myaccount/bank'
const countCalls = (path: string) => opened.asked.filter(({ url }) => new URL(url).pathname.includes(path)).length

async function defaultBankForm(visitor: Visitor) {
	const { html } = await visitor.visit(BANK)
	const form = html.slice(html.indexOf('value="make_default"'))
	return {
		csrf: hidden(html, 'csrf'),
		idempotency_key: hidden(html, 'idempotency_key'),
		intent: 'make_default',
		bank: hidden(form, 'bank'),
	}
}

test('ignores extra fields when it compares orders', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const form = await defaultBankForm(visitor)
	opened.asked.length = 0
	for (const junk of ['one', 'two']) expect((await visitor.postRaw(BANK, { ...form, junk })).status).toBe(303)
	expect(countCalls('default-bank-change')).toBe(1)
	// A changed field of the form makes another order.
	const other = await visitor.visit(BANK).then(({ html }) => listAttributes(html, '[name="bank"]', 'value'))
	const bank = other.find((id) => id !== form.bank) ?? ''
	expect((await visitor.postRaw(BANK, { ...form, bank })).status).toBe(422)
})

test('the next client in the same browser gets a new key, and the first client cannot use it', async () => {
	const browser = new Visitor(opened.portal)
	const keyOn = async (page: string) => hidden((await browser.visit(page)).html, 'idempotency_key')
	await browser.login('DEMO01')
	const first = await keyOn('/funds')
	expect(await keyOn('/funds')).toBe(first)
	// The session ends without a logout, as after inactivity. The same client then finds the same form.
	browser.cookies.delete('__Host-session')
	await browser.login('DEMO01')
	expect(await keyOn('/funds')).toBe(first)

	browser.cookies.delete('__Host-session')
	await browser.login('CASH01')
	const second = await keyOn('/funds')
	expect(second).toMatch(/^[0-9a-f-]{36}$/)
	expect(second).not.toBe(first)
	await browser.post('/dashboard', '/logout', {})
	await browser.login('DEMO01')
	expect(await keyOn('/funds')).not.toBe(second)
})

test('a payout that cannot be cancelled leaves no key in the browser', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit('/funds/history?table=payouts')
	const places = listAttributes(html, 'a[href^="/funds/payout?ref="]', 'href').slice(0, 3)
	expect(places).toHaveLength(3)
	for (const place of places) {
		const answer = await visitor.send(place)
		expect([answer.status, answer.headers.getSetCookie().filter((cookie) => cookie.includes('once-'))]).toEqual([200, []])
	}
})

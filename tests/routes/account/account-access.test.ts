import { afterAll, beforeAll, expect, test } from 'vitest'
import { lastCode, sendCode, readText } from '#tests/support/account'
import { openPortal, signedIn, Visitor } from '#tests/support/portal'

/* Two clients on every address of My Account: neither can see or change data of the other. */

const OWN_OF_DEMO = ['Aarav', 'Mehta', 'DEMO01']
const ADDRESSES = [
	'/myaccount',
	'/myaccount/mobile',
	'/myaccount/email',
	'/myaccount/bank',
	'/myaccount/segments',
	'/myaccount/nominee',
	'/myaccount/income',
	'/myaccount/requests',
	'/myaccount/closure',
	'/myaccount/closure/transfer',
	'/myaccount/closure/check',
	'/myaccount/mobile/otp',
	'/myaccount/bank/otp',
	'/myaccount/nominee/otp',
	'/esign',
	'/esign/return?status=signed',
	'/change-password',
	'/dashboard?dialog=change-password',
	'/downloads/income',
	'/rekyc',
	'/rekyc/statements/ledger/pdf',
	'/rekyc/statements/holding/excel',
]

let opened: Awaited<ReturnType<typeof openPortal>>
let demo: Visitor
let cash: Visitor
/** A change that DEMO01 has authorised and not signed yet. */
let reference = ''

beforeAll(async () => {
	opened = await openPortal()
	demo = await signedIn(opened, 'DEMO01')
	cash = await signedIn(opened, 'CASH01')
	await demo.post('/myaccount/email', '/myaccount/email', { input: 'new.of.demo@example.com' })
	await sendCode(demo, '/myaccount/email/otp', { otp: await lastCode('DEMO01') })
	const { html } = await demo.visit('/myaccount/requests')
	reference = /MOD-[\w-]+/.exec(readText(html))?.[0] ?? 'no reference'
})
afterAll(() => opened.close())

test.for(ADDRESSES)('%s shows each client only their own data, whatever client code they send', async (address) => {
	const from = opened.asked.length
	const named = `${address}${address.includes('?') ? '&' : '?'}client_code=DEMO01&client=DEMO01&UserId=DEMO01&reference=${reference}`
	const answer = await cash.send(named, { headers: { 'client-code': 'DEMO01', 'x-client-code': 'DEMO01' } })
	expect([200, 302, 303, 404]).toContain(answer.status)
	const words = readText(Buffer.from(await answer.arrayBuffer()).toString('latin1'))
	for (const own of OWN_OF_DEMO) expect(words.replaceAll(named, ''), own).not.toContain(own)
	expect(words).not.toContain('new.of.demo')
	for (const asked of opened.asked.slice(from)) {
		expect(asked.headers.get('client-code')).toBe('CASH01')
		const body = asked.method === 'GET' ? '' : await asked.clone().text()
		expect(`${asked.url} ${body}`).not.toContain('DEMO01')
	}
})

test('another client’s request cannot be read, signed or withdrawn', async () => {
	expect((await cash.send(`/downloads/change/${reference}`)).status).not.toBe(200)
	expect((await cash.visit('/myaccount/requests')).html).not.toContain(reference)
	expect(readText((await cash.visit(`/esign/return?reference=${reference}&status=signed`)).html)).not.toContain('new.of.demo')
	await cash.post('/myaccount/requests', '/myaccount/requests', { reference, intent: 'withdraw' })
	expect(readText((await demo.visit('/myaccount/requests')).html)).toContain(reference)
	expect(readText((await demo.visit('/myaccount/requests')).html)).toMatch(/Waiting|sign/i)
})

test('another client cannot continue or end a journey', async () => {
	await demo.post('/myaccount/mobile', '/myaccount/mobile', { input: '9876501234' })
	const code = await lastCode('DEMO01')
	const thief = await signedIn(opened, 'CASH01')
	for (const [name, value] of demo.cookies) if (!thief.cookies.has(name)) thief.cookies.set(name, value)
	const from = opened.asked.length
	const answer = await sendCode(thief, '/myaccount/mobile/otp', { otp: code })
	expect(answer.status).not.toBe(200)
	for (const asked of opened.asked.slice(from)) expect(asked.url).not.toContain('verify_otp')
	const own = await sendCode(demo, '/myaccount/mobile/otp', { otp: code })
	expect(own.status).toBe(303)
})

test.for(ADDRESSES)('%s without a session shows nothing and makes no call', async (address) => {
	const from = opened.asked.length
	const { html, url } = await new Visitor(opened.portal).visit(address)
	expect(url).toMatch(/^(\/login|\/rekyc)/)
	for (const own of OWN_OF_DEMO.slice(0, 2)) expect(readText(html)).not.toContain(own)
	expect(opened.asked.length).toBe(from)
})

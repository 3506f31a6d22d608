import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { people } from '#sandbox/reference-data/people'
import { type Program, startRedis } from '#scripts/programs'
import { hidden, PDF, sendCode } from '#tests/support/account'
import { type Visitor } from '#tests/support/portal'
import { findAttribute, readKeys } from '#tests/support/readers'
import { FIXED_OTP, type PortalProcess, startProcess, startSandboxBroker } from './processes'

/* Two processes of the built portal behind one name, with one Redis. The tests run in order: the last ones kill a process and Redis. */

const REDIS_PORT = 6391
const PORTS = [3261, 3262] as const
const WITHDRAW = '/funds/withdraw'
const PAYOUT = '/fund_payout'
const MANDATE = '/funds/e-mandate'
const MANDATE_CALL = '/e_mandate/online'

let broker: Awaited<ReturnType<typeof startSandboxBroker>>
let server: Program
let store: Redis
let one: PortalProcess
let other: PortalProcess

const start = (port: number) => startProcess(port, broker.url, { REDIS_URL: `redis://127.0.0.1:${REDIS_PORT}` })

beforeAll(async () => {
	;[server, broker] = await Promise.all([startRedis(REDIS_PORT), startSandboxBroker(['DEMO01', 'CASH01', 'DEBT01', 'CLOS01'])])
	store = new Redis(REDIS_PORT, '127.0.0.1')
	store.on('error', () => {})
	;[one, other] = await Promise.all([start(PORTS[0]), start(PORTS[1])])
})
afterAll(async () => {
	store.disconnect()
	await server.stop()
	await Promise.all([one.stop('SIGKILL'), other.stop('SIGKILL')])
	await broker.close()
})

async function withdrawal(visitor: Visitor) {
	const { html } = await visitor.visit(WITHDRAW)
	const bank = findAttribute(html, 'option[value^="0-"]', 'value')
	return { ...readKeys(html), ledgers: 'NSE_CASH', amount: '7', bank }
}

async function mandate(visitor: Visitor) {
	const { html } = await visitor.visit(MANDATE)
	const bank = findAttribute(html, 'option[value^="0-"]', 'value')
	return { ...readKeys(html), amount: '5000', channel: 'netbanking', bank }
}

async function signedIn(code: string) {
	const first = one.visitor()
	expect((await first.login(code)).status).toBe(303)
	return [first, other.visitor(first)] as const
}

test('ten posts with one key over two processes are one broker call and one result', async () => {
	const [here, there] = await signedIn('DEMO01')
	const form = await withdrawal(here)
	broker.calls.length = 0
	const posts = Array.from({ length: 10 }, (_, at) => (at % 2 ? here : there).postRaw(WITHDRAW, form))
	const answers = await Promise.all(posts)
	expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 303))
	expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1)
	expect(broker.listCalls(PAYOUT).map(({ key }) => key)).toEqual([form.idempotency_key])

	// The same key with another amount is another order, in any process.
	for (const visitor of [here, there]) expect((await visitor.postRaw(WITHDRAW, { ...form, amount: '8' })).status).toBe(422)
	expect(broker.listCalls(PAYOUT)).toHaveLength(1)
})

test('stores no client name and no plain text of a reply in Redis', async () => {
	const keys = await store.keys('once:*')
	expect(keys.length).toBeGreaterThan(0)
	const all = [...keys, ...(await store.mget(keys))].join('\n')
	expect(all).not.toMatch(/DEMO01|NSE_CASH|withdraw|request_id|[0-9a-f]{8}-[0-9a-f]{4}-/)
	for (const key of keys) expect(await store.ttl(key)).toBeLessThanOrEqual(3600)
})

test('a file received by one process comes from the other, without a call', async () => {
	const [here, there] = await signedIn('CASH01')
	await here.post('/myaccount/income', '/myaccount/income', { income: '25 Lakh-1 Crore' })
	const done = await sendCode(here, '/myaccount/income/otp', { otp: FIXED_OTP }, { file: PDF })
	expect([done.status, done.headers.get('location')]).toEqual([303, '/myaccount/income?done=1'])
	broker.calls.length = 0
	const file = await there.send('/downloads/income')
	expect(file.headers.get('content-disposition')).toContain('CASH01_INCOME.pdf')
	expect((await file.text()).slice(0, 5)).toBe('%PDF-')
	expect(broker.calls).toEqual([])
	const [kept = ''] = await store.keys('file:*')
	expect(await store.ttl(kept)).toBeLessThanOrEqual(900)
})

test('a change made through one process shows at once in the other, which had cached the page', async () => {
	const [here, there] = await signedIn('CLOS01')
	const readPage = async () => (await there.visit('/myaccount')).html
	expect(await readPage()).not.toContain('Above ₹ 1 crore')
	broker.calls.length = 0
	await readPage()
	expect(broker.listCalls('/personal-details')).toEqual([])

	await here.post('/myaccount/income', '/myaccount/income', { income: 'Above 1 Crore' })
	const done = await sendCode(here, '/myaccount/income/otp', { otp: FIXED_OTP }, { file: PDF })
	expect(done.headers.get('location')).toBe('/myaccount/income?done=1')
	expect(await readPage()).toContain('Above ₹ 1 crore')
	// One call, because the new reply is cached again.
	broker.calls.length = 0
	await readPage()
	expect(broker.listCalls('/personal-details')).toEqual([])
})

test('a copied cookie stops working on the other process after logout', async () => {
	const [here, there] = await signedIn('DEMO01')
	for (const visitor of [here, there]) expect((await visitor.send('/reports/ledger')).status).toBe(200)
	const copy = other.visitor(there)
	await here.post('/dashboard', '/logout', {})
	for (const page of ['/reports/ledger', '/reports/ledger?page=2', '/change-password', '/downloads/ledger/csv'])
		expect([page, (await copy.send(page)).headers.get('location')]).toEqual([page, expect.stringMatching(/^\/login/)])
})

const from = (process: PortalProcess, address: string) => process.visitor(undefined, { 'x-forwarded-for': address })
const readStatus = async (visitor: Visitor, username: string, password: string) => (await visitor.login(username, password)).status

test('a correct password never resets the count of wrong ones', async () => {
	const [here, there] = [from(one, '203.0.113.1'), from(other, '203.0.113.1')]
	for (const visitor of [here, there, here, there]) expect(await readStatus(visitor, 'CLOS01', 'wrong')).toBe(422)
	expect(await readStatus(from(one, '203.0.113.1'), 'CLOS01', 'Demo@1234')).toBe(303)
	expect(await readStatus(there, 'CLOS01', 'wrong')).toBe(422)
	expect(await readStatus(there, 'CLOS01', 'Demo@1234')).toBe(429)
})

test('an e-mail and a client code share one counter after a login has shown the client of the e-mail', async () => {
	const [here, there] = [from(one, '203.0.113.2'), from(other, '203.0.113.2')]
	const email = people.find(({ code }) => code === 'DEBT01')?.email ?? ''
	// Wrong passwords under the e-mail count for the client as soon as the client is known.
	for (let guess = 0; guess < 2; guess++) expect(await readStatus(here, email, 'wrong')).toBe(422)
	expect(await readStatus(from(one, '203.0.113.2'), email, 'Demo@1234')).toBe(303)
	for (let guess = 0; guess < 2; guess++) expect(await readStatus(there, 'DEBT01', 'wrong')).toBe(422)
	expect(await readStatus(there, email, 'wrong')).toBe(422)
	for (const name of ['DEBT01', email]) expect(await readStatus(here, name, 'Demo@1234')).toBe(429)
	expect((await store.keys('*')).join('\n')).not.toContain('@')
})

test('the audit lines have the event, the client’s hash and the address, and name nobody', async () => {
	const visitor = other.visitor(undefined, { 'x-forwarded-for': '6.6.6.6, 203.0.113.3', 'x-visitor-address': '6.6.6.6' })
	await visitor.login('CASH01')
	await visitor.post('/myaccount/income', '/myaccount/income', { income: '5-10 Lakh' })
	const html = (await visitor.visit('/myaccount/income/otp')).html
	await sendCode(visitor, '/myaccount/income/otp', { otp: '654321' }, { file: PDF }, html)
	const page = new File(['<html>'], 'page.pdf', { type: 'application/pdf' })
	await sendCode(visitor, '/myaccount/income/otp', { otp: FIXED_OTP }, { file: page })
	await visitor.postRaw(WITHDRAW, await withdrawal(visitor))
	await visitor.post('/dashboard', '/logout', {})

	const last = (event: string) => other.lines(event).at(-1)
	const client = last('login')?.client
	expect(client).toMatch(/^[0-9a-f]{32}$/)
	for (const event of ['login', 'otp_sent', 'otp_refused', 'upload_refused', 'payout_asked', 'logout'])
		expect([event, last(event)]).toEqual([event, expect.objectContaining({ client, address: '203.0.113.3' })])
	const [refused, limited] = [other.lines('login_refused'), [...one.lines('login_limited'), ...other.lines('login_limited')]]
	expect(refused.some((line) => line.address === '203.0.113.1')).toBe(true)
	expect(limited.length).toBeGreaterThan(0)
	for (const line of [...refused, ...limited]) expect(line.client).toMatch(/^[0-9a-f]{32}$/)
	expect(new Set(refused.filter(({ address }) => address === '203.0.113.1').map((line) => line.client)).size).toBe(1)

	// A typed value cannot forge a line.
	const before = other.lines('login').length
	for (const username of ['X\r\n{"event":"login"}', 'X\u001b[2K{"event":"login"}'])
		await from(other, '203.0.113.4').login(username, '\n{"event":"login"}')
	expect(other.lines('login')).toHaveLength(before)
	const all = one.output() + other.output()
	for (const secret of ['DEMO01', 'CASH01', 'DEBT01', 'Demo@1234', '654321']) expect(all).not.toContain(secret)
	expect(all).not.toContain('\u001b')
})

test('made-up client codes leave no keys once their address is refused', async () => {
	const guesser = one.visitor(undefined, { 'x-forwarded-for': '203.0.113.9' })
	const { html } = await guesser.visit('/login')
	const guess = (username: string) => guesser.postRaw('/login', { csrf: hidden(html, 'csrf'), username, password: 'wrong' })
	for (let at = 0; at < 30; at++) expect((await guess(`GUESS${at}`)).status).toBe(422)
	const counters = async () => (await store.keys('login-client:*')).length
	const before = await counters()
	for (let at = 0; at < 40; at++) expect((await guess(`FLOOD${at}`)).status).toBe(429)
	expect(await counters()).toBe(before)
})

test('an e-mail, which is private, is in no key of Redis', async () => {
	const person = one.visitor(undefined, { 'x-forwarded-for': '203.0.113.10' })
	const { html } = await person.visit('/login')
	expect((await person.postRaw('/login', { csrf: hidden(html, 'csrf'), username: 'no.one@mail.test', password: 'wrong' })).status).toBe(422)
	const step = hidden((await person.visit('/forgot-password')).html, 'csrf')
	const asked = { csrf: step, intent: 'send_otp', username: 'no.one@mail.test' }
	expect((await person.postRaw('/forgot-password', asked)).status).toBe(303)
	const code = hidden((await person.visit('/forgot-password')).html, 'step')
	await person.postRaw('/forgot-password', { csrf: step, intent: 'verify_otp', step: code, otp: '000000' })
	const keys = await store.keys('*')
	expect(keys.filter((key) => key.startsWith('otp-client:') || key.startsWith('reset-client:')).length).toBeGreaterThan(1)
	expect(keys.filter((key) => /@|no\.one/.test(key))).toEqual([])
})

test('a process that died loses its claim: the next post calls the broker again with the same key', async () => {
	const [here, there] = await signedIn('DEMO01')
	const form = await mandate(here)
	broker.calls.length = 0
	broker.hold((path) => (path.includes(MANDATE_CALL) ? new Promise(() => {}) : undefined))
	const cut = here.postRaw(MANDATE, form).catch(() => 'cut off')
	await vi.waitFor(() => expect(broker.listCalls(MANDATE_CALL)).toHaveLength(1), { timeout: 10_000 })
	await one.stop('SIGKILL')
	expect(await cut).toBe('cut off')
	broker.hold(undefined)

	const claims = await store.keys('once:*').then((keys) => Promise.all(keys.map(async (key) => ({ key, ms: await store.pttl(key) }))))
	const claim = claims.filter(({ ms }) => ms <= 60_000)
	expect(claim).toHaveLength(1)
	const again = there.postRaw(MANDATE, form)
	// The post waits until the claim ends. A claim lasts a minute; the test ends it at once.
	await store.pexpire(claim[0]?.key ?? '', 1)
	expect((await again).status).toBe(303)
	expect(broker.listCalls(MANDATE_CALL).map(({ key }) => key)).toEqual([form.idempotency_key, form.idempotency_key])
	one = await start(PORTS[0])
})

test('without Redis nothing cached is shown after a logout, and money still moves once', async () => {
	const [here, there] = await signedIn('DEMO01')
	for (const visitor of [here, there]) expect((await visitor.send('/reports/ledger')).status).toBe(200)
	const copy = other.visitor(there)
	await server.stop('SIGKILL')

	const form = await mandate(here)
	const answers = await Promise.all([here, there].map((visitor) => visitor.postRaw(MANDATE, form)))
	expect(answers.map(({ headers }) => headers.get('location'))).toEqual([
		expect.stringContaining(`${broker.url}/`),
		answers[0]?.headers.get('location'),
	])

	await here.post('/dashboard', '/logout', {})
	expect((await copy.send('/reports/ledger')).headers.get('location')).toMatch(/^\/login/)
})

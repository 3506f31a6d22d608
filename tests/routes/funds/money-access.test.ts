import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { runs } from '#sandbox/testing/runs'
import { hidden, sendForm, readText } from '#tests/support/account'
import { MONEY_FORMS, type Ready } from '#tests/support/money-forms'
import { openPortalForFile, ORIGIN, signedIn, Visitor } from '#tests/support/portal'

/* Funds, depository, IPO and MTF: each client gets only their own data. No input decides the called broker address or its client. */

/** Every address with its fields. A test replaces {} by a value. */
const ADDRESSES = [
	'/funds?amount={}&ledger={}',
	'/funds/return?ref={}',
	'/funds/withdraw?ledger={}',
	'/funds/payout?ref={}&new=1',
	'/funds/e-mandate?cancel={}&ref={}&download={}',
	'/funds/history?type={}&q={}&sort={}&from={}',
	'/dpprocess?select={}&isin={}',
	'/dpprocess/otp?step={}',
	'/dpprocess/pledge?action={}&INE002A01018={}',
	'/dpprocess/pledge/review?action={}&order={}&INE002A01018={}',
	'/dpprocess/pledge/return?ref={}&status={}',
	'/dpprocess/ddpi?bo_id={}',
	'/connect/ipo?condition={}&q={}&sort={}',
	'/connect/ipo/{}?dialog=confirm',
	'/connect/ipo/bids?from={}&to={}&exchange={}',
	'/connect/ipo/bids/{}',
	'/connect/mtf?year={}&q={}&sort={}',
	'/esign/return?ref={}&status={}',
	'/downloads/payins/csv?type={}&sort={}',
	'/downloads/payouts/csv?q={}',
	'/downloads/e-mandate?amount={}&bank={}',
	'/downloads/ddpi?bo_id={}',
	'/downloads/ipo-bids/csv?from={}&to={}',
	'/downloads/ipo/{}?BOId={}',
	'/downloads/mtf/{}?year={}',
	'/downloads/mtf/positions?sort={}',
]
const HOSTILE = [
	'../../v2/user/logout',
	'//evil.test/x',
	'http://127.0.0.1:4999/v2/dashboard',
	'?client_code=CASH01&x=',
	'#fragment',
	'%2e%2e%2f%2e%2e%2fcontrol',
	'x\r\nclient-code: CASH01\r\nX-Evil: 1',
]
const BROKER = 'http://127.0.0.1:4999'

/** All hostile values in the long form, else two of them, others for the next field. */
const chooseHostile = (turn: number) => HOSTILE.filter((_, at) => (at + turn * 2) % HOSTILE.length < runs(2, HOSTILE.length))

const opened = openPortalForFile()

const send = (visitor: Visitor, { address, fields, files }: Ready) =>
	files ? sendForm(visitor, address, fields, files) : visitor.postRaw(address, fields)
const readBody = (request: Request) => (request.method === 'GET' ? '' : request.clone().text())

/** The broker's calls in the source code. Every call must be one of these, for any typed value. */
const listPlaces = (since: number) =>
	opened.asked.slice(since).map(({ url }) => {
		const { origin, pathname } = new URL(url)
		return { origin, pathname }
	})

describe('the address of broker calls', () => {
	const known = new Set<string>()
	let demo: Visitor
	beforeAll(async () => {
		demo = await signedIn(opened, 'DEMO01')
		for (const address of ADDRESSES)
			for (const fill of ['', 'KONKANLOG', 'positions', 'current']) await demo.send(address.replaceAll('{}', fill))
		for (const { pathname } of listPlaces(0)) known.add(pathname)
		if (known.size <= 20) throw new Error(`Only ${known.size} calls of the broker were asked`)
	})

	const requireKnown = (since: number, what: string) => {
		for (const { origin, pathname } of listPlaces(since))
			expect([what, origin, pathname, known.has(pathname)]).toEqual([what, BROKER, pathname, true])
	}

	test.each(ADDRESSES)('%s calls nothing else', async (address) => {
		for (const value of HOSTILE) {
			const since = opened.asked.length
			const answer = await demo.send(address.replaceAll('{}', encodeURIComponent(value)))
			expect([value, answer.status < 500, answer.headers.has('x-evil')]).toEqual([value, true, false])
			expect(new URL(answer.headers.get('location') ?? '/', ORIGIN).origin).toBe(ORIGIN)
			requireKnown(since, value)
			for (const { headers } of opened.asked.slice(since))
				expect([headers.get('client-code'), headers.has('x-evil')]).toEqual(['DEMO01', false])
		}
	})

	test.each(MONEY_FORMS)('$name calls nothing else, with any fields', { timeout: 60_000 }, async ({ who, call, prepare }) => {
		const visitor = await signedIn(opened, who)
		const before = opened.asked.length
		const ready = await prepare(visitor, 0)
		for (const { pathname } of listPlaces(before)) known.add(pathname)
		known.add(call)
		const fields = Object.keys(ready.fields).filter((name) => !['csrf', 'otp'].includes(name))
		for (const [turn, field] of fields.entries()) {
			for (const value of chooseHostile(turn)) {
				const since = opened.asked.length
				const answer = await send(visitor, { ...ready, fields: { ...ready.fields, [field]: value } })
				expect([field, value, answer.status < 500, answer.headers.has('x-evil')]).toEqual([field, value, true, false])
				expect(['portal.test', 'esign.test', '127.0.0.1']).toContain(new URL(answer.headers.get('location') ?? '/', ORIGIN).hostname)
				requireKnown(since, `${field}: ${value}`)
			}
		}
	})

	test.each(MONEY_FORMS)('$name follows no redirect of the broker', async ({ name, who, call, prepare }) => {
		const visitor = await signedIn(opened, who)
		const ready = await prepare(visitor, 1)
		const since = opened.asked.length
		opened.breakBroker((request) =>
			new URL(request.url).pathname === call ? new Response(null, { status: 307, headers: { location: 'https://evil.test/' } }) : undefined,
		)
		const answer = await send(visitor, ready)
		expect([name, answer.status, answer.headers.get('location')]).toEqual([name, 502, null])
		expect(await answer.text()).not.toContain('evil.test')
		const places = listPlaces(since).filter(({ pathname }) => pathname === call)
		expect(places).toEqual([{ origin: BROKER, pathname: call }])
		for (const { origin } of listPlaces(since)) expect(origin).toBe(BROKER)
	})
})

describe('a client’s own data', () => {
	const OWN_OF_DEMO = ['Aarav', 'Mehta', 'DEMO01']
	/** Requests of DEMO01, by kind. */
	const ids: Record<string, string> = {}
	let cash: Visitor
	beforeAll(async () => {
		const demo = await signedIn(opened, 'DEMO01')
		const found = async (address: string, pattern: RegExp) => pattern.exec((await demo.visit(address)).html)?.[0] ?? ''
		for (const name of ['a pay-in', 'a payout', 'a mandate', 'a pledge', 'a bid']) {
			const form = MONEY_FORMS.find((each) => each.name === name)
			if (form) await send(demo, await form.prepare(demo, 1))
		}
		ids.payin = await found('/funds/history', /PI\d{6}-[0-9A-F]{6}/)
		ids.payout = await found('/funds/withdraw', /PO\d{6}-[0-9A-F]{6}/)
		ids.mandate = await found('/funds/e-mandate', /EM\d{6}-[0-9A-F]{6}/)
		ids.pledge = await found('/dpprocess/pledge', /PL-[0-9A-F]{10}/)
		ids.bid = await found('/connect/ipo/bids', /KH\d{10}/)
		for (const [what, id] of Object.entries(ids)) if (id === '') throw new Error(`The ${what} of DEMO01 has no reference`)
		cash = await signedIn(opened, 'CASH01')
	})

	async function requireOwn(since: number): Promise<void> {
		for (const asked of opened.asked.slice(since)) {
			expect(asked.headers.get('client-code')).toBe('CASH01')
			expect(`${asked.url} ${await readBody(asked)}`).not.toContain('DEMO01')
		}
	}

	test.each(ADDRESSES)('%s shows each client only their own data, for any client or id in the request', async (address) => {
		for (const id of ['', ...Object.values(ids)]) {
			const filled = address.replaceAll('{}', id)
			const named = `${filled}${filled.includes('?') ? '&' : '?'}client_code=DEMO01&client=DEMO01&UserId=DEMO01`
			const since = opened.asked.length
			const answer = await cash.send(named, { headers: { 'client-code': 'DEMO01', 'x-client-code': 'DEMO01' } })
			expect([200, 302, 303, 400, 403, 404]).toContain(answer.status)
			const words = readText(Buffer.from(await answer.arrayBuffer()).toString('latin1')).replaceAll(named, '')
			for (const own of OWN_OF_DEMO) expect(words, own).not.toContain(own)
			await requireOwn(since)
		}
	})

	test.each([
		['a pay-in', '/funds/return?ref={}', 'payin'],
		['a payout', '/funds/payout?ref={}', 'payout'],
		['an application', '/connect/ipo/bids/{}', 'bid'],
		['a pledge', '/dpprocess/pledge/return?ref={}', 'pledge'],
	])('%s of another client is not found', async (_, address, id) => {
		const { status, html, url } = await cash.visit(address.replace('{}', ids[id] ?? ''))
		expect([200, 403, 404]).toContain(status)
		if (status === 200) expect(url).not.toContain(ids[id])
		expect(readText(html)).not.toContain(ids[id])
	})

	test.each(MONEY_FORMS.filter(({ who }) => who === 'DEMO01' || who === 'CASH01'))(
		'$name is asked for as the session’s client, whatever the form adds',
		async ({ name, call, prepare }) => {
			if (name === 'a stock verification' || name === 'a release') return
			const ready = await prepare(cash, 1)
			const since = opened.asked.length
			const forged = {
				client_code: 'DEMO01',
				client: 'DEMO01',
				UserId: 'DEMO01',
				bank_acno: '50100042104821',
				price: '0.01',
				max: '999999999',
			}
			await cash.send(ready.address, {
				method: 'POST',
				body: new URLSearchParams([...Object.entries(forged), ...Object.entries(ready.fields)]).toString(),
				headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN, 'client-code': 'DEMO01' },
			})
			expect(listPlaces(since).filter(({ pathname }) => pathname === call)).toHaveLength(1)
			await requireOwn(since)
			for (const asked of opened.asked.slice(since)) expect(await readBody(asked)).not.toContain('50100042104821')
		},
	)

	test('another client’s request cannot be cancelled', async () => {
		const csrf = hidden((await cash.visit('/funds/withdraw')).html, 'csrf')
		const keyed = () => ({ csrf, idempotency_key: randomUUID() })
		expect((await cash.postRaw(`/funds/payout?ref=${ids.payout}`, { ...keyed(), ref: ids.payout ?? '' })).status).toBe(422)
		const ended = await cash.postRaw('/funds/e-mandate', { ...keyed(), intent: 'cancel', reference: ids.mandate ?? '' })
		expect([403, 404, 422]).toContain(ended.status)
		const demo = await signedIn(opened, 'DEMO01')
		expect(readText((await demo.visit('/funds/withdraw')).html)).toContain('A payout of ₹ 5.00 from Equity is in progress.')
		expect(readText((await demo.visit('/funds/e-mandate')).html)).not.toContain('Cancelled by you')
	})

	test.each(ADDRESSES)('%s without a session shows nothing and makes no call', async (address) => {
		const since = opened.asked.length
		const { html, url } = await new Visitor(opened.portal).visit(address.replaceAll('{}', ids.payout ?? ''))
		expect(url).toMatch(/^\/login/)
		for (const own of OWN_OF_DEMO) expect(readText(html)).not.toContain(own)
		expect(opened.asked.length).toBe(since)
	})
})

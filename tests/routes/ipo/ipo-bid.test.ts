import { describe, expect, test } from 'vitest'
import { openPortalForFile, signedIn, Visitor } from '#tests/support/portal'
import { firstOption, hidden, listAttributes, readText } from '#tests/support/readers'

const opened = openPortalForFile()

const BID = '/ipo/v1/bid/bidSubmit'
const KONKAN = '/connect/ipo/KONKANLOG'
const NOVA = '/connect/ipo/NOVATEC'
const REPORT = '/connect/ipo/bids'

type Fields = Record<string, string>

async function typedInto(visitor: Visitor, page: string, fields: Fields = {}): Promise<Fields> {
	const { html } = await visitor.visit(page)
	const BOId = firstOption(html, 'BOId')
	const price = page === NOVA ? '500' : '150'
	const usual = { category: 'IND', BOId, upi_id: 'me@examplebank', 'bids[0].quantity': '100', 'bids[0].price': price }
	return { csrf: hidden(html, 'csrf'), ...usual, ...fields }
}

const review = async (visitor: Visitor, page: string, fields: Fields = {}) => visitor.postRaw(page, await typedInto(visitor, page, fields))

/** The hidden fields of the open confirmation. */
async function confirmation(visitor: Visitor, page: string): Promise<Fields> {
	const { html } = await visitor.visit(`${page}?dialog=confirm`)
	const form = html.slice(html.indexOf('page-dialog'))
	return { csrf: hidden(html, 'csrf'), intent: 'submit', draft: hidden(form, 'draft'), idempotency_key: hidden(form, 'idempotency_key') }
}

const submit = (visitor: Visitor, page: string, fields: Fields) => visitor.postRaw(`${page}?dialog=confirm`, fields)
const bidCalls = () => opened.asked.filter(({ url, method }) => method === 'POST' && url.includes(BID))
const numbersIn = async (visitor: Visitor) => [
	...new Set(
		listAttributes((await visitor.visit(REPORT)).html, `a[href^="${REPORT}/KH"]`, 'href').map((href) => href.slice(REPORT.length + 1)),
	),
]
const ended = () => Response.json({ status: 'error', message: 'Token expired' }, { status: 401 })

test('the amount that will be blocked stands above the button, and says why it is one of two', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	const begun = readText((await visitor.visit(KONKAN)).html)
	expect(begun).toMatch(/ Apply .*Category .*With UPI, accept the mandate by \d\d:\d\d on [\d/]+\. Amount to block ₹ [\d,.]+ Review bid/)
	// 100 × 150 is 15,000; 200 × 150 is 30,000. The demat account is missing.
	const fields = { BOId: '', 'bids[1].quantity': '200', 'bids[1].price': '150' }
	const refused = await review(visitor, KONKAN, fields)
	expect(readText(await refused.text())).toMatch(
		/Your bids are alternatives: the highest of them is blocked, and one of them counts\. With UPI, .* Amount to block ₹ 30,000\.00 Review bid/,
	)
})

describe('a session that ends', () => {
	test('during the review of a bid restores it for the same client, once', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		const fields = await typedInto(visitor, KONKAN, { 'bids[0].quantity': '150', 'bids[1].quantity': '200', 'bids[1].cut_off': 'on' })
		opened.breakBroker((request) => (request.url.includes('fetch-client-details') ? ended() : undefined))
		const answer = await visitor.postRaw(KONKAN, fields)
		expect(answer.headers.get('location')).toMatch(/^\/login/)
		opened.breakBroker(undefined)

		const other = new Visitor(opened.portal)
		for (const [name, value] of visitor.cookies) if (name.includes('unsent')) other.cookies.set(name, value)
		expect(other.cookies.size).toBe(1)
		await other.login('DEBT01')
		expect((await other.visit(KONKAN)).html).not.toContain('What you typed is still here')

		await visitor.login('NEW001')
		const { html } = await visitor.visit(KONKAN)
		expect(readText(html)).toContain('What you typed is still here; nothing was changed.')
		expect(['bids[0].quantity', 'bids[1].quantity'].map((name) => hidden(html, name))).toEqual(['150', '200'])
		expect(listAttributes(html, 'input[type="checkbox"][checked]', 'name')).toContain('bids[1].cut_off')
		expect((await visitor.visit(KONKAN)).html).not.toContain('What you typed is still here')
	})

	test('while a bid is submitted loses nothing: the login leads to the confirmation, which places it once', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		await review(visitor, KONKAN, { 'bids[0].quantity': '300' })
		const fields = await confirmation(visitor, KONKAN)
		opened.breakBroker((request) => (request.url.includes(BID) ? ended() : undefined))
		const answer = await submit(visitor, KONKAN, fields)
		const login = answer.headers.get('location') ?? ''
		expect(login).toMatch(/^\/login/)
		opened.breakBroker(undefined)
		const back = await visitor.login('NEW001', 'Demo@1234', new URL(login, 'https://portal.test').searchParams.get('redirectTo') ?? '')
		expect(decodeURIComponent(back.headers.get('location') ?? '')).toContain(KONKAN)
		expect(await numbersIn(visitor)).toEqual([])
		const again = await confirmation(visitor, KONKAN)
		expect([again.draft, again.idempotency_key]).toEqual([fields.draft, fields.idempotency_key])
		expect((await submit(visitor, KONKAN, again)).headers.get('location')).toMatch(/^\/connect\/ipo\/bids\/KH/)
		expect(await numbersIn(visitor)).toHaveLength(1)
	})
})

describe('a reviewed bid', () => {
	test('is stored for each issue: two tabs with two issues do not affect each other', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		await review(visitor, KONKAN)
		const konkan = await confirmation(visitor, KONKAN)
		await review(visitor, NOVA)
		const nova = await confirmation(visitor, NOVA)
		expect((await submit(visitor, KONKAN, konkan)).headers.get('location')).toMatch(/\/bids\/KH/)
		// The back button leads to the page without the confirmation of a placed bid; the other one is still there.
		expect(readText((await visitor.visit(`${KONKAN}?dialog=confirm`)).html)).not.toContain('Submit bid')
		expect(readText((await visitor.visit(`${NOVA}?dialog=confirm`)).html)).toContain('Submit bid')
		// The same confirmation, sent again, is the same bid.
		expect((await submit(visitor, KONKAN, konkan)).headers.get('location')).toMatch(/\/bids\/KH/)
		expect((await submit(visitor, NOVA, nova)).headers.get('location')).toMatch(/\/bids\/KH/)
		expect(await numbersIn(visitor)).toHaveLength(2)
	})

	test('is placed as reviewed, whatever fields a confirmation adds', async () => {
		const visitor = await signedIn(opened, 'DEBT01')
		await review(visitor, KONKAN)
		const fields = await confirmation(visitor, KONKAN)
		opened.asked.length = 0
		const claims = {
			amount: '1',
			price: '1',
			quantity: '900',
			category: 'EMP',
			client_code: 'DEMO01',
			online_limit: '99999999',
			upi_id: 'x@y',
		}
		expect((await submit(visitor, KONKAN, { ...fields, ...claims })).status).toBe(303)
		const [call] = bidCalls()
		expect(new URL(call?.url ?? '').searchParams.get('client_code')).toBe('DEBT01')
		expect(await call?.json()).toMatchObject({ quantity: 100, price: 150, amount: 15_000, category: 'IND', upi_id: 'me@examplebank' })
	})

	test('says so when it has expired, and places nothing', async () => {
		const visitor = await signedIn(opened, 'DEBT01')
		await review(visitor, NOVA)
		const fields = await confirmation(visitor, NOVA)
		for (const name of visitor.cookies.keys()) if (name.endsWith('ipo-bid')) visitor.cookies.delete(name)
		opened.asked.length = 0
		const answer = await submit(visitor, NOVA, fields)
		expect([answer.status, readText(await answer.text())]).toEqual([422, expect.stringContaining('nothing was placed. Review it again.')])
		expect(bidCalls()).toEqual([])
	})

	test('changed after a lost reply is refused under the old key, and not placed beside the first', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		await review(visitor, KONKAN)
		const { fetch: ask } = globalThis
		let isLost = true
		opened.breakBroker(async (request) => {
			// Where the portal knows the first bid, the second one is refused before it can be confirmed.
			if (request.url.includes('/v1/ours/ipo-applications')) return new Response('', { status: 500 })
			if (!request.url.includes(BID) || !isLost) return undefined as unknown as Response
			isLost = false
			await ask(request)
			throw new Error('the connection died')
		})
		expect((await submit(visitor, KONKAN, await confirmation(visitor, KONKAN))).status).toBe(503)
		await review(visitor, KONKAN, { 'bids[0].quantity': '200' })
		const second = await submit(visitor, KONKAN, await confirmation(visitor, KONKAN))
		expect([second.status, readText(await second.text())]).toEqual([422, expect.stringContaining('There is a problem')])
		const third = await submit(visitor, KONKAN, await confirmation(visitor, KONKAN))
		expect([third.status, readText(await third.text())]).toEqual([
			422,
			expect.stringContaining('An application for this issue already exists'),
		])
		expect(await numbersIn(visitor)).toHaveLength(1)
	})
})

describe('another client’s application', () => {
	test('is private: its number opens nothing, its reviewed bid cannot be read, its mandate cannot be refreshed', async () => {
		const owner = await signedIn(opened, 'DEMO01')
		const [number = ''] = await numbersIn(owner)
		expect(number).toMatch(/^KH\d+/)
		const stranger = await signedIn(opened, 'CASH01')
		for (const place of [`${REPORT}/${number}`, `${REPORT}/${number}?from=2026-01-01`, `${REPORT}/${number.toLowerCase()}`])
			expect([place, (await stranger.visit(place)).status]).toEqual([place, 404])
		expect((await stranger.visit(`${REPORT}?q=${number}`)).html).not.toContain(`bids/${number}"`)
		expect(await (await stranger.send('/downloads/ipo-bids/csv')).text()).not.toContain(number)

		await review(owner, NOVA, { category: 'HNI', 'bids[0].quantity': '1100' })
		for (const [name, value] of owner.cookies) if (name.endsWith('ipo-bid')) stranger.cookies.set(name, value)
		expect((await stranger.visit(`${NOVA}?dialog=form`)).html).not.toContain('Bid form')
		opened.asked.length = 0
		expect((await stranger.send('/downloads/ipo/NOVATEC')).headers.get('content-type')).not.toBe('application/pdf')
		expect(bidCalls()).toEqual([])
	})
})

/** Moves the broker's clock ahead, as its /control page does. */
const passDays = (days: number) =>
	fetch('http://127.0.0.1:4999/control/clock', {
		method: 'POST',
		body: JSON.stringify({ days }),
		headers: { 'content-type': 'application/json' },
	})

describe('the result of a bid', () => {
	test('is shown in the attention list, the report and the holding as the broker’s clock moves on', async () => {
		const before = await signedIn(opened, 'CLOS01')
		const todo = async (visitor: Visitor) =>
			readText((await visitor.visit('/dashboard')).html).includes('Accept the mandate of ₹ 15,000.00')
		expect(await todo(before)).toBe(true)
		const upi = await (await fetch('https://broker.test/upi')).text()
		const row = upi.split('<tr>').find((text) => text.includes('CLOS01') && text.includes('Konkan')) ?? ''
		const token = row.match(/\/upi\/([\w-]+)/)?.[1] ?? ''
		await fetch(`https://broker.test/upi/${token}`, { method: 'POST', body: new URLSearchParams({ outcome: 'approve' }) })
		expect(await todo(before)).toBe(false)
		await before.post(REPORT, REPORT, { exchange: 'BSE' })
		expect(readText((await before.visit(REPORT)).html)).toMatch(
			/Konkan Marine Logistics Ltd\. .*Accepted Allotment expected on [\d/]{10} Approved Expected on/,
		)

		// All steps of the issue are done, and the session is over.
		await passDays(21)
		const after = await signedIn(opened, 'CLOS01')
		const report = readText((await after.visit(REPORT)).html)
		// There were too few bids, so all shares are allotted at the lowest price of the band, ₹ 142.00.
		expect(report).toMatch(
			/Konkan Marine Logistics Ltd\. ₹ 15,000\.00 [\d/]{10} 100 shares at ₹ 150\.00 IND 100 150\.00 15,000\.00 Accepted Allotted 100, ₹ 800\.00 released Approved Allotted 100 ₹ 800\.00 released 800\.00/,
		)
		expect(report).toMatch(/Novatec Robotics Ltd\. .*Rejected : The UPI mandate was not accepted in time Expired/)
		expect(await todo(after)).toBe(false)
		expect(readText((await after.visit(KONKAN)).html)).toContain('it no longer takes bids')
	})
})

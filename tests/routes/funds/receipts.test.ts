import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { MONEY_FORMS, sendMoneyForm } from '#tests/support/money-forms'
import { openPortal, signedIn } from '#tests/support/portal'
import { firstLink, readText } from '#tests/support/readers'

/* While the broker's list does not have a request for money, its result page shows the broker's answer to the request. */

let opened: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
	opened = await openPortal()
}, 120_000)
afterAll(() => opened.close())
afterEach(() => opened.breakBroker(undefined))

const MOVEMENTS = '/v1/account_profile/list_of_funds_payout_payin'
const LISTS: readonly [string, who: string, other: string, () => Response][] = [
	['lags', 'DEMO01', 'CASH01', () => Response.json({ status: 'success', message: 'ok', data: [] })],
	['is missing', 'CASH01', 'DEMO01', () => new Response('', { status: 404 })],
]

describe.each(LISTS)('a list that %s', (_, who, other, list) => {
	test('shows a payout from the broker’s answer, to its client only', async () => {
		const visitor = await signedIn(opened, who)
		// The form of money-forms.ts asks for ₹ 5.
		const location = await sendMoneyForm('a payout', visitor)
		opened.failCalls(MOVEMENTS, list)
		const { status, html } = await visitor.visit(location)
		expect(status).toBe(200)
		expect(readText(html)).toMatch(/The broker has your request.*Amount ₹ 5\.00/)
		expect((await (await signedIn(opened, other)).visit(location)).status).toBe(404)
		opened.breakBroker(undefined)
		expect(readText((await visitor.visit(location)).html)).not.toContain('The broker has your request')
	})

	test('shows a payment as pending, with a link to the payment page', async () => {
		const visitor = await signedIn(opened, who)
		await sendMoneyForm('a pay-in', visitor)
		const address = firstLink((await visitor.visit('/funds/history')).html, '/funds/return?ref=')
		opened.failCalls(MOVEMENTS, list)
		const { status, html } = await visitor.visit(address)
		expect(status).toBe(200)
		expect(readText(html)).toMatch(/Payment pending.*Do not pay again.*Amount ₹ 2,500\.00/)
		expect(html).toContain('Open the payment page')
		expect((await visitor.visit('/funds/return?ref=PI-OF-NOBODY')).status).toBe(404)
	})
})

test('shows the exchange’s message about a bid when the broker lists no applications', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	opened.failCalls('/v1/ours/ipo-applications', () => new Response('', { status: 404 }))
	const location = await sendMoneyForm('a bid', visitor)
	opened.breakBroker(({ url }) => {
		const { pathname } = new URL(url)
		if (pathname === '/v1/ours/ipo-applications') return new Response('', { status: 404 })
		if (pathname === '/ipo/v1/get-client-wise-bid-report') return Response.json({ status: 'success', message: 'ok', data: [] })
		return undefined
	})
	const { status, html } = await visitor.visit(location)
	expect(status).toBe(200)
	expect(readText(html)).toMatch(/Issue .+ Amount ₹ .+ Status Success Message .+ Application number/)
	expect((await (await signedIn(opened, 'DEMO01')).visit(location)).status).toBe(404)
})

test('shows the known facts of a mandate when the broker lists no mandates', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	await sendMoneyForm('a mandate', visitor)
	opened.failCalls('/v1/ours/mandates', () => new Response('', { status: 404 }))
	const back = readText((await visitor.visit('/funds/e-mandate?ref=EM123456')).html)
	expect(back).toMatch(/You are back from your bank’s page\..*At most ₹ 5,000\.00 from .+ ••••••\d{4}/)
	expect(readText((await visitor.visit('/funds/e-mandate')).html)).not.toContain('You are back')
	// A list that failed may contain the mandate with more facts.
	opened.failCalls('/v1/ours/mandates', () => new Response('', { status: 500 }))
	expect(readText((await visitor.visit('/funds/e-mandate?ref=EM123456')).html)).not.toContain('You are back')
})

test.each([
	['SUCCESS', 'Bid submitted'],
	['FAILED', 'Bid not placed'],
])('keeps 300 characters of the exchange’s message about a bid with %s', async (status, heading) => {
	const visitor = await signedIn(opened, 'CASH01')
	const bid = MONEY_FORMS.find(({ name }) => name === 'a bid')
	if (!bid) throw new Error('There is no form of a bid')
	const { address, fields } = await bid.prepare(visitor, 1)
	const rows = [1, 2, 3].map((nth) => ({
		status,
		message: `Line ${nth} ${'x'.repeat(9000)}`,
		application_no: '7000000001',
		bid_reference_no: `${nth}`,
		exchange: 'NSE',
	}))
	const answers: Record<string, unknown> = { '/ipo/v1/bid/bidSubmit': rows, '/ipo/v1/get-client-wise-bid-report': [] }
	opened.breakBroker(({ url }) => {
		const { pathname } = new URL(url)
		if (pathname === '/v1/ours/ipo-applications') return new Response('', { status: 404 })
		return pathname in answers ? Response.json({ status: 'success', message: 'ok', data: answers[pathname] }) : undefined
	})
	const placed = await visitor.postRaw(address, fields)
	expect(placed.status).toBe(303)
	const { status: shown, html } = await visitor.visit(placed.headers.get('location') ?? '')
	expect(shown).toBe(200)
	const text = readText(html)
	expect(text).toContain(heading)
	// "Line 3 " and the dots are 8 of 300 characters.
	expect(text).toMatch(/Message Line 3 x{292}…/)
	expect(text.includes('No money is blocked')).toBe(status === 'FAILED')
})

test('a receipt too long for its cookies does not make a done request an error', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	opened.rewriteCalls('/atompay/v2/Request', (json) => {
		json.data = { ...(json.data as object), request_id: 'P'.repeat(9000) }
	})
	expect(await sendMoneyForm('a pay-in', visitor)).toMatch(/\/pay\?token=/)
})

test.each(['/funds', '/funds/withdraw', '/funds/e-mandate'])('%s shows a dash for a bank without a name', async (page) => {
	const visitor = await signedIn(opened, 'CASH01')
	opened.rewriteCalls('/v2/account-profile/bank-details', (json) => {
		for (const bank of json.data as Record<string, unknown>[]) bank.bank_name = null
	})
	const { status, html } = await visitor.visit(page)
	expect(status).toBe(200)
	expect(readText(html)).toMatch(/— •{6}\d{4}/)
	expect(html).not.toMatch(/>\s*null\b/)
})

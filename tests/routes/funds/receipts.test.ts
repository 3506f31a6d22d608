import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signedIn } from '#tests/support/account'
import { MONEY_FORMS } from '#tests/support/money-forms'
import { openPortal, type Visitor } from '#tests/support/portal'
import { firstLink, readText } from '#tests/support/readers'

/* The result of a request for money comes from the broker's own answer to it while the broker's list does not have it. */

let opened: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
	opened = await openPortal(['DEMO01', 'CASH01'])
}, 120_000)
afterAll(() => opened.close())
afterEach(() => opened.breakBroker(undefined))

const MOVEMENTS = '/v1/account_profile/list_of_funds_payout_payin'
const LISTS: readonly [string, who: string, other: string, () => Response][] = [
	['lags', 'DEMO01', 'CASH01', () => Response.json({ status: 'success', message: 'ok', data: [] })],
	['is missing', 'CASH01', 'DEMO01', () => new Response('', { status: 404 })],
]

async function send(name: string, visitor: Visitor) {
	const form = MONEY_FORMS.find((each) => each.name === name)
	if (!form) throw new Error(`There is no form of ${name}`)
	const { address, fields } = await form.prepare(visitor, 0)
	const answer = await visitor.postRaw(address, fields)
	expect(answer.status).toBe(303)
	return answer.headers.get('location') ?? ''
}

describe.each(LISTS)('a list that %s', (_, who, other, list) => {
	test('shows a payout by its own answer, to its client alone', async () => {
		const visitor = await signedIn(opened, who)
		// The form of money-forms.ts asks for ₹ 5.
		const location = await send('a payout', visitor)
		opened.failCalls(MOVEMENTS, list)
		const { status, html } = await visitor.visit(location)
		expect(status).toBe(200)
		expect(readText(html)).toMatch(/The broker has your request.*Amount ₹ 5\.00/)
		expect((await (await signedIn(opened, other)).visit(location)).status).toBe(404)
		opened.breakBroker(undefined)
		expect(readText((await visitor.visit(location)).html)).not.toContain('The broker has your request')
	})

	test('shows a payment as pending, with the way back to the payment page', async () => {
		const visitor = await signedIn(opened, who)
		await send('a pay-in', visitor)
		const address = firstLink((await visitor.visit('/funds/history')).html, '/funds/return?ref=')
		opened.failCalls(MOVEMENTS, list)
		const { status, html } = await visitor.visit(address)
		expect(status).toBe(200)
		expect(readText(html)).toMatch(/Payment pending.*Do not pay again.*Amount ₹ 2,500\.00/)
		expect(html).toContain('Open the payment page')
		expect((await visitor.visit('/funds/return?ref=PI-OF-NOBODY')).status).toBe(404)
	})
})

test('shows what the exchange said of a bid where the broker lists no applications', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	opened.failCalls('/v1/ours/ipo-applications', () => new Response('', { status: 404 }))
	const location = await send('a bid', visitor)
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

test('says of a mandate what is known, where the broker lists none', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	await send('a mandate', visitor)
	opened.failCalls('/v1/ours/mandates', () => new Response('', { status: 404 }))
	const back = readText((await visitor.visit('/funds/e-mandate?ref=EM123456')).html)
	expect(back).toMatch(/You are back from your bank’s page\..*At most ₹ 5,000\.00 from .+ ••••••\d{4}/)
	expect(readText((await visitor.visit('/funds/e-mandate')).html)).not.toContain('You are back')
})

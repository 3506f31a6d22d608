import { expect, test } from 'vitest'
import { atProvider } from '#tests/support/account'
import { atDepository, confirm, PLEDGE, rowWith } from '#tests/support/depository'
import { atBank } from '#tests/support/funds'
import { sendMoneyForm } from '#tests/support/money-forms'
import { openPortalForFile, ORIGIN, signedIn } from '#tests/support/portal'
import { hidden, parsePage, readHeading, readKeys, readText } from '#tests/support/readers'

/* References with spaces, another script and 120 characters more than the contract's, in every return address of the portal. */

const opened = openPortalForFile()

const START = 'संदर्भ & क्रम '
const END = ` (${'x'.repeat(120)})`
const NAMES = new Set(['request_id', 'reference'])
const ASKED = new Set(['request_id', 'reference', 'ref'])

const rename = (id: string) => (id.startsWith(START) ? id : START + id + END)
const restore = (id: string) => (id.startsWith(START) ? id.slice(START.length, -END.length) : id)

function walk(value: unknown, change: (id: string) => string): unknown {
	if (Array.isArray(value)) return value.map((each) => walk(each, change))
	if (typeof value !== 'object' || value === null) return value
	return Object.fromEntries(
		Object.entries(value).map(([name, each]) => [name, NAMES.has(name) && typeof each === 'string' ? change(each) : walk(each, change)]),
	)
}

/** From now on the broker sends and accepts such references. */
function renameReferences() {
	opened.breakBroker(async (request) => {
		const url = new URL(request.url)
		for (const [name, value] of [...url.searchParams]) if (ASKED.has(name)) url.searchParams.set(name, restore(value))
		const isJson = request.headers.get('content-type')?.includes('json')
		const body = isJson ? JSON.stringify(walk(await request.json(), restore)) : request.body
		const { method, headers } = request
		const asked = new Request(url, { method, headers, body, duplex: 'half' } as RequestInit)
		const answer = await opened.forward(asked)
		if (!answer.headers.get('content-type')?.includes('json')) return answer
		return Response.json(walk(await answer.json(), rename), { status: answer.status })
	})
}

/** A return address with the broker's changed reference in it. */
function withOwnReference(address: string) {
	const url = new URL(address, ORIGIN)
	url.searchParams.set('ref', rename(url.searchParams.get('ref') ?? ''))
	return url.pathname + url.search
}

test('a payout is shown and cancelled', async () => {
	renameReferences()
	const visitor = await signedIn(opened, 'CASH01')
	const place = await sendMoneyForm('a payout', visitor)
	const { status, html } = await visitor.visit(place)
	expect([status, readText(html).includes('is on its way')]).toEqual([200, true])
	const ref = new URL(place, ORIGIN).searchParams.get('ref') ?? ''
	expect(ref.startsWith(START)).toBe(true)
	expect((await visitor.postRaw(place, { ...readKeys(html), ref })).status).toBe(303)
	expect(readText((await visitor.visit(place)).html)).toContain('You cancelled this payout.')
})

test('a mandate is shown and ended', async () => {
	renameReferences()
	const visitor = await signedIn(opened, 'DEMO01')
	const back = withOwnReference(await atBank(await sendMoneyForm('a mandate', visitor), 'confirm'))
	expect(readText((await visitor.visit(back)).html)).toContain('You confirmed the mandate.')
	const ref = new URL(back, ORIGIN).searchParams.get('ref') ?? ''
	const { html } = await visitor.visit(`/funds/e-mandate?cancel=${encodeURIComponent(ref)}`)
	const form = html.slice(html.indexOf('Cancel this mandate?'))
	const fields = { ...readKeys(form), intent: 'cancel', reference: hidden(form, 'reference') }
	expect(fields.reference).toBe(ref)
	const ended = await visitor.postRaw('/funds/e-mandate', fields)
	expect([ended.status, ended.headers.get('location')]).toEqual([303, '/funds/e-mandate'])
})

test('an e-sign is found at the return, and its request is listed', async () => {
	renameReferences()
	const visitor = await signedIn(opened, 'NEW001')
	const answers = { reason: 'Not trading', close: 'Trading and Demat', holdings: 'close' }
	await visitor.post('/myaccount/closure', '/myaccount/closure', answers)
	const { html } = await visitor.visit('/myaccount/closure/check')
	const inputs = parsePage(html).querySelectorAll('form').at(-1)?.querySelectorAll('input[name]') ?? []
	const fields = Object.fromEntries(inputs.map((input) => [input.getAttribute('name'), input.getAttribute('value') ?? '']))
	expect((await visitor.postRaw('/myaccount/closure/check', fields)).status).toBe(303)
	const { url } = await atProvider(visitor)
	const { status, html: signed } = await visitor.visit(withOwnReference(url))
	expect([status, readHeading(signed)]).toEqual([200, 'Signed'])
	expect(readText(signed)).toContain(`Reference ${START}`)
	expect(readText((await visitor.visit('/myaccount/requests')).html)).toContain('Account closure')
})

test('a pledge is found at the return from the depository', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { isin } = await rowWith(visitor, PLEDGE, 'Free')
	renameReferences()
	const order = await visitor.post(PLEDGE, PLEDGE, { action: 'pledge', [`qty.${isin}`]: '10' })
	const { url } = await atDepository(visitor, await confirm(visitor, order.headers.get('location') ?? ''))
	const back = await visitor.visit(withOwnReference(url))
	expect([back.status, readText(back.html)]).toEqual([200, expect.stringContaining('Pledge confirmed')])
	expect(readText(back.html)).toContain(START)
})

test('a security without a standard ISIN is pledged under the broker’s id', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { isin } = await rowWith(visitor, PLEDGE, 'Free')
	const own = 'बंधपत्र RE-2026 (7)'
	const sent: string[] = []
	opened.breakBroker(async (request) => {
		const { pathname } = new URL(request.url)
		if (!pathname.startsWith('/v1/margin_epledge')) return undefined
		const text = await request.text()
		if (text) sent.push(text)
		const { method, headers } = request
		const answer = await opened.forward(new Request(request.url, { method, headers, body: text ? text.replaceAll(own, isin) : null }))
		return new Response((await answer.text()).replaceAll(isin, own), {
			status: answer.status,
			headers: { 'content-type': 'application/json' },
		})
	})
	const order = await visitor.post(PLEDGE, PLEDGE, { action: 'pledge', [`qty.${own}`]: '10' })
	const place = order.headers.get('location') ?? ''
	expect(readText((await visitor.visit(place)).html)).toContain(own)
	const left = await confirm(visitor, place)
	expect([left.status, sent.map((text) => (JSON.parse(text) as { data: unknown }).data)]).toEqual([303, [[{ isin: own, qty: 10 }]]])
})

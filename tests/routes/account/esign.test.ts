import { expect, test } from 'vitest'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { firstLink, hidden, parsePage, readHeading, readText } from '#tests/support/readers'

const opened = openPortalForFile()

const TAB = '/myaccount/closure'
const CHECK = '/myaccount/closure/check'
const ANSWERS = { reason: 'Not trading', close: 'Trading and Demat', holdings: 'close' }

/** The fields of the page's last form with this button, as a browser would send them. */
function readFields(html: string, button = ''): Record<string, string> {
	const form = parsePage(html)
		.querySelectorAll('form')
		.findLast((each) => readText(each).includes(button))
	const inputs = form?.querySelectorAll('input[name]') ?? []
	return Object.fromEntries(inputs.map((input) => [input.getAttribute('name'), input.getAttribute('value') ?? '']))
}

/** Goes to the check page, with this value as the broker's e-sign response. Withdraws an earlier request, which would be refused. */
async function leave(visitor: Visitor, response?: unknown) {
	if ((await visitor.visit(TAB)).html.includes('Withdraw the request')) await withdraw(visitor)
	await visitor.post(TAB, TAB, ANSWERS)
	if (response !== undefined) {
		opened.breakBroker((request) =>
			request.url.includes('acc-closing-esign') ? Response.json({ status: 'success', message: 'Proceed', data: response }) : undefined,
		)
	}
	const { html } = await visitor.visit(CHECK)
	return await visitor.postRaw(CHECK, readFields(html))
}

/** The provider's page, also served by this broker. */
async function atProvider(answer: Response, outcome: string): Promise<string> {
	const address = new URL(answer.headers.get('location') ?? '')
	expect(address.origin + address.pathname).toBe('https://esign.test/esign')
	const page = await (await fetch(address)).text()
	expect(page).toContain('Account closure')
	const back = await fetch('https://esign.test/esign', {
		method: 'POST',
		body: new URLSearchParams({ response: address.searchParams.get('response') ?? '', outcome }),
		redirect: 'manual',
	})
	const location = new URL(back.headers.get('location') ?? '')
	expect(location.origin).toBe('https://portal.test')
	return location.pathname + location.search
}

async function withdraw(visitor: Visitor) {
	const { html } = await visitor.visit(TAB)
	return await visitor.postRaw(TAB, readFields(html, 'Withdraw the request'))
}

test('redirects an opaque value to the configured page, and an allowed address as it is', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	const opaque = await leave(visitor)
	expect(opaque.status).toBe(303)
	expect(opaque.headers.get('location')).toMatch(/^https:\/\/esign\.test\/esign\?response=[\w-]{43}$/)
	const address = 'https://esign.test/sign/9f1c27d3a4b84e0f?txn=ES2503280042'
	expect((await leave(visitor, address)).headers.get('location')).toBe(address)
})

test.each([
	'http://esign.test/sign/9f1c27d3',
	'https://evil.test/sign/9f1c27d3',
	'https://esign.test.evil.test/sign',
	'https://esign.test@evil.test/sign',
	'https://evil.test\\@esign.test/sign',
	'https://esign.test:8443/sign/9f1c27d3',
	'https://93.184.216.34/sign/9f1c27d3',
	'https://xn--sign-0ra.test/sign/9f1c27d3',
	'//esign.test/sign/9f1c27d3/long-enough',
	'javascript:alert(document.domain)',
	'data:text/html,<script>alert(1)</script>',
	'https://esign.test/a https://evil.test/b',
	'https://esign.test/\r\nlocation: https://evil.test',
	'<form action="https://evil.test"><input name="x"></form>',
	'short',
])('does not follow %j, says so, and logs a line with at most the host', async (response) => {
	const visitor = await signedIn(opened, 'NEW001')
	opened.lines.length = 0
	const answer = await leave(visitor, response)
	expect(answer.status).toBe(502)
	expect(answer.headers.get('location')).toBeNull()
	expect(await answer.text()).toContain('cannot open the e-sign page because its address is not approved')
})

test.each([
	['', 502],
	[42, 502],
	[null, 502],
	[['https://esign.test/a/b/c/d/e'], 502],
])('refuses %j as an e-sign response', async (response, status) => {
	const answer = await leave(await signedIn(opened, 'NEW001'), response)
	expect([answer.status, answer.headers.get('location')]).toEqual([status, null])
})

test('shows the time and the reference after signing, in all tabs', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	const back = await atProvider(await leave(visitor), 'sign')
	const { status, html } = await visitor.visit(back)
	expect(status).toBe(200)
	expect(readHeading(html)).toBe('Signed')
	expect(html).toMatch(/Signed at \d\d:\d\d on \d\d\/\d\d\/\d{4}\. Reference ES-[0-9A-F]{10}\./)
	expect(html).not.toContain('Sign again')
	expect(readText(html)).toContain('What happens next Your account closes by ')
	expect(readText((await visitor.visit(back)).html)).toContain('What happens next Your account closes by ')
	const closure = await visitor.visit(TAB)
	expect(closure.html).toContain('Your account is being closed')
	expect(closure.html).toContain('Closes by')
	// Another client's reference shows nothing.
	const other = await signedIn(opened, 'CASH01')
	expect((await other.visit(back)).status).toBe(404)
	expect((await withdraw(visitor)).status).toBe(303)
	const withdrawn = readText((await visitor.visit(back)).html)
	expect(withdrawn).toContain('What happens next Account closure shows how far it is.')
	expect(withdrawn).not.toContain('Your account closes')
})

test('shows a cancelled or failed e-sign: nothing has changed, and signing again needs no typing', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	const cancelled = await visitor.visit(await atProvider(await leave(visitor), 'cancel'))
	expect(cancelled.html).toContain('You cancelled the e-sign. Nothing has changed.')
	expect(readHeading(cancelled.html)).toBe('Not signed')
	// Opened again from a page of the portal, it begins a signature.
	const opener = (await visitor.visit(TAB)).html
	expect(readHeading((await visitor.visit(firstLink(opener, '/esign/return?ref='))).html)).toBe('Sign the request')
	const again = await visitor.postRaw('/esign', readFields(cancelled.html))
	const failed = await visitor.visit(await atProvider(again, 'fail'))
	expect(failed.html).toContain('The name on the Aadhaar did not match the account. Nothing has changed.')
	const signed = await visitor.visit(await atProvider(await visitor.postRaw('/esign', readFields(failed.html)), 'sign'))
	expect(readHeading(signed.html)).toBe('Signed')
	expect((await withdraw(visitor)).status).toBe(303)
})

test('shows what will be signed on its own page, which is not found without an e-sign', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	expect((await visitor.visit('/esign')).status).toBe(404)
	await leave(visitor)
	const page = await visitor.visit('/esign')
	expect(page.status).toBe(200)
	for (const said of ['You are about to sign', 'Account closure', 'Not trading', 'esign.test']) expect(page.html).toContain(said)
	expect(page.html).not.toMatch(/response=|[\w-]{43}(?=["&])(?=.*ES-)/)
	expect((await visitor.postRaw('/esign', readFields(page.html))).headers.get('location')).toMatch(
		/^https:\/\/esign\.test\/esign\?response=/,
	)

	// A value sealed for one client does not open for another, and an altered value opens for nobody.
	const other = await signedIn(opened, 'CASH01')
	const { html } = await other.visit('/dashboard')
	const csrf = hidden(html, 'csrf')
	const { signing = '' } = readFields(page.html)
	for (const value of [signing, `${signing}x`, '', 'https://evil.test/']) {
		const answer = await other.postRaw('/esign', { csrf, signing: value })
		expect([answer.status, answer.headers.get('location')]).toEqual([404, null])
	}
	// Extra fields change nothing.
	const chosen = await visitor.postRaw('/esign', { ...readFields(page.html), response: 'https://evil.test/', back: 'https://evil.test/' })
	expect(chosen.headers.get('location')).toMatch(/^https:\/\/esign\.test\//)
})

test('does not redirect to another address on the second try either', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	const back = await atProvider(await leave(visitor), 'cancel')
	opened.breakBroker((request) => {
		if (!request.url.includes('/v1/ours/esign?')) return undefined
		const said = { ...ESIGN, esign_response: 'https://evil.test/sign/9f1c27d3' }
		return Response.json({ status: 'success', message: 'E-sign fetched', data: said })
	})
	const { html } = await visitor.visit(back)
	const answer = await visitor.postRaw('/esign', readFields(html))
	expect([answer.status, answer.headers.get('location')]).toEqual([502, null])
	expect(await answer.text()).toContain('the e-sign page because its address is not approved')
})

const ESIGN = {
	reference: 'ES-0123456789',
	title: 'Account closure',
	lines: [],
	status: 'WAITING',
	last_outcome: null,
	reason: null,
	ended_at: null,
	expires_at: '2026-11-22T10:00:00.000Z',
	esign_response: 'ES2503280042.9f1c27d3a4b84e0fb6d2.KH10042',
}

test('uses the provider’s result only when the broker has no such operation and this client was sent there', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	await leave(visitor)
	const noCall = (request: Request) =>
		request.url.includes('/v1/ours/') ? Response.json({ status: 'error', message: 'No such call', data: null }, { status: 404 }) : undefined
	opened.breakBroker(noCall)
	const said = async (status: string, who = visitor) => {
		const page = await who.visit(`/esign/return?ref=ES-0123456789&status=${status}`)
		return [page.status, readHeading(page.html)]
	}
	expect(await said('signed')).toEqual([200, 'Sent back from e-sign'])
	expect(await said('cancelled')).toEqual([200, 'Not signed'])
	expect(await said('failed')).toEqual([200, 'Not signed'])
	expect(await said('toString')).toEqual([404, 'E-sign'])
	expect(await said('signed', await signedIn(opened, 'CASH01'))).toEqual([404, 'E-sign'])
	opened.breakBroker((request) => (request.url.includes('/v1/ours/') ? new Response('', { status: 500 }) : undefined))
	const failed = await visitor.visit('/esign/return?ref=ES-0123456789&status=signed')
	expect(failed.html.replaceAll('<!-- -->', '')).toContain('How the e-sign ended could not be loaded.')
})

test('asks the broker about a reference in any format, and never about an invalid one', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	const asked = async (ref: string) => {
		opened.asked.length = 0
		const page = await visitor.visit(`/esign/return?ref=${encodeURIComponent(ref)}&status=signed`)
		expect([ref, page.status, readHeading(page.html)]).toEqual([ref, 404, 'E-sign'])
		expect(page.html).not.toContain('<script>alert')
		return opened.asked.map(({ url }) => new URL(url)).filter(({ pathname }) => pathname === '/v1/ours/esign')
	}
	for (const none of ['', '../../x', 'ES-1%0d%0aX:1', 'a\r\nX: 1', 'A'.repeat(201)]) expect(await asked(none)).toEqual([])
	for (const unknown of ['ES-0123456789', 'es-0123', 'A'.repeat(200), '<script>alert(1)</script>', 'संदर्भ 12 & more=1'])
		expect((await asked(unknown)).map(({ searchParams }) => searchParams.get('ref'))).toEqual([unknown])
})

test('shows nothing from an address that the broker does not confirm', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	await leave(visitor)
	const said = 'Your account is blocked. Call 1800 000 000'
	const page = await visitor.visit(`/esign/return?ref=${encodeURIComponent(said)}&status=signed`)
	expect(readHeading(page.html)).toBe('Sent back from e-sign')
	expect(readText(page.html)).not.toContain('blocked')
})

test('shows a status that we do not know as the broker wrote it, and no time that the broker did not say', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	const back = await atProvider(await leave(visitor), 'cancel')
	const [, ref] = /ref=([\w-]+)/.exec(back) ?? []
	const change = (status: object) => opened.rewriteCalls('/v1/ours/esign', (json) => void Object.assign(json.data as object, status))
	change({ status: 'EXPIRED', esign_response: null, last_outcome: null })
	const expired = readText((await visitor.visit(back)).html)
	expect(expired).toContain(`The broker states the status EXPIRED. Reference ${ref}.`)
	expect(expired).not.toMatch(/You can sign until|not been signed/)
	change({ status: 'SIGNED', ended_at: null })
	expect(readText((await visitor.visit(back)).html)).toContain(` Signed. Reference ${ref}.`)
})

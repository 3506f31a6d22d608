import fs from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { lastCode, sendCode, sendForm } from '#tests/support/account'
import { loadPortal } from '#tests/support/built-portal'
import { ADD, atBank, payin, send } from '#tests/support/funds'
import { MONEY_FORMS, sendMoneyForm } from '#tests/support/money-forms'
import { cookieName } from '~/session/sealed-cookie.server'
import { openPortal, ORIGIN, signedIn, Visitor } from '#tests/support/portal'
import { hidden, parsePage, readKeys } from '#tests/support/readers'

/*
 * Everything that moves money or securities, or opens or closes access to an account, writes one audit line with the client's hash, the
 * address and the reference.
 */

// The portal logs to the first file descriptor, from which the test reads the lines. They are written at every level.
vi.stubEnv('LOG_LEVEL', 'warn')

const EVENTS: Record<string, string> = {
	'a pay-in': 'payin_started',
	'a payout': 'payout_asked',
	'the end of a payout': 'payout_cancelled',
	'a mandate': 'mandate_started',
	'the end of a mandate': 'mandate_cancelled',
	'a bid': 'ipo_bid',
	'a pledge': 'pledge_asked',
	'a release': 'pledge_asked',
	'a stock verification': 'otp_verified',
	'the DDPI': 'ddpi_asked',
	'the MTF activation': 'mtf_asked',
	'the closure': 'closure_asked',
	'the closure with a transfer': 'closure_asked',
	'the end of a closure': 'closure_withdrawn',
}

type Line = { event: string; status?: string; reference?: string; client?: string; address?: string }

let written = ''
let opened: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
	const { write } = fs
	vi.spyOn(fs, 'write').mockImplementation(((fd: number, data: string, ...rest: unknown[]) => {
		if (fd !== 1) return Reflect.apply(write, fs, [fd, data, ...rest]) as void
		written += data
		const done = rest.at(-1) as (error: null, bytes: number) => void
		setImmediate(done, null, Buffer.byteLength(data))
	}) as typeof fs.write)
	opened = await openPortal()
})
afterAll(async () => {
	vi.restoreAllMocks()
	await opened.close()
})

function readLines(event: string, reference: string | null): Line[] {
	return written
		.split('\n')
		.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
		.filter((line) => line.event === event && line.reference === reference)
}

/** The lines of the event with the reference of the response. */
async function readEventLines(event: string, answer: Response): Promise<Line[]> {
	await answer.text()
	// The log is written later and in order. When the line of a later request is there, all lines of this request are there too.
	const later = await new Visitor(opened.portal, { cookie: `${cookieName('session')}=none` }).send('/dashboard')
	await expect.poll(() => readLines('session_invalid', later.headers.get('x-request-id')).length, { interval: 5 }).toBeGreaterThan(0)
	return readLines(event, answer.headers.get('x-request-id'))
}

/** The hash of a client's lines. */
const readClient = async (visitor: Visitor) => (await readEventLines('logout', await visitor.post('/dashboard', '/logout', {})))[0]?.client

test.for(MONEY_FORMS)('$name writes one audit line', { timeout: 60_000 }, async ({ name, who, prepare }) => {
	const visitor = await signedIn(opened, who)
	const { address, fields, files } = await prepare(visitor, 0)
	const answer = files ? await sendForm(visitor, address, fields, files) : await visitor.postRaw(address, fields)
	const lines = await readEventLines(EVENTS[name] ?? name, answer)
	expect([answer.status, lines]).toEqual([expect.toBeOneOf([302, 303]), [expect.objectContaining({ address: 'unknown' })]])
	expect(lines[0]?.client).toMatch(/^[0-9a-f]{32}$/)
	expect(await readClient(visitor)).toBe(lines[0]?.client)
})

test('a withdrawn closure request writes its line also when the request in its place is refused', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	await sendMoneyForm('the closure', visitor)
	await visitor.post('/myaccount/closure', '/myaccount/closure', { reason: 'Service', close: 'Demat', holdings: 'close' })
	const check = '/myaccount/closure/check'
	const question = await (await visitor.postRaw(check, readKeys((await visitor.visit(check)).html))).text()
	const form = question.slice(question.indexOf('name="asked"') - 400)
	const message = 'Closed for today'
	opened.failCalls('/v1/acc-closing-esign-proccess', () => Response.json({ status: 'error', message, data: null }, { status: 422 }))
	const refused = await visitor.postRaw(check, {
		...readKeys(question),
		idempotency_key: hidden(form, 'idempotency_key'),
		replaces: hidden(question, 'replaces'),
	})
	opened.breakBroker(undefined)
	expect([refused.status, await readEventLines('closure_withdrawn', refused)]).toEqual([
		422,
		[expect.objectContaining({ client: expect.stringMatching(/^[0-9a-f]{32}$/) as string })],
	])
})

test('a wrong password and a changed password write lines of the same client', async () => {
	const visitor = await signedIn(opened, 'DEBT01')
	const change = (old_password: string) =>
		visitor.post('/change-password', '/change-password', { old_password, new_password: 'Next#5678', confirm_password: 'Next#5678' })
	const [refused] = await readEventLines('password_refused', await change('Wrong#1234'))
	const [changed] = await readEventLines('password_changed', await change('Demo@1234'))
	expect(refused?.client).toMatch(/^[0-9a-f]{32}$/)
	expect(changed?.client).toBe(refused?.client)
})

/** The broker does what it is asked, and its reply is lost. */
const loseReply = (call: string) =>
	opened.breakBroker(async (request) => {
		if (!request.url.includes(call)) return undefined
		await opened.forward(request)
		throw new TypeError('fetch failed')
	})

test('a lost reply to an OTP or to a new password writes that its result is not known, and no refusal', async () => {
	const visitor = await signedIn(opened, 'CLOS01')
	await visitor.post('/myaccount/mobile', '/myaccount/mobile', { input: '98765 00033' })
	const form = { otp: await lastCode('CLOS01') }
	loseReply('verify_otp')
	const lost = await sendCode(visitor, '/myaccount/mobile/otp', form)
	opened.breakBroker(undefined)
	expect([lost.status, await readEventLines('otp_unknown', lost)]).toEqual([expect.toBeOneOf([502, 503, 504]), [expect.anything()]])
	expect(readLines('otp_refused', lost.headers.get('x-request-id'))).toEqual([])

	loseReply('/v1/user/update-password')
	const words = { old_password: 'Demo@1234', new_password: 'Next#5678', confirm_password: 'Next#5678' }
	const changed = await visitor.post('/change-password', '/change-password', words)
	opened.breakBroker(undefined)
	expect(await readEventLines('password_change_unknown', changed)).toEqual([expect.anything()])
	expect(readLines('password_refused', changed.headers.get('x-request-id'))).toEqual([])
})

test('a request whose e-sign page is not approved writes its line all the same', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const page = '/connect/mtf'
	const fields = readKeys((await visitor.visit(page)).html)
	opened.breakBroker(async (request) => {
		if (new URL(request.url).pathname !== '/v1/mtf_esign_process') return undefined
		return Response.json({ status: 'success', message: 'ok', data: 'https://evil.test/sign' })
	})
	const answer = await visitor.postRaw(page, fields)
	opened.breakBroker(undefined)
	expect([answer.status, await readEventLines('mtf_asked', answer)]).toEqual([502, [expect.anything()]])
})

test('an idle logout writes a line of its client', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 + 1000 })
	const lines = await readEventLines('idle_logout', await visitor.send('/dashboard'))
	vi.useRealTimers()
	expect(lines).toEqual([expect.objectContaining({ client: expect.stringMatching(/^[0-9a-f]{32}$/) as string })])
})

test('a session that the broker refuses in every call of a page writes one line of its client', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	let refusals = 0
	opened.breakBroker(() => {
		refusals += 1
		return Response.json({ status: 'error', message: 'Token has expired', data: null }, { status: 401 })
	})
	const lines = await readEventLines('session_expired', await visitor.send('/dashboard'))
	opened.breakBroker(undefined)
	expect(refusals).toBeGreaterThan(1)
	expect(lines).toEqual([expect.objectContaining({ client: expect.stringMatching(/^[0-9a-f]{32}$/) as string })])
})

/** The requests that a script sends when the page at this address reloads its data: the loaders of the routes that revalidate. */
async function findPollAddress(address: string, ids: readonly string[]): Promise<string> {
	const { routes } = await loadPortal()
	const url = new URL(address, ORIGIN)
	const asked = { currentUrl: url, nextUrl: url, currentParams: {}, nextParams: {}, defaultShouldRevalidate: true }
	const asking = ids.filter((id) => {
		const module = routes[id]?.module as { shouldRevalidate?: (args: typeof asked) => boolean } | undefined
		if (!module) throw new Error(`There is no route ${id}`)
		return module.shouldRevalidate?.(asked) ?? true
	})
	return `${url.pathname}.data?${new URLSearchParams({ ref: url.searchParams.get('ref') ?? '', _routes: asking.join(',') })}`
}

test('a payment’s page that polls writes one line, and does not keep its session alive', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const asked = await send(visitor, ADD, payin({ amount: '41' }))
	const place = await atBank(asked.headers.get('location') ?? '', 'wait')
	const [line, ...others] = await readEventLines('payin_returned', await visitor.send(place))
	expect([line, others]).toEqual([expect.objectContaining({ status: 'PENDING' }), []])

	const poll = await findPollAddress(place, ['root', 'routes/shell', 'routes/funds/return'])
	const script = { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }
	const statuses: (string | undefined)[] = []
	const started = Date.now()
	// Requests are ten minutes apart, and the session ends after two hours without use. Meanwhile the bank confirms the payment.
	for (let minutes = 0; minutes <= 110; minutes += 10) {
		vi.useFakeTimers({ toFake: ['Date'], now: started + minutes * 60_000 })
		const again = await visitor.send(poll, { headers: script })
		expect([minutes, again.status, again.headers.getSetCookie()]).toEqual([minutes, 200, []])
		expect(await again.clone().text()).toContain(minutes === 0 ? 'Payment pending' : 'Payment ')
		statuses.push(...(await readEventLines('payin_returned', again)).map(({ status }) => status))
	}
	expect(statuses).toEqual(['SUCCESS'])
	vi.useFakeTimers({ toFake: ['Date'], now: started + 121 * 60_000 })
	const late = await visitor.send(poll, { headers: script })
	expect(await late.clone().text()).toContain('reason=idle')
	expect(await readEventLines('idle_logout', late)).toHaveLength(1)
	vi.useRealTimers()
})

test.each([
	['esign_returned', '/esign/return?ref='],
	['pledge_returned', '/dpprocess/pledge/return?ref='],
])('a page that is loaded again writes %s once', async (event, start) => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit('/dashboard')
	const address = parsePage(html).querySelector(`a[href^="${start}"]`)?.getAttribute('href') ?? ''
	const lines = []
	for (let time = 1; time <= 3; time++) lines.push(await readEventLines(event, await visitor.send(address)))
	expect(lines).toEqual([[expect.objectContaining({ status: expect.any(String) as string })], [], []])
})

test('an address or a method that no page has is no fault of the portal, and writes no error', async () => {
	const visitor = new Visitor(opened.portal)
	const found = []
	for (const path of ['/no-such-page', '/dashboard.data', '/downloads/year-pack']) {
		const answer = await visitor.postRaw(path, { x: '1' })
		found.push([answer.status, await readEventLines('page_failed', answer)])
	}
	for (const path of ['/no-such-page', '/login?_data=x']) {
		const answer = await visitor.send(path)
		found.push([answer.status, await readEventLines('page_failed', answer)])
	}
	expect(found).toEqual([405, 405, 405, 404, 400].map((status) => [status, []]))
})

test('no line contains a client code or a password', () => {
	expect(written).toContain('"event":"login"')
	for (const name of ['DEMO01', 'CASH01', 'CLOS01', 'NEW001', 'DEBT01', 'Demo@1234', 'Next#5678', 'Wrong#1234'])
		expect(written).not.toContain(name)
})

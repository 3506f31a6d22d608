import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { currentYear, formatYear } from '~/lib/financial-year'
import { openPortal, Visitor } from './portal'
import { textOf } from './readers'

/*
 * The portal makes no links: the broker's answers about them are given here, and its tokens are those of real logins to the sandbox.
 */
let open: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
	open = await openPortal(['DEMO01', 'CASH01'])
})
afterAll(() => open.close())
beforeEach(() => {
	open.asked.length = 0
	open.lines.length = 0
	open.breakBroker(answerLinks)
})
afterEach(() => open.breakBroker(undefined))

const REPORT = '/client/reports'
const SESSION = 'b7a1f0c2-5d0e-4a86-9f4e-1c42d1004200'
const linkOf = (user: string, session = SESSION) => `${REPORT}?UserId=${user}&SessionId=${session}&Product=CONNECT`
const error = (status: number, message: string) => Response.json({ status: 'error', message, data: null }, { status })
const asked = (path: string) => open.asked.filter((request) => new URL(request.url).pathname === path)
const VALIDATE = '/v2/web/validate-report-link'
/** A fresh token of the broker, as a link would give it. */
async function tokenOf(username: string): Promise<string> {
	const person = new Visitor(open.portal)
	let token = ''
	const real = globalThis.fetch
	globalThis.fetch = async (input, init) => {
		const answer = await real(input, init)
		const said = (await answer
			.clone()
			.json()
			.catch(() => undefined)) as { data?: { authToken?: string } } | undefined
		token ||= said?.data?.authToken ?? ''
		return answer
	}
	await person.login(username)
	globalThis.fetch = real
	expect(token).not.toBe('')
	return token
}

async function answerLinks(request: Request): Promise<Response> {
	const { pathname, searchParams } = new URL(request.url)
	if (pathname !== VALIDATE) return undefined!
	if (searchParams.get('SessionId') !== SESSION) return error(401, 'Link is not valid')
	const clientCode = searchParams.get('UserId') ?? ''
	return Response.json({ status: 'success', message: '', data: { clientCode, authToken: await tokenOf(clientCode) } })
}

async function openedBy(user = 'DEMO01') {
	const visitor = new Visitor(open.portal)
	const answer = await visitor.send(linkOf(user))
	expect([answer.status, answer.headers.get('location')]).toEqual([302, expect.stringMatching(OPENED)])
	return { visitor, answer }
}

/** The report of one of the links that are open in a browser. */
const OPENED = /^\/client\/reports\?link=[\w-]{36}$/
const NOT_VALID = 'This link is not valid or has expired'

test('a link opens the report without a shell, and is gone from the address', async () => {
	const { visitor, answer } = await openedBy()
	const cookie = answer.headers.getSetCookie().find((set) => set.startsWith('__Secure-weblink='))
	for (const part of ['Path=/client', 'HttpOnly', 'Secure', 'SameSite=Lax']) expect(cookie).toContain(part)
	expect([...visitor.cookies.keys()].filter((name) => /session|activity/.test(name))).toEqual([])
	const { status, html } = await visitor.visit(REPORT)
	expect(status).toBe(200)
	expect(html).toMatch(/<h1>Profit &amp; Loss<\/h1>/)
	expect(html).toContain('>Segments</caption>')
	expect(html).toContain('>Profit &amp; Loss</caption>')
	expect(html).not.toContain('aria-label="Main"')
	expect(html).not.toMatch(/href="\/(downloads|reports|myaccount)/)
	expect(html).not.toContain(SESSION)
	expect(open.lines.join('\n')).not.toContain(SESSION)
	expect(open.lines.join('\n')).not.toContain('DEMO01')
})

test('Product is CONNECT when the link does not say', async () => {
	const answer = await new Visitor(open.portal).send(`${REPORT}?UserId=DEMO01&SessionId=${SESSION}`)
	expect(answer.status).toBe(302)
	expect(new URL(asked(VALIDATE)[0]?.url ?? '').searchParams.get('Product')).toBe('CONNECT')
	expect(asked(VALIDATE)[0]?.headers.get('auth-token')).toBeNull()
})

test('the year is kept, and the files are those of the link’s client', async () => {
	const { visitor } = await openedBy('CASH01')
	const year = formatYear(currentYear() - 2)
	await visitor.visit(`${REPORT}?year=${year}`)
	const { html } = await visitor.visit(REPORT)
	expect(html).toContain(`/client/downloads/pnl/pdf?year=${year}`)
	for (const format of ['pdf', 'xls', 'csv']) {
		const file = await visitor.send(`/client/downloads/pnl/${format}?year=${year}`)
		expect(file.status).toBe(200)
		expect(file.headers.get('content-disposition')).toContain(`filename="CASH01_PNL.${format}"`)
	}
	const codes = open.asked.filter(({ url }) => !url.includes(VALIDATE)).map(({ headers }) => headers.get('client-code'))
	expect(new Set(codes.filter(Boolean))).toEqual(new Set(['CASH01']))
})

test('its cookie opens nothing else, under no other name either', async () => {
	const { visitor } = await openedBy()
	for (const address of ['/dashboard', '/reports/profitnloss', '/reports/ledger', '/downloads/pnl/csv', '/downloads/ledger/csv']) {
		const answer = await visitor.send(address)
		expect([address, answer.status]).toEqual([address, 302])
		expect(answer.headers.get('location')).toMatch(/^\/login/)
	}
	const sealed = visitor.cookies.get('__Secure-weblink') ?? ''
	const forged = await visitor.send('/dashboard', { headers: { cookie: `__Host-session=${sealed}; __Host-activity=${sealed}` } })
	expect(forged.headers.get('location')).toMatch(/^\/login/)
	const tampered = await visitor.send(REPORT, { headers: { cookie: `__Secure-weblink=${sealed.slice(0, -3)}AAA` } })
	expect([tampered.status, textOf(await tampered.text())]).toEqual([403, expect.stringContaining(NOT_VALID)])
})

test('a login and a link in one browser know nothing of each other', async () => {
	const visitor = new Visitor(open.portal)
	await visitor.login('DEMO01')
	const before = new Map(visitor.cookies)
	expect((await visitor.send(linkOf('CASH01'))).status).toBe(302)
	await visitor.send(REPORT)
	const file = await visitor.send('/client/downloads/pnl/csv')
	expect(file.headers.get('content-disposition')).toContain('CASH01_PNL.csv')
	expect(file.headers.getSetCookie()).toEqual([])
	for (const [name, value] of before) if (/session|activity/.test(name)) expect(visitor.cookies.get(name)).toBe(value)
	const own = await visitor.send('/downloads/pnl/csv')
	expect(own.headers.get('content-disposition')).toContain('DEMO01_PNL.csv')
	// The login's cookies alone open no report of a link.
	const alone = await visitor.send(REPORT, { headers: { cookie: [...before].map(([name, value]) => `${name}=${value}`).join('; ') } })
	expect(alone.status).toBe(403)
})

test('a link has eight CSV files at once, of its own and whoever is logged in beside it', async () => {
	const { visitor } = await openedBy('DEMO01')
	await visitor.login('CASH01')
	const ask = (address: string) => visitor.send(address, { headers: { 'x-download': 'fetch' } })
	const files = await Promise.all(Array.from({ length: 8 }, () => ask('/client/downloads/pnl/csv')))
	expect(files.map(({ status }) => status)).toEqual(Array(8).fill(200))
	const ninth = await ask('/client/downloads/pnl/csv')
	expect([ninth.status, await ninth.json()]).toEqual([429, { message: expect.stringContaining('You have 8 downloads running.') as string }])
	// The login's own files are not concerned.
	const own = await ask('/downloads/pnl/csv')
	expect(own.status).toBe(200)
	for (const file of [...files, own]) await file.body?.cancel()
	expect((await ask('/client/downloads/pnl/csv')).status).toBe(200)
})

test('an expired token is replaced once, in silence but for a word, and the call done again', async () => {
	const { visitor } = await openedBy()
	const sealed = visitor.cookies.get('__Secure-weblink')
	let refused = ''
	open.breakBroker(async (request) => {
		const token = request.headers.get('auth-token')
		refused ||= token ?? ''
		return token && token === refused ? error(401, 'Token has expired') : answerLinks(request)
	})
	open.asked.length = 0
	const { status, html } = await visitor.visit(REPORT)
	expect(status).toBe(200)
	expect(textOf(html)).toContain('Token refreshed, please try again')
	expect(html).toContain('>Profit &amp; Loss</caption>')
	expect(asked(VALIDATE)).toHaveLength(1)
	// What stands in an address stands in logs: these three, and never the token.
	expect([...new URL(asked(VALIDATE)[0]?.url ?? '').searchParams]).toEqual([
		['UserId', 'DEMO01'],
		['SessionId', SESSION],
		['Product', 'CONNECT'],
	])
	expect(visitor.cookies.get('__Secure-weblink')).not.toBe(sealed)
	expect(textOf((await visitor.visit(REPORT)).html)).not.toContain('Token refreshed')

	refused = ''
	open.asked.length = 0
	const file = await visitor.send('/client/downloads/pnl/pdf', { headers: { 'x-download': 'fetch' } })
	expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
	expect(asked(VALIDATE)).toHaveLength(1)
	expect(textOf((await visitor.visit(REPORT)).html)).toContain('Token refreshed, please try again')
})

test('a token that is refused again, or for another reason, ends the link and never loops', async () => {
	for (const [message, validations] of [
		['Token has expired', 1],
		['Session was closed', 0],
	] as const) {
		const { visitor } = await openedBy()
		open.breakBroker((request) => (request.headers.get('auth-token') ? error(401, message) : answerLinks(request)))
		open.asked.length = 0
		const answer = await visitor.send(REPORT)
		expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
		expect(textOf(await answer.text())).toContain('This link is not valid or has expired')
		expect(asked(VALIDATE)).toHaveLength(validations)
		expect(visitor.cookies.has('__Secure-weblink')).toBe(false)
		open.breakBroker(answerLinks)
	}
})

test('a download after the link’s end says so, and saves no page', async () => {
	const { visitor } = await openedBy()
	open.breakBroker((request) =>
		error(request.url.includes(VALIDATE) ? 410 : 401, request.url.includes(VALIDATE) ? 'Link has expired' : 'Token has expired'),
	)
	const fetched = await visitor.send('/client/downloads/pnl/pdf', { headers: { 'x-download': 'fetch' } })
	expect([fetched.status, await fetched.json()]).toEqual([403, { message: 'This link is not valid or has expired' }])
	const { status, html } = await visitor.visit('/client/downloads/pnl/pdf')
	expect(status).toBe(403)
	expect(textOf(html)).toContain('too old now')
})

test('a logout in the same browser ends the link too', async () => {
	const { visitor } = await openedBy('CASH01')
	await visitor.login('DEMO01')
	expect((await visitor.send(REPORT)).status).toBe(200)
	const out = await visitor.post('/dashboard', '/logout', {})
	for (const name of ['__Secure-weblink', '__Secure-weblink2', '__Secure-weblink3'])
		expect(out.headers.getSetCookie().find((set) => set.startsWith(`${name}=`))).toMatch(/^[\w-]+=;.*Path=\/client/)
	expect((await visitor.send(REPORT)).status).toBe(403)
})

test('a link that nobody uses for two hours ends, and one that is used does not', async () => {
	const { visitor: idle } = await openedBy()
	const { visitor: busy } = await openedBy()
	const start = Date.now()
	vi.useFakeTimers({ toFake: ['Date'] })
	try {
		vi.setSystemTime(start + 70 * 60_000)
		expect((await busy.send(REPORT)).status).toBe(200)
		vi.setSystemTime(start + 121 * 60_000)
		expect((await busy.send(REPORT)).status).toBe(200)
		const { status, html } = await idle.visit(REPORT)
		expect([status, textOf(html)]).toEqual([403, expect.stringMatching(/not valid or has expired.*too old now/)])
		expect(idle.cookies.has('__Secure-weblink')).toBe(false)
	} finally {
		vi.useRealTimers()
	}
})

test('the links of two clients in one browser stay two: no page, form or file of one leads to the other', async () => {
	const visitor = new Visitor(open.portal)
	const addresses = []
	for (const user of ['DEMO01', 'CASH01']) addresses.push((await visitor.send(linkOf(user))).headers.get('location') ?? '')
	const [demo = '', cash = ''] = addresses
	expect(demo).not.toBe(cash)
	for (const [address, own] of [
		[demo, 'DEMO01'],
		[cash, 'CASH01'],
		[demo, 'DEMO01'],
	] as const) {
		const { status, html } = await visitor.visit(address)
		expect([status, /(DEMO01|CASH01) · /.exec(textOf(html))?.[1]]).toEqual([200, own])
		const id = new URL(address, 'https://portal.test').searchParams.get('link')
		expect(html).toContain(`<input type="hidden" name="link" value="${id}"/>`)
		const links = [...html.matchAll(/(?:href|action)="(\/client\/[^"]*\?[^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
		expect(links.length).toBeGreaterThan(10)
		for (const href of links) expect(new URL(href, 'https://portal.test').searchParams.get('link'), href).toBe(id)
		const file = await visitor.send(links.find((href) => href.includes('/csv')) ?? '')
		expect(file.headers.get('content-disposition')).toContain(`${own}_PNL.csv`)
		await file.body?.cancel()
	}
	// What ends the one leaves the other.
	open.breakBroker((request) => (request.headers.get('client-code') === 'CASH01' ? error(401, 'Session was closed') : undefined))
	expect((await visitor.send(cash)).status).toBe(403)
	expect((await visitor.send(demo)).status).toBe(200)
	expect((await visitor.send(cash)).status).toBe(403)
})

test('the tabs of one client’s older link go on with a newer one', async () => {
	const { visitor, answer } = await openedBy('CASH01')
	const again = await visitor.send(linkOf('CASH01'))
	expect(again.headers.get('location')).toBe(answer.headers.get('location'))
	expect((await visitor.send(again.headers.get('location') ?? '')).status).toBe(200)
})

test('a link cannot turn into another client’s', async () => {
	const { visitor } = await openedBy('DEMO01')
	let isFirst = true
	open.breakBroker(async (request) => {
		if (new URL(request.url).pathname === VALIDATE)
			return Response.json({ status: 'success', message: '', data: { clientCode: 'CASH01', authToken: await tokenOf('CASH01') } })
		if (!isFirst) return undefined!
		isFirst = false
		return error(401, 'Token has expired')
	})
	expect((await visitor.send(REPORT)).status).toBe(403)
})

test.for<[what: string, query: string, status: number, words: string]>([
	['no parameters and no cookie', '', 403, `${NOT_VALID} This page is only open while the link that led to it is. A bookmark of it`],
	['no SessionId', '?UserId=DEMO01', 403, `${NOT_VALID} A part of its address is missing.`],
	['no UserId', `?SessionId=${SESSION}`, 403, `${NOT_VALID} A part of its address is missing.`],
	['the address of a report in another browser', '?link=6a1f0c2e-5d0e-4a86-9f4e-1c42d1004200', 403, 'opens nothing'],
	['a SessionId of nobody', '?UserId=DEMO01&SessionId=00000000-aaaa', 403, NOT_VALID],
	['nonsense', '?UserId=%3Cb%3E&SessionId=..%2F..', 403, NOT_VALID],
])('%s is refused in words', async ([, query, status, words]) => {
	const { status: answered, html, answer } = await new Visitor(open.portal, { 'x-forwarded-for': '10.0.0.1' }).visit(REPORT + query)
	expect([answered, textOf(html)]).toEqual([status, expect.stringContaining(words)])
	expect(html).toMatch(/<h1>Profit &amp; Loss<\/h1>/)
	expect(answer.headers.get('cache-control')).toContain('no-store')
})

test('too old is told apart from wrong, and a broker that does not answer is neither', async () => {
	open.breakBroker(() => error(410, 'Link has expired'))
	const old = await new Visitor(open.portal).visit(linkOf('DEMO01'))
	expect([old.status, textOf(old.html)]).toEqual([403, expect.stringMatching(/This link is not valid or has expired.*too old now/)])
	open.breakBroker(() => error(500, 'Oops'))
	const down = await new Visitor(open.portal).visit(linkOf('DEMO01'))
	expect(down.status).toBe(502)
	expect(textOf(down.html)).not.toContain('not valid')
})

test('a new bundle is started from the link as well', async () => {
	const { visitor } = await openedBy()
	const bodies: unknown[] = []
	open.breakBroker(async (request) => {
		if (!request.url.includes('/pnl-summary')) return undefined!
		bodies.push(await request.json())
		return Response.json({ status: 'success', message: '', data: { zip_time: null, is_genearte: false } }, { status: 202 })
	})
	const answer = await visitor.post(REPORT, REPORT, {})
	expect([answer.status, answer.headers.get('location')]).toEqual([303, REPORT])
	expect(bodies).toEqual([{ client_code: 'DEMO01', year: String(currentYear()), process_type: 'new' }])
	expect(textOf((await visitor.visit(REPORT)).html)).toContain('The summary bundle is being made')
})

// The last: it shuts the door for this address.
test('thirty wrong links from one address are enough for a quarter of an hour', async () => {
	const stranger = new Visitor(open.portal)
	let answer = await stranger.send(linkOf('DEMO01', 'wrong-wrong'))
	for (let count = 0; count < 40 && answer.status === 403; count++) answer = await stranger.send(linkOf('DEMO01', 'wrong-wrong'))
	expect(answer.status).toBe(429)
	expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
	const before = asked(VALIDATE).length
	expect((await stranger.send(linkOf('DEMO01'))).status).toBe(429)
	expect(asked(VALIDATE)).toHaveLength(before)
})

import { beforeAll, beforeEach, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, ORIGIN, signedIn, Visitor } from '#tests/support/portal'
import { listAttributes, readAll, readHeading, readText } from '#tests/support/readers'
import { error, formatLink, NOT_VALID, openLinks, REPORT, SESSION, VALIDATE } from '#tests/support/report-links'

/* The pages and files that a report link opens, and the ones that it does not. */

const open = openPortalForFile()
let links: ReturnType<typeof openLinks>
beforeAll(async () => {
	links = openLinks(open)
})
beforeEach(() => {
	open.asked.length = 0
	open.lines.length = 0
	open.breakBroker(links.answer)
})

test('a link opens the report without the menu, and its parameters leave the address', async () => {
	const { visitor, answer } = await links.openedBy()
	const cookie = answer.headers.getSetCookie().find((set) => set.startsWith('__Secure-weblink='))
	for (const part of ['Path=/client', 'HttpOnly', 'Secure', 'SameSite=Lax']) expect(cookie).toContain(part)
	expect([...visitor.cookies.keys()].filter((name) => /session|activity/.test(name))).toEqual([])
	const { status, html } = await visitor.visit(REPORT)
	expect(status).toBe(200)
	expect(readHeading(html)).toBe('Profit & Loss')
	expect(readAll(html, 'caption')).toEqual(expect.arrayContaining(['Segments', 'Profit & Loss']))
	expect(readText(html)).toMatch(
		/You can look and download, but not change anything\. The link closes at [^.]+ \(IST\), or after 2 hours without use\./,
	)
	expect(html).not.toContain('aria-label="Main"')
	expect(listAttributes(html, '[href]', 'href').filter((href) => /^\/(downloads|reports|myaccount)/.test(href))).toEqual([])
	expect(html).not.toContain(SESSION)
	expect(open.lines.join('\n')).not.toContain(SESSION)
	expect(open.lines.join('\n')).not.toContain('DEMO01')
})

test('a link with the broker’s own ids opens its report', async () => {
	const UserId = 'ग्राहक 42 / मुंबई'
	const SessionId = `session (${'x'.repeat(180)}) +=&`
	const query = { UserId, SessionId, Product: 'Back office 2' }
	open.breakBroker(async (request) => {
		const { pathname, searchParams } = new URL(request.url)
		if (pathname !== VALIDATE) return undefined
		expect(Object.fromEntries([...searchParams].filter(([name]) => name in query))).toEqual(query)
		return Response.json({ status: 'success', message: '', data: { clientCode: 'CASH01', authToken: await links.readToken('CASH01') } })
	})
	const visitor = new Visitor(open.portal)
	const answer = await visitor.send(`${REPORT}?${new URLSearchParams(query)}`)
	expect(answer.status).toBe(302)
	const { status, html } = await visitor.visit(answer.headers.get('location') ?? '')
	expect(status).toBe(200)
	expect(html).toContain('>Profit &amp; Loss</caption>')
	// Longer ids are not sent to the broker.
	const long = await visitor.send(`${REPORT}?${new URLSearchParams({ ...query, SessionId: 'x'.repeat(201) })}`)
	expect([long.status, readText(await long.text())]).toEqual([403, expect.stringContaining(NOT_VALID)])
})

test('Product is CONNECT when the link has none', async () => {
	const answer = await new Visitor(open.portal).send(`${REPORT}?UserId=DEMO01&SessionId=${SESSION}`)
	expect(answer.status).toBe(302)
	expect(new URL(links.asked(VALIDATE)[0]?.url ?? '').searchParams.get('Product')).toBe('CONNECT')
	expect(links.asked(VALIDATE)[0]?.headers.get('auth-token')).toBeNull()
})

/** Opens a link that the sandbox made, so that its session can read only what the broker opens to links. */
async function openMadeLink(client: string, query = '') {
	const body = JSON.stringify({ client, portal: ORIGIN })
	const made = await open.forward(
		new Request('http://127.0.0.1:4999/control/report-links', { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
	)
	const { data } = (await made.json()) as { data: { url: string } }
	open.breakBroker(undefined)
	const visitor = new Visitor(open.portal)
	const { pathname, search } = new URL(data.url)
	const answer = await visitor.send(pathname + search + query)
	return { visitor, address: answer.headers.get('location') ?? '' }
}

test('a healthy link loads every part of its report', async () => {
	const { visitor, address } = await openMadeLink('DEMO01', `&year=${formatYear(BROKERS_YEAR - 1)}`)
	const { status, html } = await visitor.visit(address)
	expect(status).toBe(200)
	expect(readText(html)).not.toContain('could not be loaded')
	expect(readText(html)).toContain('Expired, so closed without a trade: ')
	expect(readAll(html, 'h2')).toEqual(expect.arrayContaining(['Charges by kind', 'How this ties to the ledger']))
})

test('a broker that forbids additions to a link costs these parts only', async () => {
	const { visitor, address } = await openMadeLink('CASH01')
	open.failCalls(/^\/v1\/ours\//, () => error(403, 'This link opens its report only'))
	const { status, html } = await visitor.visit(address)
	expect(status).toBe(200)
	expect(readText(html)).not.toContain('could not be loaded')
	expect(readAll(html, 'caption')).toEqual(['Segments', 'Profit & Loss'])
})

test('a broker that answers nothing is said once, with a way to try again', async () => {
	const { visitor, address } = await openMadeLink('CASH01')
	open.breakBroker(() => error(500, 'Oops'))
	const { status, html } = await visitor.visit(address)
	const text = readText(html)
	expect(status).toBe(502)
	expect(text).toContain('Profit & Loss could not be loaded.')
	expect(text).toContain('If it fails again, ask your broker for a new link.')
	expect(text.match(/could not be loaded|Oops|Try again/g)).toEqual(['could not be loaded', 'Oops', 'Try again'])
	expect(readAll(html, 'h2')).toEqual([])
})

test('a link of a client without trades offers no page that needs a session', async () => {
	const { visitor, address } = await openMadeLink('NEW001')
	const { html } = await visitor.visit(address)
	expect(readText(html)).toContain('Nothing was held or traded in')
	expect(readText(html)).not.toContain('Add funds')
})

test('the year is kept, and the files belong to the link’s client', async () => {
	const { visitor } = await links.openedBy('CASH01')
	const year = formatYear(BROKERS_YEAR - 2)
	await visitor.visit(`${REPORT}?year=${year}`)
	const { html } = await visitor.visit(REPORT)
	expect(html).toContain(`/client/downloads/pnl/pdf?year=${year}`)
	// Above the figures, because it chooses the year of the whole page.
	expect(readText(html)).toMatch(/without use\. Financial year [\d -]+ Show .*Net /)
	for (const format of ['pdf', 'xls', 'csv']) {
		const file = await visitor.send(`/client/downloads/pnl/${format}?year=${year}`)
		expect(file.status).toBe(200)
		expect(file.headers.get('content-disposition')).toContain(`filename="CASH01_PNL.${format}"`)
		await file.body?.cancel()
	}
	const codes = open.asked.filter(({ url }) => !url.includes(VALIDATE)).map(({ headers }) => headers.get('client-code'))
	expect(new Set(codes.filter(Boolean))).toEqual(new Set(['CASH01']))
})

test('its cookie opens nothing else, also under another name', async () => {
	const { visitor } = await links.openedBy()
	for (const address of ['/dashboard', '/reports/profitnloss', '/reports/ledger', '/downloads/pnl/csv', '/downloads/ledger/csv']) {
		const answer = await visitor.send(address)
		expect([address, answer.status]).toEqual([address, 302])
		expect(answer.headers.get('location')).toMatch(/^\/login/)
	}
	const sealed = visitor.cookies.get('__Secure-weblink') ?? ''
	const forged = await visitor.send('/dashboard', { headers: { cookie: `__Host-session=${sealed}; __Host-activity=${sealed}` } })
	expect(forged.headers.get('location')).toMatch(/^\/login/)
	const tampered = await visitor.send(REPORT, { headers: { cookie: `__Secure-weblink=${sealed.slice(0, -3)}AAA` } })
	expect([tampered.status, readText(await tampered.text())]).toEqual([403, expect.stringContaining(NOT_VALID)])
})

test('a login and a link in one browser do not affect each other', async () => {
	const visitor = await signedIn(open)
	const before = new Map(visitor.cookies)
	expect((await visitor.send(formatLink('CASH01'))).status).toBe(302)
	await visitor.send(REPORT)
	const file = await visitor.send('/client/downloads/pnl/csv')
	expect(file.headers.get('content-disposition')).toContain('CASH01_PNL.csv')
	expect(file.headers.getSetCookie()).toEqual([])
	for (const [name, value] of before) if (/session|activity/.test(name)) expect(visitor.cookies.get(name)).toBe(value)
	const own = await visitor.send('/downloads/pnl/csv')
	expect(own.headers.get('content-disposition')).toContain('DEMO01_PNL.csv')
	for (const each of [file, own]) await each.body?.cancel()
	// The login's cookies alone open no report of a link.
	const alone = await visitor.send(REPORT, { headers: { cookie: [...before].map(([name, value]) => `${name}=${value}`).join('; ') } })
	expect(alone.status).toBe(403)
})

test('the files of a link count as files of its client, not of another client who is logged in in the same browser', async () => {
	const { visitor } = await links.openedBy('DEMO01')
	await visitor.login('CASH01')
	const ask = (address: string) => visitor.send(address, { headers: { 'x-download': 'fetch' } })
	const files = await Promise.all(Array.from({ length: 8 }, () => ask('/client/downloads/pnl/csv')))
	expect(files.map(({ status }) => status)).toEqual(Array(8).fill(200))
	const ninth = await ask('/client/downloads/pnl/csv')
	expect([ninth.status, await ninth.json()]).toEqual([429, { message: expect.stringContaining('You have 8 downloads running.') as string }])
	// A login of the same client has the same limit; another client in this browser has its own.
	const client = await signedIn(open)
	expect((await client.send('/downloads/pnl/csv', { headers: { 'x-download': 'fetch' } })).status).toBe(429)
	const own = await ask('/downloads/pnl/csv')
	expect(own.status).toBe(200)
	for (const file of [...files, own]) await file.body?.cancel()
	const next = await ask('/client/downloads/pnl/csv')
	expect(next.status).toBe(200)
	await next.body?.cancel()
})

test('links of two clients in one browser stay separate: no page, form or file of one leads to the other', async () => {
	const visitor = new Visitor(open.portal)
	const addresses = []
	for (const user of ['DEMO01', 'CASH01']) addresses.push((await visitor.send(formatLink(user))).headers.get('location') ?? '')
	const [demo = '', cash = ''] = addresses
	expect(demo).not.toBe(cash)
	for (const [address, own] of [
		[demo, 'DEMO01'],
		[cash, 'CASH01'],
		[demo, 'DEMO01'],
	] as const) {
		const { status, html } = await visitor.visit(address)
		expect([status, /(DEMO01|CASH01) · /.exec(readText(html))?.[1]]).toEqual([200, own])
		const id = new URL(address, 'https://portal.test').searchParams.get('link')
		expect(html).toContain(`<input type="hidden" name="link" value="${id}"/>`)
		const links = ['href', 'action'].flatMap((name) => listAttributes(html, `[${name}^="/client/"][${name}*="?"]`, name))
		expect(links.length).toBeGreaterThan(10)
		for (const href of links) expect(new URL(href, 'https://portal.test').searchParams.get('link'), href).toBe(id)
		const file = await visitor.send(links.find((href) => href.includes('/csv')) ?? '')
		expect(file.headers.get('content-disposition')).toContain(`${own}_PNL.csv`)
		await file.body?.cancel()
	}
	// Ending one link does not end the other.
	open.breakBroker((request) => (request.headers.get('client-code') === 'CASH01' ? error(401, 'Session was closed') : undefined))
	expect((await visitor.send(cash)).status).toBe(403)
	expect((await visitor.send(demo)).status).toBe(200)
	expect((await visitor.send(cash)).status).toBe(403)
})

test('the tabs of a client’s older link continue with a newer link', async () => {
	const { visitor, answer } = await links.openedBy('CASH01')
	const again = await visitor.send(formatLink('CASH01'))
	expect(again.headers.get('location')).toBe(answer.headers.get('location'))
	expect((await visitor.send(again.headers.get('location') ?? '')).status).toBe(200)
})

test('a link cannot change to another client', async () => {
	const { visitor } = await links.openedBy('DEMO01')
	let isFirst = true
	open.breakBroker(async (request) => {
		if (new URL(request.url).pathname === VALIDATE)
			return Response.json({ status: 'success', message: '', data: { clientCode: 'CASH01', authToken: await links.readToken('CASH01') } })
		if (!isFirst) return undefined!
		isFirst = false
		return error(401, 'Token has expired')
	})
	expect((await visitor.send(REPORT)).status).toBe(403)
})

test.for<[what: string, query: string, status: number, words: string]>([
	['no parameters and no cookie', '', 403, `${NOT_VALID} This page works only while its link is open. A bookmark, or its address`],
	['no SessionId', '?UserId=DEMO01', 403, `${NOT_VALID} A part of its address is missing.`],
	['no UserId', `?SessionId=${SESSION}`, 403, `${NOT_VALID} A part of its address is missing.`],
	['the address of a report in another browser', '?link=6a1f0c2e-5d0e-4a86-9f4e-1c42d1004200', 403, 'does not work'],
	['an unknown SessionId', '?UserId=DEMO01&SessionId=00000000-aaaa', 403, NOT_VALID],
	['nonsense', '?UserId=%3Cb%3E&SessionId=..%2F..', 403, NOT_VALID],
])('%s is refused with a message', async ([, query, status, words]) => {
	const { status: answered, html, answer } = await new Visitor(open.portal, { 'x-forwarded-for': '10.0.0.1' }).visit(REPORT + query)
	expect([answered, readText(html)]).toEqual([status, expect.stringContaining(words)])
	expect(readHeading(html)).toBe('Profit & Loss')
	expect(answer.headers.get('cache-control')).toContain('no-store')
})

test('an expired link has its own message, and a failing broker does not make a link invalid', async () => {
	open.breakBroker(() => error(410, 'Link has expired'))
	const old = await new Visitor(open.portal).visit(formatLink('DEMO01'))
	expect([old.status, readText(old.html)]).toEqual([
		403,
		expect.stringMatching(/This link is not valid or has expired.*The link has expired/),
	])
	open.breakBroker(() => error(500, 'Oops'))
	const down = await new Visitor(open.portal).visit(formatLink('DEMO01'))
	expect(down.status).toBe(502)
	expect(readText(down.html)).not.toContain('not valid')
})

test('a new bundle is started from the link as well', async () => {
	const { visitor } = await links.openedBy()
	const bodies: unknown[] = []
	open.breakBroker(async (request) => {
		if (!request.url.includes('/pnl-summary')) return undefined!
		bodies.push(await request.json())
		return Response.json({ status: 'success', message: '', data: { zip_time: null, is_genearte: false } }, { status: 202 })
	})
	const answer = await visitor.post(REPORT, REPORT, {})
	expect([answer.status, answer.headers.get('location')]).toEqual([303, REPORT])
	expect(bodies).toEqual([{ client_code: 'DEMO01', year: String(BROKERS_YEAR), process_type: 'new' }])
	expect(readText((await visitor.visit(REPORT)).html)).toContain('The summary bundle is being made')
})

// Last, because it blocks this address.
test('thirty wrong links block their address for a quarter of an hour', async () => {
	const stranger = new Visitor(open.portal)
	let answer = await stranger.send(formatLink('DEMO01', 'wrong-wrong'))
	for (let count = 0; count < 40 && answer.status === 403; count++) answer = await stranger.send(formatLink('DEMO01', 'wrong-wrong'))
	expect(answer.status).toBe(429)
	expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
	const before = links.asked(VALIDATE).length
	expect((await stranger.send(formatLink('DEMO01'))).status).toBe(429)
	expect(links.asked(VALIDATE)).toHaveLength(before)
})

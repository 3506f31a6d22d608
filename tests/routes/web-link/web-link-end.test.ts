import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openPortalForFile } from '#tests/support/portal'
import { readText } from '#tests/support/readers'
import { error, openLinks, REPORT, SESSION, VALIDATE } from '#tests/support/report-links'

/* How the session of a report link ends, and what extends it. */

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

test('an expired token is replaced once, with a short notice, and the call is repeated', async () => {
	const { visitor } = await links.openedBy()
	const sealed = visitor.cookies.get('__Secure-weblink')
	let refused = ''
	open.breakBroker(async (request) => {
		const token = request.headers.get('auth-token')
		refused ||= token ?? ''
		return token && token === refused ? error(401, 'Token has expired') : links.answer(request)
	})
	open.asked.length = 0
	const { status, html } = await visitor.visit(REPORT)
	expect(status).toBe(200)
	expect(readText(html)).toContain('Token refreshed, please try again')
	expect(html).toContain('>Profit &amp; Loss</caption>')
	expect(links.asked(VALIDATE)).toHaveLength(1)
	// Addresses are logged, so the address has these three parameters and never the token.
	expect([...new URL(links.asked(VALIDATE)[0]?.url ?? '').searchParams]).toEqual([
		['UserId', 'DEMO01'],
		['SessionId', SESSION],
		['Product', 'CONNECT'],
	])
	expect(visitor.cookies.get('__Secure-weblink')).not.toBe(sealed)
	expect(readText((await visitor.visit(REPORT)).html)).not.toContain('Token refreshed')

	refused = ''
	open.asked.length = 0
	const file = await visitor.send('/client/downloads/pnl/pdf', { headers: { 'x-download': 'fetch' } })
	expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
	expect(links.asked(VALIDATE)).toHaveLength(1)
	expect(readText((await visitor.visit(REPORT)).html)).toContain('Token refreshed, please try again')
})

test('a token that is refused again, or for another reason, ends the link and never loops', async () => {
	for (const [message, validations] of [
		['Token has expired', 1],
		['Session was closed', 0],
	] as const) {
		const { visitor } = await links.openedBy()
		open.breakBroker((request) => (request.headers.get('auth-token') ? error(401, message) : links.answer(request)))
		open.asked.length = 0
		const answer = await visitor.send(REPORT)
		expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
		expect(readText(await answer.text())).toContain('This link is not valid or has expired')
		expect(links.asked(VALIDATE)).toHaveLength(validations)
		expect(visitor.cookies.has('__Secure-weblink')).toBe(false)
		open.breakBroker(links.answer)
	}
})

test('a download after the link’s end says so, and saves no page', async () => {
	const { visitor } = await links.openedBy()
	open.breakBroker((request) =>
		error(request.url.includes(VALIDATE) ? 410 : 401, request.url.includes(VALIDATE) ? 'Link has expired' : 'Token has expired'),
	)
	const fetched = await visitor.send('/client/downloads/pnl/pdf', { headers: { 'x-download': 'fetch' } })
	expect([fetched.status, await fetched.json()]).toEqual([403, { message: 'This link is not valid or has expired' }])
	const { status, html } = await visitor.visit('/client/downloads/pnl/pdf')
	expect(status).toBe(403)
	expect(readText(html)).toContain('The link has expired')
})

test('a logout in the same browser ends the link too', async () => {
	const { visitor } = await links.openedBy('CASH01')
	await visitor.login('DEMO01')
	expect((await visitor.send(REPORT)).status).toBe(200)
	const out = await visitor.post('/dashboard', '/logout', {})
	for (const name of ['__Secure-weblink', '__Secure-weblink2', '__Secure-weblink3'])
		expect(out.headers.getSetCookie().find((set) => set.startsWith(`${name}=`))).toMatch(/^[\w-]+=;.*Path=\/client/)
	expect((await visitor.send(REPORT)).status).toBe(403)
})

test('a link ends after two hours without use, and a used link does not', async () => {
	const { visitor: idle } = await links.openedBy()
	const { visitor: busy } = await links.openedBy()
	const start = Date.now()
	vi.useFakeTimers({ toFake: ['Date'] })
	try {
		vi.setSystemTime(start + 70 * 60_000)
		expect((await busy.send(REPORT)).status).toBe(200)
		vi.setSystemTime(start + 121 * 60_000)
		expect((await busy.send(REPORT)).status).toBe(200)
		const { status, html } = await idle.visit(REPORT)
		expect([status, readText(html)]).toEqual([403, expect.stringMatching(/not valid or has expired.*The link has expired/)])
		expect(idle.cookies.has('__Secure-weblink')).toBe(false)
	} finally {
		vi.useRealTimers()
	}
})

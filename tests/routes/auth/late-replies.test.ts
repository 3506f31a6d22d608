import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { hidden } from '#tests/support/readers'

/* A slow page of a session that has ended comes after the next login of its browser. It must not end the new session. */

const opened = openPortalForFile()
beforeEach(() => {
	opened.asked.length = 0
})
afterEach(() => void vi.useRealTimers())

/** The next call for the ledger gets this reply once the returned function is called. */
function holdLedger(answer: (request: Request) => Response | Promise<Response>) {
	let release = () => {}
	const held = new Promise<void>((resolve) => (release = resolve))
	let isFirst = true
	opened.breakBroker(async (request) => {
		if (!request.url.includes('/reports/ledger') || !isFirst) return undefined as never
		isFirst = false
		// Made now: later the broker would refuse the session.
		const reply = await answer(request)
		await held
		return reply
	})
	return () => release()
}

const isLedgerAsked = () => opened.asked.some(({ url }) => url.includes('/reports/ledger'))

async function logOutAndIn(visitor: Visitor) {
	const { html } = await visitor.visit('/change-password')
	await visitor.postRaw('/logout', { csrf: hidden(html, 'csrf') })
	expect((await visitor.login()).status).toBe(303)
}

test('a page of the earlier session, sent after the next login, leaves that session in use', async () => {
	const visitor = await signedIn(opened)
	const release = holdLedger((request) => opened.forward(request))
	// The time of use is sent with a page when the last one is more than a minute old.
	vi.useFakeTimers({ toFake: ['Date'] })
	vi.setSystemTime(Date.now() + 61_000)
	const slow = visitor.send('/reports/ledger')
	await expect.poll(isLedgerAsked, { interval: 5 }).toBe(true)
	await logOutAndIn(visitor)
	release()
	expect((await slow).headers.getSetCookie().join()).toContain('__Host-activity=')
	expect((await visitor.send('/dashboard')).status).toBe(200)
})

test.for([
	['a document', 'document', 302],
	['a page that a script asked for', 'empty', 401],
] as const)('a 401 for %s of the earlier session leaves the new session, and says nothing in it', async ([, dest, status]) => {
	const visitor = await signedIn(opened)
	const release = holdLedger(() => new Response(null, { status: 401 }))
	const slow = visitor.send('/reports/ledger', { headers: { 'sec-fetch-dest': dest } })
	await expect.poll(isLedgerAsked, { interval: 5 }).toBe(true)
	await logOutAndIn(visitor)
	release()
	const late = await slow
	expect([late.status, late.headers.getSetCookie().filter((cookie) => /session|activity|toast/.test(cookie))]).toEqual([status, []])
	// The document is asked for again, by the new session.
	if (status === 302) expect(late.headers.get('location')).toBe('/reports/ledger')
	const page = await visitor.send('/dashboard')
	expect([page.status, await page.text()]).toEqual([200, expect.not.stringContaining('Token has expired') as string])
})

import { afterEach, expect, test, vi } from 'vitest'

import { openPortalForFile, signedIn } from '#tests/support/portal'
import { readText } from '#tests/support/readers'

/* The session check runs at the same time as the page. When the check hangs, the page is still shown. */

// The broker's timeout must be longer than the page's wait for this call.
vi.stubEnv('BROKER_TIMEOUT_MS', '18000')

const VERIFY = '/v2/user/verify-user'

const opened = openPortalForFile()
afterEach(() => {
	vi.restoreAllMocks()
})

const isVerify = ({ url }: Request) => new URL(url).pathname === VERIFY
const timesAsked = () => opened.asked.filter(isVerify).length

test('a hung verify-user delays a page by three seconds, once in ten seconds, and ends no session', { timeout: 60_000 }, async () => {
	const visitor = await signedIn(opened, 'CASH01')
	let endLate: (answer: Response) => void = () => {}
	const late = new Promise<Response>((resolve) => (endLate = resolve))
	opened.breakBroker((request) => (isVerify(request) ? late : undefined))
	opened.asked.length = 0

	const started = performance.now()
	const first = await visitor.visit('/reports/ledger')
	const took = performance.now() - started
	expect([first.status, readText(first.html)]).toEqual([200, expect.stringContaining('as the broker states it')])
	expect(took).toBeGreaterThan(2900)
	// The rest of the page takes a second or two on a busy machine; the call itself would hang for 18.
	expect(took).toBeLessThan(12_000)
	expect(timesAsked()).toBe(1)

	const again = performance.now()
	for (const page of ['/reports/ledger', '/dashboard']) expect((await visitor.send(page)).status).toBe(200)
	expect(timesAsked()).toBe(1)
	expect(performance.now() - again).toBeLessThan(took + 3000)

	// A late failure has no effect.
	endLate(Response.json({ status: 'error', message: 'Too late to matter', data: null }, { status: 500 }))
	expect((await visitor.send('/reports/ledger')).status).toBe(200)
	expect(timesAsked()).toBe(1)

	// Ten seconds later the check is repeated and counts: an invalid session ends.
	const now = performance.now.bind(performance)
	vi.spyOn(performance, 'now').mockImplementation(() => now() + 11_000)
	opened.breakBroker((request) =>
		isVerify(request) ? Response.json({ status: 'error', message: 'Logged in elsewhere', data: null }, { status: 403 }) : undefined,
	)
	// The cache of checks sees the new time within a millisecond, so the first page may still be shown.
	const ended = await vi.waitFor(async () => {
		const answer = await visitor.send('/reports/ledger')
		expect(answer.status).toBe(302)
		return answer
	})
	expect([ended.headers.get('location'), timesAsked()]).toEqual(['/login', 2])
	expect((await visitor.visit('/login')).html).toContain('Logged in elsewhere')
})

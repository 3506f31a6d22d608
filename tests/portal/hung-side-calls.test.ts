import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { judgeCases, listCases } from '#tests/faults/cases'
import { PAGES } from '#tests/faults/pages'
import { openReplayedPortal, type ReplayedPortal } from '#tests/faults/replayed-broker'

/*
 * A call that only adds to its page never answers. The page comes after three seconds with everything else, and says what is missing.
 * tests/faults/judge.ts checks this, and allows 15 seconds. Announcements are not in the list, because they come with the figures of the
 * dashboard.
 */

// The broker's timeout must be longer than the page's wait for these calls.
vi.stubEnv('BROKER_TIMEOUT_MS', '18000')

const SIDE_CALLS = [
	'GET /v1/quick-links',
	'GET /v1/ours/attention',
	'GET /v1/ours/unknown-cost',
	'GET /v1/ours/ipo-facts',
	'GET /v1/ours/ipo-applications',
	'GET /v1/ours/stock-verifications',
	'GET /v1/ours/pledge-terms',
	'GET /v1/ours/pledge-requests',
	'GET /v2/fund/unauthorized-payments',
	'GET /v1/ours/payout-timetable',
	'GET /v1/ours/fund-limits',
	'GET /v1/ours/mtf-facts',
	'GET /v1/ours/mtf-interest',
	'GET /v1/ours/tax-facts',
	'GET /v1/ours/holding-actions',
	'GET /v1/ours/cash-flows',
	'GET /v1/ours/deductions',
	'GET /v1/ours/modification-limits',
	'GET /v1/ours/change-requests',
	'GET /v1/ours/scrip-charges',
	'GET /v1/ours/pnl-tie',
]

/** Pages that show nothing without the call, so they wait for it for the whole timeout. */
const WHOLE = [
	'connect/ipo/bids/:application GET /v1/ours/ipo-applications',
	'dpprocess/pledge/return GET /v1/ours/pledge-requests',
	'myaccount/requests GET /v1/ours/change-requests',
]

let portal: ReplayedPortal
beforeAll(async () => {
	portal = await openReplayedPortal(PAGES)
}, 240_000)
afterAll(() => portal.close())

test('no page waits for the timeout of a call that only adds to it', { timeout: 200_000 }, async () => {
	const hung = (await listCases(portal, PAGES)).filter(({ page, call: { method, path }, fault }) => {
		const name = `${method} ${path}`
		return fault.name === 'never' && SIDE_CALLS.includes(name) && !WHOLE.includes(`${page.route} ${name}`)
	})
	expect(new Set(hung.map(({ call }) => `${call.method} ${call.path}`))).toEqual(new Set(SIDE_CALLS))
	expect(await judgeCases(portal, hung, 12)).toEqual([])
})

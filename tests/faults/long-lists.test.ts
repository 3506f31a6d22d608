import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// This process also serves the replies that it reads, so a busy machine may need more than the timeout of the other tests.
vi.hoisted(() => void (process.env.BROKER_TIMEOUT_MS = '20000'))

import { readText } from '#tests/support/readers'
import { isLong } from '#sandbox/testing/runs'
import { judgeCases, LARGE, listCases } from './cases'
import { findWrong, LONG_LEDGER } from './long-ledger'
import { PAGES } from './pages'
import { openReplayedPortal, type ReplayedPortal } from './replayed-broker'

/*
 * Every page with the list of each call repeated: 100,000 rows for a report, on the longest page that makes the call, and 20,000 for
 * the other calls and pages. One page at a time, because each takes seconds of work.
 */

let portal: ReplayedPortal
beforeAll(async () => {
	portal = await openReplayedPortal(PAGES)
}, 240_000)
afterAll(() => portal.close())

test('every page comes in time when a list has a hundred thousand rows', { timeout: 600_000 }, async () => {
	const cases = (await listCases(portal, PAGES)).filter(({ fault }) => fault.isHeavy)
	expect(cases.length).toBeGreaterThan(60)
	const longest = cases.filter(({ fault }) => fault.name === '100,000 rows')
	const paths = new Set(cases.map(({ call }) => call.path))
	expect(paths.size).toBeGreaterThan(45)
	expect([...new Set(longest.map(({ call }) => call.path))].sort()).toEqual([...paths].filter((path) => isLong || LARGE.test(path)).sort())
	expect(longest.length).toBeGreaterThan(9)
	expect(await judgeCases(portal, cases, 1)).toEqual([])
})

test('shows the last page of a ledger of a hundred thousand rows', async () => {
	const { visitor, breakCall, forget } = await portal.signIn('DEMO01')
	breakCall({ method: 'GET', path: '/v2/service/reports/ledger' }, LONG_LEDGER)
	const { status, html } = await visitor.visit('/reports/ledger?page=1000')
	forget()
	expect([status, findWrong(html, 99_901)]).toEqual([200, []])
	// The last row but one is a debit of ₹ 1 at 51,001 − 2 = 50,999; the last a credit of ₹ 2.
	expect(readText(html)).toMatch(/V99998 .{0,40} 1\.00 50,999\.00 Cr 100000 .{0,20} V99999 .{0,40} 2\.00 51,001\.00 Cr Total/)
})

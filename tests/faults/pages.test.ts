import { afterAll, beforeAll, expect, test } from 'vitest'
import { readText } from '#tests/support/readers'
import { PLACES } from '#tests/support/site-map'
import { judgeCases, listCases } from './cases'
import { findWrong, LONG_LEDGER } from './long-ledger'
import { OTHERS, PAGES } from './pages'
import { openReplayedPortal, type ReplayedPortal } from './replayed-broker'

/* Every page, with each of its calls failing in each way. The rules for the page are in judge.ts and allowances.ts. */

const AT_ONCE = 8
/** Cases that wait for a timeout use no processor time. */
const LONG_AT_ONCE = 40

let portal: ReplayedPortal
beforeAll(async () => {
	portal = await openReplayedPortal()
	for (const client of new Set(PAGES.map(({ who }) => who))) await portal.prepareClient(client)
}, 240_000)
afterAll(() => portal.close())

test('covers every page of the site map', () => {
	const pages = PLACES.map(({ route }) => route).filter((route) => !/^downloads\/|^rekyc\/statements/.test(route))
	expect([...new Set(pages)].sort()).toEqual([...new Set([...PAGES.map(({ route }) => route), ...Object.keys(OTHERS)])].sort())
})

test('every page shows what is wrong, for every failure of every call', { timeout: 300_000 }, async () => {
	const cases = []
	for (const page of PAGES) cases.push(...(await listCases(portal, page)).filter(({ fault }) => !fault.isHeavy))
	const [long, others] = await Promise.all([
		judgeCases(
			portal,
			cases.filter(({ fault }) => fault.isLong),
			LONG_AT_ONCE,
		),
		judgeCases(
			portal,
			cases.filter(({ fault }) => !fault.isLong),
			AT_ONCE,
		),
	])
	expect([...long, ...others]).toEqual([])
	expect(cases.length).toBeGreaterThan(3200)
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

import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLACES } from '#tests/support/site-map'
import { judgeCases, listCases } from './cases'
import { OTHERS, PAGES } from './pages'
import { openReplayedPortal, type ReplayedPortal } from './replayed-broker'

/* Every page, with each of its calls failing in each way. The rules for the page are in judge.ts and allowances.ts. */

const AT_ONCE = 8
/** Cases that wait for a timeout use no processor time. */
const LONG_AT_ONCE = 40

let portal: ReplayedPortal
beforeAll(async () => {
	portal = await openReplayedPortal(PAGES)
}, 240_000)
afterAll(() => portal.close())

test('covers every page of the site map', () => {
	const pages = PLACES.map(({ route }) => route).filter((route) => !/^downloads\/|^rekyc\/statements/.test(route))
	expect([...new Set(pages)].sort()).toEqual([...new Set([...PAGES.map(({ route }) => route), ...Object.keys(OTHERS)])].sort())
})

test('every page shows what is wrong, for every failure of every call', { timeout: 300_000 }, async () => {
	const cases = (await listCases(portal, PAGES)).filter(({ fault }) => !fault.isHeavy)
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
	expect(cases.length).toBeGreaterThan(900)
	const checks = cases.filter(({ call }) => call.path === '/v2/user/verify-user')
	for (const [met, least] of [
		[cases, 23],
		[checks, 20],
	] as const) {
		expect(new Set(met.map(({ fault }) => fault.name)).size).toBeGreaterThanOrEqual(least)
		expect(new Set(met.map(({ page }) => page)).size).toBeGreaterThanOrEqual(35)
	}
})

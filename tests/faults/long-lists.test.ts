import { afterAll, beforeAll, expect, test } from 'vitest'
import { judgeCases, listCases } from './cases'
import { PAGES } from './pages'
import { openReplayedPortal, type ReplayedPortal } from './replayed-broker'

/*
 * Every page, with the list of each of its calls repeated up to a hundred thousand rows. In a file of its own, so that it runs beside
 * pages.test.ts; one page at a time, because each is seconds of work.
 */

let portal: ReplayedPortal
beforeAll(async () => {
	portal = await openReplayedPortal()
	for (const client of new Set(PAGES.map(({ who }) => who))) await portal.prepareClient(client)
}, 240_000)
afterAll(() => portal.close())

test('every page comes in time when a list has a hundred thousand rows', { timeout: 400_000 }, async () => {
	const cases = []
	for (const page of PAGES) cases.push(...(await listCases(portal, page)).filter(({ fault }) => fault.isHeavy))
	expect(cases.length).toBeGreaterThan(100)
	expect(await judgeCases(portal, cases, 1)).toEqual([])
})

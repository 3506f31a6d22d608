import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPortal, Visitor } from '#tests/support/portal'
import { paiseAfter, paiseIn, readColumn, readCsv, readTable, readText, sum } from '#tests/support/readers'

/*
 * What a chartered accountant asked of DEMO01's income tax, with figures worked by hand. The books are those of the broker's day, in which
 * losses of earlier years meet gains of two kinds.
 */

let open: Awaited<ReturnType<typeof openPortal>>
let client: Visitor
beforeAll(async () => {
	open = await openPortal([], undefined, { seed: 'khata', today: '2026-11-20' })
	client = new Visitor(open.portal)
	await client.login('DEMO01')
})
afterAll(() => open.close())

test('transaction tax on securities and on commodities are two figures, each that of the contract notes', async () => {
	const told = readText((await client.visit('/reports/income-tax?year=2024-2025')).html)
	expect(paiseAfter(told, 'Securities transaction tax paid')).toBe(2_491_00)
	expect(paiseAfter(told, 'Commodities transaction tax paid')).toBe(634_00)
	const [heads = [], ...charges] = readCsv(await (await client.send('/downloads/pnl/charges?year=2024-2025')).text())
	const segments = charges.map((row) => row[heads.indexOf('Segment')])
	const paid = readColumn(charges, 'STT or CTT', heads)
	const ofCommodities = sum(paid.filter((_, at) => segments[at] === 'Commodity'))
	expect([sum(paid) - ofCommodities, ofCommodities]).toEqual([2_491_00, 634_00])
})

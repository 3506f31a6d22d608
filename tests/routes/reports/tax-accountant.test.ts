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

const stepsOf = (html: string, loss: string) =>
	readTable(html, 'Set-off of losses').rows.filter(([name, year]) => name === loss && year !== '2024-2025')
const leftOf = (html: string) =>
	readTable(html, 'Losses carried forward').rows.map(([name, year, , amount]) => [name, year, paiseIn(amount)])

test('a speculative loss of an earlier year takes intraday profit before an older business loss, which fits other income too', async () => {
	const { html } = await client.visit('/reports/income-tax?year=2024-2025')
	// Intraday 1,865.22 - 870.49 = 994.73: 537.45 of 2023-24 first, so 457.28 are left for the business loss of 2022-23.
	expect(stepsOf(html, 'Speculative loss')).toEqual([['Speculative loss', '2023-2024', 'Speculative', 'Section 73', '537.45']])
	expect(stepsOf(html, 'Business loss')).toEqual([
		['Business loss', '2022-2023', 'Speculative', 'Section 72', '457.28'],
		['Business loss', '2022-2023', 'Future & Options', 'Section 72', '2,100.90'],
	])
	// 1,21,409.24 of 2022-23 less 10,707.53 and 17,224.17 in 2023-24, less the two above.
	expect(leftOf(html)).toEqual([['Business loss', '2022-2023', 90_919_36]])
})

test('the part of Future & Options that profit and loss shows as Currency is named, and equals its net', async () => {
	const told = readText((await client.visit('/reports/income-tax?year=2024-2025')).html)
	const { rows } = readTable((await client.visit('/reports/profitnloss?year=2024-2025')).html, 'Segments')
	const [futures, currency] = ['Future & Options', 'Currency'].map((name) => paiseIn(rows.find(([segment]) => segment === name)?.at(-1)))
	expect(told).toContain('Future & Options includes the Currency segment of Profit & Loss, +₹ 15.10.')
	expect(currency).toBe(15_10)
	expect(paiseIn(readTable((await client.visit('/reports/income-tax?year=2024-2025')).html, 'Summary').rows.at(-2)?.[5])).toBe(
		(futures ?? 0) + 15_10,
	)
	expect(told).toContain('Future & Options and Commodity are business income, which the return does not divide into windows.')
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPdf } from '#tests/support/office'
import { openPortal, signedIn, type Visitor } from '#tests/support/portal'
import { paiseAfter, paiseIn, readColumn, readCsv, readTable, readText, sum } from '#tests/support/readers'

/*
 * What a chartered accountant asked of DEMO01's income tax, with figures worked by hand. The books are those of the broker's day, in which
 * losses of earlier years meet gains of two kinds.
 */

let open: Awaited<ReturnType<typeof openPortal>>
let client: Visitor
beforeAll(async () => {
	open = await openPortal({ made: { today: '2026-11-20' } })
	client = await signedIn(open)
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
	expect(told).toContain('Future & Options includes currency contracts closed in the year, +₹ 15.10.')
	const { html } = await client.visit('/reports/profitnloss?year=2024-2025')
	const { rows } = readTable(html, 'Segments')
	const nets = ['Future & Options', 'Currency'].map((name) => paiseIn(rows.find(([segment]) => segment === name)?.at(-1)))
	expect(nets).toEqual([11_147_15, 15_10])
	// P&L also has the open option, with its unrealised loss and the charges of its purchase.
	const open = readTable(html, 'Profit & Loss').rows.find(([, name]) => name === 'Nifty 50 25APR 23400 PE')
	expect(open?.slice(-3).map(paiseIn)).toEqual([-326_25, 32_30, -358_55])
	const tax = readTable((await client.visit('/reports/income-tax?year=2024-2025')).html, 'Summary').rows
	expect(paiseIn(tax.find(([head]) => head === 'Future & Options')?.[5])).toBe(11_147_15 + 358_55 + 15_10)
	expect(told).toContain('Business income has no windows in the return.')
})

test('a contract that has expired has no price in the global summary, on the page and in its files', async () => {
	const { rows, head } = readTable((await client.visit('/reports/global-summary?year=2024-2025')).html, 'Global Summary')
	const expired = rows.filter(([, name = '']) => /^(Silver Mini 25JAN FUT|Nifty 50 24NOV 24600 CE)$/.test(name))
	expect(expired.map((row) => row[head.indexOf('Price (₹)')] ?? row[head.indexOf('Price')])).toEqual(['—', '—'])
	const [heads = [], ...lines] = readCsv(await (await client.send('/downloads/global-summary/csv?year=2024-2025')).text())
	const silver = lines.find((line) => line.includes('Silver Mini 25JAN FUT'))
	expect(silver?.[heads.indexOf('Price')]).toBe('')
	const pdf = await readPdf(Buffer.from(await (await client.send('/downloads/global-summary/pdf?year=2024-2025')).arrayBuffer()))
	// The quantity and amount that are left, no price, the value.
	expect(pdf).toMatch(/Silver Mini 25JAN FUT.* 0 +0\.00 +0\.00 +−6,505\.00/)
})

test('a stock future that the exchange would deliver is closed by an order, and its note says why', async () => {
	const [trade] = readTable((await client.visit('/reports/contractnbill/NF25013001')).html, 'Trades').rows
	expect(trade?.slice(1)).toEqual([
		expect.stringMatching(/^1250130\d{9} \d\d:\d\d:\d\d$/),
		expect.stringMatching(/^\d{8} \d\d:\d\d:\d\d$/),
		'State Bank of India 25JAN FUT',
		'Sell',
		'750',
		...['844.05', '0.1688', '843.8812', '6,33,037.50', '290.80'],
	])
	const pdf = await readPdf(Buffer.from(await (await client.send('/downloads/contract/NF25013001')).arrayBuffer()))
	expect(pdf.replaceAll(/\s+/g, ' ')).toContain(
		'State Bank of India futures that are open at expiry are settled by delivery, which this broker does not offer: it closes them by an order on their last day.',
	)
	expect(pdf).toMatch(/Trade date +30\/01\/2025/)
})

test('the net rate of a sale for less than its brokerage is below zero', async () => {
	// 75 sold at 0.05 with a brokerage of 20.00: 0.05 - 20 / 75 = 0.05 - 0.2667.
	const [trade] = readTable((await client.visit('/reports/contractnbill/NF25102801')).html, 'Trades').rows
	expect(trade?.slice(5, 9)).toEqual(['75', '0.05', '0.2667', '−0.2167'])
	const pdf = await readPdf(Buffer.from(await (await client.send('/downloads/contract/NF25102801')).arrayBuffer()))
	expect(pdf).toMatch(/0\.05 +0\.2667 +−0\.2167/)
})

test.each(['30,579.36', '30579.36', '₹ 30,579.36', '30579.36 Dr', '30579'])('a search of the ledger finds the amount %s', async (typed) => {
	const { html } = await client.visit(`/reports/ledger?year=2024-2025&q=${encodeURIComponent(typed)}`)
	expect(readTable(html, 'Ledger').rows.map((row) => row[2])).toEqual(['BL2404030001'])
	const csv = readCsv(await (await client.send(`/downloads/ledger/csv?year=2024-2025&q=${encodeURIComponent(typed)}`)).text())
	expect(csv.slice(1).map((line) => line[2])).toEqual(['BL2404030001'])
})

test('a search finds figures that a column shows, whole, and the name of a document', async () => {
	const find = async (page: string, caption: string, q: string) =>
		readTable((await client.visit(`/reports/${page}?year=2024-2025&q=${encodeURIComponent(q)}`)).html, caption).rows.map((row) => row[1])
	expect(await find('global-summary', 'Global Summary', '-6,505')).toEqual(['Silver Mini 25JAN FUT'])
	expect(await find('ledger', 'Ledger', '0579.36')).toEqual([undefined])
	const documents = async (q: string) =>
		new Set(readTable((await client.visit(`/reports/contractnbill?year=2024-2025&q=${q}`)).html, 'Contract/Bill').rows.map((row) => row[5]))
	expect(await documents('contract%20note')).toEqual(new Set(['Contract note']))
})

test('idle money that goes back between two quarters is a monthly settlement', async () => {
	const cash = await signedIn(open, 'CASH01')
	const { rows } = readTable((await cash.visit('/reports/ledger?year=2023-2024&q=settlement%20of%20accounts')).html, 'Ledger')
	expect(rows.map((row) => [row[1], /PAY-OUT (\w+)/.exec(row[6] ?? '')?.[1]])).toEqual([
		['06/04/2023', 'QUARTERLY'],
		['07/07/2023', 'QUARTERLY'],
		['01/09/2023', 'MONTHLY'],
		['05/01/2024', 'QUARTERLY'],
	])
	for (const row of rows) expect(row[6]).toContain('(running-account settlement)')
})

test.each(['pnl/pdf', 'pnl/xls', 'pnl/csv', 'pnl/charges', 'ledger/pdf', 'ledger/csv', 'position/csv', 'global-summary/csv'])(
	'%s of a segment that the client does not have is no empty file',
	async (file) => {
		const cash = await signedIn(open, 'CASH01')
		const answer = await cash.send(`/downloads/${file}?year=2024-2025&segment=MCX`, { headers: { 'x-download': 'fetch' } })
		expect([answer.status, await answer.json()]).toEqual([404, { message: 'Commodity is not active on your account.' }])
		expect((await cash.send(`/downloads/${file}?year=2024-2025&segment=NSE_CASH`)).status).toBe(200)
	},
)

test('a demerger that moves one share out and in is named once', async () => {
	const debt = await signedIn(open, 'DEBT01')
	const told = readText((await debt.visit('/reports/global-summary?year=2024-2025')).html)
	expect(told.match(/demerger of ITC Ltd\. on 06\/01\/2025/g)).toHaveLength(1)
	expect(told).toContain('demerger of ITC Hotels Ltd. on 06/01/2025')
})

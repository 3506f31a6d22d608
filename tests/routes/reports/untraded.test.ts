import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { readPdf } from '#tests/support/office'
import { parsePage, readCsv, readTable, readText } from '#tests/support/readers'

/* What changed without a trade, and what the value of a year's summary consists of. */

const opened = openPortalForFile()

const SUMS = { OPEN_QTY: 0, OPEN_AMT: 0, BUY_QTY: 10, BUY_AMT: 2000, SELL_QTY: 0, SELL_AMT: 0, CLOSE_AMT: 2000, REALISED: 0, UNREALISED: 0 }
const move = (KIND: string, SCRIP_NAME: string, ISIN: string | null) => ({
	...{ DATE: '2026-09-29', SCRIP_NAME, ISIN, KIND, SIDE: 'BUY', QTY: 10, AMOUNT: 0, IS_COST_KNOWN: true },
})
const send = (data: unknown) => Response.json({ status: 'success', message: '', data })

function sendSummary(moves: () => Response) {
	const row = (SCRIP_NAME: string, ISIN: string | null, CLOSE_QTY: number, CLOSE_VALUE: number | null) => ({
		...{ ...SUMS, SCRIP_NAME, ISIN, CLOSE_QTY, CLOSE_PRICE: 1, CLOSE_VALUE },
	})
	const filtered_df = [
		row('SBIN', 'INE062A01020', 10, 3234),
		row('AXISBANK', 'INE238A01034', 10, 1000.5),
		row('NIFTY 24400 CE', null, 0, 0),
		row('SBIN FUT', null, 750, 742950),
		row('NIFTY 23900 CE', null, -65, -7634.25),
	]
	opened.breakBroker(({ url }) => {
		const { pathname } = new URL(url)
		if (pathname === '/v2/service/reports/global-summary') return send({ filtered_df, totals_df: [] })
		return pathname === '/v1/ours/stock-moves' ? moves() : undefined
	})
}

test('the value of a year is shown in two parts: what is held, and contracts at their full value', async () => {
	sendSummary(() => send([]))
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit('/reports/global-summary?refresh=1')
	const read = (page: string) => readText(parsePage(page).querySelector('main dl') ?? '').trim()
	// 3,234.00 + 1,000.50, and 7,42,950.00 − 7,634.25. The foot has their sum.
	expect(read(html)).toMatch(/^Holdings ₹ 4,234.50 Realised .* Unrealised .* Contract value ₹ 7,35,315.75$/)
	expect(readText(html)).toContain('Contract value is quantity × price, not money that you have.')
	const { head, foot } = readTable(html, 'Global Summary')
	expect(foot[head.indexOf('Value')]).toBe('7,39,550.25')
	const securities = (await visitor.visit('/reports/global-summary?q=axisbank')).html
	expect(read(securities)).toMatch(/^Holdings ₹ 1,000.50 Realised/)
	expect(readText(securities)).not.toContain('value of contracts')
})

test('names contracts that expired apart from splits and bonuses', async () => {
	sendSummary(() => send([move('BONUS', 'SBIN', 'INE062A01020'), move('EXPIRY', 'NIFTY 24400 CE', null)]))
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit('/reports/global-summary?refresh=1')
	const text = readText(html)
	// Such a list may be long, so it stands below the table.
	expect(html.indexOf('Counted as bought')).toBeGreaterThan(html.indexOf('</table>'))
	expect(text).toContain('Counted as bought or sold though nothing was traded: bonus of SBIN on 29/09/2026.')
	expect(text).toContain('Expired, so closed without a trade: NIFTY 24400 CE on 29/09/2026.')
})

test('the profit and loss names the contracts of its rows that expired, or says that they could not be loaded', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const year = '2025-2026'
	const rows = readCsv(await (await visitor.send(`/downloads/pnl/csv?year=${year}`)).text())
	const name = rows[1]?.[1] ?? ''
	const read = async (answer: () => Response) => {
		opened.failCalls('/v1/ours/stock-moves', answer)
		return readText((await visitor.visit(`/reports/profitnloss?year=${year}&refresh=1`)).html)
	}
	const told = await read(() => send([move('EXPIRY', name, null), move('EXPIRY', 'OF NO ROW', null), move('SPLIT', name, null)]))
	expect(told).toContain(`Expired, so closed without a trade: ${name} on 29/09/2026.`)
	expect(told).not.toContain('OF NO ROW')
	expect(await read(() => Response.json({ status: 'error', message: 'Oops', data: null }, { status: 500 }))).toContain(
		'Expired contracts and buybacks could not be loaded.',
	)
	expect(await read(() => Response.json({ status: 'error', message: 'No such call', data: null }, { status: 404 }))).not.toContain(
		'expired',
	)
})

// The sums are those of the contract notes of shares, and of the sales on the Income Tax page. In January 2025 ITC Ltd. was demerged, in
// October 2025 Tata Motors Ltd.
test.each([
	['2024-2025', '1611698.10'],
	['2025-2026', '1285020.45'],
])('a demerger of %s is no sale in the profit and loss', async (year, sold) => {
	const visitor = await signedIn(opened, 'DEMO01')
	const [head = [], ...rows] = readCsv(await (await visitor.send(`/downloads/pnl/csv?year=${year}&segment=NSE_CASH`)).text())
	const read = (row: string[], name: string) => row[head.indexOf(name)] ?? ''
	const paise = rows.map((row) => Math.round(Number(read(row, 'Sell amount')) * 100))
	expect((paise.reduce((sum, amount) => sum + amount, 0) / 100).toFixed(2)).toBe(sold)
	const itc = rows.find((row) => read(row, 'Name') === 'ITC Ltd.') ?? []
	if (year === '2024-2025')
		expect(['Buy quantity', 'Sell quantity', 'Sell average'].map((name) => read(itc, name))).toEqual(['400', '150', '492'])
})

/* 20 shares of Infosys, bought for 38,880.00, were bought back on 26 November 2025. The receipt is a dividend, so they are sold for nothing. */
test('a buyback whose receipt is a dividend is named on the page, in the PDF and in the lots, and is not in Schedule 112A', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const told = 'Bought back, sold for nothing because the receipt counts as a dividend: Infosys Ltd. on 26/11/2025.'
	const pageOf = async (year: string) => readText((await visitor.visit(`/reports/profitnloss?year=${year}`)).html)
	expect(await pageOf('2025-2026')).toContain(told)
	expect(await pageOf('2024-2025')).not.toContain('Bought back')
	const pdf = await visitor.send('/downloads/pnl/pdf?year=2025-2026&segment=NSE_CASH')
	expect((await readPdf(Buffer.from(await pdf.arrayBuffer()))).replaceAll(/\s+/g, ' ')).toContain(told)
	const read = async (file: string) => readCsv(await (await visitor.send(`/downloads/income-tax/${file}?year=2025-2026`)).text())
	const lots = (await read('csv')).filter((row) => row.includes('Infosys Ltd. (buyback)'))
	expect(lots.map((row) => [row[1], row[8]])).toEqual(lots.map(() => ['Long-term', '0.00']))
	expect(lots.reduce((sum, row) => sum + Number(row[4]), 0)).toBe(20)
	const [head = [], ...schedule] = await read('schedule-112a')
	const values = schedule.map((row) => row[head.indexOf('Full Value of Consideration')])
	expect([values.length > 5, values.includes('0.00'), values.includes(undefined)]).toEqual([true, false, false])
})

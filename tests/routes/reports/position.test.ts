import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { parsePage, readTable, readText } from '#tests/support/readers'

const opened = openPortalForFile()

test('Position says which part of the MTM is in the ledger, with the sign of each part, and the direction of a contract', async () => {
	// `XX` is the exchange's option type of a future.
	const contract = { COCD: 'NSE_FNO', SYMBOL: 'X', INSTRUMENT: 'FUT', EXPIRY: null, STRIKE: null, OPTION_TYPE: 'XX', CLOSE_PRICE: 1 }
	const open = { BUY_QTY: 1, BUY_AVG: 1, SELL_QTY: 0, SELL_AVG: 0, NET_QTY: 1, NET_AVG: 1, REALISED: 0 }
	opened.breakBroker(({ url }) =>
		url.includes('/reports/position')
			? Response.json({
					status: 'success',
					message: '',
					data: {
						filtered_df: [
							{ ...contract, ...open, SCRIP_NAME: 'ALPHA', MTM: -9000, MTM_PAID: -9000 },
							{ ...contract, ...open, SCRIP_NAME: 'BETA', NET_QTY: -65, MTM: 1200.5, MTM_PAID: 0 },
							{ ...contract, ...open, SCRIP_NAME: 'GAMMA', NET_QTY: 0, MTM: 0, MTM_PAID: 0 },
							{ ...contract, ...open, SCRIP_NAME: 'DELTA', INSTRUMENT: 'OPTIDX', OPTION_TYPE: 'CE', MTM: 350.25, MTM_PAID: 0 },
						],
						totals_df: [],
					},
				})
			: undefined,
	)
	const visitor = await signedIn(opened, 'DEMO01')
	const visit = async (query: string) => (await visitor.visit(`/reports/position?refresh=1${query}`)).html
	const read = async (query: string) => readText(parsePage(await visit(query)).querySelector('main dl') ?? '').trim()
	// 1,200.50 − 9,000.00 + 350.25 = −7,449.25. Nothing of an option is ever pending.
	expect(await read('')).toBe(
		'MTM −₹ 7,449.25 MTM in your ledger −₹ 9,000.00 MTM not yet in your ledger +₹ 1,200.50 Options, unrealised +₹ 350.25 Realised ₹ 0.00',
	)
	const option = '&q=delta'
	expect(await read(option)).toBe('MTM +₹ 350.25 Options, unrealised +₹ 350.25 Realised ₹ 0.00')
	expect(readText(await visit(option))).toMatch(/The premium of an option was paid or received at the trade/)
	expect(readText(await visit(option))).not.toContain('in your ledger')
	expect(readText(await visit('&q=beta'))).not.toContain('an option')
	expect(await read('&q=alpha')).toBe('MTM −₹ 9,000.00 MTM in your ledger −₹ 9,000.00 MTM not yet in your ledger ₹ 0.00 Realised ₹ 0.00')
	expect(await read('&q=beta')).toBe('MTM +₹ 1,200.50 MTM in your ledger ₹ 0.00 MTM not yet in your ledger +₹ 1,200.50 Realised ₹ 0.00')
	const { head, rows } = readTable(await visit(''), 'Position')
	expect(rows.map((cells) => cells[head.indexOf('Net quantity')])).toEqual(['Long 1', 'Short 65', '0', 'Long 1'])
	// The sum has the colour of a loss, as its rows have.
	expect(
		parsePage(await visit(''))
			.querySelectorAll('tfoot .text-loss')
			.map((sum) => readText(sum)),
	).toEqual(['−7,449.25'])
	expect(await (await visitor.send('/downloads/position/csv')).text()).toContain(',-65,')
})

test('an average has two decimals, in currency contracts four, and its CSV has all of them', async () => {
	const contract = { SYMBOL: 'X', INSTRUMENT: 'FUT', EXPIRY: null, STRIKE: null, OPTION_TYPE: null, CLOSE_PRICE: 83.1225 }
	const open = { BUY_QTY: 3, BUY_AVG: 83.5333, SELL_QTY: 0, SELL_AVG: 0, NET_QTY: 3, NET_AVG: 83.5, MTM: 0, REALISED: 0 }
	const rows = ['NSE_FNO', 'CD_NSE'].map((COCD) => ({ ...contract, ...open, COCD, SCRIP_NAME: COCD }))
	opened.breakBroker(({ url }) =>
		url.includes('/reports/position')
			? Response.json({ status: 'success', message: '', data: { filtered_df: rows, totals_df: [] } })
			: undefined,
	)
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit('/reports/position?refresh=1')
	const { head, rows: shown } = readTable(html, 'Position')
	const read = (label: string) => shown.map((cells) => cells[head.findIndex((each) => each.startsWith(label))])
	expect(read('Buy average')).toEqual(['83.53', '83.5333'])
	expect(read('Net average')).toEqual(['83.50', '83.5000'])
	expect(read('Price')).toEqual(['83.1225', '83.1225'])
	expect(await (await visitor.send('/downloads/position/csv')).text()).toContain('83.5333')
})

test('says nothing of MTM in the ledger at a broker that does not state what is in the ledger', async () => {
	opened.rewriteCalls('/v2/service/reports/position', (json) => {
		for (const row of (json.data as { filtered_df: Record<string, unknown>[] }).filtered_df) delete row.MTM_PAID
	})
	const { html } = await (await signedIn(opened, 'DEMO01')).visit('/reports/position?refresh=1')
	const text = readText(parsePage(html).querySelector('main') ?? '')
	expect(text).toContain('MTM (mark to market): the gain or loss at the closing price.')
	expect(text).not.toContain('in your ledger')
})

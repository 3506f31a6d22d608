import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { listAttributes, parsePage, readText } from '#tests/support/readers'

/* The newest rows, above a table that begins with the oldest. */

const opened = openPortalForFile()

const entry = (VOUCHER_DATE: string, VOUCHER_NO: string, NARRATION: string | null, DR_AMT: number, CR_AMT: number, BALANCE: number) => ({
	...{ VOUCHER_DATE, VOUCHER_NO, NARRATION, DR_AMT, CR_AMT, BALANCE },
	...{ VOUCHER_TYPE: NARRATION ? 'JOURNAL' : 'OPENING', COCD: 'NSE_CASH', SETL_NO: null, BILL_NO: null },
})
const ENTRIES = [
	entry('2026-04-01', 'V1', null, 0, 100, 100),
	entry('2026-04-02', 'V2', 'FIRST', 0, 900, 1000),
	entry('2026-04-03', 'V3', 'SECOND', 250, 0, 750),
	entry('2026-04-03', 'V4', 'THIRD', 50.5, 0, 699.5),
]

const bill = (BILL_DATE: string, BILL_NO: string, BILL_AMT: number, file_path: string | null, DOC_TYPE = 'BILL') => ({
	...{ BILL_DATE, BILL_NO, BILL_AMT, file_path, SETL_NO: null, COCD: 'NSE_CASH', DOC_TYPE },
})

function send(path: string, data: object) {
	opened.breakBroker(({ url }) => (new URL(url).pathname === path ? Response.json({ status: 'success', message: '', data }) : undefined))
}

const sendLedger = (rows: readonly object[]) =>
	send('/v2/service/reports/ledger', { filtered_df: rows, totals_df: [{ DR_AMT: 300.5, CR_AMT: 1000, BALANCE: 699.5 }] })

async function openLine(address: string) {
	const visitor = await signedIn(opened, 'DEMO01')
	return async (query: string) => {
		const { html } = await visitor.visit(`${address}?year=2026-2027&refresh=1${query}`)
		const page = parsePage(html)
		const title = page.querySelectorAll('main p').find((each) => readText(each).trim() === 'Latest')
		const list = title?.nextElementSibling
		return {
			figures: readText(page.querySelector('main dl') ?? '').trim(),
			lines: list?.querySelectorAll('li').map((line) => readText(line).trim()),
			links: list ? listAttributes(list.toString(), 'a', 'href') : [],
			turned: page
				.querySelectorAll('main a')
				.map((link) => readText(link).trim())
				.find((label) => / first$/.test(label)),
		}
	}
}

test('the ledger says its last three entries, which are the same in each order and follow the search', async () => {
	sendLedger(ENTRIES)
	const read = await openLine('/reports/ledger')
	// Of two entries of one day the one that the broker lists last comes first.
	const three = ['03/04/2026 THIRD ₹ 50.50 Dr', '03/04/2026 SECOND ₹ 250.00 Dr', '02/04/2026 FIRST ₹ 900.00 Cr']
	expect(await read('')).toMatchObject({ lines: three, turned: 'Latest first' })
	expect(await read('&sort=-date')).toMatchObject({ lines: three, turned: 'Oldest first' })
	expect(await read('&sort=debit')).toMatchObject({ lines: three, turned: 'Latest first' })
	expect(await read('&sort=-debit')).toMatchObject({ lines: three, turned: 'Latest first' })
	expect(await read('&q=first')).toMatchObject({ lines: three.slice(2), turned: undefined })
	expect((await read('&q=nothing')).lines).toBeUndefined()
})

test('the ledger has no last entry when there is only an opening balance', async () => {
	sendLedger(ENTRIES.slice(0, 1))
	expect((await (await openLine('/reports/ledger'))('')).lines).toBeUndefined()
})

test('Contract/Bill has the newest bills with their files above the table', async () => {
	send('/v1/reports/contractbills', [bill('2026-04-02', 'NC01', 120, 'DEMO01/1.pdf'), bill('2026-04-06', 'NC02', -75.25, 'DEMO01/2.pdf')])
	const read = await openLine('/reports/contractnbill')
	const [second, first] = [
		'06/04/2026 NC02 ₹ 75.25 Dr Bill · Equity Download : contract NC02',
		'02/04/2026 NC01 ₹ 120.00 Cr Bill · Equity Download : contract NC01',
	]
	const { lines, links, turned, figures } = await read('')
	expect(figures).toBe('Net credit ₹ 44.75 Credited ₹ 120.00 Debited ₹ 75.25')
	expect([lines, turned]).toEqual([[second, first], 'Latest first'])
	expect(links.slice(0, 2)).toEqual(['/reports/contractnbill/NC02', '/downloads/contract/NC02'])
	expect((await read('&q=nc01')).lines).toEqual([first])
	send('/v1/reports/contractbills', [bill('2026-04-06', 'NC02', -75.25, null)])
	expect((await read('')).lines).toEqual(['06/04/2026 NC02 ₹ 75.25 Dr Bill · Equity'])
})

test('among the newest bills a contract note comes before the bills of its day', async () => {
	send('/v1/reports/contractbills', [
		...[bill('2026-04-02', 'NC00', 5, null, 'CONTRACT NOTE'), bill('2026-04-06', 'NC01', 10, null, 'CONTRACT NOTE')],
		...[bill('2026-04-06', 'NF02', 20, null), bill('2026-04-06', 'NF03', 30, null), bill('2026-04-06', 'MX04', 40, null)],
	])
	const { lines } = await (await openLine('/reports/contractnbill'))('')
	expect(lines).toEqual([
		'06/04/2026 NC01 ₹ 10.00 Cr Contract note · Equity',
		'06/04/2026 MX04 ₹ 40.00 Cr Bill · Equity',
		'06/04/2026 NF03 ₹ 30.00 Cr Bill · Equity',
	])
})

test('Global Details has the newest trades above the table', async () => {
	const trade = (DATE: string, SCRIP_NAME: string, SIDE: string, QTY: number, NET_AMT: number) => ({
		...{ DATE, SCRIP_NAME, SIDE, QTY, NET_AMT, RATE: 10, AMOUNT: QTY * 10, BROKERAGE: 1, CHARGES: 0.5 },
		...{ SETL_NO: null, CONTRACT_NO: null, ISIN: null },
	})
	send('/v2/service/reports/global-details', [
		trade('2026-04-02', 'Axis Bank Ltd.', 'BUY', 29, -291.5),
		trade('2026-04-06', 'Cipla Ltd.', 'SELL', 1000, 9998.5),
	])
	const read = await openLine('/reports/global-details')
	const [second, first] = ['06/04/2026 Sell 1,000 Cipla Ltd. +₹ 9,998.50', '02/04/2026 Buy 29 Axis Bank Ltd. −₹ 291.50']
	expect(await read('')).toMatchObject({ lines: [second, first], turned: 'Latest first' })
	expect((await read('&q=axis')).lines).toEqual([first])
})

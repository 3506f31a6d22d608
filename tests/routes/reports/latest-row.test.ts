import { expect, test } from 'vitest'
import { signedIn } from '#tests/support/account'
import { openPortalForFile } from '#tests/support/portal'
import { listAttributes, parsePage, readText } from '#tests/support/readers'

/* The newest row, on one line above a table that begins with the oldest. */

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

const bill = (BILL_DATE: string, BILL_NO: string, BILL_AMT: number, file_path: string | null) => ({
	...{ BILL_DATE, BILL_NO, BILL_AMT, file_path, SETL_NO: null, COCD: 'NSE_CASH', DOC_TYPE: 'BILL' },
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
		const line = parsePage(html)
			.querySelectorAll('main p')
			.find((each) => readText(each).trim().startsWith('Last '))
		return { text: line && readText(line).trim(), links: line ? listAttributes(line.toString(), 'a', 'href') : [] }
	}
}

test('the ledger says its last entry, which is the same in each order and follows the search', async () => {
	sendLedger(ENTRIES)
	const read = await openLine('/reports/ledger')
	const third = 'Last entry 03/04/2026 THIRD ₹ 50.50 Dr'
	expect((await read('')).text).toBe(`${third} Latest first`)
	expect((await read('&sort=-date')).text).toBe(`${third} Oldest first`)
	// Of two entries of one day it is the one that the broker lists last.
	expect((await read('&sort=debit')).text).toBe(`${third} Latest first`)
	expect((await read('&sort=-debit')).text).toBe(`${third} Latest first`)
	expect((await read('&q=first')).text).toBe('Last entry 02/04/2026 FIRST ₹ 900.00 Cr')
	expect((await read('&q=nothing')).text).toBeUndefined()
})

test('the ledger has no last entry when there is only an opening balance', async () => {
	sendLedger(ENTRIES.slice(0, 1))
	expect((await (await openLine('/reports/ledger'))('')).text).toBeUndefined()
})

test('Contract/Bill has the newest bill with its file above the table', async () => {
	send('/v1/reports/contractbills', [bill('2026-04-02', 'NC01', 120, 'DEMO01/1.pdf'), bill('2026-04-06', 'NC02', -75.25, 'DEMO01/2.pdf')])
	const read = await openLine('/reports/contractnbill')
	const { text, links } = await read('')
	expect(text).toBe('Last bill 06/04/2026 NC02 ₹ 75.25 Dr Download : contract NC02 Latest first')
	expect(links.slice(0, 2)).toEqual(['/reports/contractnbill/NC02', '/downloads/contract/NC02'])
	expect((await read('&q=nc01')).text).toBe('Last bill 02/04/2026 NC01 ₹ 120.00 Cr Download : contract NC01')
	send('/v1/reports/contractbills', [bill('2026-04-06', 'NC02', -75.25, null)])
	expect((await read('')).text).toBe('Last bill 06/04/2026 NC02 ₹ 75.25 Dr')
})

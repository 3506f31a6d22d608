import { beforeAll, beforeEach, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { firstLink, readAll, readText } from '#tests/support/readers'

/*
 * A broker may have a ledger whose code is not in the contract. It has a line on the dashboard, a page and files. The portal makes
 * them from its rows in the reply of all ledgers.
 */

const opened = openPortalForFile()
let client: Visitor
beforeAll(async () => void (client = await signedIn(opened, 'DEMO01')))

const CODE = 'SLBM & loans'
const row = (COCD: string, no: string, DR_AMT: number, CR_AMT: number, BALANCE: number, type = 'RECEIPT') => ({
	VOUCHER_DATE: '2026-05-04',
	VOUCHER_NO: no,
	VOUCHER_TYPE: type,
	COCD,
	SETL_NO: null,
	NARRATION: `Entry ${no}`,
	DR_AMT,
	CR_AMT,
	BALANCE,
	BILL_NO: null,
})
/** Equity: 100 - 30 = 70. The own ledger: opening 50, + 25.50, - 10 = 65.50; debits 10.00, credits 75.50. All: 135.50. */
const ROWS = [
	row('NSE_CASH', 'E1', 0, 100, 100),
	row('NSE_CASH', 'E2', 30, 0, 70, 'PAYMENT'),
	row(CODE, 'O0', 0, 50, 50, 'OPENING'),
	row(CODE, 'O1', 0, 25.5, 75.5),
	row(CODE, 'O2', 10, 0, 65.5, 'PAYMENT'),
]
const codes: (string | null)[] = []

beforeEach(() => {
	codes.length = 0
	opened.breakBroker((request) => {
		const { pathname, searchParams } = new URL(request.url)
		const reply = (data: unknown) => Response.json({ status: 'success', message: '', data })
		if (pathname === '/v2/dashboard/ledger') {
			return reply([
				{ COCD: 'NSE_CASH', DUE_AMT: 70 },
				{ COCD: CODE, DUE_AMT: 65.5 },
			])
		}
		if (pathname !== '/v2/service/reports/ledger') return undefined
		codes.push(searchParams.get('cocd'))
		return reply({ filtered_df: ROWS, totals_df: [{ DR_AMT: 40, CR_AMT: 175.5, BALANCE: 135.5 }] })
	})
})

const ADDRESS = `/reports/ledger/${encodeURIComponent(CODE)}`

test('a ledger without a code in the contract has a line on the dashboard that links its page', async () => {
	const { html } = await client.visit('/dashboard')
	expect(html).toContain(`href="${ADDRESS}?year=${formatYear(BROKERS_YEAR)}"`)
	expect(readText(html)).toMatch(/SLBM & loans\s+₹ 65\.50 Cr/)
})

test('its page has only its rows with a running balance, and says that the broker states no closing balance', async () => {
	const { status, html } = await client.visit(`${ADDRESS}?year=2026-2027&refresh=1`)
	const text = readText(html)
	expect(status).toBe(200)
	for (const word of ['Entry O1', 'Entry O2', '65.50', '75.50']) expect(text).toContain(word)
	expect(text).not.toContain('Entry E1')
	expect(text).not.toContain('could not be read')
	expect(text).toContain('The broker states no closing balance for this ledger, so its balances are not checked.')
	expect(readAll(html, 'option[selected]')).toContain('SLBM & loans')
	// The contract has no such code, so none is sent.
	expect(codes).toEqual([null])
})

test('its files have the same rows', async () => {
	const { html } = await client.visit(`${ADDRESS}?year=2026-2027`)
	const links = ['pdf', 'xlsx', 'csv'].map((format) => firstLink(html, `/downloads/ledger/${format}`))
	const [pdf, xlsx, csv] = await Promise.all(links.map((link) => client.send(link)))
	expect([pdf?.status, xlsx?.status, csv?.status]).toEqual([200, 200, 200])
	const lines = (await csv?.text())?.trim().split('\r\n') ?? []
	expect(lines.filter((line) => line.includes('Entry O'))).toHaveLength(2)
	expect(lines.join()).not.toContain('Entry E')
	expect((await pdf?.text())?.slice(0, 5)).toBe('%PDF-')
})

test('a ledger that neither the rows nor the dashboard have does not exist', async () => {
	expect((await client.visit('/reports/ledger/NOTHING')).status).toBe(404)
	expect((await client.visit('/reports/ledger/..%2Fx')).status).toBe(404)
})

test('an unknown segment in the address is not a choice', async () => {
	const { status, html, url } = await client.visit('/reports/ledger?year=2026-2027&segment=NOTHING')
	expect([status, url]).toEqual([200, '/reports/ledger?year=2026-2027'])
	expect(readText(html)).toContain('Entry E1')
	expect(html).not.toContain('NOTHING')
})

test.for([
	['NOTHING', '/reports/ledger'],
	[CODE, ADDRESS],
	['MCX', '/reports/ledger/MCX'],
] as const)('on the page of a ledger the choice of %s leads to %s', async ([segment, page]) => {
	const chosen = new URLSearchParams({ year: '2026-2027', segment })
	const { status, url } = await client.visit(`/reports/ledger/NSE_CASH?${chosen}`)
	expect([status, url]).toEqual([200, `${page}?year=2026-2027`])
})

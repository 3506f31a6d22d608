import { beforeEach, expect, test } from 'vitest'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { listAttributes, readText } from '#tests/support/readers'

/* A field that no page uses costs nothing when a broker leaves it out or writes it in another way. */

const opened = openPortalForFile()
let client: Visitor
// A new session each time: the replies kept for the other session would hide the fault.
beforeEach(async () => void (client = await signedIn(opened, 'DEMO01')))

type Data = Record<string, unknown>
type Case = [name: string, page: string, path: string, change: (data: Data) => void, shown: string[]]

const first = (data: unknown) => (data as Data[])[0] ?? {}

async function see(page: string) {
	const { status, html } = await client.visit(page)
	expect([page, status]).toEqual([page, 200])
	return { html, text: readText(html) }
}

/** Removes these fields from every object of a reply. */
function remove(names: readonly string[], value: unknown): void {
	if (typeof value !== 'object' || value === null) return
	for (const name of names) Reflect.deleteProperty(value, name)
	for (const inner of Object.values(value)) remove(names, inner)
}

const without =
	(...names: string[]) =>
	(data: Data) =>
		remove(names, data)

const UNUSED: Case[] = [
	['less of the funded positions', '/connect/mtf?refresh=1', '/v1/ours/mtf-facts', without('MARGIN_PCT'), ['Funded positions', 'NTPC']],
	['less of the lots', '/reports/holding/INE040A01034', '/v1/ours/lots', without('LOT_ID', 'OPENED_ON'), ['If sold today']],
	[
		'less of the holdings',
		'/reports/holding?refresh=1',
		'/v1/ours/holding-facts',
		without('MTF_QTY', 'ACQUIRED_ON', 'LONG_TERM_FROM'),
		['Cost not known: 1 of 23'],
	],
	['less of the moves', '/reports/global-summary?refresh=1', '/v1/ours/stock-moves', without('IS_COST_KNOWN'), ['Total']],
	[
		'no difference',
		'/reports/profitnloss?refresh=1',
		'/v1/ours/pnl-tie',
		without('DIFFERENCE'),
		['How this ties to the ledger', 'Balance at the end'],
	],
	['no start of a mandate', '/funds/e-mandate?refresh=1', '/v1/ours/mandates', without('starts_on'), ['HDFC7260822000104821']],
	[
		'a bill without a file',
		'/reports/contractnbill',
		'/v1/reports/contractbills',
		(data) => void Object.assign(first(data), { file_path: null }),
		['Total'],
	],
	[
		'no long-term units',
		'/reports/holding?refresh=1',
		'/v2/service/reports/holding',
		(data) => delete first(data).LONG_TERM_QTY,
		['Total'],
	],
	[
		'another strike',
		'/reports/position?refresh=1',
		'/v2/service/reports/position',
		(data) => void Object.assign(first(data.filtered_df), { STRIKE: -0.01, OPTION_TYPE: null, INSTRUMENT: null }),
		['Total'],
	],
	...[{ client_name: undefined }, { client_code: {} }, { year: '2026-2027' }].map((fields): Case => [
		`${Object.keys(fields).join()} of the dashboard`,
		'/dashboard?refresh=1',
		'/v1/user/dashboard',
		(data) => void Object.assign(data, fields),
		['Net, after charges', 'Trading holiday'],
	]),
	...[{ client_code: 'exact01 ' }, { account_type: undefined }, { can_close_plain: undefined }].map((fields): Case => [
		`${Object.keys(fields).join()} of the closure`,
		'/myaccount/closure?refresh=1',
		'/v1/acc-closing-details',
		(data) => void Object.assign(data, fields),
		['Virtual balance'],
	]),
]

test.each(UNUSED)('%s', async (_, page, path, change, shown) => {
	opened.rewriteCalls(path, (json) => change(json.data as Data))
	const { text } = await see(page)
	for (const words of shown) expect(text).toContain(words)
	expect(text).not.toMatch(/could not be|incomplete/)
})

test('an issue can be bid for when the broker writes the client code in small letters', async () => {
	opened.rewriteCalls('/ipo/v1/fetch-client-details', (json) => void ((json.data as Data).client_code = 'demo01 '))
	const { html } = await see('/connect/ipo')
	const issue = listAttributes(html, 'main a[href^="/connect/ipo/"]', 'href').find((href) => !href.includes('/bids')) ?? ''
	expect((await see(issue)).text).toContain('Review bid')
})

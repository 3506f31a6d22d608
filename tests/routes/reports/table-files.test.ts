import { beforeAll, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { lastCode, sendCode } from '#tests/support/account'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { findAttribute, firstLink, listAttributes, readAll, readCsv, readFileName, readTable, readText } from '#tests/support/readers'

/* The smaller tables of the pages can be searched and sorted, and saved as shown. */

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open, 'DEMO01')
	await client.post('/myaccount/email', '/myaccount/email', { input: 'another@example.com' })
	await sendCode(client, '/myaccount/email/otp', { otp: await lastCode('DEMO01') })
})

const follow = (page: string, start: string) => async () => firstLink((await client.visit(page)).html, start)

const TABLES: [name: string, page: () => Promise<string>, caption: RegExp, csv: string, file: RegExp, sort: string][] = [
	[
		'the trades of a contract note',
		follow('/reports/contractnbill?year=2025-2026', '/reports/contractnbill/NC'),
		/^Trades$/,
		'a[href^="/downloads/contract/"][href*="/trades"]',
		/^DEMO01_TRADES_[A-Z0-9]+\.csv$/,
		'-amount',
	],
	[
		'the lots of a holding',
		follow(`/reports/holding?year=${formatYear(BROKERS_YEAR)}`, '/reports/holding/IN'),
		/^Lots of /,
		'a[href^="/downloads/lots/IN"]',
		/^DEMO01_LOTS_IN[A-Z0-9]{10}\.csv$/,
		'-cost',
	],
	[
		'issues that take bids',
		async () => '/connect/ipo',
		/^Issues$/,
		'a[href^="/downloads/ipo-issues/csv"]',
		/^IPO_ISSUES\.csv$/,
		'-minimum',
	],
	[
		'issues that open soon',
		async () => '/connect/ipo?condition=upcoming',
		/^Issues$/,
		'a[href^="/downloads/ipo-issues/csv"]',
		/^IPO_ISSUES\.csv$/,
		'issue',
	],
	[
		'charges by kind',
		async () => '/reports/profitnloss?year=2025-2026',
		/^Charges by kind$/,
		'a[href^="/downloads/pnl/charges"]',
		/^DEMO01_PNL_CHARGES\.csv$/,
		'-all-charges',
	],
	['requests', async () => '/myaccount/requests', /^Requests$/, 'a[href^="/downloads/requests/csv"]', /^DEMO01_REQUESTS\.csv$/, '-request'],
]

/** The table of the page with this caption. */
function shown(html: string, caption: RegExp) {
	const name = readAll(html, 'caption').find((words) => caption.test(words))
	return readTable(html, name ?? String(caption))
}

test.for(TABLES)('%s', async ([, formatAddress, caption, csv, name, sort]) => {
	const address = await formatAddress()
	const join = address.includes('?') ? '&' : '?'
	for (const query of ['', `${join}sort=${sort}`]) {
		const { status, html } = await client.visit(address + query)
		expect(status).toBe(200)
		expect(readAll(html, 'a[href*="sort="]')).not.toEqual([])
		if (query) expect(findAttribute(html, 'th', 'aria-sort')).toMatch(/^(ascending|descending)$/)
		const file = await client.send(findAttribute(html, csv, 'href'))
		expect(readFileName(file)).toMatch(name)
		const [heads = [], ...lines] = readCsv(await file.text())
		const { head, rows } = shown(html, caption)
		// The first words of each row, in the page's order.
		const [ours, theirs] = [heads.indexOf('#') + 1, head.indexOf('#') + 1]
		const words = (row: readonly string[], at: number) => /^\S+/.exec(row[at] ?? '')?.[0]?.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1')
		expect(rows.length).toBeGreaterThan(0)
		// A shorter list has no search.
		expect(readAll(html, 'input[name="q"]').length > 0, `a search of ${rows.length} rows`).toBe(rows.length >= 10)
		expect(lines.map((row) => words(row, ours))).toEqual(rows.map((row) => words(row, theirs)))
		expect(heads.slice(1)).toEqual(head.filter((each) => each !== '#'))
	}
	const none = readText((await client.visit(`${address}${join}q=nosuchthing`)).html)
	expect(none).toContain('No entries match “nosuchthing”.')
})

test.for([
	['/funds/history?table=payins', 'Pay-ins', 'payins/csv'],
	['/funds/history?table=payouts', 'Pay-outs', 'payouts/csv'],
	['/funds', 'Payments from unregistered accounts', 'unregistered-payments/csv'],
	['/funds/e-mandate', 'Mandates', 'mandates/csv'],
	['/connect/ipo/bids', 'Bid report', 'ipo-bids/csv'],
	['/dpprocess', 'Holdings', 'depository/holdings'],
	['/dpprocess/pledge', 'Margin pledge', 'depository/margin-pledge'],
	['/dpprocess/pledge', 'Pledge requests', 'depository/pledge-requests'],
] as const)('the file of %s has the columns of %s in their order', async ([address, caption, file]) => {
	const [heads = []] = readCsv(await (await client.send(`/downloads/${file}`)).text())
	// The page has the ISIN below the name, and fields in two columns of its own.
	const isForm = ['Holdings', 'Margin pledge'].includes(caption)
	const words = ['#', ...(isForm ? ['ISIN', 'Select all free', 'Quantity'] : [])]
	const others = (list: readonly string[]) => list.filter((each) => !words.includes(each))
	expect(others(heads)).toEqual(others(readTable((await client.visit(address)).html, caption).head))
})

test('the head of the day shows that the oldest entries are first, and its link turns the order', async () => {
	for (const report of ['ledger', 'contractnbill', 'global-details']) {
		const { html } = await client.visit(`/reports/${report}?year=2025-2026`)
		expect([readAll(html, 'main th[aria-sort]'), findAttribute(html, 'main th[aria-sort]', 'aria-sort')]).toEqual([['Date'], 'ascending'])
		const latest = await client.visit(findAttribute(html, 'main th[aria-sort] a', 'href'))
		expect(findAttribute(latest.html, 'main th[aria-sort]', 'aria-sort')).toBe('descending')
	}
	// No order by day is claimed for a list that has none.
	expect(readAll((await client.visit('/reports/holding')).html, 'main th[aria-sort]')).toEqual([])
})

test('beside the table of one segment only the CSV is linked, because the broker’s file has all segments', async () => {
	for (const [report, brokers] of [
		['global-summary', 'pdf'],
		['global-details', 'xlsx'],
	] as const) {
		const listFiles = async (query: string) => {
			const { html } = await client.visit(`/reports/${report}?year=2025-2026${query}`)
			return listAttributes(html, `main a[href^="/downloads/${report}/"]`, 'href').map((href) => href.split(/[/?]/)[3])
		}
		expect(await listFiles('')).toEqual([brokers, 'csv'])
		expect(await listFiles('&segment=NSE_FNO')).toEqual(['csv'])
	}
})

const NOW = `/reports/holding?year=${formatYear(BROKERS_YEAR)}`

test('a search says which files it does not change', async () => {
	const { html } = await client.visit(`${NOW}&q=tata`)
	expect(readText(html)).toContain('PDF and Excel contain every row, the CSV only those found.')
	for (const query of ['', '&q=nosuchthing']) expect(readText((await client.visit(NOW + query)).html)).not.toContain('every row')
})

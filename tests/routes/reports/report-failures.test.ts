import { beforeAll, expect, test } from 'vitest'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { findAttribute, parsePage, readHeading, readText, readTitle } from '#tests/support/readers'

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})

/** The statements that have a search. */
const SEARCHED = [
	['holding', 'Holding'],
	['position', 'Position'],
	['global-summary', 'Global Summary'],
	['global-details', 'Global Details'],
]

test('a failed report keeps the menu, and wrong dates are refused before the broker is asked', async () => {
	open.breakBroker((request) =>
		request.url.includes('/service/reports/')
			? Response.json({ status: 'error', message: 'Oops', data: null }, { status: 500 })
			: undefined,
	)
	for (const [path, heading] of SEARCHED) {
		const failed = await client.visit(`/reports/${path}?refresh=1`)
		expect(failed.status).toBe(502)
		expect(failed.html).toContain('aria-label="Main"')
		expect(readHeading(failed.html)).toBe(heading)
		expect(readTitle(failed.html).startsWith(`${heading} · `), heading).toBe(true)
		const alert = parsePage(failed.html).querySelector('main [role=alert]')
		expect(alert && readText(alert)).toMatch(
			new RegExp(`^${heading} could not be loaded. Oops Try again Failed at .* \\(IST\\) · Reference `),
		)
		// There is nothing to search. A search that was asked for stays, so that trying again is the same search.
		expect(failed.html, heading).not.toContain('name="q"')
		const sought = await client.visit(`/reports/${path}?refresh=1&q=INFY`)
		expect(findAttribute(sought.html, 'main form input[name=q]', 'value'), heading).toBe('INFY')
	}
	open.breakBroker(undefined)
	open.asked.length = 0
	const wrong = await client.visit('/reports/contractnbill?from=31/02/2026')
	expect([wrong.status, open.asked.filter((request) => request.url.includes('contractbills')).length]).toEqual([400, 0])
	expect(wrong.html).toContain('From date must be a real date')
	const ledger = await client.visit('/reports/ledger?filtered=1&from=32/13/2026&to=20/11/2026&q=')
	expect(ledger.status).toBe(400)
	expect(findAttribute(ledger.html, 'main form input[name=q]', 'type')).toBe('search')
})

test.each([
	['/reports/holding/INE733E01010', 'This holding'],
	['/reports/contractnbill/MX26040601', 'Bill MX26040601'],
	['/reports/income-tax', 'Income Tax'],
])('%s says what failed in the same box as a report, and leads to others', async (address, what) => {
	open.breakBroker((request) =>
		/lots|contract-note|incometax/.test(request.url)
			? Response.json({ status: 'error', message: 'Oops', data: null }, { status: 500 })
			: undefined,
	)
	const { status, html } = await client.visit(`${address}?refresh=1`)
	const main = parsePage(html).querySelector('main')
	expect(status).toBe(502)
	expect(readText(main?.querySelector('[role=alert]') ?? '')).toMatch(
		new RegExp(`^${what} could not be loaded. Oops Try again Failed at .* \\(IST\\) · Reference [0-9A-F]{4}-[0-9A-F]{6}`),
	)
	if (address.includes('/holding/'))
		expect([readHeading(html), readTitle(html)]).toEqual(['INE733E01010', expect.stringMatching(/^INE733E01010 · /)])
	const links = main?.querySelectorAll('a').map((link) => readText(link))
	// A page of one holding leads back to Holding above, and not a second time here.
	const isHolding = address.includes('/holding/')
	expect(readText(main ?? '')).toMatch(isHolding ? /open another report: Ledger ?, Profit/ : /open another report: Ledger ?, Holding ?,/)
	expect(links?.filter((link) => link.endsWith('Holding'))).toEqual([isHolding ? 'Back to Holding' : 'Holding'])
})

test('a failed holding repeats only an ISIN of its address as heading', async () => {
	open.failCalls(/lots/, () => Response.json({ status: 'error', message: 'Oops', data: null }, { status: 500 }))
	expect(readHeading((await client.visit('/reports/holding/Call%20022%201234')).html)).toBe('Holding')
})

test.each(['/reports/contractnbill', '/reports/ledger', '/connect/ipo/bids'])(
	'%s asks for no day to come, and states no balance of one',
	async (address) => {
		open.asked.length = 0
		const page = await client.visit(`${address}?from=01/01/2099&to=31/01/2099`)
		expect([page.status, readText(page.html)]).toEqual([400, expect.stringContaining('From date must be today or earlier')])
		expect(open.asked.map(({ url }) => url).filter((url) => /contractbills|global|reports\/ledger|bids/.test(url))).toEqual([])
		expect(page.html).not.toContain('as the broker states it')
		const fields = parsePage(page.html).querySelectorAll('main input[name=from]')
		expect(fields.map((field) => field.getAttribute('value'))).toContain('01/01/2099')
	},
)

test('a report of whole years ignores days in the address', async () => {
	const page = await client.visit('/reports/global-details?from=31/02/2026&to=01/01/2099')
	expect([page.status, readText(page.html)]).toEqual([200, expect.not.stringContaining('There is a problem')])
})

test('a failed optional part leaves the statement up, and an unknown figure is not shown as a figure', async () => {
	open.breakBroker((request) =>
		/holding-facts|stock-moves/.test(request.url)
			? Response.json({ status: 'error', message: 'Oops', data: null }, { status: 500 })
			: undefined,
	)
	const holding = await client.visit('/reports/holding?refresh=1')
	expect([holding.status, readText(holding.html)]).toEqual([
		200,
		expect.stringContaining('Whether every cost is known could not be loaded'),
	])
	expect(readText(holding.html)).toMatch(/GAIL \(India\) Ltd\. \S+ 150 150 0 0 — — [\d.]+ [\d,.]+ — —/)
	const summary = await client.visit('/reports/global-summary?refresh=1')
	expect([summary.status, readText(summary.html)]).toEqual([200, expect.stringContaining('which they are could not be loaded')])
})

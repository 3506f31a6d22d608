import { beforeAll, expect, test } from 'vitest'
import { BROKERS_DAY, BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { listAttributes, parsePage } from '#tests/support/readers'

/* Refresh: the broker is called again with hard-refresh; the address keeps the view. */

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})

/** The fields of the top bar's form, without a script. */
function refreshAt(html: string): string {
	const fields = parsePage(html).querySelectorAll('form.refresh [name]')
	return String(new URLSearchParams(fields.map((field) => [field.getAttribute('name') ?? '', field.getAttribute('value') ?? ''])))
}

test.each([
	['/dashboard', '/v2/dashboard/ledger'],
	['/reports/ledger?filtered=1&opening=Y&segment=NSE_CASH&sort=-debit&q=bill', '/v2/service/reports/ledger'],
	['/reports/holding?q=a', '/v2/service/reports/holding'],
	['/reports/position?segment=MCX', '/v2/service/reports/position'],
	['/reports/global-summary', '/v2/service/reports/global-summary'],
	['/reports/global-details', '/v2/service/reports/global-details'],
	['/reports/contractnbill?from=2026-05-01&to=2026-06-30', '/v1/reports/contractbills'],
	['/reports/profitnloss', '/v1/reports/pnl-segment'],
	['/reports/income-tax', '/v1/user/report/incometax'],
	['/myaccount', '/v2/account-profile/personal-details'],
	['/myaccount/bank', '/v2/account-profile/bank-details'],
	['/myaccount/segments', '/v2/account-profile/personal-details'],
	['/myaccount/nominee', '/v2/account-profile/personal-details'],
	['/myaccount/income', '/v2/account-profile/personal-details'],
	['/myaccount/closure', '/v1/acc-closing-details'],
	['/myaccount/requests', '/v1/ours/change-requests'],
])('Refresh on %s asks the broker again', async (address, call) => {
	const [path = '', shown = ''] = address.split('?')
	const { html } = await client.visit(address)
	const query = refreshAt(html)
	expect(query).toBe(shown ? `${String(new URLSearchParams(shown))}&refresh=1` : 'refresh=1')
	open.asked.length = 0
	const page = await client.visit(`${path}?${query}`)
	expect(page.status).toBe(200)
	const asked = open.asked.filter(({ url }) => new URL(url).pathname === call)
	expect(asked.length).toBeGreaterThan(0)
	expect(asked.some(({ headers }) => headers.get('hard-refresh') === 'true')).toBe(true)
	// The links of the page do not refresh again.
	expect(listAttributes(page.html, '[href*="refresh=1"]', 'href')).toEqual([])
})

test.each(['ledger', 'holding', 'position', 'global-summary', 'global-details'])(
	'requests the %s of a financial year by year',
	async (report) => {
		const last = BROKERS_YEAR - 1
		open.asked.length = 0
		for (const year of [last, last + 1]) await client.visit(`/reports/${report}?year=${year}-${year + 1}&refresh=1`)
		const asked = open.asked.map(({ url }) => new URL(url)).filter(({ pathname }) => pathname === `/v2/service/reports/${report}`)
		expect(
			asked.map(({ searchParams }) => [searchParams.get('dataYear'), searchParams.get('from_date'), searchParams.get('to_date')]),
		).toEqual([
			[String(last), null, null],
			[String(last + 1), null, null],
		])
	},
)

test('requests other periods by their first and last day', async () => {
	open.asked.length = 0
	await client.visit(`/reports/ledger?from=2025-05-01&to=${BROKERS_DAY}&refresh=1`)
	const asked = open.asked.map(({ url }) => new URL(url)).find(({ pathname }) => pathname === '/v2/service/reports/ledger')
	expect([asked?.searchParams.get('dataYear'), asked?.searchParams.get('from_date'), asked?.searchParams.get('to_date')]).toEqual([
		null,
		'2025-05-01',
		BROKERS_DAY,
	])
})

test('a second Refresh of a page joins the first while that is under way', async () => {
	open.asked.length = 0
	const both = await Promise.all([client.visit('/reports/ledger?refresh=1'), client.visit('/reports/ledger?refresh=1')])
	expect(both.map(({ status }) => status)).toEqual([200, 200])
	const fresh = open.asked.filter(({ url, headers }) => url.includes('/reports/ledger') && headers.get('hard-refresh') === 'true')
	expect(fresh).toHaveLength(1)
	await client.visit('/reports/ledger?refresh=1')
	expect(open.asked.filter(({ url }) => url.includes('/v2/service/reports/ledger')).length).toBe(2)
})

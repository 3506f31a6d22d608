import { beforeEach, describe, expect, test } from 'vitest'
import { type BadRow, CASES } from '#tests/support/bad-rows'
import { openPortalForFile, signedIn, Visitor } from '#tests/support/portal'
import { listAttributes, readText } from '#tests/support/readers'

/* A cell, an object or a list that a broker leaves out or writes as null costs that cell, and not its page. */

const opened = openPortalForFile()
let client: Visitor
// A new session each time: the replies kept for the other session would hide the fault.
beforeEach(async () => void (client = await signedIn(opened, 'DEMO01')))

async function see(page: string) {
	const { status, html } = await client.visit(page)
	const text = readText(html)
	expect([page, status]).toEqual([page, 200])
	expect(text).not.toMatch(/\bNaN\b|\bundefined\b|\[object Object\]|\bnull\b|Invalid Date|could not be loaded/)
	return { html, text }
}

const AS_DASH = '1 value could not be read and is shown as —.'

type Data = Record<string, unknown>
type Case = [name: string, page: string, path: string, change: (data: Data, json: Data) => void, shown: (string | RegExp)[]]

const PROFILE = '/v2/account-profile/personal-details'
const DDPI = '/edis/v1/detailed_file'
const part = (data: Data, name: string) => data[name] as Data
const first = (data: unknown) => (data as Data[])[0] ?? {}

const MISSING: Case[] = [
	[
		'the time of the bundle in another format',
		'/reports/profitnloss?refresh=1',
		'/v1/reports/pnl-segment',
		(_, json) => void (json.zip_time = 'five past noon'),
		[/Equity/, 'Segments'],
	],
	[
		'no flag for the bundle',
		'/reports/profitnloss?refresh=1',
		'/v1/reports/pnl-segment',
		(_, json) => void (json.is_genearte = null),
		['Segments'],
	],
	...['totals_df null', 'no totals_df'].flatMap((name): Case[] =>
		[
			['/reports/ledger?refresh=1', '/v2/service/reports/ledger', 'The broker states no closing balance for this ledger'],
			['/reports/position?refresh=1', '/v2/service/reports/position', 'Total'],
			['/reports/global-summary?refresh=1', '/v2/service/reports/global-summary', 'Total'],
			['/reports/profitnloss?refresh=1&segment=NSE_CASH', '/v1/user/report/pnl', 'Total'],
		].map(([page = '', path = '', shown = '']): Case => [
			`${name} at ${path}`,
			page,
			path,
			(data) => (name === 'no totals_df' ? delete data.totals_df : (data.totals_df = null)),
			[shown],
		]),
	),
	[
		'no total of the pledges',
		'/dpprocess/pledge',
		'/v1/margin_epledge_data',
		(data) => void (data.total = null),
		[/All free shares would add ₹ [\d,.]+ /],
	],
	[
		'notices null',
		'/dashboard',
		'/v1/user/dashboard',
		(data) => void (data.notices = null),
		['There are no notices.', /Net, after charges [+−]?₹/],
	],
	[
		'history null',
		'/dashboard',
		'/v1/user/dashboard',
		(data) => void (data.history = null),
		[/The chart appears after/, /Net, after charges [+−]?₹/],
	],
	[
		'allocation null',
		'/dashboard',
		'/v1/user/dashboard',
		(data) => void (data.allocation = null),
		['Nothing is held to divide by sector.', /Net, after charges [+−]?₹/],
	],
	[
		'figures of the margin funding',
		'/connect/mtf',
		'/v2/account-profile/mtf-details',
		(data) => void Object.assign(data, { limit: null, margin_required: 'n.q.' }),
		['2 values could not be read and are shown as —.', /Paid by you —/, /Limit —/],
	],
	[
		'sectors of blanks',
		'/reports/holding?refresh=1',
		'/v2/service/reports/holding',
		(data) => (data as unknown as Data[]).forEach((row) => void (row.SECTOR = '  ')),
		[/by sector Share of ₹ [\d,.]+ Not known ₹/],
	],
	['an unreadable day of the DDPI', '/dpprocess/ddpi', DDPI, (data) => void (data.signed_on = 'long ago'), [AS_DASH]],
	['no name at the DDPI', '/dpprocess/ddpi', DDPI, (data) => delete data.client_name, [/Status [A-Z][a-z ]+ Demat account \d{16}, —/]],
	[
		'no account at the DDPI',
		'/dpprocess/ddpi',
		DDPI,
		(data) => void (data.bo_id = null),
		[AS_DASH, /Demat account —/, 'there is nothing to sign or to download here'],
	],
	[
		'no virtual balance at the closure',
		'/myaccount/closure',
		'/v1/acc-closing-details',
		(data) => void (data.virtual_balance = null),
		[AS_DASH, /Virtual balance \(accrued, not yet posted\) —/, /Total ledger balance ₹/],
	],
	['no last name', '/myaccount', PROFILE, (data) => delete part(data, 'personal_details').last_name, [/Name Aarav Rajesh (?!Mehta)/]],
	['no segments', '/myaccount/segments', PROFILE, (data) => delete part(data, 'dp_details').activate_segment, ['Segments']],
	['no segments, profile', '/myaccount', PROFILE, (data) => delete part(data, 'dp_details').activate_segment, [/Name Aarav/]],
	[
		'no default flag',
		'/myaccount/bank?refresh=1',
		'/v2/account-profile/bank-details',
		(data) => void (first(data).set_default = null),
		[AS_DASH, /— Make default/],
	],
	[
		'no time of the mandate in an issue',
		'/connect/ipo',
		'/ipo/v1/get-ipo-details',
		(data) => void (first(data).upi_cut_off = null),
		[AS_DASH],
	],
	['no cut-off price of an issue', '/connect/ipo', '/ipo/v1/get-ipo-details', (data) => void (first(data).cut_off_price = null), [AS_DASH]],
]

test.each(MISSING)('%s', async (_, page, path, change, shown) => {
	opened.rewriteCalls(path, (json) => change(json.data as Data, json))
	const { text } = await see(page)
	for (const words of shown) expect(text).toMatch(typeof words === 'string' ? new RegExp(words.replace(/[.()]/g, '\\$&')) : words)
})

describe('what can be withdrawn', () => {
	test.each(['ledger', 'unsettled', 'margin_used'])('needs only the balance: %s is null', async (name) => {
		opened.rewriteCalls('/v2/fund/withdrawable-amount', (json) => {
			Object.assign(json.data as Data, { balance: 1234.5, ledger: 5000, unsettled: 100, margin_used: 200, [name]: null })
		})
		const { text } = await see('/funds/withdraw')
		expect(text).toContain('₹ 1,234.50')
		const { text: lines } = await see('/reports/ledger/deducted')
		expect(lines).toContain(AS_DASH)
		expect(lines).toMatch(/Deducted ledger —/)
		expect(lines).not.toMatch(/These lines make/)
	})

	test('is not known without the balance', async () => {
		opened.rewriteCalls('/v2/fund/withdrawable-amount', (json) => void ((json.data as Data).balance = null))
		const { status, html } = await client.visit('/funds/withdraw')
		expect(status).toBe(200)
		expect(readText(html)).toContain('could not be loaded')
	})
})

/** The address of the first issue in the list. */
const findIssue = (html: string) =>
	listAttributes(html, 'main a[href^="/connect/ipo/"]', 'href').find((href) => !href.includes('/bids')) ?? ''

test('an issue can be bid for when the broker does not state the PAN', async () => {
	opened.rewriteCalls('/ipo/v1/fetch-client-details', (json) => delete (json.data as Data).pan)
	const { html } = await see('/connect/ipo')
	const issue = findIssue(html)
	expect((await see(issue)).text).toContain('Review bid')
})

test('an issue without a cut-off price takes bids at a price only', async () => {
	opened.rewriteCalls('/ipo/v1/get-ipo-details', (json) => {
		for (const issue of json.data as Data[]) issue.cut_off_price = null
	})
	const { html } = await see('/connect/ipo')
	const issue = findIssue(html)
	const page = await see(issue)
	const names = listAttributes(page.html, 'input', 'name')
	expect(names).toContain('bids[0].price')
	expect(names).not.toContain('bids[0].cut_off')
})

describe('a login', () => {
	const answerLogin = (change: (data: Data) => void) => opened.rewriteCalls('/v2/user/login', (json) => change(json.data as Data))

	test.each([
		['null', (data: Data) => void (data.isDormate = null)],
		['left out', (data: Data) => delete data.isDormate],
	])('is not dormant with isDormate %s', async (_, change) => {
		answerLogin(change)
		const person = new Visitor(opened.portal)
		expect((await person.login()).headers.get('location')).toBe('/dashboard')
	})

	test('without a name greets with the client code', async () => {
		answerLogin((data) => delete data.userName)
		const person = await signedIn(opened)
		expect(readText((await person.visit('/funds')).html)).toContain('Welcome, DEMO01')
	})

	test.each(['clientCode', 'authToken'])('without %s is refused', async (name) => {
		answerLogin((data) => void (data[name] = null))
		const person = new Visitor(opened.portal)
		expect((await person.login()).status).toBeGreaterThanOrEqual(400)
	})
})

/** Without times, references and the subscription of an issue, which change with every request. */
const plain = (text: string) => text.replace(/\d\d:\d\d(:\d\d)?|[\d.]+×/g, '')

test.each(CASES)('$name: a list that is null is an empty list', async ({ page, path, rows }) => {
	const list = (value: unknown) =>
		opened.rewriteCalls(path, (json) => void (rows ? ((json.data as Data)[rows] = value) : (json.data = value)))
	list([])
	const empty = await see(page)
	client = await signedIn(opened, 'DEMO01')
	list(null)
	expect(plain((await see(page)).text)).toBe(plain(empty.text))
})

test('an unreadable gain makes the sum of the lots and the summary incomplete', async () => {
	opened.breakBroker(async (request) => {
		const { pathname } = new URL(request.url)
		if (pathname === '/v1/ours/tax-facts')
			return Response.json({ status: 'error', message: 'Cannot GET /v1/ours/tax-facts' }, { status: 404 })
		if (pathname !== '/v1/user/report/incometax') return undefined
		const json = (await (await opened.forward(request)).json()) as { data: { summary: Data; rows: Data[] } }
		json.data.summary.short_term = null
		// No page shows it, so it is not counted.
		delete json.data.summary.exempt_limit
		first(json.data.rows).GAIN = null
		return Response.json(json)
	})
	const { text } = await see('/reports/income-tax?refresh=1&year=2025-2026')
	expect(text).toMatch(/\d+ lots \(incomplete\)/)
	expect(text).toMatch(
		/1 value could not be read and is shown as —\. Totals are incomplete\. Reference \S+ Summary Head Net \(₹\) Short-term gains —/,
	)
})

test('what the account still has to do is not nothing when its list is null', async () => {
	opened.rewriteCalls('/v1/ours/closure-tasks', (json) => void ((json.data as Data).tasks = null))
	const { html } = await client.visit('/myaccount/closure')
	expect(readText(html)).toContain('What has to be done first could not be loaded')
})

test('the shares of the sectors say that one of them could not be read', async () => {
	opened.rewriteCalls('/v1/user/dashboard', (json) => {
		const allocation = [
			{ name: 'Banks', value: 300 },
			{ name: 'Power', value: 'NA' },
			{ name: 'Metals', value: 100 },
		]
		Object.assign(json.data as Data, { allocation })
	})
	const { text } = await see('/dashboard')
	expect(text).toMatch(/Share of ₹ 400\.00 ?, without what could not be read Banks ₹ 300\.00 75\.0 %/)
})

test('blanks are dashes: a sector and a notice without a name; a quick link without a title is left out', async () => {
	opened.rewriteCalls('/v1/user/dashboard', (json) => {
		Object.assign(json.data as Data, {
			allocation: [{ name: null, value: 100 }],
			notices: [{ title: null, date: null, body: null, link: null }],
		})
	})
	const { text } = await see('/dashboard')
	expect(text).toMatch(/Allocation by sector\b.*? — ₹ 100\.00/)
	expect(text).toMatch(/Notices — — /)
	expect(text).not.toContain('—:')
	const count = async (links: BadRow[]) => {
		opened.breakBroker((request) =>
			new URL(request.url).pathname === '/v1/quick-links' ? Response.json({ status: 'success', message: '', data: links }) : undefined,
		)
		return listAttributes((await see('/dashboard')).html, 'a[href^="https://other.example/"]', 'href').length
	}
	const link = (title: string) => ({ title, url: `https://other.example/${title}`, group: 'Other' })
	expect(await count([link('One'), { ...link(''), url: 'https://other.example/2' }, link('Three')])).toBe(2)
})

test('the CSV of payments has empty fields where nothing is known', async () => {
	opened.rewriteCalls('/v1/account_profile/list_of_funds_payout_payin', (json) => {
		const [one] = json.data as BadRow[]
		json.data = [{ ...one, request_id: 'R-000001', bank_name: null, bank_acno: null, mode: null, segment: null, utr: null, remarks: null }]
	})
	const csv = await (await client.send('/downloads/payins/csv')).text()
	expect(csv).toContain('R-000001')
	expect(csv).not.toContain('—')
})

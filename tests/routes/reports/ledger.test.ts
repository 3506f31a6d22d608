import { beforeAll, beforeEach, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import {
	findAttribute,
	firstLink,
	listAttributes,
	paiseIn,
	parsePage,
	readCsv,
	readHeading,
	readTable,
	readText,
	readTitle,
} from '#tests/support/readers'

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})
beforeEach(() => void (open.asked.length = 0))

const error = (status: number, message: string) => Response.json({ status: 'error', message, data: null }, { status })
const asked = (path: string) => open.asked.filter((request) => new URL(request.url).pathname === path)
const rowsAt = async (query: string) => readCsv(await (await client.send(`/downloads/ledger/csv${query}`)).text()).slice(1)

test('opening + credits − debits = closing, and each year opens with the last year’s closing balance', async () => {
	const year = BROKERS_YEAR
	const proofs = []
	for (const start of [year - 2, year - 1, year]) {
		const { html } = await client.visit(`/reports/ledger?year=${formatYear(start)}`)
		const text = readText(html)
		const found =
			/Closing balance (₹ [\d,.]+(?: (?:Cr|Dr))?) Opening balance (₹ [\d,.]+(?: (?:Cr|Dr))?) Credits (₹ [\d,.]+) Debits (₹ [\d,.]+)/.exec(
				text,
			)
		const [closing, opening, credits, debits] = [1, 2, 3, 4].map((group) => paiseIn(found?.[group])) as [number, number, number, number]
		expect(opening + credits - debits).toBe(closing)
		expect(text).toContain('Opening + credits − debits = closing, as the broker states it.')
		// The broker's total includes the opening row. The credits and debits of the strip do not.
		const { foot } = readTable(html, 'Ledger')
		expect([foot[6], paiseIn(foot[8]) - paiseIn(foot[7])]).toEqual([`Includes opening ${found?.[2]}`, closing])
		proofs.push({ opening, closing })
	}
	expect(proofs[1]?.opening).toBe(proofs[0]?.closing)
	expect(proofs[2]?.opening).toBe(proofs[1]?.closing)
	expect(readTable((await client.visit('/reports/ledger?from=2026-04-01&to=2026-11-21&filtered=1')).html, 'Ledger').foot[6]).toBe('')
})

test('the day of a bill links to its contract note, and no other day links', async () => {
	const { html } = await client.visit('/reports/ledger')
	const links = parsePage(html)
		.querySelectorAll('main tbody tr')
		.map((row) => [row.querySelectorAll('td')[2]?.text === 'Bill', row.querySelector('th a')?.getAttribute('href') ?? ''] as const)
	expect(links.some(([isBill]) => isBill)).toBe(true)
	for (const [isBill, href] of links) expect(href).toMatch(isBill ? /^\/reports\/contractnbill\/[A-Z]{2}\d+$/ : /^$/)
})

test('explains every narration of the books in plain words', async () => {
	for (const code of ['DEMO01', 'CASH01', 'DEBT01']) {
		const person = await signedIn(open, code)
		for (let page = 1; page < 20; page++) {
			const { html } = await person.visit(`/reports/ledger?from=2022-04-01&to=2026-11-21&filtered=1&opening=Y&margin=Y&page=${page}`)
			const rows = parsePage(html).querySelector('[aria-label="Table: Ledger"] tbody')?.querySelectorAll('> tr') ?? []
			expect(rows.length).toBeGreaterThan(0)
			for (const row of rows) expect(row.querySelector('details'), readText(row)).not.toBeNull()
			if (!html.includes('rel="next"')) break
		}
	}
})

test('the running number counts over all pages, and each page continues the previous one', async () => {
	const all = '?from=2022-04-01&filtered=1&opening=Y'
	const numbers = async (page: number) =>
		readTable((await client.visit(`/reports/ledger${all}&page=${page}`)).html, 'Ledger').rows.map(([n]) => Number(n))
	expect(await numbers(1)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
	expect((await numbers(2))[0]).toBe(101)
	// One response of the broker served all three pages.
	expect(asked('/v2/service/reports/ledger')).toHaveLength(1)
	await client.visit(`/reports/ledger${all}&page=2&refresh=1`)
	expect(asked('/v2/service/reports/ledger')).toHaveLength(2)
	expect(asked('/v2/service/reports/ledger')[1]?.headers.get('hard-refresh')).toBe('true')
})

test('sort and search cover all rows, on screen and in the CSV', async () => {
	const query = '?from=2022-04-01&filtered=1&opening=Y&sort=-debit&q=charges'
	const csv = await rowsAt(query)
	const debits = csv.map((row) => Number(row.at(-3)))
	expect(csv.length).toBeGreaterThan(20)
	expect(debits).toEqual([...debits].sort((a, b) => b - a))
	for (const row of csv) expect(row.join()).toMatch(/charges/i)
	const { html } = await client.visit(`/reports/ledger${query}`)
	expect(html).toContain('aria-sort="descending"')
	expect(html).not.toContain('aria-sort="ascending"')
	const shown = readText(html)
	expect(shown).toContain(`1–${Math.min(100, csv.length)} of ${csv.length}`)
	expect(shown).toContain(`Of the ${csv.length} found`)
})

test('shows the ledger with and without the opening balance and the margin entries', async () => {
	const textAt = async (query: string) => (await rowsAt(query)).join('\n')
	expect((await rowsAt(''))[0]).toContain('Opening balance')
	expect(await textAt('?filtered=1')).not.toContain('Opening balance')
	expect(await textAt('')).not.toMatch(/MARGIN BLOCKED/)
	expect(await textAt('?margin=Y')).toMatch(/MARGIN BLOCKED/)
	expect(Object.fromEntries(new URL(asked('/v2/service/reports/ledger').at(-1)?.url ?? '').searchParams)).toMatchObject({
		margin: 'Y',
		with_opening: 'Y',
		client_code: 'DEMO01',
		source: 'connect',
	})
})

test('does not offer a segment that the client does not have, and its address says why', async () => {
	const person = await signedIn(open, 'CASH01')
	for (const address of ['/reports/ledger/MCX', '/reports/ledger?segment=MCX']) {
		const text = readText((await person.visit(address)).html)
		expect(text).toContain('Commodity is not active on your account')
	}
	expect((await person.visit('/reports/ledger')).html).not.toContain('value="MCX"')
	expect((await person.visit('/reports/ledger/toString')).status).toBe(404)
})

test('shows the ledger of the selected segment, or of all segments', async () => {
	for (const [segment, cocd, names] of [
		['MCX', 'MCX', ['Commodity']],
		['NSE_CASH', 'NSE_CASH', ['Equity']],
		['', null, ['All', 'Commodity', 'Equity']],
	] as const) {
		open.asked.length = 0
		const { html, url } = await client.visit(`/reports/ledger/NSE_CASH?filtered=1&year=2025-2026&segment=${segment}&opening=Y&refresh=1`)
		// An address names its ledger once.
		expect(url).toBe(`/reports/ledger${segment && `/${segment}`}?filtered=1&year=2025-2026&opening=Y&refresh=1`)
		const { head, rows } = readTable(html, 'Ledger')
		expect([...new Set(rows.map((row) => row[head.indexOf('Segment')]))].toSorted()).toEqual(names)
		// The segment is below the title. Without it the page looks like the ledger of all segments.
		expect(readText(html)).toContain(`Ledger ${cocd ? `${names[0]} · ` : ''}01/04/2025 to 31/03/2026`)
		expect(listAttributes(html, '#segment option[selected]', 'value')).toEqual([segment])
		expect(asked('/v2/service/reports/ledger').map(({ url }) => new URL(url).searchParams.get('cocd'))).toEqual([cocd])
	}
})

test('keeps the year in the address: after Apply, a sort, the next page, the CSV, and in another session', async () => {
	const other = formatYear(BROKERS_YEAR - 2)
	await client.visit(`/reports/ledger?year=${other}`)
	// This address has no year; a cookie has it.
	const { html } = await client.visit('/reports/ledger?filtered=1&opening=Y&margin=Y')
	const links = listAttributes(html, 'a[href*="/ledger"]', 'href')
	const own = links.filter((href) => /sort=|page=2|\/csv|\/pdf|\/xlsx/.test(href))
	expect(own.length).toBeGreaterThanOrEqual(12)
	for (const href of own) expect(new URL(href, 'https://portal.test').searchParams.get('year'), href).toBe(other)
	expect(html).toContain(`<input type="hidden" name="year" value="${other}"/>`)
	const next = own.find((href) => href.startsWith('/reports/ledger') && href.includes('page=2')) ?? ''
	const person = await signedIn(open)
	expect(readText((await person.visit(next)).html)).toContain(`01/04/${BROKERS_YEAR - 2} to 31/03/${BROKERS_YEAR - 1}`)
	await client.visit(`/reports/ledger?year=${formatYear(BROKERS_YEAR)}`)
})

test('asks for PDF, Excel and CSV with all filters of the page', async () => {
	const { html } = await client.visit('/reports/ledger/NSE_CASH?filtered=1&from=2023-05-01&to=2023-05-31&margin=Y')
	for (const format of ['pdf', 'xlsx', 'csv']) {
		const { searchParams } = new URL(firstLink(html, `/downloads/ledger/${format}`), 'https://portal.test')
		const asked = ['filtered', 'from', 'to', 'margin', 'segment'].map((name) => searchParams.get(name))
		expect([format, ...asked]).toEqual([format, '1', '2023-05-01', '2023-05-31', 'Y', 'NSE_CASH'])
	}
	expect(readText(html)).toContain('PDF, Excel and CSV contain what is shown here, over all pages.')
	expect(readText(html)).toContain('Without the opening balance: balances start from zero on 01/05/2023.')
})

test('a search without results shows what was searched for, and links back to all rows', async () => {
	const { html } = await client.visit('/reports/ledger?year=2025-2026&q=nosuchthing')
	expect(readText(html)).toContain('No entries match “nosuchthing”. Show all')
	expect(readText((await client.visit('/reports/ledger?from=2001-05-01&to=2001-05-31')).html)).toContain(
		'No entries between 01/05/2001 and 31/05/2001. Show the whole year',
	)
})

test('an empty ledger of the whole year does not offer the whole year', async () => {
	open.breakBroker((request) =>
		new URL(request.url).pathname === '/v2/service/reports/ledger'
			? Response.json({ status: 'success', message: '', data: { filtered_df: [], totals_df: [] } })
			: undefined,
	)
	const text = readText((await client.visit('/reports/ledger?year=2025-2026&refresh=1')).html)
	expect(text).toContain('No entries between 01/04/2025 and 31/03/2026.')
	expect(text).not.toContain('Show the whole year')
	open.breakBroker(undefined)
	await client.visit('/reports/ledger?year=2025-2026&refresh=1')
	await client.visit(`/reports/ledger?year=${formatYear(BROKERS_YEAR)}`)
})

const NOT_COMPLETED = 'The broker’s system could not complete this request.'
const GARBLED = 'The broker’s system sent an unexpected response.'

test.for<[string, () => Response, number, string]>([
	['500', () => error(500, 'Books are closed till 6 pm'), 502, 'Books are closed till 6 pm'],
	['500 with a long message', () => error(500, 'x y '.repeat(1000)), 502, `${'x y '.repeat(75).slice(0, 299)}…`],
	[
		'500 with a message alone',
		() => Response.json({ message: 'Ledger\u202E is\n being built' }, { status: 500 }),
		502,
		'Ledger is being built',
	],
	['500 with a page', () => new Response('<!doctype html><h1>at x.js', { status: 500 }), 502, NOT_COMPLETED],
	['500 with a page in its message', () => error(500, '<html><body>nginx'), 502, NOT_COMPLETED],
	['500 with a stack', () => error(500, 'Books are busy\n    at /srv/ledger.js:3'), 502, 'Books are busy'],
	['500 with nothing', () => new Response(null, { status: 500 }), 502, NOT_COMPLETED],
	['502', () => error(502, 'Back office is restarting'), 502, 'Back office is restarting'],
	['503', () => error(503, 'Back office is not reachable'), 503, 'Back office is not reachable'],
	['504', () => error(504, 'Back office is slow'), 502, 'Back office is slow'],
	['HTML', () => new Response('<html>broker</html>'), 502, GARBLED],
	['nonsense', () => Response.json({ status: 'success', message: '', data: { filtered_df: 'none', totals_df: [] } }), 502, GARBLED],
])('a ledger that answers %s keeps the shell, says so and offers to try again', async ([, answer, status, said]) => {
	open.breakBroker((request) => (request.url.includes('/reports/ledger') ? answer() : undefined))
	const page = await client.visit('/reports/ledger?refresh=1&from=01/05/2026&to=31/05/2026')
	expect(page.status).toBe(status)
	expect(page.html).toContain('aria-label="Main"')
	// Other days can be tried, and other reports opened.
	expect(['from', 'to'].map((id) => findAttribute(page.html, `main #${id}`, 'value'))).toEqual(['01/05/2026', '31/05/2026'])
	expect(findAttribute(page.html, 'main a[href="/reports/holding"]', 'href')).toBe('/reports/holding')
	expect(readText(page.html)).toContain('01/05/2026 to 31/05/2026')
	expect(readText(page.html)).not.toContain('PDF')
	expect(readHeading(page.html)).toBe('Ledger')
	expect(readText(page.html)).toContain(`${said} Try again`)
	const reference = page.answer.headers.get('x-request-id') ?? ''
	expect(readText(page.html)).toContain(`Reference ${reference}`)
})

test('a ledger that is wrong by one paisa shows a warning and the row where the error starts', async () => {
	open.breakBroker(async (request) => {
		if (!request.url.includes('/reports/ledger')) return undefined as never
		const row = {
			VOUCHER_DATE: '2026-05-01',
			VOUCHER_NO: 'JV2605010001',
			VOUCHER_TYPE: 'JOURNAL',
			COCD: 'NSE_CASH',
			SETL_NO: null,
			NARRATION: 'X',
			DR_AMT: 1,
			CR_AMT: 0,
			BILL_NO: null,
		}
		const rows = [
			{ ...row, BALANCE: -1 },
			{ ...row, VOUCHER_NO: 'JV2605020002', BALANCE: -2.01 },
			{ ...row, VOUCHER_NO: 'JV2605030003', BALANCE: -3.01 },
		]
		return Response.json({
			status: 'success',
			message: '',
			data: { filtered_df: rows, totals_df: [{ DR_AMT: 3, CR_AMT: 0, BALANCE: -3.01 }] },
		})
	})
	const text = readText((await client.visit('/reports/ledger/NSE_CASH?refresh=1')).html)
	expect(text).toContain('This ledger does not add up')
	expect(text).toContain('a difference of ₹ 0.01')
	expect(text).toContain('voucher JV2605020002')
	expect(text).not.toContain('= closing')
	open.breakBroker(undefined)
	await client.visit('/reports/ledger/NSE_CASH?refresh=1')
})

test.for(['/reports/ledger?from=31/02/2026', '/reports/ledger?from=2026-05-02&to=2026-05-01', '/reports/ledger?to=9999-99-99'])(
	'%s shows the form again with the errors',
	async (address) => {
		const { status, html } = await client.visit(address)
		expect(status).toBe(400)
		expect(html).toContain('There is a problem')
		expect(readTitle(html)).toMatch(/^Error: Ledger · /)
		expect(asked('/v2/service/reports/ledger')).toHaveLength(0)
	},
)

test.for([
	'?page=0',
	'?page=-1',
	'?page=1e9',
	'?page=abc',
	'?sort=nothing',
	'?sort=__proto__',
	'?q=%00',
	'?q=' + 'a'.repeat(5000),
	'?segment=x&margin=z&opening=q',
	'?__proto__[x]=1&constructor.prototype.y=1',
])('the odd query %s still shows the page', async (query) => {
	const { status, html } = await client.visit(`/reports/ledger${query}`)
	expect(status).toBe(200)
	expect(readText(html)).not.toMatch(/NaN|undefined|\[object/)
	expect(({} as { x?: unknown }).x).toBeUndefined()
})

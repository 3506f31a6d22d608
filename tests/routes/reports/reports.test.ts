import { beforeAll, beforeEach, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import {
	listAttributes,
	paiseAfter,
	paiseIn,
	parsePage,
	readAll,
	readColumn,
	readCsv,
	readHeading,
	readTable,
	readText,
	readTitle,
	sum,
} from '#tests/support/readers'

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})
beforeEach(() => void (open.asked.length = 0))

const downloadCsv = async (address: string) => readCsv(await (await client.send(address)).text())

const STATEMENTS: [path: string, heading: string, columns: string][] = [
	['holding', 'Holding', '#,Symbol,Name,ISIN,Quantity,Free,Pledged,Unsettled,Average,Invested,Price,Value,Unrealised,Unrealised %'],
	[
		'position',
		'Position',
		'#,Segment,Contract,Expiry,Buy quantity,Buy average,Sell quantity,Sell average,Net quantity,Net average,Price,MTM,Realised',
	],
	[
		'global-summary',
		'Global Summary',
		'#,Name,ISIN,Opening quantity,Opening amount,Bought quantity,Bought amount,Sold quantity,Sold amount,Closing quantity,Closing amount,Price,Value,Realised,Unrealised',
	],
	['global-details', 'Global Details', '#,Date,Settlement,Contract,Name,ISIN,Side,Quantity,Rate,Amount,Brokerage,Charges,Net'],
	['contractnbill', 'Contract/Bill', '#,Date,Bill,Settlement,Segment,Document,Amount,Download'],
]

test.for(['position', 'contractnbill'])('%s says so for a segment that the client does not have', async (path) => {
	const person = await signedIn(open, 'CASH01')
	open.asked.length = 0
	const { html } = await person.visit(`/reports/${path}?segment=MCX`)
	expect(readText(html)).toContain('Commodity is not active on your account')
	expect(html).toContain('<a href="/myaccount/segments">Segments</a>')
	expect(html).not.toContain('No contract was open')
	expect(readAll(html, 'table')).toEqual([])
	expect(open.asked.filter(({ url }) => url.includes('/reports/'))).toEqual([])
	expect(readText((await person.visit(`/reports/${path}?segment=NSE_CASH`)).html)).not.toContain('is not active')
})

test.for([503, 401])('two requests that wait for the same rows both show the reason when the broker returns %i', async (status) => {
	const person = await signedIn(open)
	open.breakBroker(({ url }) =>
		new URL(url).pathname.endsWith('/reports/holding')
			? Response.json({ status: 'error', message: 'Not now', data: null }, { status })
			: undefined,
	)
	const ask = () => person.send('/reports/holding.data', { headers: { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' } })
	const answers = await Promise.all([ask(), ask()])
	expect(answers.map((answer) => answer.status)).toEqual([status, status])
	for (const answer of answers) expect(await answer.text()).toContain('Not now')
})

test.for(STATEMENTS)('%s has a heading, a table of that name and a CSV with the same columns', async ([path, heading, columns]) => {
	const { status, html } = await client.visit(`/reports/${path}`)
	expect(status).toBe(200)
	expect(readHeading(html)).toBe(heading)
	expect(readAll(html, 'caption')).toContain(heading)
	expect(readTitle(html).startsWith(`${heading} · `)).toBe(true)
	const lines = await downloadCsv(`/downloads/${path}/csv`)
	expect(lines[0]?.join()).toBe(columns)
	expect(lines.length).toBeGreaterThan(1)
	const count = lines.length - 1
	expect(readTable(html, heading).rows).toHaveLength(Math.min(100, count))
	// A reader counts a few rows at a glance.
	expect(readText(html).includes(`of ${count.toLocaleString('en-IN')}`)).toBe(count > 9)
	expect(readText(html) + lines.join()).not.toMatch(/NaN|undefined|null|\[object|Invalid/)
})

test('the total row adds up the rows, and the holding equals the dashboard to the paisa', async () => {
	const lines = await downloadCsv('/downloads/holding/csv')
	const [value, invested, unrealised] = ['Value', 'Invested', 'Unrealised'].map((head) => sum(readColumn(lines, head))) as [
		number,
		number,
		number,
	]
	const rupees = (paise: number) => (Math.abs(paise) / 100).toLocaleString('en-IN', { minimumFractionDigits: 2 })
	const dashboard = readText((await client.visit('/dashboard')).html)
	expect(dashboard).toContain(`Total holding ₹ ${rupees(value)}`)
	expect(dashboard).toContain(`Invested ₹ ${rupees(invested)}`)
	expect(dashboard).toContain(`Unrealised ${unrealised < 0 ? '−' : '+'}₹ ${rupees(unrealised)}`)
	const page = readText((await client.visit('/reports/holding')).html)
	expect(page).toMatch(new RegExp(`Total .*${rupees(invested)}.*${rupees(value)}`))
	expect(page).toMatch(/Cost not known: 1 of \d+ \(GAIL\)/)
})

test('a holding shows its lots: they add up to the row, and lots of unknown cost are marked', async () => {
	const { html } = await client.visit('/reports/holding')
	const isins = listAttributes(html, 'a[href^="/reports/holding/IN"]', 'href').map((href) => href.slice('/reports/holding/'.length))
	expect(isins.length).toBeGreaterThan(5)
	for (const isin of isins) {
		const page = await client.visit(`/reports/holding/${isin}`)
		const text = readText(page.html)
		expect(page.status, isin).toBe(200)
		expect(text).toContain('If sold today')
		expect(text, 'lakhs and thousands have their commas').toMatch(/Priced at ₹ (\d{1,2},)*\d{1,3}\.\d\d on/)
		// A holding with value and known cost has a rate of return, unless it was bought today.
		expect(text).toMatch(
			/Return by date of payment \(XIRR\) ([+−][\d.,]+ %|Not available: (the cost of some units is not known|bought today))/,
		)
		expect(text.includes('What the return is made of'), isin).toBe(!text.includes('Not available: '))
		expect(text).not.toMatch(/NaN|undefined|\[object/)
	}
	expect((await client.visit('/reports/holding/INE000000000')).status).toBe(404)
	expect((await client.visit('/reports/holding/toString')).status).toBe(404)
})

test('the figures above positions state the settled gain: of futures only, not of options', async () => {
	const [head = [], ...positions] = await downloadCsv('/downloads/position/csv')
	const futures = positions.filter((row) => row[head.indexOf('Contract')]?.endsWith(' FUT'))
	expect(futures.length).toBeGreaterThan(1)
	expect(futures.length).toBeLessThan(positions.length)
	const text = readText((await client.visit('/reports/position')).html)
	expect(paiseAfter(text, 'MTM in your ledger')).toBe(sum(futures.map((row) => paiseIn(row[head.indexOf('MTM')]))))
})

test('heads of figures have the unit, and the amount of a bill has its side', async () => {
	for (const [path, heads] of [
		['ledger', ['Debit (₹)', 'Credit (₹)', 'Balance (₹)']],
		['holding', ['Average (₹)', 'Invested (₹)', 'Price (₹)', 'Value (₹)', 'Unrealised (₹)', 'Unrealised %']],
		['contractnbill', ['Amount (₹)']],
	] as const) {
		const { html } = await client.visit(`/reports/${path}?year=2025-2026`)
		const cells = parsePage(html).querySelector('.scroll thead')?.querySelectorAll('th').map(readText)
		expect(cells).toEqual(expect.arrayContaining([...heads]))
	}
	const { html } = await client.visit('/reports/contractnbill?year=2025-2026')
	const { head, rows, foot } = readTable(html, 'Contract/Bill')
	const at = head.indexOf('Amount')
	expect(rows.length).toBeGreaterThan(10)
	for (const row of [...rows, foot]) expect(row[at]).toMatch(/^(0\.00|[\d,]+\.\d\d (Cr|Dr))$/)
	// The file has the same figures with a sign: positive to the client, negative from the client.
	const file = await downloadCsv('/downloads/contractnbill/csv?year=2025-2026')
	expect(readColumn(rows, 'Amount', head)).toEqual(readColumn(file, 'Amount').slice(0, rows.length))
})

test('a link reverses the order of bills and trades, and the net of the bills is above them', async () => {
	for (const [path, title] of [
		['contractnbill', 'Contract/Bill'],
		['global-details', 'Global Details'],
	] as const) {
		const days = async (address: string) => {
			const { html } = await client.visit(address)
			const { rows, head } = readTable(html, title)
			const shown = rows.map((row) => (row[head.indexOf('Date')] ?? '').split('/').reverse().join('-'))
			const link = parsePage(html)
				.querySelectorAll('main a')
				.find((each) => /^(Latest|Oldest) first$/.test(readText(each).trim()))
			return { shown, label: link && readText(link).trim(), href: link?.getAttribute('href')?.replaceAll('&amp;', '&') ?? '' }
		}
		const first = await days(`/reports/${path}?year=2025-2026`)
		expect([first.label, first.shown]).toEqual(['Latest first', [...first.shown].sort()])
		const turned = await days(first.href)
		expect([turned.label, turned.shown]).toEqual(['Oldest first', [...turned.shown].sort().reverse()])
		expect((await days(turned.href)).shown).toEqual(first.shown)
	}
	const { html } = await client.visit('/reports/contractnbill?year=2025-2026')
	const file = await downloadCsv('/downloads/contractnbill/csv?year=2025-2026')
	const net = sum(readColumn(file, 'Amount'))
	expect(paiseAfter(readText(html), net > 0 ? 'Net credit' : 'Net debit')).toBe(Math.abs(net))
})

test('the ZIP of Contract/Bill has the year of the days shown, and a year that the pack does not have offers none', async () => {
	const zips = async (query: string) =>
		listAttributes((await client.visit(`/reports/contractnbill?${query}`)).html, 'main a[href*="year-pack"]', 'href')
	expect(await zips('from=2024-05-01&to=2024-05-31')).toEqual(['/downloads/year-pack?year=2024-2025'])
	expect(await zips('year=2025-2026')).toEqual(['/downloads/year-pack?year=2025-2026'])
	expect(await zips('from=2020-05-01&to=2020-05-31')).toEqual([])
})

test('a year’s trades add up to its summary', async () => {
	const year = formatYear(BROKERS_YEAR - 1)
	const summary = await downloadCsv(`/downloads/global-summary/csv?year=${year}&segment=NSE_FNO`)
	const details = await downloadCsv(`/downloads/global-details/csv?year=${year}&segment=NSE_FNO`)
	const sides = details.slice(1).map((line) => line[6])
	const amounts = readColumn(details, 'Amount')
	const of = (side: string) => sum(amounts.filter((_, index) => sides[index] === side))
	expect(of('Buy')).toBe(sum(readColumn(summary, 'Bought amount')))
	expect(of('Sell')).toBe(sum(readColumn(summary, 'Sold amount')))
})

test('a search without results says so, and links back to all rows', async () => {
	const { html } = await client.visit('/reports/holding?q=nosuchthing')
	expect(readText(html)).toContain('No entries match “nosuchthing”. Show all')
	expect(readText(html)).not.toContain('Nothing was held')
	const all = parsePage(html)
		.querySelectorAll('main a')
		.find((link) => readText(link) === 'Show all')
	expect(all?.getAttribute('href')).toMatch(/^\/reports\/holding(\?year=[\d-]+)?$/)
})

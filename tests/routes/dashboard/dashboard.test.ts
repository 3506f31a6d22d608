import { beforeAll, beforeEach, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, ORIGIN, signedIn, type Visitor } from '#tests/support/portal'
import { listAttributes, paiseAfter, parsePage, readAll, readText, sum } from '#tests/support/readers'

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})
beforeEach(() => void (open.asked.length = 0))

const error = (status: number, message: string) => Response.json({ status: 'error', message, data: null }, { status })
const asked = (path: string) => open.asked.filter((request) => new URL(request.url).pathname === path)

test('says that links to other sites are missing when they could not be loaded', async () => {
	expect(readText((await client.visit('/dashboard')).html)).not.toContain('Quick links could not be loaded')
	open.breakBroker(({ url }) => (/quick/i.test(new URL(url).pathname) ? error(500, 'Oops') : undefined))
	const { html, status } = await client.visit('/dashboard')
	expect([status, readText(html)]).toEqual([200, expect.stringContaining('Quick links could not be loaded') as string])
})

test('shows figures, actions, the attention list and the chart in this order, and the day of a past year', async () => {
	const { html } = await client.visit('/dashboard')
	const order = [
		'>Ledger</h2>',
		'>Total holding</h2>',
		'aria-label="Quick links"',
		'>Needs your attention</h2>',
		'>Profit and loss',
		'>Portfolio value</h2>',
	]
	expect(order.map((part) => html.indexOf(part))).toEqual([...order.map((part) => html.indexOf(part))].sort((a, b) => a - b))
	expect(order.every((part) => html.includes(part))).toBe(true)
	expect(readText(html)).toMatch(/\d things? needs? you/)
	expect(readText(html)).toMatch(/, as of \d\d:\d\d on \d\d\/\d\d\/\d{4} /)
	const person = await signedIn(open)
	const past = await person.visit(`/dashboard?year=${formatYear(BROKERS_YEAR - 1)}`)
	expect(readText(past.html)).toContain(`as of 31/03/${BROKERS_YEAR}`)
})

test.for(['1999-2000', '2024', 'abc', ''])('the unknown year %s falls back to the current one', async (year) => {
	await client.send(`/reports/ledger?year=${year}`)
	await client.send('/dashboard')
	const last = asked('/v2/dashboard/ledger').at(-1)
	expect(new URL(last?.url ?? '').searchParams.get('dataYear')).toBe(String(BROKERS_YEAR))
})

test('uses the year chosen on one page on the next', async () => {
	const person = await signedIn(open)
	await person.send(`/dashboard?year=${formatYear(BROKERS_YEAR - 1)}`)
	await person.send('/dashboard')
	expect(new URL(asked('/v2/dashboard/ledger').at(-1)?.url ?? '').searchParams.get('dataYear')).toBe(String(BROKERS_YEAR - 1))
})

test('its links to reports keep the year of the page, whatever year another tab shows', async () => {
	const person = await signedIn(open)
	await person.send(`/dashboard?year=${formatYear(BROKERS_YEAR - 1)}`)
	const year = formatYear(BROKERS_YEAR - 2)
	const { html } = await person.visit(`/dashboard?year=${year}`)
	const links = listAttributes(html, 'main a[href^="/reports/"]', 'href').filter((href) => !href.startsWith('/reports/downloads'))
	// Three cards and their ledgers, two quick links and the profit and loss.
	expect(links.length).toBeGreaterThanOrEqual(8)
	for (const href of links) expect(new URL(href, ORIGIN).searchParams.get('year'), href).toBe(year)
})

test('the cards of the ledger and the deducted ledger list each segment and their total', async () => {
	const { html } = await client.visit('/dashboard')
	for (const title of ['Ledger', 'Deducted ledger']) {
		const card = parsePage(html)
			.querySelectorAll('section.card')
			.find((each) => readText(each.querySelector('h2') ?? '') === title)
		const text = readText(card ?? '')
		const parts = ['Equity', 'Commodity'].map((label) => paiseAfter(text, label))
		expect(paiseAfter(text, 'Total'), title).toBe(sum(parts))
	}
})

test('a new client sees the first steps, and below them the three cards of the year', async () => {
	const person = await signedIn(open, 'NEW001')
	const { html } = await person.visit('/dashboard')
	expect(readAll(html, 'h2').slice(0, 4)).toEqual(['First steps', 'Ledger', 'Deducted ledger', 'Total holding'])
	// Money comes first, and its link is the only main button of the page.
	expect(readAll(html, 'main section li a').slice(0, 3)).toEqual([
		'Add funds : Add money',
		'Name a nominee : Nominee',
		'Sign : Sign the DDPI',
	])
	expect(readAll(html, 'main .btn-primary')).toEqual(['Add funds : Add money'])
	expect(readText(html)).not.toContain('How is this made up?')
	// The DDPI is a choice.
	const steps = parsePage(html).querySelectorAll('main li')
	const ddpi = steps.find((step) => readText(step).includes('Sign the DDPI'))
	expect([readText(ddpi ?? '').split(' ')[0], ddpi?.querySelectorAll('svg').length]).toEqual(['Optional', 0])
})

test('the value of a past year has one day on the card and over the chart', async () => {
	const demo = await signedIn(open, 'DEMO01')
	const text = readText((await demo.visit('/dashboard?year=2024-2025')).html)
	const [, day] = /Value on ([\d/]{10})/.exec(text) ?? []
	// 31 March 2025 was a holiday after a weekend.
	expect(day).toBe('28/03/2025')
	expect(text).toContain(`On ${day}`)
	expect(text).not.toContain('On 31/03/2025')
})

test.for<[part: string, path: string]>([
	['Ledger', '/v2/dashboard/ledger'],
	['Deducted ledger', '/v2/dashboard/deducted-ledger'],
	['Total holding', '/v2/dashboard/holding'],
	['Portfolio value', '/v1/user/dashboard'],
])('when %s cannot be loaded it fails alone', async ([part, path]) => {
	for (const answer of [
		() => error(500, 'Oops'),
		() => error(403, 'Not for you'),
		() => new Response('<html>'),
		() => new Response('{"status":"su'),
	]) {
		open.breakBroker((request) => (new URL(request.url).pathname === path ? answer() : undefined))
		const { status, html } = await client.visit('/dashboard')
		const text = readText(html)
		expect(status).toBe(200)
		expect(text).toContain(`${part} could not be loaded.`)
		expect(text).toContain('Try again')
		expect(text).toMatch(/₹ [\d,]+\.\d\d/)
		expect(text).not.toMatch(/NaN|undefined|\[object|Invalid/)
		expect(text).not.toContain('<html>')
	}
})

test('no data is an empty state, not a failure', async () => {
	open.breakBroker((request) => (/dashboard|reports\/ledger/.test(request.url) ? error(404, 'No Data Found!') : undefined))
	const dashboard = await client.visit('/dashboard')
	expect(dashboard.status).toBe(200)
	const ledger = await client.visit('/reports/ledger?refresh=1')
	expect([ledger.status, readText(ledger.html)]).toEqual([200, expect.stringMatching(/No entries between/)])
})

test('the year’s profit and loss shows its net, and links the reports', async () => {
	open.rewriteCalls('/v1/user/dashboard', (json) => {
		Object.assign(json.data as object, { realised_pnl: 120.5, unrealised_pnl: -20.25, charges: 10.05, dividend: 7 })
	})
	const { html } = await client.visit('/dashboard?refresh=1')
	// 120.50 − 20.25 − 10.05; dividends are not in it.
	expect(readText(html)).toContain(
		'Net, after charges +₹ 90.20 Realised, before charges +₹ 120.50 Unrealised, with open contracts −₹ 20.25 Charges ₹ 10.05 Dividends, not in net ₹ 7.00',
	)
	const year = formatYear(BROKERS_YEAR)
	expect(html).toContain(
		`<a href="/reports/profitnloss?year=${year}">See Profit &amp; Loss</a> <a href="/reports/income-tax?year=${year}">See Income Tax</a>`,
	)
})

test('states the day change in per cent of the value of the day before', async () => {
	open.rewriteCalls('/v2/dashboard/holding', (json) => Object.assign(json.data as object, { total_amount: 100_000, day_change: -5000 }))
	// 5,000.00 of 1,05,000.00 is 4.7619 %.
	expect(readText((await (await signedIn(open)).visit('/dashboard')).html)).toContain('Day change −₹ 5,000.00 (−4.76 %)')
	open.breakBroker(undefined)
})

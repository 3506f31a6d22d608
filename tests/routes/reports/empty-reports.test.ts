import { expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { findAttribute, parsePage, readText } from '#tests/support/readers'

/* Reports of a client without data. */

const open = openPortalForFile()

test.for(['holding', 'position', 'global-summary', 'global-details', 'contractnbill'])(
	'%s says so, leads on, and shows no total and no file',
	async (path) => {
		const person = await signedIn(open, 'NEW001')
		const { status, html } = await person.visit(`/reports/${path}`)
		expect(status).toBe(200)
		expect(readText(html)).toMatch(/Nothing was held|No contract was open|No trade was made|No contract note or bill between/)
		expect(html).not.toContain('<tfoot')
		expect(html).not.toContain('href="/downloads/')
		// Nothing can be filtered; another period may have something.
		expect(html.includes('>Apply<')).toBe(path === 'contractnbill')
		const next = findAttribute(html, 'main td a', 'href')
		expect((await person.send(next)).status).toBe(200)
	},
)

test('a client without money is offered to add funds, and is told nothing about files', async () => {
	const person = await signedIn(open, 'NEW001')
	const deducted = (await person.visit('/reports/ledger/deducted')).html
	const links = parsePage(deducted).querySelectorAll('main a.btn')
	expect(links.map((link) => link.getAttribute('href'))).toEqual(['/funds'])
	expect(readText(deducted)).not.toContain('Not all of the ledger')
	const ledger = readText((await person.visit('/reports/ledger')).html)
	expect(ledger).toContain('No entries between')
	expect(ledger).not.toContain('contain what is shown here')
	expect((await person.visit('/reports/profitnloss')).html).not.toContain('href="/downloads/')
})

test('an empty report has no sums: nothing is known to be zero', async () => {
	const person = await signedIn(open, 'NEW001')
	for (const address of ['holding', 'position', 'contractnbill', 'profitnloss', 'global-summary', 'global-details'])
		expect([address, readText((await person.visit(`/reports/${address}`)).html)]).toEqual([address, expect.not.stringContaining('₹ 0.00')])
})

test('Position links closed contracts only for a client who may have some', async () => {
	open.rewriteCalls('/v2/service/reports/position', (json) => {
		Object.assign(json.data as object, { filtered_df: [], totals_df: [] })
	})
	const findNext = async (code: string) =>
		findAttribute((await (await signedIn(open, code)).visit('/reports/position')).html, 'main td a', 'href')
	expect([await findNext('NEW001'), await findNext('DEMO01')]).toEqual(['/myaccount/segments', '/reports/profitnloss'])
})

test('a tax year with nothing says so in one sentence, without a table, its links and its CSV', async () => {
	const person = await signedIn(open, 'NEW001')
	const { html } = await person.visit('/reports/income-tax')
	expect(readText(html)).toMatch(/Nothing was sold in \S+, no dividend was received, and there is no loss to set off or carry forward\./)
	expect(parsePage(html).querySelectorAll('main h2').map(readText)).toEqual(['Summary', 'Exemption and taxes paid'])
	expect(parsePage(html).querySelectorAll('main a[href*="/csv"]')).toEqual([])
})

test('an empty report links no year before the account was opened', async () => {
	const person = await signedIn(open, 'NEW001')
	const addresses = ['ledger', 'contractnbill', 'profitnloss', 'global-summary', 'global-details', 'income-tax']
	for (const address of addresses) {
		const { html } = await person.visit(`/reports/${address}`)
		const links = parsePage(html).querySelectorAll('main section a, main td a')
		const isOffered = links.some((link) => link.getAttribute('href') === '/funds')
		// Somebody who reads about tax does not want to pay money in.
		expect([address, isOffered]).toEqual([address, address !== 'income-tax'])
		expect(readText(html)).not.toContain('See 20')
	}
})

test('an empty report links first the report with fewer filters, then the year before, and from the first year this year', async () => {
	const person = await signedIn(open, 'NEW001')
	open.rewriteCalls('/v2/account-profile/personal-details', (json) => {
		Object.assign((json.data as { personal_details: object }).personal_details, { opened_on: `${BROKERS_YEAR - 6}-05-01` })
	})
	const findNext = async (query: string) => findAttribute((await person.visit(`/reports/contractnbill?${query}`)).html, 'main td a', 'href')
	const [year, before, oldest] = [0, 1, 4].map((back) => formatYear(BROKERS_YEAR - back))
	expect(await findNext(`year=${year}&from=${BROKERS_YEAR}-04-01&to=${BROKERS_YEAR}-04-30&segment=NSE_CASH`)).toBe(
		`/reports/contractnbill?year=${year}&segment=NSE_CASH`,
	)
	expect(await findNext(`year=${year}&segment=NSE_CASH`)).toBe(`/reports/contractnbill?year=${year}`)
	expect(await findNext(`year=${year}`)).toBe(`/reports/contractnbill?year=${before}`)
	expect(await findNext(`year=${oldest}`)).toBe(`/reports/contractnbill?year=${year}`)
	// The form shows the days of the year, and sends them.
	const all = parsePage((await person.visit(`/reports/contractnbill?year=${before}`)).html)
	const days = ['from', 'to'].map((name) => all.querySelector(`input[name="${name}"]`)?.getAttribute('value'))
	expect(days).toEqual([`01/04/${BROKERS_YEAR - 1}`, `31/03/${BROKERS_YEAR}`])
	const [from, to] = days.map((each) => encodeURIComponent(each ?? ''))
	expect(await findNext(`year=${before}&from=${from}&to=${to}&segment=`)).toMatch(
		new RegExp(`\\?year=${formatYear(BROKERS_YEAR - 2)}&segment=$`),
	)
	const tax = await person.visit(`/reports/income-tax?year=${year}`)
	expect(findAttribute(tax.html, 'main section p a', 'href')).toBe(`/reports/income-tax?year=${before}`)
})

test('a year without profit or loss says so once, without the rule of charges and without a bundle', async () => {
	const person = await signedIn(open, 'NEW001')
	open.failCalls('/v1/ours/stock-moves', () => Response.json({ status: 'error', message: 'Oops', data: null }, { status: 500 }))
	const { html } = await person.visit('/reports/profitnloss')
	expect(readText(html)).not.toContain('xpired')
	expect(readText(html).match(/Nothing was held or traded in/g)).toHaveLength(1)
	expect(readText(html)).not.toMatch(/before charges|Summary bundle|Generate/)
})

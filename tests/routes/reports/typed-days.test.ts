import { expect, test } from 'vitest'
import { openPortalForFile, ORIGIN, signedIn } from '#tests/support/portal'
import { findAttribute, listAttributes, parsePage, readText } from '#tests/support/readers'

/* A form without a script sends days as they were typed, such as DD/MM/YYYY. */

const opened = openPortalForFile()

test.for<[page: string, to: [typed: string, day: string], files: string[]]>([
	[
		'/reports/ledger?filtered=1&opening=Y',
		['9-6-2026', '2026-06-09'],
		['pdf', 'xlsx', 'csv'].map((format) => `/downloads/ledger/${format}`),
	],
	['/reports/contractnbill?', ['09062026', '2026-06-09'], ['/downloads/contractnbill/csv']],
	['/connect/ipo/bids?', ['20/11/2026', '2026-11-20'], ['/downloads/ipo-bids/csv']],
])('every address that %s makes has ISO days', async ([page, [typed, to], files]) => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html, status } = await visitor.visit(`${page}&${new URLSearchParams({ from: '01/05/2026', to: typed })}`)
	expect(status).toBe(200)
	const made = [
		...['href', 'action'].flatMap((name) => listAttributes(html, `[${name}]`, name)),
		...listAttributes(html, 'input[name="redirectTo"]', 'value'),
	].filter((address) => address.startsWith('/'))
	for (const address of made) {
		const { searchParams } = new URL(address, ORIGIN)
		for (const name of ['from', 'to']) if (searchParams.has(name)) expect(searchParams.get(name), address).toMatch(/^\d{4}-\d\d-\d\d$/)
	}
	const keeping = made.map((address) => new URL(address, ORIGIN)).filter(({ searchParams }) => searchParams.get('from') === '2026-05-01')
	expect(keeping.every(({ searchParams }) => searchParams.get('to') === to)).toBe(true)
	// The files, the heads of columns, the theme, and the dialog over the page.
	const paths = keeping.map(({ pathname }) => pathname)
	expect(paths).toEqual(expect.arrayContaining([...files, page.split('?')[0]]))
	expect(keeping.filter(({ searchParams }) => searchParams.has('sort')).length).toBeGreaterThan(1)
	expect(findAttribute(html, 'input[name="redirectTo"]', 'value')).toContain(`from=2026-05-01&to=${to}`)
	// The button that asks for fresh figures sends hidden fields.
	for (const field of parsePage(html).querySelectorAll('form.refresh input[name="from"]'))
		expect(field.getAttribute('value')).toBe('2026-05-01')
	// The fields show the days as everywhere.
	expect(['from', 'to'].map((id) => findAttribute(html, `main #${id}`, 'value'))).toEqual(['01/05/2026', to.split('-').reverse().join('/')])
	expect((await visitor.send(findAttribute(html, `a[href^="${files[0]}"]`, 'href'))).status).toBe(200)
})

test.each([
	// The broker's day is 20/11/2026.
	['?year=2024-2025&filtered=1&from=2026-05-01&to=', '01/05/2026 to 20/11/2026'],
	['?year=2024-2025&filtered=1&from=2025-05-01&to=', '01/05/2025 to 31/03/2026'],
	['?year=2026-2027&filtered=1&from=&to=2025-03-31', '01/04/2024 to 31/03/2025'],
	['?year=2026-2027&filtered=1&from=2024-05-01&to=', '01/05/2024 to 20/11/2026'],
])('one typed day outside the chosen year takes the rest of its own year: %s', async (query, period) => {
	const visitor = await signedIn(opened, 'DEMO01')
	for (const report of ['ledger', 'contractnbill'])
		expect(readText((await visitor.visit(`/reports/${report}${query}`)).html), report).toContain(period)
})

import { expect, test } from 'vitest'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { readAll, firstOption, hidden, parsePage, readTable, readText } from '#tests/support/readers'

/* When an issue takes bids: the hours of the exchanges, the last moment of a category, and a status that we do not know. */

const opened = openPortalForFile()

const NOVA = '/connect/ipo/NOVATEC'
const SAHYAGRO = '/connect/ipo/SAHYAGRO'

type Fields = Record<string, string>

/** 500 shares at 500 are 2,50,000: a bid of the category HNI. */
const HNI = { category: 'HNI', 'bids[0].quantity': '500', 'bids[0].price': '500' }

async function review(visitor: Visitor, page: string, fields: Fields) {
	const { html } = await visitor.visit(page)
	const usual = { category: 'IND', BOId: firstOption(html, 'BOId'), upi_id: 'me@examplebank' }
	return await visitor.postRaw(page, { csrf: hidden(html, 'csrf'), ...usual, ...fields })
}

/** The hidden fields of the open confirmation. */
async function confirmation(visitor: Visitor, page: string): Promise<Fields> {
	const { html } = await visitor.visit(`${page}?dialog=confirm`)
	const form = html.slice(html.indexOf('page-dialog'))
	return { csrf: hidden(html, 'csrf'), intent: 'submit', draft: hidden(form, 'draft'), idempotency_key: hidden(form, 'idempotency_key') }
}

const listOptions = (html: string) =>
	parsePage(html)
		.querySelectorAll('select[name=category] option')
		.map((option) => option.getAttribute('value'))

test('a category whose bidding has ended is not offered, reviewed or confirmed', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	expect(listOptions((await visitor.visit(NOVA)).html)).toEqual(['', 'IND', 'HNI'])
	expect((await review(visitor, NOVA, HNI)).headers.get('location')).toBe(`${NOVA}?dialog=confirm`)
	expect((await visitor.visit(`${NOVA}?dialog=confirm`)).html).toContain('Submit bid')
	// The broker's clock is at 11:00 of the day.
	opened.rewriteCalls('/v1/ours/ipo-facts', (json) => {
		const { issues } = json.data as { issues: { bids_until: { category: string; until: string }[] }[] }
		for (const { bids_until } of issues)
			for (const end of bids_until) end.until = end.category === 'HNI' ? '2026-11-20T10:59:00+05:30' : '2026-11-20T11:59:00+05:30'
	})
	const page = await visitor.visit(`${NOVA}?dialog=confirm`)
	expect(listOptions(page.html)).toEqual(['', 'IND'])
	expect(page.html).not.toContain('Submit bid')
	expect(readText(page.html)).toContain('Bidding has ended in: High net worth.')
	const refused = await review(visitor, NOVA, HNI)
	expect([refused.status, readText(await refused.text())]).toEqual([
		400,
		expect.stringContaining('Bidding in this category ended at 10:59 on 20/11/2026'),
	])
	expect((await review(visitor, NOVA, { ...HNI, category: 'IND', 'bids[0].quantity': '100' })).status).toBe(303)
	// With no category left, the page says why.
	opened.rewriteCalls('/v1/ours/ipo-facts', (json) => {
		const { issues } = json.data as { issues: { bids_until: { until: string }[] }[] }
		for (const { bids_until } of issues) for (const end of bids_until) end.until = '2026-11-20T10:59:00+05:30'
	})
	const over = await visitor.visit(NOVA)
	expect(readText(over.html)).toContain('Bidding for Novatec Robotics Ltd. has closed.')
	expect(over.html).not.toContain('Review bid')
})

test('a status that we do not know takes bids on the days of the issue, and the broker decides', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const change = (days: object) =>
		opened.breakBroker(async (request) => {
			if (new URL(request.url).pathname !== '/ipo/v1/get-ipo-details') return undefined
			const json = (await (await opened.forward(request)).json()) as { data: object[] }
			return Response.json({ ...json, data: json.data.map((issue) => ({ ...issue, status: 'OPEN', ...days })) })
		})
	change({})
	const { html } = await visitor.visit('/connect/ipo')
	expect(readAll(html, 'main table a')).toContain('Apply')
	expect(readText(html)).not.toContain('Closed')
	expect((await review(visitor, NOVA, { ...HNI, category: 'IND', 'bids[0].quantity': '100' })).headers.get('location')).toBe(
		`${NOVA}?dialog=confirm`,
	)
	expect((await visitor.visit(`${NOVA}?dialog=confirm`)).html).toContain('Submit bid')
	// The broker's day is 20/11/2026.
	change({ open_date: '2026-11-21', close_date: '2026-11-25' })
	expect(readText((await visitor.visit(NOVA)).html)).toContain('Bids open on 21/11/2026.')
	expect(readText((await visitor.visit('/connect/ipo')).html)).toContain('Opens on 21/11/2026')
	// A broker may forget to close an issue.
	for (const status of ['OPEN', 'LIVE']) {
		change({ status, open_date: '2026-11-17', close_date: '2026-11-19' })
		expect(readText((await visitor.visit(NOVA)).html)).toContain('Bidding for Novatec Robotics Ltd. has closed.')
		expect(readAll((await visitor.visit('/connect/ipo')).html, 'main table a')).not.toContain('Apply')
	}
})

test('an issue whose price is not announced says so, and takes no bids', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	opened.breakBroker(async (request) => {
		if (new URL(request.url).pathname !== '/ipo/v1/get-ipo-details') return undefined
		const json = (await (await opened.forward(request)).json()) as { data: object[] }
		return Response.json({ ...json, data: json.data.map((issue) => ({ ...issue, min_price: 0, max_price: 0, cut_off_price: 0 })) })
	})
	const { html } = await visitor.visit('/connect/ipo')
	const { head, rows } = readTable(html, 'Issues')
	expect(rows.length).toBeGreaterThan(1)
	for (const row of rows) expect([row[head.indexOf('Price band')], row[head.indexOf('Minimum amount')]]).toEqual(['Not announced', '—'])
	expect(readAll(html, 'main table a')).not.toContain('Apply')
	const [, ...lines] = (await (await visitor.send('/downloads/ipo-issues/csv')).text()).trim().split(/\r?\n/)
	for (const line of lines) expect(line).toMatch(/Not announced,[\d,"]+,,/)
	const apply = readText((await visitor.visit(NOVA)).html)
	expect(apply).toContain('Price not announced · lot')
	expect(apply).toContain('Bids are not open yet.')
	expect(apply).not.toMatch(/₹ 0\.00|in steps of/)
})

test('outside the hours of the exchanges the pages say when bids open again, and nothing is offered, reviewed or placed', async () => {
	const reviewer = await signedIn(opened, 'NEW001')
	await review(reviewer, SAHYAGRO, { 'bids[0].quantity': '45', 'bids[0].price': '327' })
	const reviewed = await confirmation(reviewer, SAHYAGRO)
	// From eleven in the morning to six in the evening.
	const init = { method: 'POST', body: JSON.stringify({ minutes: 7 * 60 }), headers: { 'content-type': 'application/json' } }
	await fetch('http://127.0.0.1:4999/control/clock', init)
	const visitor = await signedIn(opened, 'NEW001')
	const again = /Bids open again at 10:00 on \d\d\/\d\d\/20\d\d\./
	expect(readText((await visitor.visit('/connect/ipo')).html)).toMatch(again)
	const page = await visitor.visit(SAHYAGRO)
	expect(readText(page.html)).toMatch(/Exchanges take bids from 10:00 to 17:00 on trading days\. Bids open again at 10:00/)
	expect(page.html).not.toContain('Review bid')
	expect((await reviewer.visit(`${SAHYAGRO}?dialog=confirm`)).html).not.toContain('Submit bid')
	// The broker refuses a bid that was reviewed in time and sent late.
	const late = await reviewer.postRaw(`${SAHYAGRO}?dialog=confirm`, reviewed)
	const { status } = late
	const refusal = readText(parsePage(await late.text()).querySelector('main [role=alert]') ?? '')
	expect([status, refusal]).toEqual([422, expect.stringContaining('Bids open again at 10:00 on ')])
})

import { expect, test } from 'vitest'
import { hidden, signedIn, readText } from '#tests/support/account'
import { parseCount, PLEDGE, readFormRows, VERIFY } from '#tests/support/depository'
import { openPortalForFile, ORIGIN } from '#tests/support/portal'
import { listAttributes } from '#tests/support/readers'

/* The list of what can be verified: searched, sorted, limited, empty. */

const opened = openPortalForFile()

const FORM = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN }

/** The calls to the broker since an index, by path. */
const listAsked = (path: string, since = 0) => opened.asked.slice(since).filter(({ url }) => new URL(url).pathname === path)

test('searches and sorts without losing what was typed, valid or not', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const all = readFormRows((await visitor.visit(VERIFY)).html)
	const [first, second, third] = all.filter(({ cells }) => parseCount(cells.Free) > 10)
	if (!first || !second || !third) throw new Error('Too little is held')
	const since = opened.asked.length
	const fields = { isin: first.isin, [`qty.${first.isin}`]: '4', [`qty.${second.isin}`]: 'ab', [`qty.${third.isin}`]: third.typed }
	const more = { trade_type: 'POST', post_trade_date: '2026-01-02', q: third.isin, intent: 'show' }
	const sent = await visitor.post(VERIFY, VERIFY, { ...fields, ...more })
	expect(sent.status).toBe(303)
	const searched = await visitor.visit(sent.headers.get('location') ?? '')
	expect(readFormRows(searched.html).map(({ isin, typed, isChosen }) => [isin, typed, isChosen])).toEqual([
		[first.isin, '4', true],
		[second.isin, 'ab', false],
		[third.isin, third.typed, false],
	])
	expect(listAttributes(searched.html, 'input[name="trade_type"][checked]', 'value')).toEqual(['POST'])
	expect(hidden(searched.html, 'post_trade_date')).toBe('2026-01-02')
	expect(readText(searched.html)).toContain(`No entries match “${third.isin}”`)

	const sorted = await visitor.post(VERIFY, VERIFY, { ...fields, sort: '-free' })
	const { html } = await visitor.visit(sorted.headers.get('location') ?? '')
	const counts = readFormRows(html).map(({ cells }) => parseCount(cells.Free))
	expect(counts).toEqual([...counts].sort((a, b) => b - a))
	expect(readFormRows(html).length).toBe(all.length)
	expect(listAttributes(html, 'th[aria-sort="descending"] > button', 'value')).toEqual(['free'])
	expect(readFormRows(html).find(({ isin }) => isin === second.isin)?.typed).toBe('ab')
	// A search or a sort requests no code.
	expect(listAsked('/edis/edis/v1/edis-stock-verify', since)).toEqual([])
})

test('applies the broker’s limit and days', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const rows = readFormRows((await visitor.visit(VERIFY)).html).filter(({ cells }) => parseCount(cells.Free) > 0)
	opened.breakBroker((request) => {
		if (!request.url.includes('/v1/ours/stock-verifications')) return undefined
		const data = { max_securities: 2, valid_until: '2030-01-01T12:00:00Z', trade_days: ['2029-12-31'], verifications: [] }
		return Response.json({ status: 'success', message: 'Fetched', data })
	})
	const { html } = await visitor.visit(`${VERIFY}?select=all`)
	expect(readFormRows(html).filter(({ isChosen }) => isChosen).length).toBe(2)
	expect(readText(html)).toContain('At most 2 at a time.')
	expect(readText(html)).toContain('holds until 17:30 on 01/01/2030')
	const form = new URLSearchParams({ csrf: hidden(html, 'csrf'), trade_type: 'POST', post_trade_date: '2026-01-01' })
	for (const { isin } of rows.slice(0, 3)) {
		form.append('isin', isin)
		form.append(`qty.${isin}`, '1')
	}
	const text = readText(await (await visitor.send(VERIFY, { method: 'POST', body: form.toString(), headers: FORM })).text())
	expect(text).toContain('You can verify up to 2 securities at a time')
	expect(text).toContain('The trade date must be 31/12/2029')
})

test('has an empty state, and keeps the rest of the page when a part fails', async () => {
	const fresh = await signedIn(opened, 'NEW001')
	expect(readText((await fresh.visit(VERIFY)).html)).toContain('Nothing in your demat account can be verified.')
	const visitor = await signedIn(opened, 'CASH01')
	opened.breakBroker((request) =>
		request.url.includes('/v1/ours/') ? Response.json({ status: 'error', message: 'No such call' }, { status: 404 }) : undefined,
	)
	expect((await visitor.visit(VERIFY)).status).toBe(200)
	expect((await visitor.visit(PLEDGE)).status).toBe(200)
	opened.breakBroker((request) =>
		request.url.includes('edis-holding-data') ? Response.json({ status: 'error', message: 'Down' }, { status: 500 }) : undefined,
	)
	expect((await visitor.visit(VERIFY)).status).toBe(502)
})

import { expect, test } from 'vitest'
import { hidden, readText } from '#tests/support/account'
import { parseCount, PLEDGE, readFormRows, VERIFY } from '#tests/support/depository'
import { openPortalForFile, ORIGIN, signedIn } from '#tests/support/portal'
import { listAttributes, listRadios, parsePage, readAll, readTable } from '#tests/support/readers'

/* The list of what can be verified: searched, sorted, limited, empty. */

const opened = openPortalForFile()

const FORM = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN }

/** The calls to the broker since an index, by path. */
const listAsked = (path: string, since = 0) => opened.asked.slice(since).filter(({ url }) => new URL(url).pathname === path)

test('searches and sorts without losing what was typed, valid or not', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const all = readFormRows((await visitor.visit(VERIFY)).html)
	const [first, second, third] = all.filter(({ cells }) => parseCount(cells.Free) > 10 && parseCount(cells.Sold) === 0)
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
	const all = parsePage(html).querySelector(`th > a[href="${VERIFY}?select=all"]`)
	expect(all && readText(all)).toBe('Select all free')
	expect(readText(html)).toContain('At most 2 at a time.')
	expect(readText(html)).toContain(
		'Enter the OTP by 17:30 on 01/01/2030, so that the broker can deliver them. Otherwise the exchange buys them in an auction',
	)
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

/** A broker's row. */
const hold = (isin: string, stock_name: string, figures: Record<string, unknown> = {}) => ({
	isin,
	stock_name,
	qty: 40,
	free_qty: 0,
	verified_qty: 0,
	poa_qty: 0,
	close_price: 100,
	...figures,
})

const answer = (data: unknown) => Response.json({ status: 'success', message: 'Fetched', data })

test('begins with the sold securities and their quantities; the link selects them and nothing is sent', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const sold = (qty: number) => [{ trade_date: '2030-01-01', qty }]
	const rows = [
		hold('INE280A01028', 'Titan', { free_qty: 25, sold: sold(15) }),
		hold('INE059A01026', 'Cipla', { free_qty: 18, sold: sold(2) }),
		hold('INE154A01025', 'ITC', { free_qty: 0, sold: sold(1200) }),
		hold('INE238A01034', 'Axis Bank', { free_qty: 29 }),
	]
	opened.breakBroker((request) => (request.url.includes('edis-holding-data') ? answer(rows) : undefined))
	const { html } = await visitor.visit(VERIFY)
	const text = readText(html)
	// (2 + 1,200 + 15) × 100.00
	const words =
		'Verify 3 securities, sold on 01/01/2030 2 shares of Cipla, 1,200 of ITC, 15 of Titan Worth ₹ 1,21,700.00. Enter the OTP by '
	expect(text).toContain(words)
	expect(text).toContain('Send OTP for the sales of 01/01/2030 Tick them in the table : sold on 01/01/2030')
	expect(text.indexOf(words)).toBeLessThan(text.indexOf('Trade type'))
	expect(readFormRows(html).filter(({ isChosen }) => isChosen)).toEqual([])
	const selected = await visitor.visit(`${VERIFY}?select=sold&trade_type=POST&post_trade_date=2030-01-01`)
	const chosen = readFormRows(selected.html).filter(({ isChosen }) => isChosen)
	expect(chosen.map(({ isin, typed }) => [isin, typed])).toEqual([
		['INE059A01026', '2'],
		['INE154A01025', '1,200'],
		['INE280A01028', '15'],
	])
})

test('says below the name what was sold and is not verified', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const rows = [
		hold('INE238A01034', 'Axis Bank', { free_qty: 40 }),
		hold('INE280A01028', 'Titan', { free_qty: 25, sold: [{ trade_date: '2030-01-01', qty: 15 }] }),
		hold('INE059A01026', 'Cipla', { qty: 20, free_qty: 18, sold: [{ trade_date: '2030-01-01', qty: 2 }] }),
	]
	opened.breakBroker(({ url }) => (url.includes('edis-holding-data') ? answer(rows) : undefined))
	const { html } = await visitor.visit(VERIFY)
	expect(readFormRows(html).map(({ cells }) => cells.Name)).toEqual([
		'Cipla INE059A01026 2 sold: verify them above',
		'Titan INE280A01028 15 sold: verify them above',
		'Axis Bank INE238A01034',
	])
})

test('lists what can be verified first, then by name, leaves out columns of zeros, and says why units cannot be verified', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const rows = [
		hold('INE467B01029', 'Tata Consultancy', { free_qty: 40 }),
		hold('INE245A01021', 'Tata Power', { qty: 400 }),
		hold('INE280A01028', 'Titan', { verified_qty: 40 }),
		hold('INE238A01034', 'Axis Bank', { verified_qty: 15 }),
		hold('INE002A01018', 'Reliance'),
		hold('INE018A01030', 'Larsen', { free_qty: 10, verified_qty: 5 }),
	]
	const after = { request_id: 'RQ-1', isin: 'INE002A01018', stock_name: 'Reliance', qty: 40, trade_type: 'POST' }
	const at = '2030-01-01T12:00:00Z'
	const told = { max_securities: 50, valid_until: at, trade_days: [], verifications: [{ ...after, verified_at: at, valid_until: at }] }
	opened.breakBroker((request) =>
		request.url.includes('edis-holding-data') ? answer(rows) : request.url.includes('/ours/stock-verifications') ? answer(told) : undefined,
	)
	const { html } = await visitor.visit(VERIFY)
	expect(readFormRows(html).map(({ cells }) => cells.Name)).toEqual([
		'Larsen INE018A01030 5 already verified, 25 pledged or blocked',
		'Tata Consultancy INE467B01029',
		'Axis Bank INE238A01034 15 already verified, 25 pledged or blocked',
		'Reliance INE002A01018 All 40 already verified',
		'Tata Power INE245A01021 All 400 pledged or blocked',
		'Titan INE280A01028 All 40 already verified',
	])
	expect(Object.keys(readFormRows(html)[0]?.cells ?? {})).toEqual([
		'#',
		'Select all free',
		'Name',
		'Free',
		'Quantity',
		'Held',
		'Verified',
		'Sold',
		'DDPI',
		'Close',
		'Value',
	])
	expect(readText(html)).not.toContain('shares sold but not yet delivered')
	const lines = (await (await visitor.send('/downloads/depository/holdings')).text()).trim().split('\r\n')
	expect(lines.map((line) => line.split(',')[1])).toEqual([
		'Name',
		'Larsen',
		'Tata Consultancy',
		'Axis Bank',
		'Reliance',
		'Tata Power',
		'Titan',
	])
	expect(lines[0]).toBe('#,Name,ISIN,Free,Held,Verified,Sold,DDPI,Close,Value')
})

test('says what the value counts when shares were sold, and what to do without scripts', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit(VERIFY)
	expect(readText(html)).toContain('The value counts shares sold but not yet delivered, and not those still to be received.')
	expect(readAll(html, 'form .chosen [role=status]')).toEqual(['Tick what you sell'])
	// A broker without the list of verifications does not say why.
	opened.breakBroker((request) =>
		request.url.includes('edis-holding-data')
			? answer([hold('INE245A01021', 'Tata Power')])
			: request.url.includes('/ours/')
				? Response.json({ status: 'error', message: 'No such call' }, { status: 404 })
				: undefined,
	)
	expect(readFormRows((await visitor.visit(VERIFY)).html).map(({ cells }) => cells.Name)).toEqual(['Tata Power INE245A01021 None free'])
})

test('asks for the trade type above the rows, and shows a sum only with scripts', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit(VERIFY)
	const text = readText(html)
	const order = ['Trade type', 'before a sale', 'Trade date', 'Search', 'Axis Bank Ltd.', 'Verify ']
	const places = order.map((words) => text.indexOf(words, text.indexOf('Trade type')))
	expect(places).toEqual(places.filter((place) => place >= 0).toSorted((a, b) => a - b))
	expect(text).not.toMatch(/\d selected|at the last close/)
	expect(listRadios(parsePage(html), 'trade_type')).toEqual([
		['Pre', ': before a sale'],
		['Post', ': after a sale'],
	])
})

test('says that DDPI covers everything only to a client whose DDPI covers units', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const isTold = async (...rows: object[]) => {
		opened.breakBroker(({ url }) => (url.includes('edis-holding-data') ? answer(rows) : undefined))
		return readText((await visitor.visit(VERIFY)).html).includes('You do not need this: DDPI is active.')
	}
	const covered = hold('INE238A01034', 'Axis Bank', { free_qty: 40, poa_qty: 40 })
	const pledged = hold('INE245A01021', 'Tata Power')
	const sold = hold('INE280A01028', 'Titan', { sold: [{ trade_date: '2030-01-01', qty: 40 }] })
	expect([await isTold(covered), await isTold(covered, pledged)]).toEqual([true, true])
	// Nothing is free, so nothing says that DDPI is signed.
	expect([await isTold(pledged), await isTold(sold)]).toEqual([false, false])
	// The page that says so asks for no code for a sale.
	expect(await isTold(covered, sold)).toBe(true)
	expect(readText((await visitor.visit(VERIFY)).html)).not.toMatch(/sold on|auction/)
	expect(await isTold({ ...covered, poa_qty: 0 }, sold)).toBe(false)
	expect(readText((await visitor.visit(VERIFY)).html)).toMatch(/40 .*sold on 01\/01\/2030.*auction/)
})

test('shows the trade type of a verification as the broker wrote it, and a dash for a missing one', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const at = '2030-01-01T12:00:00Z'
	const verified = { request_id: 'RQ-1', stock_name: 'Reliance', qty: 40, verified_at: at, valid_until: at }
	const types = ['PRE', 'POST', 'INTRADAY', null]
	const verifications = types.map((trade_type, index) => ({ ...verified, isin: `INE002A0101${index}`, trade_type }))
	const told = { max_securities: 50, valid_until: at, trade_days: [], verifications }
	opened.breakBroker(({ url }) => (url.includes('/ours/stock-verifications') ? answer(told) : undefined))
	const { head, rows } = readTable((await visitor.visit(VERIFY)).html, 'Verified')
	expect(rows.map((row) => row[head.indexOf('Trade type')])).toEqual(['Pre', 'Post', 'INTRADAY', '—'])
})

test('sales of one security on one day are verified as one, also from two demat accounts', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const sold = (...units: number[]) => ({ sold: units.map((qty) => ({ trade_date: '2030-01-01', qty })) })
	const titan = (...units: number[]) => hold('INE280A01028', 'Titan', sold(...units))
	for (const rows of [[titan(10, 5)], [titan(10), titan(5)]]) {
		opened.breakBroker(({ url }) => (url.includes('edis-holding-data') ? answer(rows) : undefined))
		const { html } = await visitor.visit(VERIFY)
		expect(readText(html)).toMatch(/15 (shares )?of Titan/)
		expect(listAttributes(html, 'input[type=hidden][name="qty.INE280A01028"]', 'value')).toEqual(['15'])
	}
	opened.breakBroker(undefined)
})

import { describe, expect, test } from 'vitest'
import { hidden, readText } from '#tests/support/account'
import { BROKERS_DAY } from '#tests/support/brokers-day'
import {
	atDepository,
	confirm,
	parseCount,
	DDPI,
	loseResponse,
	PLEDGE,
	listRequests,
	readFormRows,
	rowWith,
} from '#tests/support/depository'
import { openPortalForFile, ORIGIN, signedIn, type Visitor } from '#tests/support/portal'
import { readAll } from '#tests/support/readers'

const opened = openPortalForFile()

/** The calls to the broker since an index, by path. */
const listAsked = (path: string, since = 0) => opened.asked.slice(since).filter(({ url }) => new URL(url).pathname === path)

describe('margin pledge', () => {
	const figures = (html: string) => readAll(html, '[role=status] dl.running-total')[0] ?? ''

	async function review(visitor: Visitor, fields: Record<string, string>) {
		const answer = await visitor.post(PLEDGE, PLEDGE, fields)
		return { status: answer.status, location: answer.headers.get('location') ?? '', html: await answer.text() }
	}

	const pledgeRow = (visitor: Visitor, column: 'Free' | 'Pledged' = 'Free') => rowWith(visitor, PLEDGE, column)

	test('computes the total on the server, checks, confirms at the depository, and shows the pledge', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const counted = readFormRows((await visitor.visit(PLEDGE)).html).map(({ cells }) => cells['#'])
		expect(counted.length).toBeGreaterThan(1)
		expect(counted).toEqual(counted.map((_, index) => String(index + 1)))
		const { isin, limit } = await pledgeRow(visitor)
		const total = await review(visitor, { action: 'pledge', [`qty.${isin}`]: '10', intent: 'total' })
		expect([total.status, total.location]).toEqual([303, `${PLEDGE}?action=pledge&${isin}=10#total`])
		const shown = figures((await visitor.visit(`${PLEDGE}?action=pledge&${isin}=10`)).html)
		const [, added, after] = /Margin added ₹ ([\d,.]+) Total margin after ₹ ([\d,.]+) Fee ₹ 23\.60/.exec(shown) ?? []
		expect(added).toBeDefined()

		const next = await review(visitor, { action: 'pledge', [`qty.${isin}`]: '10' })
		expect(next.status).toBe(303)
		const page = await visitor.visit(next.location)
		const text = readText(page.html)
		for (const word of [
			`10 ${added} `,
			isin,
			`Total ${added}`,
			`Total margin after ₹ ${after}`,
			'Fee, GST included ₹ 23.60',
			'Confirm by',
			'Confirm',
		])
			expect(text).toContain(word)

		const since = opened.asked.length
		const left = await confirm(visitor, next.location)
		expect(new URL(left.headers.get('location') ?? '').origin).toBe('https://esign.test')
		const [call] = listAsked('/v1/margin_epledge', since)
		expect(await call?.json()).toEqual({ client_code: 'DEMO01', action: 'pledge', data: [{ isin, qty: 10 }], confirmation: true })
		expect(call?.headers.get('idempotency-key')).toBe(new URL(next.location, ORIGIN).searchParams.get('order'))

		const cancelled = await atDepository(visitor, left, 'cancel')
		expect(readText(cancelled.html)).toContain('You cancelled at the depository. Nothing has changed. You can confirm until')
		const ref = new URL(cancelled.url, ORIGIN).searchParams.get('ref') ?? ''
		const again = await visitor.postRaw(`${PLEDGE}/return?ref=${ref}`, { csrf: hidden(cancelled.html, 'csrf') })
		const back = await atDepository(visitor, again)
		expect(readText(back.html)).toContain('Pledge confirmed')
		expect(readText(back.html)).toContain('It counts as margin from')
		const row = readFormRows((await visitor.visit(PLEDGE)).html).find((each) => each.isin === isin)
		expect(parseCount(row?.cells.Free)).toBe(limit - 10)
		// A phone shows the units below the name.
		expect(row?.cells.Name).toContain(` ${row?.cells.Free} free, ${row?.cells.Pledged} pledged`)
		expect(readText((await visitor.visit('/reports/ledger')).html)).toContain('PLEDGE CHARGES')
	})

	test('makes one request per form: sent twenty times, reloaded, from the back button, after a lost reply', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { isin } = await pledgeRow(visitor)
		const before = (await listRequests(visitor)).length
		const { location } = await review(visitor, { action: 'pledge', [`qty.${isin}`]: '1' })
		const { html } = await visitor.visit(location)

		let isLost = false
		opened.breakBroker((request) => {
			if (isLost || !request.url.includes('/v1/margin_epledge?')) return undefined
			isLost = true
			return loseResponse(opened, request)
		})
		const lost = await confirm(visitor, location, html)
		const again = await lost.text()
		expect([lost.status, readText(again)]).toEqual([503, expect.stringContaining('may already have been done')])
		expect(hidden(again, 'idempotency_key')).toBe(hidden(html, 'idempotency_key'))

		const twenty = await Promise.all(Array.from({ length: 20 }, () => confirm(visitor, location, again)))
		expect(new Set(twenty.map(({ headers }) => headers.get('location'))).size).toBe(1)
		// The client goes to the depository, comes back and reloads: it is the same order.
		expect((await confirm(visitor, location)).headers.get('location')).toBe(twenty[0]?.headers.get('location'))
		expect((await listRequests(visitor)).length).toBe(before + 1)
		await atDepository(visitor, twenty[0] as Response)
		const known = await atDepository(visitor, await confirm(visitor, location))
		expect(readText(known.html)).toContain('Pledge confirmed')
		expect((await listRequests(visitor)).length).toBe(before + 1)
	})

	test('makes one request from two tabs: a waiting request is continued', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { isin } = await pledgeRow(visitor)
		const tabs = await Promise.all([1, 2].map(() => review(visitor, { action: 'pledge', [`qty.${isin}`]: '3' })))
		const [first = '', second = ''] = tabs.map(({ location }) => location)
		const { html } = await visitor.visit(second)
		expect(hidden(html, 'idempotency_key')).not.toBe(hidden((await visitor.visit(first)).html, 'idempotency_key'))
		const left = await confirm(visitor, first)
		// The page of the second tab, from before the first tab's post and from after it.
		expect((await confirm(visitor, second, html)).headers.get('location')).toBe(left.headers.get('location'))
		const [ref] = await listRequests(visitor)
		expect(readText((await visitor.visit(second)).html)).toContain(`You have asked for exactly this already, as request ${ref}`)
		expect((await listRequests(visitor)).length).toBe(1)
		const other = await review(visitor, { action: 'pledge', [`qty.${isin}`]: '4' })
		await confirm(visitor, other.location)
		expect((await listRequests(visitor)).length).toBe(2)
	})

	test('shows what is not valid, without a call', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const [free, pledged] = [await pledgeRow(visitor), await pledgeRow(visitor, 'Pledged')]
		const since = opened.asked.length
		const cases: [Record<string, string>, string][] = [
			[{ action: 'pledge' }, 'Enter a quantity to pledge'],
			[{ action: 'unpledge' }, 'Enter a quantity to unpledge'],
			[{ action: 'pledge', [`qty.${free.isin}`]: '0' }, 'Enter a quantity to pledge'],
			[{ action: 'pledge', [`qty.${free.isin}`]: String(free.limit + 1) }, `You can pledge up to ${free.limit} of `],
			[{ action: 'unpledge', [`qty.${pledged.isin}`]: String(pledged.limit + 1) }, `You can unpledge up to ${pledged.limit} of `],
			...['-1', '1.5', '1e9', '0x10', '１２'].map((qty): [Record<string, string>, string] => [
				{ action: 'pledge', [`qty.${free.isin}`]: qty },
				'must be a whole number',
			]),
		]
		for (const [fields, message] of cases) {
			const { status, html } = await review(visitor, fields)
			expect([fields, status, readText(html)]).toEqual([fields, 400, expect.stringContaining(message)])
		}
		expect(listAsked('/v1/margin_epledge', since)).toEqual([])
		// A release counts at once, so it has no day.
		const release = readText((await visitor.visit(`${PLEDGE}/review?action=unpledge&${pledged.isin}=1`)).html)
		expect(release).toContain('Margin is less As soon as you confirm')
		expect(release).not.toContain('Counts as margin from')
		// An address that asks for too much leads back to the form.
		const back = await visitor.visit(`${PLEDGE}/review?action=pledge&${free.isin}=${free.limit + 1}`)
		expect(back.url).toContain(`${PLEDGE}?action=pledge`)
		expect(readText(back.html)).toContain('What you can pledge or unpledge has changed. Check the quantities.')
		expect(readFormRows(back.html).find(({ isin }) => isin === free.isin)?.typed).toBe(String(free.limit + 1))
	})

	test('searches and sorts without losing what was typed, and gives both tables as CSV', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const all = readFormRows((await visitor.visit(PLEDGE)).html)
		const [first, second, third] = all
		if (!first || !second || !third) throw new Error('Too little is held')
		const fields = { action: 'pledge', [`qty.${first.isin}`]: 'x1', [`qty.${second.isin}`]: '3' }
		const { location } = await review(visitor, { ...fields, q: third.isin, intent: 'show', sorted: '-value' })
		expect(location).toBe(`${PLEDGE}?action=pledge&${first.isin}=x1&${second.isin}=3&q=${third.isin}&sort=-value#pledge`)
		const { html } = await visitor.visit(location)
		expect(new Map(readFormRows(html).map(({ isin, typed }) => [isin, typed]))).toEqual(
			new Map([
				[first.isin, 'x1'],
				[second.isin, '3'],
				[third.isin, ''],
			]),
		)
		const sorted = await review(visitor, { ...fields, sort: 'haircut' })
		const haircuts = readFormRows((await visitor.visit(sorted.location)).html).map(({ cells }) => Number.parseFloat(cells.Haircut ?? ''))
		expect(haircuts).toEqual([...haircuts].sort((a, b) => a - b))
		expect(haircuts.length).toBe(all.length)

		const file = await visitor.send(`/downloads/depository/margin-pledge?q=${third.isin}&sort=-value`)
		expect(file.headers.get('content-disposition')).toContain('filename="DEMO01_PLEDGE.csv"')
		const lines = (await file.text()).trim().split('\r\n')
		expect([lines.length, lines[0]]).toEqual([2, '#,Name,ISIN,Free,Pledged,Haircut,Gives,Margin,Close,Value,Kind'])
		const requests = await (await visitor.send('/downloads/depository/pledge-requests?sort=status')).text()
		expect(requests).toMatch(
			/^#,Reference,Request,Securities,Quantity,Margin,Status,What next,Asked at,Confirm by\r\n1,PL-[A-Z0-9]+,Pledge,/,
		)
		expect(requests.trim().split('\r\n').length).toBe((await listRequests(visitor)).length + 1)
	})

	test('takes fee, limit and deadlines from the broker, and marks what is not on its list', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const [first, second] = readFormRows((await visitor.visit(PLEDGE)).html).filter(({ cells }) => parseCount(cells.Free) > 10)
		const soon = new Date(`${BROKERS_DAY}T15:10:00+05:30`).toISOString()
		const terms = {
			fee: 41.3,
			max_securities: 1,
			ask_by: soon,
			confirm_by: soon,
			margin_from: '2031-03-04',
			cash_equivalents: [first?.isin],
		}
		opened.breakBroker((request) =>
			request.url.includes('/v1/ours/pledge-terms') ? Response.json({ status: 'success', message: 'Told', data: terms }) : undefined,
		)
		const { html } = await visitor.visit(PLEDGE)
		expect(readText(html)).toContain('New pledges: request by 15:10 and confirm by 15:10 today; the margin counts from 04/03/2031.')
		expect(readText(html)).toContain('costs ₹ 41.30 with GST')
		expect(readFormRows(html).filter(({ cells }) => cells.Kind === 'Cash').length).toBe(1)
		const both = { action: 'pledge', [`qty.${first?.isin}`]: '1', [`qty.${second?.isin}`]: '1' }
		expect(readText((await review(visitor, both)).html)).toContain('You can pledge up to 1 securities at a time')
		const gone = await review(visitor, { action: 'pledge', 'qty.INE000X01010': '1' })
		expect([gone.status, readText(gone.html)]).toEqual([400, expect.stringContaining('INE000X01010 is not on the approved list today')])
		const odds: Record<string, string>[] = [
			{ qty: '5' },
			{ [`qty.${first?.isin}.x`]: '5' },
			{ 'qty.__proto__': '5' },
			{ 'qty.constructor': '5' },
		]
		for (const odd of odds) {
			const { status, html } = await review(visitor, { action: 'give', ...odd })
			expect([odd, status]).toEqual([odd, 400])
			expect(readText(html)).not.toMatch(/Invalid input|expected/)
		}
	})

	test('shows the broker’s refusal with a new key, and follows no address that is not allowed', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { isin } = await pledgeRow(visitor)
		const { location } = await review(visitor, { action: 'pledge', [`qty.${isin}`]: '1' })
		const { html } = await visitor.visit(location)
		const refuse = (answer: Response) => opened.breakBroker((request) => (request.url.includes('/v1/margin_epledge?') ? answer : undefined))
		refuse(Response.json({ status: 'error', message: 'Quantity is above the free quantity', data: null }, { status: 422 }))
		const refused = await confirm(visitor, location, html)
		const text = await refused.text()
		expect([refused.status, readText(text)]).toEqual([422, expect.stringContaining('Quantity is above the free quantity')])
		expect(hidden(text, 'idempotency_key')).not.toBe(hidden(html, 'idempotency_key'))
		// The address has the refused key.
		opened.failCalls('/v1/ours/pledge-requests', () => Response.json({}, { status: 500 }))
		const unsent = await (await confirm(visitor, location, text)).text()
		expect([/Nothing was sent/.test(unsent), hidden(unsent, 'idempotency_key')]).toEqual([true, hidden(text, 'idempotency_key')])
		for (const esign_response of ['https://evil.test/x', 'javascript:alert(1)', 'http://esign.test/x', 'https://esign.test@evil.test/']) {
			const { location: other } = await review(visitor, { action: 'pledge', [`qty.${isin}`]: '1' })
			refuse(Response.json({ status: 'success', message: 'Placed', data: { request_id: 'PL-00000001', esign_response } }))
			const blocked = await confirm(visitor, other)
			expect([esign_response, blocked.status, blocked.headers.get('location')]).toEqual([esign_response, 502, null])
			opened.breakBroker(undefined)
		}
	})

	test('shows nobody another client’s request', async () => {
		const [demo, cash] = [await signedIn(opened, 'DEMO01'), await signedIn(opened, 'CASH01')]
		const [ref] = await listRequests(demo)
		expect(ref).toBeDefined()
		expect((await cash.visit(`${PLEDGE}/return?ref=${ref}&status=confirmed`)).status).toBe(404)
		expect(await listRequests(cash)).not.toContain(ref)
		const { html } = await cash.visit(PLEDGE)
		const forged = await cash.postRaw(`${PLEDGE}/return?ref=${ref}`, { csrf: hidden(html, 'csrf') })
		expect(forged.headers.get('location')).toBe(`${PLEDGE}/return?ref=${ref}`)
	})
})

describe('DDPI', () => {
	test('shows status, clauses and the PDF of the client’s own account, and is signed', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		const { html } = await visitor.visit(DDPI)
		// The button stands after the clauses, which the client signs.
		expect(readText(html)).toMatch(
			/Status Not signed Demat account 12099900001004\d\d, [A-Z ]+ .* What it allows .* nothing is signed before that\. Until the status is Active, each sale needs an OTP\. Proceed to e-sign /,
		)
		expect(readAll(html, 'main ol li').length).toBeGreaterThanOrEqual(4)
		const file = await visitor.send('/downloads/ddpi?bo_id=1209990000100419&client_code=DEMO01')
		expect(file.headers.get('content-disposition')).toContain('filename="NEW001_EDDPI.pdf"')
		expect((await file.text()).slice(0, 5)).toBe('%PDF-')

		const left = await visitor.post(DDPI, DDPI, {})
		const response = new URL(left.headers.get('location') ?? '').searchParams.get('response') ?? ''
		expect(listAsked('/edis/v1/request_esign').map(({ url }) => new URL(url).searchParams.get('client_code'))).toEqual(['NEW001'])
		expect(readText((await visitor.visit(DDPI)).html)).toMatch(/Status Awaiting your e-sign/)
		const body = new URLSearchParams({ response, outcome: 'sign' })
		await fetch('https://esign.test/esign', { method: 'POST', body, redirect: 'manual' })
		const signed = await visitor.visit(DDPI)
		expect(readText(signed.html)).toMatch(/Status Active Signed on \d\d\/\d\d\/\d{4} Demat account \d{16}, ROHAN DAS/)
		expect(signed.html).not.toContain('Proceed to e-sign')
		expect(readText((await visitor.visit('/myaccount')).html)).toMatch(/DDPI Active/i)
	})

	test('shows a refusal in the page, and a failed PDF on the page with its link', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		opened.breakBroker((request) =>
			/request_esign|get_pdf/.test(request.url)
				? Response.json({ status: 'error', message: 'DDPI is already active', data: null }, { status: 409 })
				: undefined,
		)
		const refused = await visitor.post(DDPI, DDPI, {})
		expect([refused.status, readText(await refused.text())]).toEqual([422, expect.stringContaining('DDPI is already active')])
		expect((await visitor.send('/downloads/ddpi')).headers.get('location')).toBe(DDPI)
	})
})

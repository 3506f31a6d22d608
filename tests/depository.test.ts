import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hidden, lastCode, signedIn, textOf, wrongCode } from './account'
import { openPortal, ORIGIN, type Visitor } from './portal'

let opened: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
	opened = await openPortal(['DEMO01', 'CASH01', 'NEW001', 'CLOS01'])
})
afterAll(() => opened.close())
afterEach(() => opened.breakBroker(undefined))

const VERIFY = '/dpprocess'
const OTP = '/dpprocess/otp'
const PLEDGE = '/dpprocess/pledge'
const DDPI = '/dpprocess/ddpi'

/** Rows of a table that is filled in: the ISIN with the figures of its row. */
function rowsOf(html: string): { isin: string; cells: string[] }[] {
	const body = /<tbody>(.*?)<\/tbody>/s.exec(html)?.[1] ?? ''
	return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => ({
		isin: /name="qty\.([A-Z0-9]+)"/.exec(row)?.[1] ?? '',
		cells: [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => textOf(cell).trim()),
	}))
}

/** What was asked of the broker since a moment, by path. */
const askedOf = (path: string, since = 0) => opened.asked.slice(since).filter(({ url }) => new URL(url).pathname === path)

/** A row of which more than ten units are free. */
async function freeRow(visitor: Visitor) {
	const row = rowsOf((await visitor.visit(VERIFY)).html).find(({ cells }) => Number(cells[2]?.replaceAll(',', '')) > 10)
	if (!row) throw new Error('Nothing is free')
	return { isin: row.isin, free: Number(row.cells[2]?.replaceAll(',', '')) }
}

async function startVerification(visitor: Visitor, isin: string, qty: string, more: Record<string, string> = {}) {
	return await visitor.post(VERIFY, VERIFY, { isin, [`qty.${isin}`]: qty, trade_type: 'PRE', ...more })
}

async function sendOtp(visitor: Visitor, fields: Record<string, string>, html?: string) {
	const page = html ?? (await visitor.visit(OTP)).html
	const all = { csrf: hidden(page, 'csrf'), step: hidden(page, 'step'), idempotency_key: hidden(page, 'idempotency_key') }
	return await visitor.postRaw(OTP, { ...all, ...fields })
}

describe('stock verification', () => {
	it('shows what is free, sends what the broker told and the session knows, and verifies with the code', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { isin, free } = await freeRow(visitor)
		const since = opened.asked.length
		const forged = { client_code: 'CASH01', free_qty: '999999', poa_qty: '999999', stock_name: 'GOLD', eDis_type: '1' }
		const sent = await startVerification(visitor, isin, '7', forged)
		expect([sent.status, sent.headers.get('location')]).toEqual([303, OTP])
		const [call] = askedOf('/edis/edis/v1/edis-stock-verify', since)
		expect(new URL(call?.url ?? '').search).toBe('?source=connect')
		const body = (await call?.json()) as { data: object[] }
		expect(body).toMatchObject({ client_code: 'DEMO01', eDis_type: '2', trade_type: 'PRE', post_trade_date: '' })
		expect(body.data).toEqual([{ isin, qty: 7, free_qty: free, poa_qty: 0, stock_name: expect.not.stringContaining('GOLD') as string }])

		const page = await visitor.visit(OTP)
		const text = textOf(page.html)
		expect(text).toContain('Otp Sent Successfully')
		expect(text).toMatch(/OTP sent to \*{6}\d{4}\. It is valid until \d\d:\d\d IST/)
		for (const word of ['OTP', 'Verify OTP', 'Resend OTP', 'Start again']) expect(text).toContain(word)
		// Without a script the code has the page to itself.
		expect(page.html).not.toContain('<caption class="sr-only">Holdings')

		const code = await lastCode('DEMO01')
		const wrong = await sendOtp(visitor, { otp: wrongCode(code) })
		expect([wrong.status, textOf(await wrong.text())]).toEqual([
			422,
			expect.stringContaining('The OTP is incorrect. You have 4 attempts left.'),
		])
		const done = await sendOtp(visitor, { otp: code })
		expect([done.status, done.headers.get('location')]).toEqual([303, VERIFY])
		const last = await askedOf('/edis/edis/v1/edis-verify-otp').at(-1)?.json()
		expect(last).toEqual({ otp: code, request_id: expect.any(String) as string })

		const { html } = await visitor.visit(VERIFY)
		expect(textOf(html)).toContain('Stocks verified successfully')
		expect(
			rowsOf(html)
				.find((row) => row.isin === isin)
				?.cells.slice(2, 4),
		).toEqual([String(free - 7), '7'])
		expect(textOf(html)).toMatch(/7 Pre \d\d:\d\d on [\d/]+ 17:30 on [\d/]+/)
		// The step is over: its page leads back.
		expect((await visitor.visit(OTP)).url).toBe(VERIFY)
	})

	it('says what does not fit, beside each field, and keeps what was typed', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { isin, free } = await freeRow(visitor)
		const since = opened.asked.length
		const cases: [Record<string, string>, string][] = [
			[{ [`qty.${isin}`]: '5' }, 'Select at least one security'],
			[{ isin, [`qty.${isin}`]: '' }, 'Enter a quantity for '],
			[{ isin, [`qty.${isin}`]: '0' }, 'Enter a quantity for '],
			[{ isin, [`qty.${isin}`]: String(free + 1) }, `You can verify up to ${free} of `],
			[{ isin, [`qty.${isin}`]: '5', trade_type: 'POST' }, 'Select the trade date'],
			[{ isin, [`qty.${isin}`]: '5', trade_type: 'POST', post_trade_date: '2020-01-01' }, 'The trade date must be '],
			[{ isin: 'INE000X01010', 'qty.INE000X01010': '5' }, 'Select at least one security'],
			...['-1', '1.5', '1e3', '0x10', '１２', 'NaN'].map((qty): [Record<string, string>, string] => [
				{ isin, [`qty.${isin}`]: qty },
				'must be a whole number',
			]),
		]
		for (const [fields, message] of cases) {
			const answer = await visitor.post(VERIFY, VERIFY, { trade_type: 'PRE', ...fields })
			const html = await answer.text()
			expect([fields, answer.status]).toEqual([fields, 400])
			expect(textOf(html)).toMatch(/There is a problem/)
			expect(textOf(html)).toContain(message)
			expect(html).toMatch(/<title>Error: DP Process/)
		}
		const kept = await (await visitor.post(VERIFY, VERIFY, { trade_type: 'PRE', isin, [`qty.${isin}`]: '99999999' })).text()
		expect(kept).toMatch(new RegExp(`name="qty\\.${isin}"[^>]*value="99999999"`))
		expect(kept).toMatch(new RegExp(`name="isin"[^>]*checked=""[^>]*value="${isin}"`))
		expect(askedOf('/edis/edis/v1/edis-stock-verify', since)).toEqual([])
	})

	it('selects everything that is free by a link, and says so to the broker as all', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { html } = await visitor.visit(`${VERIFY}?select=all`)
		const chosen = [...html.matchAll(/name="isin"[^>]*checked=""[^>]*value="([A-Z0-9]+)"/g)].map(([, isin = '']) => isin)
		const form = new URLSearchParams({ csrf: hidden(html, 'csrf'), trade_type: 'PRE' })
		for (const isin of chosen) {
			form.append('isin', isin)
			form.append(`qty.${isin}`, new RegExp(`name="qty\\.${isin}"[^>]*value="(\\d*)"`).exec(html)?.[1] ?? '')
		}
		const sent = await visitor.send(VERIFY, {
			method: 'POST',
			body: form.toString(),
			headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN },
		})
		expect(sent.status).toBe(303)
		expect(await askedOf('/edis/edis/v1/edis-stock-verify').at(-1)?.json()).toMatchObject({ eDis_type: '1', client_code: 'CASH01' })
	})

	it('sends a POST verification with its day as DD-MM-YYYY', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { isin } = await freeRow(visitor)
		const day = /name="post_trade_date"[^>]*value="([\d-]+)"/.exec((await visitor.visit(VERIFY)).html)?.[1] ?? ''
		const sent = await startVerification(visitor, isin, '1', { trade_type: 'POST', post_trade_date: day })
		expect(sent.status).toBe(303)
		expect(await askedOf('/edis/edis/v1/edis-stock-verify').at(-1)?.json()).toMatchObject({
			trade_type: 'POST',
			post_trade_date: day.split('-').reverse().join('-'),
		})
	})

	it('shows the broker’s refusal, sends again when asked, and starts again', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { isin } = await freeRow(visitor)
		await startVerification(visitor, isin, '1')
		const early = await sendOtp(visitor, { intent: 'resend_otp' })
		expect([early.status, textOf(await early.text())]).toEqual([429, expect.stringMatching(/You can ask for a new OTP in \d+ seconds/)])
		opened.breakBroker((request) =>
			request.url.includes('/resend-otp') ? Response.json({ status: 'success', message: 'OTP sent to ******9999', data: null }) : undefined,
		)
		const again = await sendOtp(visitor, { intent: 'resend_otp' })
		expect([again.status, again.headers.get('location')]).toEqual([303, OTP])
		const text = textOf((await visitor.visit(OTP)).html)
		expect(text).toContain('OTP sent again.')
		expect(text).toContain('OTP sent to ******9999')
		expect((await sendOtp(visitor, { intent: 'start_again' })).headers.get('location')).toBe(VERIFY)
		expect((await visitor.visit(OTP)).url).toBe(VERIFY)
	})

	it('is one client’s and one browser’s: another’s step, an old form and a forged request id do nothing', async () => {
		const [demo, cash] = [await signedIn(opened, 'DEMO01'), await signedIn(opened, 'CASH01')]
		const { isin } = await freeRow(demo)
		await startVerification(demo, isin, '1')
		for (const [name, value] of demo.cookies) if (name.includes('pending')) cash.cookies.set(name, value)
		expect((await cash.visit(OTP)).url).toBe(VERIFY)
		const old = (await demo.visit(OTP)).html
		await startVerification(demo, isin, '2')
		const since = opened.asked.length
		const stale = await sendOtp(demo, { otp: '123456', request_id: 'RQ-0000000000000000' }, old)
		expect([stale.status, stale.headers.get('location')]).toEqual([303, OTP])
		expect(askedOf('/edis/edis/v1/edis-verify-otp', since)).toEqual([])
	})

	it('verifies once when the answer gets lost and the form is sent again', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		const { isin } = await freeRow(visitor)
		await startVerification(visitor, isin, '3')
		const otp = await lastCode('CLOS01')
		let isLost = false
		opened.breakBroker((request) => {
			if (isLost || !request.url.includes('/edis-verify-otp')) return undefined
			isLost = true
			return loseAnswer(request)
		})
		const lost = await sendOtp(visitor, { otp })
		const html = await lost.text()
		expect([lost.status, textOf(html)]).toEqual([503, expect.stringContaining('may already have been done')])
		const done = await sendOtp(visitor, { otp }, html)
		expect([done.status, done.headers.get('location')]).toEqual([303, VERIFY])
		expect(rowsOf((await visitor.visit(VERIFY)).html).find((row) => row.isin === isin)?.cells[3]).toBe('3')
	})

	it('has an empty state, and keeps the rest of the page when a part fails', async () => {
		const fresh = await signedIn(opened, 'NEW001')
		expect(textOf((await fresh.visit(VERIFY)).html)).toContain('Nothing in your demat account can be verified.')
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
})

/** The broker does what it was asked for, and the connection dies. Faults run before the sandbox, so the sandbox is asked by hand. */
async function loseAnswer(request: Request): Promise<Response> {
	opened.breakBroker(undefined)
	await fetch(request)
	throw new TypeError('socket hang up')
}

describe('margin pledge', () => {
	const figures = (html: string) => textOf(/<dl class="running-total".*?<\/dl>/s.exec(html)?.[0] ?? '')

	async function review(visitor: Visitor, fields: Record<string, string>) {
		const answer = await visitor.post(PLEDGE, PLEDGE, fields)
		return { status: answer.status, location: answer.headers.get('location') ?? '', html: await answer.text() }
	}

	async function pledgeRow(visitor: Visitor, at: 'free' | 'pledged' = 'free') {
		const { html } = await visitor.visit(PLEDGE)
		const column = at === 'free' ? 0 : 1
		const row = rowsOf(html).find(({ cells }) => Number(cells[column]?.replaceAll(',', '')) > 10)
		if (!row) throw new Error(`Nothing is ${at}`)
		return { isin: row.isin, limit: Number(row.cells[column]?.replaceAll(',', '')) }
	}

	async function confirm(visitor: Visitor, address: string, html?: string) {
		const page = html ?? (await visitor.visit(address)).html
		return await visitor.postRaw(address, { csrf: hidden(page, 'csrf'), idempotency_key: hidden(page, 'idempotency_key') })
	}

	async function atDepository(visitor: Visitor, left: Response, outcome = 'confirm') {
		const response = new URL(left.headers.get('location') ?? '').searchParams.get('response') ?? ''
		const body = new URLSearchParams({ response, outcome })
		const sent = await fetch('https://esign.test/depository', { method: 'POST', body, redirect: 'manual' })
		const back = new URL(sent.headers.get('location') ?? '')
		return await visitor.visit(back.pathname + back.search)
	}

	const requestsOf = async (visitor: Visitor) =>
		[...(await visitor.visit(PLEDGE)).html.matchAll(/href="\/dpprocess\/pledge\/return\?ref=(PL-[A-Z0-9]+)"/g)].map(([, ref]) => ref)

	it('reckons the total on the server, checks, confirms at the depository, and shows what is pledged', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { isin, limit } = await pledgeRow(visitor)
		const total = await review(visitor, { action: 'pledge', [`qty.${isin}`]: '10', intent: 'total' })
		expect([total.status, total.location]).toEqual([303, `${PLEDGE}?action=pledge&${isin}=10#total`])
		const shown = figures((await visitor.visit(`${PLEDGE}?action=pledge&${isin}=10`)).html)
		const [, added, after] = /Margin added ₹ ([\d,.]+) Total margin after ₹ ([\d,.]+) Fee ₹ 23\.60/.exec(shown) ?? []
		expect(added).toBeDefined()

		const next = await review(visitor, { action: 'pledge', [`qty.${isin}`]: '10' })
		expect(next.status).toBe(303)
		const page = await visitor.visit(next.location)
		const text = textOf(page.html)
		for (const word of [`${isin} 10`, `₹ ${added}`, `Total margin after ₹ ${after}`, 'Fee, GST included ₹ 23.60', 'Confirm by', 'Confirm'])
			expect(text).toContain(word)

		const since = opened.asked.length
		const left = await confirm(visitor, next.location)
		expect(new URL(left.headers.get('location') ?? '').origin).toBe('https://esign.test')
		const [call] = askedOf('/v1/margin_epledge', since)
		expect(await call?.json()).toEqual({ client_code: 'DEMO01', action: 'pledge', data: [{ isin, qty: 10 }], confirmation: true })
		expect(call?.headers.get('idempotency-key')).toBe(new URL(next.location, ORIGIN).searchParams.get('order'))

		const cancelled = await atDepository(visitor, left, 'cancel')
		expect(textOf(cancelled.html)).toContain('You cancelled at the depository. Nothing has changed. You can confirm until')
		const ref = new URL(cancelled.url, ORIGIN).searchParams.get('ref') ?? ''
		const again = await visitor.postRaw(`${PLEDGE}/return?ref=${ref}`, { csrf: hidden(cancelled.html, 'csrf') })
		const back = await atDepository(visitor, again)
		expect(textOf(back.html)).toContain('Pledge confirmed')
		expect(textOf(back.html)).toContain('It counts as margin from')
		const row = rowsOf((await visitor.visit(PLEDGE)).html).find((each) => each.isin === isin)
		expect(row?.cells[0]?.replaceAll(',', '')).toBe(String(limit - 10))
		expect(textOf((await visitor.visit('/reports/ledger')).html)).toContain('PLEDGE CHARGES')
	})

	it('is one request for its form: sent twenty times, reloaded, from the back button, after a lost answer', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { isin } = await pledgeRow(visitor)
		const before = (await requestsOf(visitor)).length
		const { location } = await review(visitor, { action: 'pledge', [`qty.${isin}`]: '1' })
		const { html } = await visitor.visit(location)

		let isLost = false
		opened.breakBroker((request) => {
			if (isLost || !request.url.includes('/v1/margin_epledge?')) return undefined
			isLost = true
			return loseAnswer(request)
		})
		const lost = await confirm(visitor, location, html)
		const again = await lost.text()
		expect([lost.status, textOf(again)]).toEqual([503, expect.stringContaining('may already have been done')])
		expect(hidden(again, 'idempotency_key')).toBe(hidden(html, 'idempotency_key'))

		const twenty = await Promise.all(Array.from({ length: 20 }, () => confirm(visitor, location, again)))
		expect(new Set(twenty.map(({ headers }) => headers.get('location'))).size).toBe(1)
		// Gone to the depository, back again, reloaded: the same order.
		expect((await confirm(visitor, location)).headers.get('location')).toBe(twenty[0]?.headers.get('location'))
		expect((await requestsOf(visitor)).length).toBe(before + 1)
		await atDepository(visitor, twenty[0] as Response)
		const known = await atDepository(visitor, await confirm(visitor, location))
		expect(textOf(known.html)).toContain('Pledge confirmed')
		expect((await requestsOf(visitor)).length).toBe(before + 1)
	})

	it('says what does not fit, and asks nothing of the broker for it', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const [free, pledged] = [await pledgeRow(visitor), await pledgeRow(visitor, 'pledged')]
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
			expect([fields, status, textOf(html)]).toEqual([fields, 400, expect.stringContaining(message)])
		}
		expect(askedOf('/v1/margin_epledge', since)).toEqual([])
		// An address that asks for too much leads back to the form.
		expect((await visitor.visit(`${PLEDGE}/review?action=pledge&${free.isin}=${free.limit + 1}`)).url).toContain(`${PLEDGE}?action=pledge`)
	})

	it('shows the broker’s own refusal with a new key, and follows no address that is not on the list', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { isin } = await pledgeRow(visitor)
		const { location } = await review(visitor, { action: 'pledge', [`qty.${isin}`]: '1' })
		const { html } = await visitor.visit(location)
		const refuse = (answer: Response) => opened.breakBroker((request) => (request.url.includes('/v1/margin_epledge?') ? answer : undefined))
		refuse(Response.json({ status: 'error', message: 'Quantity is above the free quantity', data: null }, { status: 422 }))
		const refused = await confirm(visitor, location, html)
		const text = await refused.text()
		expect([refused.status, textOf(text)]).toEqual([422, expect.stringContaining('Quantity is above the free quantity')])
		expect(hidden(text, 'idempotency_key')).not.toBe(hidden(html, 'idempotency_key'))
		for (const esign_response of ['https://evil.test/x', 'javascript:alert(1)', 'http://esign.test/x', 'https://esign.test@evil.test/']) {
			const { location: other } = await review(visitor, { action: 'pledge', [`qty.${isin}`]: '1' })
			refuse(Response.json({ status: 'success', message: 'Placed', data: { request_id: 'PL-00000001', esign_response } }))
			const blocked = await confirm(visitor, other)
			expect([esign_response, blocked.status, blocked.headers.get('location')]).toEqual([esign_response, 502, null])
			opened.breakBroker(undefined)
		}
	})

	it('shows nobody another client’s request', async () => {
		const [demo, cash] = [await signedIn(opened, 'DEMO01'), await signedIn(opened, 'CASH01')]
		const [ref] = await requestsOf(demo)
		expect(ref).toBeDefined()
		expect((await cash.visit(`${PLEDGE}/return?ref=${ref}&status=confirmed`)).status).toBe(404)
		expect(await requestsOf(cash)).toEqual([])
		const { html } = await cash.visit(PLEDGE)
		const forged = await cash.postRaw(`${PLEDGE}/return?ref=${ref}`, { csrf: hidden(html, 'csrf') })
		expect(forged.headers.get('location')).toBe(`${PLEDGE}/return?ref=${ref}`)
	})
})

describe('DDPI', () => {
	it('shows status, clauses and the PDF of the client’s own account, and is signed', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		const { html } = await visitor.visit(DDPI)
		expect(textOf(html)).toMatch(/Status Not signed/)
		expect(html.match(/<li>/g)?.length).toBeGreaterThanOrEqual(4)
		expect(html).not.toMatch(/12099900001004\d\d/)
		const file = await visitor.send('/downloads/ddpi?bo_id=1209990000100419&client_code=DEMO01')
		expect(file.headers.get('content-disposition')).toContain('filename="NEW001_EDDPI.pdf"')
		expect((await file.text()).slice(0, 5)).toBe('%PDF-')

		const left = await visitor.post(DDPI, DDPI, {})
		const response = new URL(left.headers.get('location') ?? '').searchParams.get('response') ?? ''
		expect(askedOf('/edis/v1/request_esign').map(({ url }) => new URL(url).searchParams.get('client_code'))).toEqual(['NEW001'])
		expect(textOf((await visitor.visit(DDPI)).html)).toMatch(/Status Waits for your e-sign/)
		const body = new URLSearchParams({ response, outcome: 'sign' })
		await fetch('https://esign.test/esign', { method: 'POST', body, redirect: 'manual' })
		const signed = await visitor.visit(DDPI)
		expect(textOf(signed.html)).toMatch(/Status Active Signed on \d\d\/\d\d\/\d{4}/)
		expect(signed.html).not.toContain('Proceed to e-sign')
		expect(textOf((await visitor.visit('/myaccount')).html)).toMatch(/DDPI Active/i)
	})

	it('tells a refusal in the page, and a failed PDF on the page it was asked from', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		opened.breakBroker((request) =>
			/request_esign|get_pdf/.test(request.url)
				? Response.json({ status: 'error', message: 'DDPI is already active', data: null }, { status: 409 })
				: undefined,
		)
		const refused = await visitor.post(DDPI, DDPI, {})
		expect([refused.status, textOf(await refused.text())]).toEqual([422, expect.stringContaining('DDPI is already active')])
		expect((await visitor.send('/downloads/ddpi')).headers.get('location')).toBe(DDPI)
	})
})

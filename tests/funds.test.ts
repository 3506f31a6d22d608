import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hidden, signedIn, textOf } from './account'
import { openPortal, type Visitor } from './portal'

let opened: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
	opened = await openPortal(['DEMO01', 'CASH01', 'DEBT01', 'NEW001'])
})
afterAll(() => opened.close())
afterEach(() => opened.breakBroker(undefined))

const ADD = '/funds'
const WITHDRAW = '/funds/withdraw'
const MANDATE = '/funds/e-mandate'
const PAYIN_PATH = '/atompay/v2/Request'
const PAYOUT_PATH = '/v1/account_profile/fund_payout'

type Fields = Record<string, string>
const bankOf = (html: string) => /<option value="(0-[^"]+)"/.exec(html)?.[1] ?? ''
const sentTo = (path: string) => opened.asked.filter(({ url }) => new URL(url).pathname === path)

/** Posts the first form of a page as a browser would: with what the page hid in it. */
async function send(visitor: Visitor, page: string, fields: Fields, from?: string): Promise<Response> {
	const html = from ?? (await visitor.visit(page)).html
	const own = { csrf: hidden(html, 'csrf'), idempotency_key: hidden(html, 'idempotency_key'), bank: bankOf(html) }
	return await visitor.postRaw(page, { ...own, ...fields })
}

const payin = (fields: Fields = {}): Fields => ({ amount: '2,500.50', segment: 'BSE', mode: 'upi', upi_id: 'aarav@examplebank', ...fields })

/** Ends a payment or a mandate on its page, and follows the way back. */
async function finish(visitor: Visitor, answer: Response, outcome: string) {
	const address = new URL(answer.headers.get('location') ?? '')
	const body = new URLSearchParams({ token: address.searchParams.get('token') ?? '', outcome })
	const ended = await fetch(address.origin + address.pathname, { method: 'POST', body, redirect: 'manual' })
	const back = new URL(ended.headers.get('location') ?? '')
	return await visitor.visit(back.pathname + back.search)
}

const ledgerOf = async (visitor: Visitor) =>
	/Ledger balance (₹ [\d,.]+(?: [CD]r)?)/.exec(textOf((await visitor.visit(WITHDRAW)).html))?.[1] ?? 'none'

describe('adding funds', () => {
	it('goes to the payment page, comes back to a success, and shows in every balance at once', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const before = await ledgerOf(visitor)
		const answer = await send(visitor, ADD, payin())
		expect(answer.status).toBe(303)
		expect(answer.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:4999\/pay\?token=[\w-]{43}$/)
		const [asked] = sentTo(PAYIN_PATH).slice(-1)
		expect(await asked?.json()).toEqual({
			account_no: '64093177254',
			bank_name: 'STATE BANK OF INDIA',
			bank_ifsc: 'SBIN0003297',
			client_name: expect.stringMatching(/^[A-Za-z ]+$/),
			client_email: expect.stringContaining('@'),
			client_mobile_no: expect.stringMatching(/^\d{10}$/),
			amount: 2500.5,
			segment: 'BSE',
			upi_id: 'aarav@examplebank',
		})
		expect(new URL(asked?.url ?? '').searchParams.get('payment_type')).toBe('upi')
		expect(asked?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
		expect(await ledgerOf(visitor)).toBe(before)

		const { html } = await finish(visitor, answer, 'pay')
		expect(html).toMatch(/<title>Payment received · /)
		expect(textOf(html)).toMatch(/₹ 2,500\.50 is in your equity ledger\. UTR \d{12}\./)
		const after = await ledgerOf(visitor)
		expect(after).not.toBe(before)
		for (const page of ['/reports/ledger', '/dashboard', '/reports/ledger/deducted'])
			expect([page, textOf((await visitor.visit(page)).html).includes(after)]).toEqual([page, true])
		expect(textOf((await visitor.visit('/funds/history')).html)).toMatch(/Success 2,500\.50 Equity UPI STATE BANK OF INDIA X+7254 \d{12}/)
		// A reload of the return page does nothing, and neither does the payment page, asked again.
		expect(textOf((await finish(visitor, answer, 'fail')).html)).toContain('Payment received')
		expect(await ledgerOf(visitor)).toBe(after)
	})

	it.each([
		['fail', 'Payment failed', 'Declined by the bank.'],
		['cancel', 'Payment cancelled', 'Cancelled on the payment page.'],
		['wait', 'Payment pending', 'Waiting for your bank.'],
		['other', 'Payment failed', 'Paid from an account that is not registered.'],
	])('says how a payment that ended by %s stands', async (outcome, heading, words) => {
		const visitor = await signedIn(opened, 'CASH01')
		const before = await ledgerOf(visitor)
		const { html, status } = await finish(visitor, await send(visitor, ADD, payin()), outcome)
		expect([status, textOf(html)]).toEqual([200, expect.stringContaining(words)])
		expect(html).toContain(`<title>${heading} · `)
		expect(await ledgerOf(visitor)).toBe(before)
		if (outcome === 'other')
			expect(textOf((await visitor.visit(ADD)).html)).toMatch(/ACCOUNT OF ANOTHER PERSON X+6612 Being returned .*Nothing to do/)
	})

	it('keeps what was typed, says what is wrong beside its field, and sends nothing', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const sent = sentTo(PAYIN_PATH).length
		const cases: [Fields, string][] = [
			[{ amount: '' }, 'Enter an amount'],
			[{ amount: '0' }, 'Amount must be more than zero'],
			[{ amount: '-5' }, 'Amount must be more than zero'],
			[{ amount: '1.005' }, 'Amount must have no more than 2 decimals'],
			[{ amount: '0.99' }, 'Amount must be ₹ 1 or more'],
			[{ amount: '1,00,000.01' }, 'UPI payments can be up to ₹ 1,00,000. Use net banking for more'],
			[{ amount: '10,00,000.01', mode: 'netbanking' }, 'Amount must be ₹ 10,00,000 or less'],
			...['1e9', '0x10', '１２', 'NaN', '1 <b>'].map((amount): [Fields, string] => [
				{ amount },
				'Enter an amount in rupees, like 25,000.50',
			]),
			[{ upi_id: '' }, 'Enter your UPI ID'],
			[{ upi_id: 'nobody' }, 'Enter a UPI ID in the correct format, like name@bank'],
			[{ bank: '7-XXXX0000000-0000' }, 'Select the bank you will pay from'],
			[{ segment: 'NSE' }, 'Select a segment'],
		]
		for (const [fields, message] of cases) {
			const answer = await send(visitor, ADD, payin(fields))
			const html = await answer.text()
			expect([fields, answer.status, textOf(html).includes(message)]).toEqual([fields, 400, true])
			expect(html).toContain('<title>Error: Funds')
			expect(html).toContain('There is a problem')
		}
		expect(sentTo(PAYIN_PATH)).toHaveLength(sent)
		expect((await send(visitor, ADD, payin({ amount: '₹ 1,00,000.00' }))).status).toBe(303)
		const again = await (await send(visitor, ADD, payin({ upi_id: 'nobody' }))).text()
		expect(again).toMatch(/value="nobody"|nobody"/)
	})

	it('offers no commodity to whom it is not active, and takes none', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		expect(textOf((await visitor.visit(ADD)).html)).not.toContain('Commodity')
		const answer = await send(visitor, ADD, payin({ segment: 'MCX' }))
		expect([answer.status, textOf(await answer.text())]).toEqual([400, expect.stringContaining('Commodity is not active on your account')])
	})

	it.each([
		'https://evil.test/pay',
		'http://esign.test/pay',
		'https://esign.test.evil.test/',
		'https://esign.test@evil.test/',
		'javascript:alert(1)',
		'//evil.test',
		'https://esign.test:444/',
	])('sends nobody to %s', async (url_data) => {
		const visitor = await signedIn(opened, 'DEMO01')
		opened.breakBroker((request) =>
			request.url.includes(PAYIN_PATH)
				? Response.json({ status: 'success', message: 'ok', data: { url_data, request_id: 'PI000001' } })
				: undefined,
		)
		const answer = await send(visitor, ADD, payin())
		expect([answer.status, answer.headers.get('location')]).toEqual([502, null])
		expect(textOf(await answer.text())).toContain('that we do not send anybody to')
	})

	it('shows no payment of another client', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const answer = await send(visitor, ADD, payin())
		const token = new URL(answer.headers.get('location') ?? '').searchParams.get('token') ?? ''
		const ended = await fetch('http://127.0.0.1:4999/pay', {
			method: 'POST',
			body: new URLSearchParams({ token, outcome: 'pay' }),
			redirect: 'manual',
		})
		const back = new URL(ended.headers.get('location') ?? '')
		const stranger = await signedIn(opened, 'NEW001')
		expect((await stranger.visit(back.pathname + back.search)).status).toBe(404)
		// What a form says of the client is not read.
		await send(stranger, ADD, payin({ client_code: 'DEMO01', account_no: '50100042104821' }))
		const [asked] = sentTo(PAYIN_PATH).slice(-1)
		expect(asked?.headers.get('client-code')).toBe('NEW001')
		expect(await asked?.json()).toMatchObject({ account_no: '50100611908237' })
	})
})

describe('withdrawing', () => {
	const payout = (fields: Fields = {}): Fields => ({ ledgers: 'NSE_CASH', amount: '5', ...fields })

	async function cancel(visitor: Visitor, place: string) {
		const { html } = await visitor.visit(place)
		const ref = new URL(place, 'https://portal.test').searchParams.get('ref') ?? ''
		return await visitor.postRaw('/funds/payout', { csrf: hidden(html, 'csrf'), idempotency_key: hidden(html, 'idempotency_key'), ref })
	}

	it('says how the amount is made up, joins a batch, and can be taken back', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit(WITHDRAW)
		const text = textOf(html)
		for (const words of ['Ledger balance', 'Less what has not settled', 'Less margin blocked', 'You can withdraw', 'Asked for before'])
			expect(text).toContain(words)
		expect(html).toContain('href="/reports/ledger/NSE_CASH"')
		const answer = await send(visitor, WITHDRAW, payout())
		const place = answer.headers.get('location') ?? ''
		expect([answer.status, place]).toEqual([303, expect.stringMatching(/^\/funds\/payout\?ref=PO\d{6}-[0-9A-F]{6}/)])
		const page = textOf((await visitor.visit(place)).html)
		expect(page).toMatch(/₹ 5\.00 is on its way: it is in your bank by \d\d\/\d\d\/\d{4} at \d\d:\d\d\./)
		expect(textOf((await visitor.visit(WITHDRAW)).html)).toContain('A payout of ₹ 5.00 from Equity is in progress.')
		const second = await send(visitor, WITHDRAW, payout({ amount: '6' }))
		expect([second.status, textOf(await second.text())]).toEqual([409, expect.stringContaining('A payout request is already pending')])
		const stranger = await signedIn(opened, 'CASH01')
		expect((await stranger.visit(place)).status).toBe(404)
		const ref = new URL(place, 'https://portal.test').searchParams.get('ref') ?? ''
		expect((await stranger.post(WITHDRAW, '/funds/payout', { ref, idempotency_key: randomUUID() })).status).toBe(404)
		expect((await cancel(visitor, place)).status).toBe(303)
		expect(textOf((await visitor.visit(place)).html)).toContain('You took this payout back.')
	})

	it('refuses more than there is, says how much there is, and trims nothing', async () => {
		for (const code of ['DEMO01', 'DEBT01', 'NEW001']) {
			const visitor = await signedIn(opened, code)
			const answer = await send(visitor, WITHDRAW, payout({ amount: '9,99,99,999.99' }))
			const html = await answer.text()
			expect([code, answer.status]).toEqual([code, 422])
			expect(textOf(html)).toMatch(/You can withdraw up to ₹ [\d,]+\.\d\d now\./)
			expect(html).toContain('value="9,99,99,999.99"')
		}
	})

	it('does it once, however often it is sent', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit(WITHDRAW)
		// Another tab of the same browser shows the same order.
		expect(hidden((await visitor.visit(WITHDRAW)).html, 'idempotency_key')).toBe(hidden(html, 'idempotency_key'))
		const sent = sentTo(PAYOUT_PATH).length
		const answers = await Promise.all(Array.from({ length: 20 }, () => send(visitor, WITHDRAW, payout(), html)))
		const places = new Set(answers.map(({ headers }) => headers.get('location')))
		expect([answers.map(({ status }) => status), places.size]).toEqual([Array.from({ length: 20 }, () => 303), 1])
		expect(sentTo(PAYOUT_PATH)).toHaveLength(sent + 1)
		const late = await send(visitor, WITHDRAW, payout(), html)
		expect([late.status, late.headers.get('location')]).toEqual([303, [...places][0]])
		// The same form with another amount is not that order, and is not sent.
		const other = await send(visitor, WITHDRAW, payout({ amount: '7' }), html)
		expect([other.status, textOf(await other.text())]).toEqual([409, expect.stringContaining('Something else has already been asked for')])
		expect(sentTo(PAYOUT_PATH)).toHaveLength(sent + 1)
		// The next form is another order.
		expect(hidden((await visitor.visit(WITHDRAW)).html, 'idempotency_key')).not.toBe(hidden(html, 'idempotency_key'))
		await cancel(visitor, [...places][0] ?? '')
	})

	it('shows the form again with its key when the answer gets lost, and sending it again finds what was done', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		let isLost = true
		opened.breakBroker(async (request) => {
			if (!isLost || !request.url.includes(PAYOUT_PATH)) return undefined as unknown as Response
			isLost = false
			// The broker does it; its answer never comes.
			opened.breakBroker(undefined)
			await fetch(request)
			throw new TypeError('The connection died')
		})
		const { html } = await visitor.visit(WITHDRAW)
		const lost = await send(visitor, WITHDRAW, payout({ amount: '8' }), html)
		const again = await lost.text()
		expect([lost.status, textOf(again)]).toEqual([503, expect.stringContaining('this may already have been done')])
		expect(hidden(again, 'idempotency_key')).toBe(hidden(html, 'idempotency_key'))
		const done = await send(visitor, WITHDRAW, payout({ amount: '8' }), again)
		expect(done.status).toBe(303)
		const history = textOf((await visitor.visit('/funds/history')).html)
		expect(history.match(/Pending 8\.00/g)).toHaveLength(1)
		await cancel(visitor, done.headers.get('location') ?? '')
	})

	it('refuses a form without a key of ours, and asks for ledger and bank', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const sent = sentTo(PAYOUT_PATH).length
		for (const key of ['', 'not-a-key', '../../etc'])
			expect((await send(visitor, WITHDRAW, payout({ idempotency_key: key }))).status).toBe(400)
		const html = await (await send(visitor, WITHDRAW, { amount: '', bank: '' })).text()
		for (const words of ['Select at least one ledger', 'Enter an amount', 'Select a bank account']) expect(textOf(html)).toContain(words)
		const cash = await signedIn(opened, 'CASH01')
		expect((await send(cash, WITHDRAW, payout({ ledgers: 'MCX' }))).status).toBe(400)
		expect(sentTo(PAYOUT_PATH)).toHaveLength(sent)
	})
})

describe('mandates', () => {
	it('registers one online, with two decimals, and ends it', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const answer = await send(visitor, MANDATE, { amount: '5000', channel: 'debitcard' })
		expect(answer.status).toBe(303)
		const [asked] = sentTo('/v1/account_profile/e_mandate/online').slice(-1)
		expect(await asked?.json()).toMatchObject({ amount: '5000.00', channel: 'debitcard', bank_details: { bank_acno: '50100042104821' } })
		const { html } = await finish(visitor, answer, 'confirm')
		expect(textOf(html)).toContain('You confirmed the mandate.')
		const link = /href="(\/funds\/e-mandate\?cancel=EM[^"#]+)/.exec(html)?.[1] ?? ''
		const page = (await visitor.visit(link)).html
		const form = page.slice(page.indexOf('Cancel this mandate?'))
		const fields = {
			csrf: hidden(form, 'csrf'),
			idempotency_key: hidden(form, 'idempotency_key'),
			intent: 'cancel',
			reference: hidden(form, 'reference'),
		}
		expect((await visitor.postRaw(MANDATE, fields)).headers.get('location')).toBe(MANDATE)
		expect(textOf((await visitor.visit(MANDATE)).html)).toMatch(/Cancelled — 5,000\.00/)
	})

	it('answers a form on paper as a PDF of our name', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const answer = await send(visitor, MANDATE, { amount: '5,000', channel: 'physical' })
		const { html } = await visitor.visit(answer.headers.get('location') ?? '')
		const file = /content="0; url=([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
		const pdf = await visitor.send(file)
		expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
		expect(pdf.headers.get('content-disposition')).toContain('filename="DEMO01_EMANDATE.pdf"')
		expect(
			Buffer.from(await pdf.arrayBuffer())
				.subarray(0, 5)
				.toString(),
		).toBe('%PDF-')
		const wrong = await visitor.send('/downloads/e-mandate?amount=5000&bank=9-NONE')
		expect([wrong.status, wrong.headers.get('location')]).toEqual([303, MANDATE])
	})

	it('keeps to the limits, at their edges', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const statusOf = async (amount: string, channel = 'netbanking') => (await send(visitor, MANDATE, { amount, channel })).status
		expect([await statusOf('99.99'), await statusOf('100'), await statusOf('1000000.01')]).toEqual([400, 303, 400])
		expect([await statusOf('100000.01', 'aadhaar'), await statusOf('100000', 'aadhaar')]).toEqual([400, 303])
	})
})

describe('the pages', () => {
	it('lose a part and no more when a call fails or is not there', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		opened.breakBroker((request) =>
			request.url.includes('/v1/ours/') ? Response.json({ status: 'error', message: 'No such call' }, { status: 404 }) : undefined,
		)
		for (const page of [ADD, WITHDRAW, MANDATE, '/funds/history']) expect([page, (await visitor.visit(page)).status]).toEqual([page, 200])
		opened.breakBroker((request) =>
			/unauthorized|list_of_funds|bank-details/.test(request.url)
				? Response.json({ status: 'error', message: 'Down' }, { status: 500 })
				: undefined,
		)
		for (const page of [ADD, WITHDRAW, MANDATE, '/funds/history']) {
			const { status, html } = await visitor.visit(page)
			expect([page, status, textOf(html).includes('could not be loaded')]).toEqual([page, 200, true])
		}
	})

	it('show two clients nothing of each other, and no account number whole', async () => {
		const [demo, cash] = await Promise.all([signedIn(opened, 'DEMO01'), signedIn(opened, 'CASH01')])
		for (const page of [ADD, WITHDRAW, MANDATE, '/funds/history', '/downloads/payins/csv', '/downloads/payouts/csv']) {
			const [his, hers] = await Promise.all([demo.visit(page), cash.visit(page)])
			expect([page, his.html.includes('STATE BANK'), hers.html.includes('HDFC BANK')]).toEqual([page, false, false])
			expect([page, /50100042104821|64093177254/.test(his.html + hers.html)]).toEqual([page, false])
		}
	})

	it('saves exactly the rows that the history shows', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const csv = await (await visitor.send('/downloads/payins/csv?q=success&sort=amount')).text()
		const { html } = await visitor.visit('/funds/history?q=success&sort=amount')
		const references = [...csv.matchAll(/PI[-\w]+/g)].map(([reference]) => reference)
		const shown = [...html.matchAll(/>(PI[-\w]+)</g)].map(([, reference]) => reference)
		expect(references.length).toBeGreaterThan(3)
		expect(shown).toEqual(references)
	})
})

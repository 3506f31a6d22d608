import { describe, expect, test } from 'vitest'
import { readText } from '#tests/support/account'
import {
	ADD,
	fillForm,
	HISTORY,
	MANDATE,
	mandate,
	MANDATE_PATH,
	payin,
	PAYIN_PATH,
	payout,
	PAYOUT_PATH,
	send,
	sentTo,
	WITHDRAW,
} from '#tests/support/funds'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { firstOption, readAll, readTable } from '#tests/support/readers'

const opened = openPortalForFile()

describe('the pages', () => {
	test('lose only one part when a call fails or does not exist', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		opened.breakBroker((request) =>
			request.url.includes('/v1/ours/') ? Response.json({ status: 'error', message: 'No such call' }, { status: 404 }) : undefined,
		)
		for (const page of [ADD, WITHDRAW, MANDATE, HISTORY]) expect([page, (await visitor.visit(page)).status]).toEqual([page, 200])
		opened.breakBroker((request) =>
			/unauthorized|list_of_funds|bank-details/.test(request.url)
				? Response.json({ status: 'error', message: 'Down' }, { status: 500 })
				: undefined,
		)
		for (const page of [ADD, WITHDRAW, MANDATE, HISTORY]) {
			const { status, html } = await visitor.visit(page)
			expect([page, status, readText(html).includes('could not be loaded')]).toEqual([page, 200, true])
		}
	})

	test('say that the money is not affected when nothing of them could be loaded', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		opened.breakBroker((request) =>
			request.url.includes('verify-user') ? undefined : Response.json({ status: 'error', message: 'Down' }, { status: 500 }),
		)
		for (const page of [ADD, WITHDRAW, MANDATE, HISTORY])
			expect([page, readText((await visitor.visit(page)).html)]).toEqual([
				page,
				expect.stringMatching(/[Yy]our money (is|are) not affected\./),
			])
		opened.breakBroker(undefined)
		// After a post that was not answered, nobody knows that.
		const { html } = await visitor.visit(WITHDRAW)
		opened.breakBroker((request) => {
			if (request.url.includes('verify-user')) return undefined
			throw new TypeError('fetch failed')
		})
		const said = readText(await (await send(visitor, WITHDRAW, payout(), html)).text())
		expect(said).toContain('could not be loaded')
		expect(said).not.toContain('not affected')
	})

	test('show two clients nothing of each other, and no full account number', async () => {
		const [demo, cash] = await Promise.all([signedIn(opened, 'DEMO01'), signedIn(opened, 'CASH01')])
		for (const page of [
			ADD,
			WITHDRAW,
			MANDATE,
			HISTORY,
			'/downloads/payins/csv',
			'/downloads/payouts/csv',
			'/downloads/mandates/csv',
			'/downloads/unregistered-payments/csv',
		]) {
			const [his, hers] = await Promise.all([demo.visit(page), cash.visit(page)])
			expect([page, his.html.includes('STATE BANK'), hers.html.includes('HDFC BANK')]).toEqual([page, false, false])
			expect([page, /50100042104821|64093177254/.test(his.html + hers.html)]).toEqual([page, false])
		}
	})

	test('begin with the balance of all ledgers, but with no sum when a ledger is missing', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		let due: unknown[] = [
			{ COCD: 'NSE_CASH', DUE_AMT: 1500.5 },
			{ COCD: 'MCX', DUE_AMT: -500.25 },
		]
		const answer = () => Response.json({ status: 'success', message: 'Fetched', data: due })
		opened.breakBroker((request) => (request.url.includes('/v2/dashboard/ledger') ? answer() : undefined))
		const read = async () => readText((await visitor.visit(ADD)).html)
		expect(await read()).toContain('Add funds Your ledger balance ₹ 1,000.25 Cr Equity ₹ 1,500.50 Cr, Commodity ₹ 500.25 Dr ')
		due = [{ COCD: 'NSE_CASH', DUE_AMT: 1500.5 }]
		expect(await read()).toContain('Add funds Your ledger balance ₹ 1,500.50 Cr ₹ 2,500.00 is on hold.')
		due = [
			{ COCD: 'NSE_CASH', DUE_AMT: 1500.5 },
			{ COCD: 'MCX', DUE_AMT: null },
		]
		expect(await read()).toContain('Add funds Equity ledger balance ₹ 1,500.50 Cr Commodity ledger balance — ')
		due = []
		expect(await read()).not.toContain('Your ledger balance')
	})

	test('show on a phone the values of hidden columns: the amount and reason of a payment, the amount and bank of a mandate', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const listCells = (html: string, caption: string, head: string) => {
			const { head: heads, rows } = readTable(html, caption)
			return rows.map((row) => row[heads.indexOf(head)])
		}
		const payments = (await visitor.visit(ADD)).html
		// Above the form, with a link to the table far below it.
		expect(readText(payments)).toContain('₹ 2,500.00 is on hold. What to do')
		expect(readAll(payments, 'a[href="#unregistered"]')).toEqual(['What to do'])
		expect(listCells(payments, 'Payments from unregistered accounts', 'What to do')).toEqual(['Add this bank account', 'Nothing to do'])
		expect(listCells(payments, 'Payments from unregistered accounts', 'Status')).toEqual([
			expect.stringMatching(/^On hold ₹ 2,500\.00 [\d/]{10} AARAV R MEHTA HUF ••••••9174 Name differs\. /),
			expect.stringMatching(
				/^Returned ₹ 10,000\.00 [\d/]{10} ANANYA MEHTA ••••••6612 Joint account, second holder; returned on [\d/]{10}\. /,
			),
		])
		// Two payments need no search.
		expect(readAll(payments, 'main [name=q]')).toEqual([])
		const mandates = (await visitor.visit(MANDATE)).html
		expect(listCells(mandates, 'Mandates', 'Status')).toEqual([
			expect.stringMatching(/^Active ₹ 25,000\.00 at most HDFC BANK LTD ••••••4821 Until [\d/]{10}$/),
		])
		expect(readAll(mandates, 'main [name=q]')).toEqual([])
	})

	test('say that an amount is unknown, and never that it is zero', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		opened.breakBroker((request) =>
			request.url.includes('withdrawable-amount') ? Response.json({ status: 'error', message: 'Down' }, { status: 500 }) : undefined,
		)
		const text = readText((await visitor.visit(WITHDRAW)).html)
		expect(text).toContain('The withdrawable amount is not known at the moment.')
		expect(text).not.toMatch(/Up to|nothing to withdraw|₹ 0\.00/)
	})

	test('ask a client without a registered bank for one, and show no form', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		opened.breakBroker((request) =>
			request.url.includes('bank-details') ? Response.json({ status: 'success', message: 'ok', data: [] }) : undefined,
		)
		for (const page of [ADD, WITHDRAW, MANDATE]) {
			const { html } = await visitor.visit(page)
			expect([page, readText(html).includes('No bank account of yours is registered.')]).toEqual([page, true])
			expect(html).not.toContain('name="idempotency_key"')
		}
	})
})

describe('two clients', () => {
	test('cannot reach each other’s data by any field of a form, a query or a header', async () => {
		const [hers, his] = await Promise.all([signedIn(opened, 'DEMO01'), signedIn(opened, 'NEW001')])
		const bank = firstOption((await hers.visit(ADD)).html, 'bank')
		expect(bank).toContain('HDFC')
		const sent = [PAYIN_PATH, PAYOUT_PATH, MANDATE_PATH].map((path) => sentTo(opened, path).length)
		// Her bank account is not in his list.
		for (const [page, fields] of [
			[ADD, payin({ bank })],
			[WITHDRAW, payout({ bank })],
			[MANDATE, mandate({ bank })],
		] as const)
			expect([page, (await send(his, page, fields)).status]).toEqual([page, 400])
		expect([PAYIN_PATH, PAYOUT_PATH, MANDATE_PATH].map((path) => sentTo(opened, path).length)).toEqual(sent)
		const file = await his.send(`/downloads/e-mandate?amount=500&bank=${bank}`)
		expect([file.status, file.headers.get('location')]).toEqual([303, MANDATE])

		// Her mandate, by its reference in the body and in the query.
		const reference = /cancel=(EM[^"#&]+)/.exec((await hers.visit(MANDATE)).html)?.[1] ?? ''
		expect(reference).toMatch(/^EM/)
		const page = readText((await his.visit(`${MANDATE}?cancel=${reference}&ref=${reference}`)).html)
		expect([page.includes(reference), page.includes('Cancel this mandate?')]).toEqual([false, false])
		const cancel = { intent: 'cancel', reference, client_code: 'DEMO01' }
		expect((await send(his, MANDATE, cancel)).status).toBe(422)
		expect(readText((await hers.visit(MANDATE)).html)).toContain('Active')
	})

	test('send the session’s own code, once, with duplicate and unknown fields', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		for (const [page, path, fields] of [
			[ADD, PAYIN_PATH, payin()],
			[MANDATE, MANDATE_PATH, mandate()],
			[WITHDRAW, PAYOUT_PATH, payout()],
		] as const) {
			const form = new URLSearchParams(fillForm((await visitor.visit(page)).html, fields))
			for (const code of ['NEW001', 'DEMO01']) form.append('client_code', code)
			for (const [name, value] of Object.entries({
				is_penny: 'true',
				isDormate: '0',
				account_no: '50100042104821',
				price: '1',
				'bank_details[bank_acno]': '1',
			}))
				form.append(name, value)
			await visitor.send(`${page}?client_code=DEMO01`, {
				method: 'POST',
				body: form.toString(),
				headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://portal.test', 'client-code': 'DEMO01' },
			})
			const [asked] = sentTo(opened, path).slice(-1)
			const body = await asked?.text()
			expect([page, asked?.headers.get('client-code'), new URL(asked?.url ?? '').searchParams.get('client_code')]).toEqual([
				page,
				'NEW001',
				null,
			])
			expect(body).not.toMatch(/DEMO01|50100042104821|is_penny|isDormate|price/)
		}
		// A field sent twice is not a list of amounts, banks or channels.
		const { html } = await visitor.visit(ADD)
		const twice = new URLSearchParams(fillForm(html, payin()))
		twice.append('amount', '9')
		const answer = await visitor.send(ADD, {
			method: 'POST',
			body: twice.toString(),
			headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://portal.test' },
		})
		expect(answer.status).toBe(400)
	})
})

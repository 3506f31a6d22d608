import { describe, expect, test } from 'vitest'
import { signedIn, readText } from '#tests/support/account'
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
import { openPortalForFile } from '#tests/support/portal'
import { firstLink, firstOption, listAttributes, paiseIn, parsePage, readAll, readTable, sum } from '#tests/support/readers'

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

	test('lead with the day in the history, which is a link, and with the reference in its file', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit(HISTORY)
		for (const [title, name, label] of [
			['Pay-ins', 'payins', 'Paid in'],
			['Pay-outs', 'payouts', 'Paid out'],
		] as const) {
			// The foot has only what succeeded, of all rows and not only of the ten shown.
			const all = readTable((await visitor.visit(`${HISTORY}?table=${name}`)).html, title)
			const done = all.rows.filter((row) => row[all.head.indexOf('Status')]?.startsWith('Success'))
			const total = sum(done.map((row) => paiseIn(row[all.head.indexOf('Amount')])))
			const { head, foot } = readTable(html, title)
			expect(foot.filter(Boolean)[0]).toBe(`${label} (${done.length} successful)`)
			expect(paiseIn(foot[head.indexOf('Amount')])).toBe(total)
		}
		for (const title of ['Pay-ins', 'Pay-outs']) {
			const { head, rows } = readTable(html, title)
			expect(head.slice(0, 4)).toEqual(['#', 'Date', 'Reference', 'Status'])
			expect(rows[0]?.slice(1, 3)).toEqual([expect.stringMatching(/^\d\d\/\d\d\/\d{4}$/), expect.stringMatching(/^P[IO]-/)])
		}
		const csv = await (await visitor.send('/downloads/payins/csv')).text()
		expect(csv.replace('\uFEFF', '').split('\r\n')[0]).toMatch(/^#,Reference,Date,Status,Amount,/)
	})

	test('say in the foot that it is incomplete, and count only the amounts in its sum', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const list = `${HISTORY}?table=payins`
		const { foot } = readTable((await visitor.visit(list)).html, 'Pay-ins')
		const count = Number(/\((\d+) successful\)/.exec(foot.join(' '))?.[1])
		let isChanged = false
		opened.rewriteAll((json) =>
			JSON.parse(JSON.stringify(json), (_, value: unknown) => {
				if (isChanged || typeof value !== 'object' || !value || !('status' in value) || value.status !== 'SUCCESS') return value
				isChanged = true
				return { ...value, amount: 'much' }
			}),
		)
		const changed = readTable((await visitor.visit(list)).html, 'Pay-ins').foot
		opened.breakBroker(undefined)
		expect(changed.filter(Boolean)[0]).toBe(`Paid in (${count - 1} successful, incomplete)`)
	})

	test('say why a pay-in failed, and that it is not in the ledger', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const rows = readTable((await visitor.visit(`${HISTORY}?table=payins`)).html, 'Pay-ins').rows.map((row) => row.join(' '))
		expect(rows.filter((row) => row.includes('Failed'))).toEqual([
			expect.stringContaining('Failed Declined by the bank. Nothing was added to your ledger.'),
		])
		expect(rows.filter((row) => row.includes('Nothing was added'))).toHaveLength(1)
	})

	test('show one list of the history when the address names it, with links to the other and to both', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const isShown = (html: string) => ['pay-ins', 'pay-outs'].map((id) => readAll(html, `section#${id}`).length === 1)
		const readViews = (html: string) =>
			parsePage(html)
				.querySelectorAll('nav[aria-label="Lists"] a')
				.map((link) => [readText(link), link.getAttribute('href'), link.getAttribute('aria-current')])
		const both = (await visitor.visit(`${HISTORY}?q=success`)).html
		expect(isShown(both)).toEqual([true, true])
		expect(readViews(both)).toEqual([
			['Both', `${HISTORY}?q=success`, 'page'],
			['Pay-ins', `${HISTORY}?q=success&table=payins`, undefined],
			['Pay-outs', `${HISTORY}?q=success&table=payouts`, undefined],
		])
		const since = opened.asked.length
		const payouts = (await visitor.visit(`${HISTORY}?table=payouts`)).html
		expect(isShown(payouts)).toEqual([false, true])
		expect(readViews(payouts).map(([, , current]) => current)).toEqual([undefined, undefined, 'page'])
		// The portal does not call for the other list, and a search keeps this list.
		const types = opened.asked.slice(since).flatMap(({ url }) => new URL(url).searchParams.get('type') ?? [])
		expect(types).toEqual(['payout'])
		expect(payouts).toContain('<input type="hidden" name="table" value="payouts"/>')
		expect(isShown((await visitor.visit(`${HISTORY}?table=payins`)).html)).toEqual([true, false])
		expect(isShown((await visitor.visit(`${HISTORY}?table=nonsense`)).html)).toEqual([true, true])
		expect(readViews((await (await signedIn(opened, 'NEW001')).visit(HISTORY)).html)).toEqual([])
	})

	test('show on a phone the values of hidden columns: the status of a payment, the bank of a mandate', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const listCells = (html: string, caption: string, head: string) => {
			const { head: heads, rows } = readTable(html, caption)
			return rows.map((row) => row[heads.indexOf(head)])
		}
		const payments = (await visitor.visit(ADD)).html
		// Above the form, with a link to the table far below it.
		expect(readText(payments)).toContain('₹ 2,500.00 is on hold. What to do')
		expect(readAll(payments, 'a[href="#unregistered"]')).toEqual(['What to do'])
		expect(listCells(payments, 'Payments from unregistered accounts', 'What to do')).toEqual([
			'Add this bank account On hold: Name differs',
			expect.stringMatching(/^Nothing Returned: Joint account, second holder; returned on [\d/]{10}$/),
		])
		for (const day of listCells(payments, 'Payments from unregistered accounts', 'Date'))
			expect(day).toMatch(/^[\d/]{10} [A-Z ]+ ••••••6612$/)
		// Two payments need no search.
		expect(readAll(payments, 'main [name=q]')).toEqual([])
		const mandates = (await visitor.visit(MANDATE)).html
		expect(listCells(mandates, 'Mandates', 'Status')).toEqual([expect.stringMatching(/^Active HDFC BANK LTD ••••••4821 until [\d/]{10}$/)])
		expect(readAll(mandates, 'main [name=q]')).toEqual([])
	})

	test('show the latest rows of both lists, and all rows of one', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const readRows = (html: string, caption: string) => readTable(html, caption).rows.map(([, reference]) => reference)
		const both = (await visitor.visit(HISTORY)).html
		for (const [caption, name] of [
			['Pay-ins', 'payins'],
			['Pay-outs', 'payouts'],
		] as const) {
			const all = readRows((await visitor.visit(`${HISTORY}?table=${name}`)).html, caption)
			expect(all.length).toBeGreaterThan(10)
			expect(readRows(both, caption)).toEqual(all.slice(0, 10))
			const links = parsePage(both).querySelectorAll(`section a[href="${HISTORY}?table=${name}"]`).map(readText)
			expect(links).toEqual([`See all ${all.length} ${caption.toLowerCase()}`])
		}
		// The link keeps the search and the order.
		expect((await visitor.visit(`${HISTORY}?q=success&sort=amount`)).html).toContain(
			`href="${HISTORY}?q=success&amp;sort=amount&amp;table=payins">See all`,
		)
		expect(readText((await (await signedIn(opened, 'NEW001')).visit(HISTORY)).html)).not.toContain('See all')
	})

	test('save the rows that the history shows', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const csv = await (await visitor.send('/downloads/payins/csv?q=success&sort=amount')).text()
		const { html } = await visitor.visit('/funds/history?q=success&sort=amount&table=payins')
		const references = [...csv.matchAll(/PI[-\w]+/g)].map(([reference]) => reference)
		expect(references.length).toBeGreaterThan(3)
		const places = listAttributes(html, 'td a[href*="?ref=PI"], th a[href*="?ref=PI"]', 'href')
		expect(places).toEqual(references.map((reference) => `/funds/return?ref=${reference}`))
	})

	test('have a CSV of each list, searched and sorted as shown', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const readLinkedCsv = async (page: string, name: string) => {
			const { html } = await visitor.visit(page)
			const link = firstLink(html, `/downloads/${name}/csv`)
			const file = await visitor.send(link)
			expect(file.headers.get('content-disposition')).toContain(`DEMO01_${name.replace('-', '_').toUpperCase()}.csv`)
			return (await file.text()).trim().split('\r\n').slice(1)
		}
		const all = await readLinkedCsv(ADD, 'unregistered-payments')
		expect(all).toHaveLength(2)
		expect(await readLinkedCsv(`${ADD}?sort=amount`, 'unregistered-payments')).toEqual([
			expect.stringContaining(',2500.00,'),
			expect.stringContaining(',10000.00,'),
		])
		expect(await readLinkedCsv(`${ADD}?q=returned`, 'unregistered-payments')).toEqual([expect.stringContaining(',10000.00,')])
		expect(await readLinkedCsv(`${MANDATE}?q=nothing-like-it`, 'mandates')).toEqual([])
		expect(await readLinkedCsv(MANDATE, 'mandates')).toEqual([expect.stringContaining('Active')])
		expect(readText((await visitor.visit(`${MANDATE}?q=nothing-like-it`)).html)).toContain('No entries match “nothing-like-it”.')
		// A client without rows gets no search field.
		const fresh = await signedIn(opened, 'NEW001')
		for (const page of [ADD, MANDATE]) expect((await fresh.visit(page)).html).not.toContain('type="search"')
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

import { describe, expect, test } from 'vitest'
import { hidden, readText } from '#tests/support/account'
import {
	ADD,
	atBank,
	expectLost,
	finish,
	HISTORY,
	readLedgerBalance,
	loseResponseTo,
	namePlace,
	NO_PLACES,
	payin,
	PAYIN_PATH,
	send,
	sentTo,
	WITHDRAW,
} from '#tests/support/funds'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { firstLink, parsePage, readAll, readTitle } from '#tests/support/readers'

const opened = openPortalForFile()

type Fields = Record<string, string>

describe('adding funds', () => {
	test('sends exactly what the contract asks for, whatever form the broker has it in, or says what is missing', async () => {
		const pay = async (details: Record<string, unknown>, bank: Record<string, unknown> = {}) => {
			opened.breakBroker(undefined)
			// Another session: replies of a session are kept for a minute.
			const visitor = await signedIn(opened, 'CASH01')
			opened.rewriteAll((json) => {
				const { data } = json as { data: unknown }
				if (Array.isArray(data))
					for (const row of data as Record<string, unknown>[]) if ('bank_acno' in row && 'branch' in row) Object.assign(row, bank)
				if (typeof data === 'object' && data !== null && 'personal_details' in data) Object.assign(data.personal_details as object, details)
				return json
			})
			opened.asked.length = 0
			const answer = await send(visitor, ADD, payin())
			return { answer, asked: sentTo(opened, PAYIN_PATH)[0] }
		}
		const long = 'THE COOPERATIVE BANK OF '.repeat(8)
		const good = await pay({ mobile: '+91 98765-43210', email: ' a@example.com ' }, { bank_name: long })
		expect(await good.asked?.json()).toMatchObject({
			client_mobile_no: '9876543210',
			client_email: 'a@example.com',
			bank_name: long.slice(0, 80),
		})
		expect(await (await pay({}, { bank_name: '' })).asked?.json()).toMatchObject({ bank_name: 'SBIN' })
		const bad = await pay({ mobile: null, email: '' })
		expect([bad.answer.status, bad.asked]).toEqual([422, undefined])
		const html = await bad.answer.text()
		expect(readText(html)).toContain('A payment needs your e-mail address and mobile number, which your broker does not have.')
		expect(html).toContain('value="aarav@examplebank"')
		opened.breakBroker(undefined)
	})

	test('leads to the payment page, returns after a success, and changes every balance at once', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const before = await readLedgerBalance(visitor)
		const answer = await send(visitor, ADD, payin())
		expect(answer.status).toBe(303)
		expect(answer.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:4999\/pay\?token=[\w-]{43}$/)
		const [asked] = sentTo(opened, PAYIN_PATH).slice(-1)
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
		expect(await readLedgerBalance(visitor)).toBe(before)

		const { html } = await finish(visitor, answer, 'pay')
		expect(readTitle(html)).toMatch(/^Payment received · /)
		expect(readText(html)).toMatch(
			/₹ 2,500\.50 is in your equity ledger\. UTR \d{12}\. You can use it now\. You can withdraw it from the next working day\./,
		)
		const after = await readLedgerBalance(visitor)
		expect(after).not.toBe(before)
		for (const page of ['/reports/ledger', '/dashboard', '/reports/ledger/deducted', ADD])
			expect([page, readText((await visitor.visit(page)).html).includes(after)]).toEqual([page, true])
		expect(readText((await visitor.visit('/funds/history')).html)).toMatch(/Success 2,500\.50 Equity UPI STATE BANK OF INDIA •+7254 \d{12}/)
		// A reload of the return page or of the payment page changes nothing.
		expect(readText((await finish(visitor, answer, 'fail')).html)).toContain('Payment received')
		expect(await readLedgerBalance(visitor)).toBe(after)
	})

	test('the form has the UPI ID of the last IPO bid, when the broker knows one', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const readUpi = async () => {
			const { html, status } = await visitor.visit(ADD)
			expect(status).toBe(200)
			expect(readText(html)).not.toContain('could not be loaded')
			return [hidden(html, 'upi_id'), readText(html).includes('You used this one last for an IPO')]
		}
		expect(await readUpi()).toEqual(['aarav.mehta@examplebank', true])
		opened.breakBroker((request) =>
			request.url.includes('fetch-client-details') ? Response.json({ status: 'error', message: 'Down' }, { status: 500 }) : undefined,
		)
		expect(await readUpi()).toEqual(['', false])
	})

	test.each([
		['fail', 'Payment failed', 'Declined by the bank.'],
		['cancel', 'Payment cancelled', 'Cancelled on the payment page.'],
		['wait', 'Payment pending', 'Waiting for your bank.'],
		['other', 'Payment failed', 'Paid from an account that is not registered.'],
	])('shows the state of a payment that ended by %s', async (outcome, heading, words) => {
		const visitor = await signedIn(opened, 'CASH01')
		const before = await readLedgerBalance(visitor)
		const { html, status } = await finish(visitor, await send(visitor, ADD, payin()), outcome)
		expect([status, readText(html)]).toEqual([200, expect.stringContaining(words)])
		expect(html).toContain(`<title>${heading} · `)
		expect(await readLedgerBalance(visitor)).toBe(before)
		if (outcome === 'other')
			expect(readText((await visitor.visit(ADD)).html)).toMatch(
				/ACCOUNT OF ANOTHER PERSON •+6612 [^•]+; goes back on [\d/]{10}\. The money goes back to the account it came from\. Pay from a registered bank/,
			)
	})

	test('keeps the typed values, shows errors beside the field, and sends nothing', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const sent = sentTo(opened, PAYIN_PATH).length
		const cases: [Fields, string][] = [
			[{ amount: '' }, 'Enter an amount'],
			[{ amount: '0' }, 'Amount must be more than zero'],
			[{ amount: '-5' }, 'Amount must be more than zero'],
			[{ amount: '1.005' }, 'Amount must have no more than 2 decimals'],
			[{ amount: '0.99' }, 'Amount must be ₹ 1 or more'],
			[{ amount: '5,00,000.01' }, 'UPI payments can be up to ₹ 5,00,000. Use net banking for more'],
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
			expect([fields, answer.status, readText(html).includes(message)]).toEqual([fields, 400, true])
			expect(readTitle(html)).toMatch(/^Error: Funds/)
			expect(html).toContain('There is a problem')
		}
		expect(sentTo(opened, PAYIN_PATH)).toHaveLength(sent)
		expect((await send(visitor, ADD, payin({ amount: '₹ 5,00,000.00' }))).status).toBe(303)
		const again = await (await send(visitor, ADD, payin({ upi_id: 'nobody' }))).text()
		expect(hidden(again, 'upi_id')).toBe('nobody')
	})

	test('reads the amount back beside its field after it was sent without scripts', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const html = await (await send(visitor, ADD, payin({ amount: '25000', upi_id: 'nobody' }))).text()
		expect(readAll(html, 'output')).toContain('₹ 25,000.00')
	})

	test('offers and accepts no commodity from a client without it', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { html } = await visitor.visit(ADD)
		expect(readText(html)).not.toContain('Commodity')
		// With one segment there is no choice.
		expect(
			parsePage(html)
				.querySelectorAll('[name=segment]')
				.map((each) => each.getAttribute('type')),
		).toEqual(['hidden'])
		const answer = await send(visitor, ADD, payin({ segment: 'MCX' }))
		expect([answer.status, readText(await answer.text())]).toEqual([
			400,
			expect.stringContaining('Commodity is not active on your account'),
		])
	})

	test('shows no payment of another client', async () => {
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
		// The form's client is ignored.
		await send(stranger, ADD, payin({ client_code: 'DEMO01', account_no: '50100042104821' }))
		const [asked] = sentTo(opened, PAYIN_PATH).slice(-1)
		expect(asked?.headers.get('client-code')).toBe('NEW001')
		expect(await asked?.json()).toMatchObject({ account_no: '50100611908237' })
	})

	test('posts once for any number of loads of the return page, and every page shows the payment at once', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const before = await readLedgerBalance(visitor)
		const address = (await send(visitor, ADD, payin({ amount: '111.11' }))).headers.get('location') ?? ''
		const places = await Promise.all(Array.from({ length: 20 }, () => atBank(address, 'pay')))
		expect(new Set(places).size).toBe(1)
		const pages = await Promise.all(places.map((place) => visitor.visit(place)))
		for (const { html } of pages) expect(readText(html)).toContain('₹ 111.11 is in your equity ledger.')
		const after = await readLedgerBalance(visitor)
		const paise = (balance: string) => Math.round(Number(balance.replace(/[^\d.]/g, '')) * 100) * (balance.endsWith('Dr') ? -1 : 1)
		expect(paise(after) - paise(before)).toBe(11111)
		for (const page of [
			'/dashboard',
			'/reports/ledger',
			'/reports/ledger/NSE_CASH',
			'/reports/ledger/deducted',
			WITHDRAW,
			'/myaccount/closure',
		])
			expect([page, readText((await visitor.visit(page)).html).includes(after.replace(/ [CD]r$/, ''))]).toEqual([page, true])
		const history = readText((await visitor.visit(HISTORY)).html)
		expect(history.match(/Success 111\.11/g)).toHaveLength(1)
		const utr = /UTR (\d{12})/.exec(readText(pages[0]?.html ?? ''))?.[1] ?? 'none'
		expect(readText((await visitor.visit(`/reports/ledger?q=${utr}`)).html).match(/111\.11/g)?.length).toBeGreaterThan(0)
		// Today's pay-in is shown on the withdrawal page as usable later, with its ledger entry.
		expect((await visitor.visit(WITHDRAW)).html).toContain(`&amp;q=PAY-IN%20UPI%20UTR%20${utr}`)
	})

	test('starts one payment per form: twenty posts, two tabs, a lost reply', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		const { html } = await visitor.visit(ADD)
		expect(hidden((await visitor.visit(ADD)).html, 'idempotency_key')).toBe(hidden(html, 'idempotency_key'))
		const sent = sentTo(opened, PAYIN_PATH).length
		const answers = await Promise.all(Array.from({ length: 20 }, () => send(visitor, ADD, payin({ amount: '21' }), html)))
		expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('location')}`)).size).toBe(1)
		expect(sentTo(opened, PAYIN_PATH)).toHaveLength(sent + 1)

		const next = (await visitor.visit(ADD)).html
		loseResponseTo(opened, PAYIN_PATH)
		const again = await expectLost(await send(visitor, ADD, payin({ amount: '22' }), next), next)
		expect((await send(visitor, ADD, payin({ amount: '22' }), again)).status).toBe(303)
		const history = readText((await visitor.visit(HISTORY)).html)
		expect([history.match(/Pending 21\.00/g), history.match(/Pending 22\.00/g)]).toEqual([['Pending 21.00'], ['Pending 22.00']])
	})

	test('leads back to a closed payment page, only in this browser and for this client', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const address = (await send(visitor, ADD, payin({ amount: '31' }))).headers.get('location') ?? ''
		const history = (await visitor.visit(HISTORY)).html
		const place = firstLink(history, '/funds/return?ref=PI')
		const page = (await visitor.visit(place)).html
		expect(readTitle(page)).toMatch(/^Payment pending · /)
		expect(page).toContain(`href="${address}"`)
		// Another client on the same machine has the cookies, but not the payment or its page.
		const stranger = await signedIn(opened, 'CASH01')
		for (const [name, value] of visitor.cookies) if (!stranger.cookies.has(name)) stranger.cookies.set(name, value)
		const { status, html } = await stranger.visit(place)
		expect([status, html.includes(address), readText(html).includes('None of your payments has this reference.')]).toEqual([
			404,
			false,
			true,
		])
		await atBank(address, 'cancel')
		expect((await visitor.visit(place)).html).not.toContain(address)
	})

	test.each(NO_PLACES)('redirects nobody to %j', async (place) => {
		const visitor = await signedIn(opened, 'DEMO01')
		namePlace(opened, PAYIN_PATH, place)
		for (const tab of ['', 'new']) {
			const answer = await send(visitor, ADD, payin({ tab }))
			const html = await answer.text()
			expect([answer.status, answer.headers.get('location')]).toEqual([502, null])
			expect(readText(html)).toContain('because its address is not approved')
			expect(html).not.toContain('href="https://evil.test')
		}
	})
})

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hidden, readText } from '#tests/support/account'
import {
	postPayoutCancellation,
	expectLost,
	HISTORY,
	loseResponseTo,
	payout,
	PAYOUT_PATH,
	send,
	sentTo,
	WITHDRAW,
} from '#tests/support/funds'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { firstLink, listAttributes, paiseAfter, paiseIn, readAll, readTable, sum } from '#tests/support/readers'

const opened = openPortalForFile()

const listChosen = (html: string) => listAttributes(html, 'input[name="ledgers"][checked]', 'value')

describe('withdrawing', () => {
	test('shows how the amount is computed, joins a batch, and can be cancelled', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit(WITHDRAW)
		const text = readText(html)
		for (const words of ['Ledger balance', 'Not yet settled', 'Margin blocked', 'You can withdraw', 'Request by'])
			expect(text).toContain(words)
		const [, most, steps = ''] =
			/Funds Add funds Withdraw E-mandate History Withdraw You can withdraw (₹ [\d,.]+) (₹ [\d,.]+ in the ledger, .*?) Ledgers/.exec(
				text,
			) ?? []
		// One line with what makes the amount, of all ledgers, to the paisa.
		expect(steps).toMatch(
			/^₹ [\d,.]+ in the ledger, less ₹ [\d,.]+ not yet settled(?: and|,) ₹ [\d,.]+ blocked as margin(?:,? and ₹ [\d,.]+ interest)?$/,
		)
		const [ledger = 0, ...taken] = steps.match(/₹ [\d,.]+/g)?.map((amount) => paiseIn(amount)) ?? []
		expect(ledger - sum(taken)).toBe(paiseIn(most))
		expect(html).toContain('href="/reports/ledger/NSE_CASH?year=')
		// One total where the deducted ledger is the same figure.
		const lines = readTable(html, 'Equity: from ledger to withdrawable').rows
		expect(lines.at(-1)?.[0]).toBe('You can withdraw')
		expect(lines.filter(([label]) => label?.startsWith('Deducted'))).toEqual([])
		// Each head has the sum of its parts, to the paisa.
		const findLine = (start: string) => lines.findIndex(([label]) => label?.startsWith(start))
		const figuresBetween = (from: string, to: string) => lines.slice(findLine(from), findLine(to)).map(([, figure]) => paiseIn(figure))
		for (const [from, to] of [
			['Not yet settled', 'Margin blocked'],
			['Margin blocked', 'Margin funding interest'],
		] as const) {
			const [whole, ...parts] = figuresBetween(from, to)
			expect([from, parts.length, sum(parts)]).toEqual([from, 2, whole])
		}
		// The margin of positions is explained beside it, not beside the margin of a loan.
		const explained = lines.filter(([label]) => label?.includes('Open positions need'))
		expect(explained.map(([label]) => label)).toEqual([expect.stringMatching(/^of which Cash margin blocked for open positions Open/)])
		const [, before = ''] = readText((await visitor.visit('/dashboard')).html).split('Deducted ledger')
		expect(paiseIn(lines.at(-1)?.[1])).toBe(paiseAfter(before, 'Equity'))
		const answer = await send(visitor, WITHDRAW, payout())
		const place = answer.headers.get('location') ?? ''
		expect([answer.status, place]).toEqual([303, expect.stringMatching(/^\/funds\/payout\?ref=PO\d{6}-[0-9A-F]{6}/)])
		const page = readText((await visitor.visit(place)).html)
		expect(page).toMatch(/₹ 5\.00 is on its way: you receive it by \d\d:\d\d today\./)
		const during = readText((await visitor.visit(WITHDRAW)).html)
		expect(during).toContain('A payout of ₹ 5.00 from Equity is in progress.')
		expect(listAttributes((await visitor.visit(WITHDRAW)).html, '[name="ledgers"][disabled]', 'value')).toEqual(['NSE_CASH'])
		// A requested amount cannot be requested again: ₹ 5.00 less than before, in its own line and on every page.
		expect(during).toMatch(
			/Payout in progress Payout PO[\w-]+\. In your bank on \d\d\/\d\d\/\d{4}; it comes back if you cancel the payout\. −₹ 5\.00/,
		)
		expect(paiseAfter(during, 'You can withdraw when that payout is paid')).toBe(
			paiseAfter(text.slice(text.indexOf('Equity: what you can withdraw')), 'You can withdraw') - 5_00,
		)
		const left = paiseAfter(during, 'Deducted ledger')
		expect(readText((await visitor.visit('/reports/ledger/deducted')).html)).toMatch(/Payout in progress Payout [^−]+ −₹ 5\.00/)
		const [, deducted = ''] = readText((await visitor.visit('/dashboard')).html).split('Deducted ledger')
		expect(paiseAfter(deducted, 'Equity')).toBe(left)
		const second = await send(visitor, WITHDRAW, payout({ amount: '6' }))
		expect([second.status, readText(await second.text())]).toEqual([422, expect.stringContaining('A payout request is already pending')])
		// The broker divides the amount. A client with one ledger does not read about it.
		expect(text).toContain('With both ticked, we choose how much each pays. To choose yourself, tick one.')
		const stranger = await signedIn(opened, 'CASH01')
		expect(readText((await stranger.visit(WITHDRAW)).html)).not.toContain('With both ticked')
		expect((await stranger.visit(place)).status).toBe(404)
		const ref = new URL(place, 'https://portal.test').searchParams.get('ref') ?? ''
		expect((await stranger.post(WITHDRAW, '/funds/payout', { ref, idempotency_key: randomUUID() })).status).toBe(422)
		expect((await postPayoutCancellation(visitor, place)).status).toBe(303)
		expect(readText((await visitor.visit(place)).html)).toContain('You cancelled this payout.')
	})

	test('explains the blocked margin only with words that add up to it', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		// Without the broker's lines nothing says that a loan blocks a part of it.
		opened.failCalls('/v1/ours/deductions', () => new Response('', { status: 404 }))
		const { html } = await visitor.visit(WITHDRAW)
		opened.breakBroker(undefined)
		const [equity, commodity] = ['Equity', 'Commodity'].map((ledger) =>
			readTable(html, `${ledger}: from ledger to withdrawable`).rows.find(([label]) => label?.startsWith('Margin blocked')),
		)
		expect(equity?.[0]).toBe('Margin blocked')
		expect(commodity?.[0]).toMatch(/^Margin blocked Open positions need ₹ [\d,.]+, all of it in cash\.$/)
		expect(paiseIn(/₹ [\d,.]+(?=,)/.exec(commodity?.[0] ?? '')?.[0])).toBe(-paiseIn(commodity?.[1]))
	})

	test('refuses more than the balance, shows the balance, and deducts nothing', async () => {
		for (const code of ['DEMO01', 'DEBT01', 'NEW001']) {
			const visitor = await signedIn(opened, code)
			const answer = await send(visitor, WITHDRAW, payout({ amount: '9,99,99,999.99' }))
			const html = await answer.text()
			expect([code, answer.status]).toEqual([code, 422])
			expect(readText(html)).toMatch(/You can withdraw up to ₹ [\d,]+\.\d\d now\./)
			expect(html).toContain('value="9,99,99,999.99"')
		}
	})

	test('is done once for any number of posts', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit(WITHDRAW)
		// Another tab of the same browser shows the same order.
		expect(hidden((await visitor.visit(WITHDRAW)).html, 'idempotency_key')).toBe(hidden(html, 'idempotency_key'))
		const sent = sentTo(opened, PAYOUT_PATH).length
		const answers = await Promise.all(Array.from({ length: 20 }, () => send(visitor, WITHDRAW, payout(), html)))
		const places = new Set(answers.map(({ headers }) => headers.get('location')))
		expect([answers.map(({ status }) => status), places.size]).toEqual([Array.from({ length: 20 }, () => 303), 1])
		expect(sentTo(opened, PAYOUT_PATH)).toHaveLength(sent + 1)
		const late = await send(visitor, WITHDRAW, payout(), html)
		expect([late.status, late.headers.get('location')]).toEqual([303, [...places][0]])
		// The same form with another amount is another order, and is not sent.
		const other = await send(visitor, WITHDRAW, payout({ amount: '7' }), html)
		expect([other.status, readText(await other.text())]).toEqual([
			422,
			expect.stringContaining('This form was already used for another request'),
		])
		expect(sentTo(opened, PAYOUT_PATH)).toHaveLength(sent + 1)
		// The next form is another order.
		expect(hidden((await visitor.visit(WITHDRAW)).html, 'idempotency_key')).not.toBe(hidden(html, 'idempotency_key'))
		await postPayoutCancellation(visitor, [...places][0] ?? '')
	})

	test('can be sent again with other values from the refused page that the back button shows', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit(WITHDRAW)
		for (const _ of [1, 2]) {
			const refused = await send(visitor, WITHDRAW, payout({ amount: '9,99,99,999' }), html)
			expect([refused.status, readText(await refused.text())]).toEqual([422, expect.stringContaining('You can withdraw up to')])
		}
		const sent = sentTo(opened, PAYOUT_PATH).length
		const answers = await Promise.all(Array.from({ length: 3 }, () => send(visitor, WITHDRAW, payout({ amount: '100' }), html)))
		const places = new Set(answers.map(({ headers }) => headers.get('location')))
		expect([answers.map(({ status }) => status), places.size]).toEqual([[303, 303, 303], 1])
		expect(sentTo(opened, PAYOUT_PATH)).toHaveLength(sent + 1)
		await postPayoutCancellation(visitor, [...places][0] ?? '')
	})

	test('shows the form again with its key after a lost reply, and a repeat finds the first payout', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit(WITHDRAW)
		loseResponseTo(opened, PAYOUT_PATH)
		const again = await expectLost(await send(visitor, WITHDRAW, payout({ amount: '8' }), html), html)
		const done = await send(visitor, WITHDRAW, payout({ amount: '8' }), again)
		expect(done.status).toBe(303)
		const history = readText((await visitor.visit(HISTORY)).html)
		expect(history.match(/Pending 8\.00/g)).toHaveLength(1)
		await postPayoutCancellation(visitor, done.headers.get('location') ?? '')
	})

	test('shows the form after a lost reply also when its own payout leaves nothing to withdraw', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { html } = await visitor.visit(WITHDRAW)
		loseResponseTo(opened, PAYOUT_PATH)
		const again = await expectLost(await send(visitor, WITHDRAW, payout(), html), html)
		expect(readText(again)).toContain('Nothing more can be withdrawn now.')
		const shown = 'fieldset[aria-label="Payout"]:not([disabled])'
		expect(readAll(again, shown)).toHaveLength(1)
		expect(hidden(again, 'amount')).toBe('5')
		const done = await send(visitor, WITHDRAW, payout(), again)
		expect(done.status).toBe(303)
		// On the next visit there is nothing to ask for.
		expect(readAll((await visitor.visit(WITHDRAW)).html, shown)).toHaveLength(0)
		await postPayoutCancellation(visitor, done.headers.get('location') ?? '')
	})

	test('refuses a form without a key of ours, and requires ledger and bank', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const sent = sentTo(opened, PAYOUT_PATH).length
		for (const key of ['', 'not-a-key', '../../etc'])
			expect((await send(visitor, WITHDRAW, payout({ idempotency_key: key }))).status).toBe(400)
		const html = await (await send(visitor, WITHDRAW, { amount: '', bank: '' })).text()
		for (const words of ['Select at least one ledger', 'Enter an amount', 'Select a bank account']) expect(readText(html)).toContain(words)
		const little = await send(visitor, WITHDRAW, payout({ amount: '0.99' }))
		expect([little.status, readText(await little.text())]).toEqual([400, expect.stringContaining('Withdraw at least ₹ 1.00')])
		// No page sends this ledger, so the message has no field.
		const unknown = await send(visitor, WITHDRAW, payout({ ledgers: 'BOGUS' }))
		expect([unknown.status, readText(await unknown.text())]).toEqual([400, expect.stringContaining('There is a problem')])
		const cash = await signedIn(opened, 'CASH01')
		expect((await send(cash, WITHDRAW, payout({ ledgers: 'MCX' }))).status).toBe(400)
		expect(sentTo(opened, PAYOUT_PATH)).toHaveLength(sent)
	})

	test('is cancelled once, even when twenty requests are sent and the reply is lost', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const CANCEL_PATH = '/v1/ours/cancel-payout'
		const first = (await send(visitor, WITHDRAW, payout({ amount: '9' }))).headers.get('location') ?? ''
		const page = (await visitor.visit(first)).html
		const sent = sentTo(opened, CANCEL_PATH).length
		const answers = await Promise.all(Array.from({ length: 20 }, () => postPayoutCancellation(visitor, first, page)))
		expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('location')}`))).toEqual(new Set([`303 ${first}`]))
		expect(sentTo(opened, CANCEL_PATH)).toHaveLength(sent + 1)

		const second = (await send(visitor, WITHDRAW, payout({ amount: '10' }))).headers.get('location') ?? ''
		const other = (await visitor.visit(second)).html
		loseResponseTo(opened, CANCEL_PATH)
		const lost = await postPayoutCancellation(visitor, second, other)
		expect([lost.status, readText(await lost.text())]).toEqual([503, expect.stringContaining('this may already have been done')])
		expect((await postPayoutCancellation(visitor, second, other)).status).toBe(303)
		expect(readText((await visitor.visit(second)).html)).toContain('You cancelled this payout.')
		// After the cancellation the money can be requested again.
		expect(readText((await visitor.visit(WITHDRAW)).html)).not.toContain('is in progress')
	})

	test('fills in the whole amount by a link, and refuses it when the balance has fallen since', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const fresh = (await visitor.visit(WITHDRAW)).html
		// All ledgers that have something are ticked, each with its amount; their sum is in the one button.
		expect([listChosen(fresh), hidden(fresh, 'amount')]).toEqual([['NSE_CASH', 'MCX'], ''])
		const fieldset = readAll(fresh, 'fieldset fieldset')[0] ?? ''
		const [equity, commodity] = [paiseAfter(fieldset, 'Equity'), paiseAfter(fieldset, 'Commodity')]
		const { html } = await visitor.visit(`${WITHDRAW}?all=ledgers`)
		expect([listChosen(html), paiseIn(hidden(html, 'amount'))]).toEqual([['NSE_CASH', 'MCX'], equity + commodity])
		expect(paiseAfter(readText(html), 'All:')).toBe(equity + commodity)
		expect(commodity).toBeGreaterThan(5_00)
		const amount = String(commodity / 100)
		// After the page is drawn, another browser withdraws five rupees.
		const elsewhere = await signedIn(opened, 'DEMO01')
		const taken = await send(elsewhere, WITHDRAW, payout({ ledgers: 'MCX', amount: '5' }))
		const blocked = await send(visitor, WITHDRAW, payout({ ledgers: 'MCX', amount }), html)
		expect([blocked.status, readText(await blocked.text())]).toEqual([422, expect.stringContaining('already pending')])
		await postPayoutCancellation(elsewhere, taken.headers.get('location') ?? '')
		// One paisa is withdrawn between the portal's check and the broker's: the broker's refusal is shown.
		opened.breakBroker(async (request) => {
			if (new URL(request.url).pathname !== PAYOUT_PATH) return undefined as unknown as Response
			const asked = (await request.clone().json()) as { ledger_balance: number }
			const body = JSON.stringify({ ...asked, ledger_balance: asked.ledger_balance + 0.01 })
			opened.breakBroker(undefined)
			return await fetch(new Request(request, { body }))
		})
		const refused = await send(visitor, WITHDRAW, payout({ ledgers: 'MCX', amount }))
		expect([refused.status, readText(await refused.text())]).toEqual([422, expect.stringMatching(/above the withdrawable balance/)])
		expect(readText((await visitor.visit(WITHDRAW)).html)).not.toContain('is in progress')
		for (const all of ['nonsense', 'MCX', '']) expect(hidden((await visitor.visit(`${WITHDRAW}?all=${all}`)).html, 'amount')).toBe('')
	})

	test('closes the form when nothing is left, and says why', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		expect((await visitor.visit(WITHDRAW)).html).not.toContain('disabled=""')
		// This client has one ledger, so no other request is possible while its payout is under way.
		const place = (await send(visitor, WITHDRAW, payout())).headers.get('location') ?? ''
		const { html } = await visitor.visit(WITHDRAW)
		expect(readAll(html, 'fieldset[disabled][hidden][aria-label="Payout"]')).toHaveLength(1)
		// The notice and the sentence in place of the form say it once each.
		expect(readText(html)).toMatch(/A payout of .* is in progress\. .*Nothing more can be withdrawn now\. Another payout can be asked for/)
		expect(readText(html)).toMatch(/paid or cancelled\. See earlier withdrawals/)
		// More money would not help.
		expect(readAll(html, 'main p a[href="/funds"]')).toEqual([])
		expect(readText((await visitor.visit(place)).html)).toMatch(
			/Amount ₹ [\d,.]+ From Equity ledger Status Pending In your bank by \d\d:\d\d today Sent to the bank at \d\d:\d\d today To /,
		)
		expect((await postPayoutCancellation(visitor, place)).status).toBe(303)
		expect((await visitor.visit(WITHDRAW)).html).not.toContain('disabled=""')
	})

	test('shows and names no table when every ledger is empty', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		const { html } = await visitor.visit(WITHDRAW)
		expect(readText(html)).toContain('There is nothing to withdraw now. Equity This ledger is empty.')
		// Nothing would be returned either.
		expect(readAll(html, 'main p').join(' ')).not.toContain('running account settlement')
		expect(readAll(html, 'main table')).toEqual([])
		const owing = await signedIn(opened, 'DEBT01')
		expect(readText((await owing.visit(WITHDRAW)).html)).toContain(
			'There is nothing to withdraw now. Equity Nothing can be withdrawn: you owe',
		)
	})

	test('shows the debt of a ledger in debit, and offers nothing from it', async () => {
		const visitor = await signedIn(opened, 'DEBT01')
		const { html } = await visitor.visit(WITHDRAW)
		expect(html).toContain('<fieldset disabled=""')
		const owed = /you owe ₹ ([\d,]+\.\d\d) here/.exec(readText(html))?.[1]?.replaceAll(',', '').replace(/\.00$/, '')
		const address = `/funds?amount=${owed}&segment=BSE`
		expect(firstLink(html, '/funds?')).toBe(address)
		expect(firstLink((await visitor.visit('/reports/ledger/deducted')).html, '/funds?')).toBe(address)
		expect(readText(html)).toMatch(/Nothing can be withdrawn: you owe ₹ [\d,]+\.\d\d here\. Add funds to clear it\./)
		expect(html).not.toContain(`${WITHDRAW}?all=`)
		expect(readText(html)).toMatch(/History Withdraw You can withdraw ₹ 0\.00 There is nothing to withdraw now\./)
	})
})

import { expect, test } from 'vitest'
import { fillForm, payout, WITHDRAW } from '#tests/support/funds'
import { openPortalForFile, ORIGIN, signedIn } from '#tests/support/portal'
import { paiseAfter, parsePage, readText } from '#tests/support/readers'

/* The sandbox's clock starts at 11:00 and does not go back, so this has a file of its own. */

const opened = openPortalForFile()

const goAhead = (minutes: number) =>
	fetch('http://127.0.0.1:4999/control/clock', {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ minutes }),
	})

test('a payout from both ledgers is not cancelled after a batch closed, and counts as under way only what is not paid', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit(WITHDRAW)
	const text = readText(html)
	const equity = paiseAfter(text.slice(text.indexOf('Equity: what you can withdraw')), 'You can withdraw')
	// The equity ledger pays all that it can, and ₹ 7.25 is left for the other.
	const fields = fillForm(html, payout({ amount: String((equity + 7_25) / 100) }))
	const body = `${new URLSearchParams(fields).toString()}&ledgers=MCX`
	const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN }
	const place = (await visitor.send(WITHDRAW, { method: 'POST', body, headers })).headers.get('location') ?? ''
	const readLink = async () => readText(parsePage((await visitor.visit(WITHDRAW)).html).querySelector(`a[href="${place}"]`) ?? '')
	expect(await readLink()).toBe('See it, or cancel it')

	// At 18:10 the batch of equity is closed, at 21:40 it is paid; the batch of commodity is paid at 23:30.
	await goAhead(7 * 60 + 10)
	expect(await readLink()).toBe('See it')
	expect(readText((await visitor.visit(place)).html)).not.toContain('Cancel payout')
	await goAhead(3 * 60 + 30)
	const paid = readText((await visitor.visit(place)).html)
	expect(paid).toMatch(/ ₹ [\d,.]+ from Equity was sent to your bank\. ₹ 7\.25 is on its way: you receive it by 23:30 today\. Charges/)
	expect(paiseAfter(paid, 'Equity: amount')).toBe(equity)
	expect(paiseAfter(paid, 'Commodity: amount')).toBe(7_25)
})

import { describe, expect, test } from 'vitest'
import { hidden, readText } from '#tests/support/account'
import {
	expectLost,
	finish,
	loseResponseTo,
	MANDATE,
	mandate,
	MANDATE_PATH,
	namePlace,
	NO_PLACES,
	send,
	sentTo,
} from '#tests/support/funds'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { findAttribute, firstLink, readAll, readTable } from '#tests/support/readers'

const opened = openPortalForFile()

/** The address of the question whether to cancel the first mandate, without its fragment. */
const findCancel = (html: string) => firstLink(html, '/funds/e-mandate?cancel=EM').replace(/#.*$/, '')

describe('mandates', () => {
	test('shows an active one first, and until when it lasts, also on a phone', async () => {
		const { html } = await (await signedIn(opened, 'DEMO01')).visit(MANDATE)
		const text = readText(html)
		expect(text).toMatch(
			/ Mandates .* Cancel.* Another mandate Amount .* Create mandate How a mandate works .* at most 40 years, .* or until you cancel it\./,
		)
		const { head, rows } = readTable(html, 'Mandates')
		const active = rows.find((row) => row[head.indexOf('Status')]?.startsWith('Active')) ?? []
		expect(active[head.indexOf('Status')]).toBe(
			`Active ₹ 25,000.00 at most HDFC BANK LTD ••••••4821 Until ${active[head.indexOf('Until')]}`,
		)
		const empty = (await (await signedIn(opened, 'NEW001')).visit(MANDATE)).html
		expect(readAll(empty, 'caption')).toContain('Mandates')
		const none = readText(empty)
		expect(none).toContain('You have no mandate. One that you create is listed here.')
		expect(none).toMatch(/Amount .* Create mandate .*or until you cancel it\. .*Mandates .*You have no mandate/)
		expect(none).not.toContain('Another mandate')
		expect([html, empty].map((page) => readAll(page, 'main :is(h1, h2, h3)'))).toEqual([
			['Funds', 'E-mandate', 'Mandates', 'Another mandate', 'How a mandate works'],
			['Funds', 'E-mandate', 'How a mandate works', 'Mandates'],
		])
	})

	test('registers one online, with two decimals, and cancels it', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const answer = await send(visitor, MANDATE, { amount: '5000', channel: 'debitcard' })
		expect(answer.status).toBe(303)
		const [asked] = sentTo(opened, MANDATE_PATH).slice(-1)
		expect(await asked?.json()).toMatchObject({ amount: '5000.00', channel: 'debitcard', bank_details: { bank_acno: '50100042104821' } })
		const { html } = await finish(visitor, answer, 'confirm')
		expect(readText(html)).toContain('You confirmed the mandate.')
		const link = findCancel(html)
		const page = (await visitor.visit(link)).html
		const form = page.slice(page.indexOf('Cancel this mandate?'))
		const fields = {
			csrf: hidden(form, 'csrf'),
			idempotency_key: hidden(form, 'idempotency_key'),
			intent: 'cancel',
			reference: hidden(form, 'reference'),
		}
		expect((await visitor.postRaw(MANDATE, fields)).headers.get('location')).toBe(MANDATE)
		expect(readText((await visitor.visit(MANDATE)).html)).toMatch(/Cancelled ₹ 5,000\.00 at most HDFC BANK LTD ••••••4821 — 5,000\.00/)
	})

	test('returns a paper form as a PDF with the portal’s file name', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const answer = await send(visitor, MANDATE, { amount: '5,000', channel: 'physical' })
		const { html } = await visitor.visit(answer.headers.get('location') ?? '')
		const file = findAttribute(html, 'meta[http-equiv="refresh"]', 'content').replace(/^0; url=/, '')
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

	test('applies the limits exactly', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const readStatus = async (amount: string, channel = 'netbanking') => (await send(visitor, MANDATE, { amount, channel })).status
		expect([await readStatus('99.99'), await readStatus('100'), await readStatus('1000000.01')]).toEqual([400, 303, 400])
		expect([await readStatus('100000.01', 'aadhaar'), await readStatus('100000', 'aadhaar')]).toEqual([400, 303])
	})

	test('a cancellation whose session had ended leaves no form that says that something was typed', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit(findCancel((await visitor.visit(MANDATE)).html))
		opened.breakBroker(() => Response.json({ status: 'error', message: 'Token expired' }, { status: 401 }))
		const fields = { csrf: hidden(html, 'csrf'), intent: 'cancel', reference: hidden(html, 'reference') }
		const ended = await visitor.postRaw(MANDATE, { ...fields, idempotency_key: hidden(html, 'idempotency_key') })
		opened.breakBroker(undefined)
		expect(ended.headers.get('location')).toMatch(/^\/login/)
		await visitor.login('DEMO01')
		const page = readText((await visitor.visit(MANDATE)).html)
		expect(page).toContain('Another mandate')
		expect(page).not.toContain('What you typed is still here')
	})

	test('registers one mandate per form: twenty posts, a lost reply; and cancels it once', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		const { html } = await visitor.visit(MANDATE)
		const sent = sentTo(opened, MANDATE_PATH).length
		const answers = await Promise.all(Array.from({ length: 20 }, () => send(visitor, MANDATE, mandate({ amount: '111' }), html)))
		expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('location')}`)).size).toBe(1)
		expect(sentTo(opened, MANDATE_PATH)).toHaveLength(sent + 1)

		const next = (await visitor.visit(MANDATE)).html
		loseResponseTo(opened, MANDATE_PATH)
		const again = await expectLost(await send(visitor, MANDATE, mandate({ amount: '222' }), next), next)
		expect((await send(visitor, MANDATE, mandate({ amount: '222' }), again)).status).toBe(303)
		const listed = (await visitor.visit(MANDATE)).html
		expect([readText(listed).match(/ ₹ 111\.00 /g), readText(listed).match(/ ₹ 222\.00 /g)]).toEqual([[' ₹ 111.00 '], [' ₹ 222.00 ']])

		const link = findCancel(listed)
		const page = (await visitor.visit(link)).html
		const form = page.slice(page.indexOf('Cancel this mandate?'))
		const cancel = {
			csrf: hidden(form, 'csrf'),
			idempotency_key: hidden(form, 'idempotency_key'),
			intent: 'cancel',
			reference: hidden(form, 'reference'),
		}
		loseResponseTo(opened, '/v1/ours/cancel-mandate')
		const lost = await visitor.postRaw(MANDATE, cancel)
		expect([lost.status, readText(await lost.text())]).toEqual([503, expect.stringContaining('this may already have been done')])
		const ends = await Promise.all(Array.from({ length: 20 }, () => visitor.postRaw(MANDATE, cancel)))
		expect(new Set(ends.map(({ status, headers }) => `${status} ${headers.get('location')}`))).toEqual(new Set([`303 ${MANDATE}`]))
		expect(readText((await visitor.visit(MANDATE)).html).match(/Cancelled by you/g)).toHaveLength(1)
	})

	test.each(NO_PLACES)('redirects nobody to %j', async (place) => {
		const visitor = await signedIn(opened, 'DEMO01')
		namePlace(opened, MANDATE_PATH, place)
		const answer = await send(visitor, MANDATE, mandate())
		expect([answer.status, answer.headers.get('location')]).toEqual([502, null])
		expect(readText(await answer.text())).toContain('because its address is not approved')
	})

	test('shows a message for a wrong maximum of a debit, and the refusal of a bank', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const readWords = async (fields: Record<string, string>) => readText(await (await send(visitor, MANDATE, fields)).text())
		expect(await readWords(mandate({ amount: '' }))).toContain('Enter the maximum amount')
		expect(await readWords(mandate({ amount: '99.99' }))).toContain('Amount must be ₹ 100 or more')
		expect(await readWords(mandate({ amount: '100.001' }))).toContain('Amount must have no more than 2 decimals')
		expect(await readWords(mandate({ channel: 'carrier-pigeon' }))).toContain('Select how you will confirm it')
		for (const amount of ['1e9', '0x10', '１２', 'NaN', '-100'])
			expect((await send(visitor, MANDATE, mandate({ amount }))).status).toBe(400)
	})

	test('sends two decimals for every way of typing the amount', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		for (const [typed, wire] of [
			['5,000', '5000.00'],
			['₹ 100.5', '100.50'],
			['1234.07', '1234.07'],
		] as const) {
			expect((await send(visitor, MANDATE, mandate({ amount: typed }))).status).toBe(303)
			const [asked] = sentTo(opened, MANDATE_PATH).slice(-1)
			expect(await asked?.json()).toMatchObject({ amount: wire })
		}
	})
})

import { describe, expect, test } from 'vitest'
import { PDF, sendTransfer, TRANSFER } from '#tests/support/closure'
import { openPortalForFile, signedIn, Visitor } from '#tests/support/portal'
import { firstLink, firstOption, hidden, parsePage, readHeading, readKeys, readText, readTitle } from '#tests/support/readers'

const opened = openPortalForFile()

const TAB = '/myaccount/closure'
const CHECK = '/myaccount/closure/check'
const ANSWERS = { reason: 'Moving to another broker', close: 'Trading and Demat', holdings: 'transfer' }
const PLAIN = '/v1/acc-closing-esign-proccess'
const DETAILS = '/v1/acc-closing-details'
const WITH_TRANSFER = '/v1/acc-closing-with-transfer-esign-proccess'

async function proceed(visitor: Visitor) {
	const { html } = await visitor.visit(CHECK)
	return await visitor.postRaw(CHECK, readKeys(html))
}

/** Signs, cancels or fails at the provider, and follows the redirect back. */
async function atProvider(visitor: Visitor, answer: Response, outcome = 'sign') {
	const response = new URL(answer.headers.get('location') ?? '').searchParams.get('response') ?? ''
	const body = new URLSearchParams({ response, outcome })
	const back = new URL(
		(await fetch('https://esign.test/esign', { method: 'POST', body, redirect: 'manual' })).headers.get('location') ?? '',
	)
	return await visitor.visit(back.pathname + back.search)
}

async function withdraw(visitor: Visitor) {
	const { html } = await visitor.visit(TAB)
	const form = html.slice(html.indexOf('value="withdraw"') - 400)
	const fields = { reference: hidden(form, 'reference'), idempotency_key: hidden(form, 'idempotency_key') }
	return await visitor.postRaw(TAB, { csrf: hidden(html, 'csrf'), intent: 'withdraw', ...fields })
}

describe('closing without holdings', () => {
	test('is requested once, however often the form is sent, then signed, shown as closing and withdrawn', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		await visitor.post(TAB, TAB, { ...ANSWERS, reason: 'Other', other: 'My own reason', holdings: 'close' })
		const { html } = await visitor.visit(CHECK)
		for (const said of ['My own reason', 'Trading and Demat', 'Close the account']) expect(html).toContain(said)
		const fields = readKeys(html)
		opened.asked.length = 0
		const answers = await Promise.all(Array.from({ length: 5 }, () => visitor.postRaw(CHECK, fields)))
		const places = new Set(answers.map((answer) => answer.headers.get('location')))
		expect(places.size).toBe(1)
		const calls = opened.asked.filter(({ url }) => url.includes(PLAIN))
		expect(new Set(calls.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
		expect(await calls[0]?.json()).toEqual({ client_code: 'NEW001', reason: 'My own reason', clouser_for: 'Trading and Demat' })

		const [first] = answers
		const back = first && (await atProvider(visitor, first))
		expect(readHeading(back?.html ?? '')).toBe('Signed')
		expect([...visitor.cookies.keys()].filter((name) => name.includes('draft-'))).toEqual([])
		const closing = readText((await visitor.visit(TAB)).html)
		expect(closing).toMatch(/Status Closing Reference ES-\w+ Close Trading and Demat/)
		expect(closing).not.toContain('Close your account')
		// Requests says the same: it is not done yet, and can be withdrawn on the page of closures.
		const requests = (await visitor.visit('/myaccount/requests')).html
		const row = parsePage(requests)
			.querySelectorAll('tbody tr')
			.find((line) => readText(line).includes('Account closure'))
		expect(readText(row ?? '')).toMatch(/Signed, under way \d\d:\d\d on [\d/]{10} Form \(PDF\).* Withdraw the request/)
		expect(row?.querySelector('a[href="/myaccount/closure"]')).not.toBeNull()
		expect((await (await visitor.send(firstLink(requests, '/downloads/change/'))).text()).slice(0, 5)).toBe('%PDF-')
		const withdrawn = await withdraw(visitor)
		expect([withdrawn.status, withdrawn.headers.get('location')]).toEqual([303, TAB])
		expect(readText((await visitor.visit(TAB)).html)).toContain('Close your account')
	})

	test('shows the broker’s refusal, and says when the outcome is unknown', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		const held = await visitor.post(TAB, TAB, { ...ANSWERS, holdings: 'close' })
		expect([held.status, readText(await held.text())]).toEqual([422, expect.stringContaining('You still hold shares: sell them first')])
		// When the details of the closure cannot be loaded, the broker refuses at the end.
		opened.failCalls(DETAILS, () => new Response('', { status: 503 }))
		await visitor.post(TAB, TAB, { ...ANSWERS, holdings: 'close' })
		opened.breakBroker(undefined)
		const refused = await proceed(visitor)
		expect(refused.status).toBe(422)
		const html = await refused.text()
		expect(html).toContain('Account can not be closed: securities, dues or open positions are left')
		expect(html).toContain('There is a problem')
		expect(readTitle(html)).toMatch(/^Error: Check your answers/)
		opened.breakBroker((request) => (request.url.includes(PLAIN) ? new Response('', { status: 503 }) : undefined))
		const keys = readKeys((await visitor.visit(CHECK)).html)
		const lost = await visitor.postRaw(CHECK, keys)
		expect(lost.status).toBe(503)
		const text = await lost.text()
		expect(text).toContain('may already have been recorded')
		expect(hidden(text, 'idempotency_key')).toBe(keys.idempotency_key)
	})

	test('sends nothing when another tab has changed the answers, and shows the latest', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		await visitor.post(TAB, TAB, { ...ANSWERS, close: 'Trading', holdings: 'close' })
		const { html } = await visitor.visit(CHECK)
		await visitor.post(TAB, TAB, { ...ANSWERS, close: 'Demat', holdings: 'close' })
		opened.asked.length = 0
		const refused = await visitor.postRaw(CHECK, readKeys(html))
		const page = await refused.text()
		expect([refused.status, readText(page)]).toEqual([422, expect.stringMatching(/changed in another tab.* Close Demat /)])
		expect(opened.asked.filter(({ url }) => url.includes(PLAIN))).toEqual([])
		expect(JSON.parse(hidden(page, 'asked'))[1]).toBe('Demat')
	})
})

describe('closing with transfer', () => {
	test('says on the check page what moves, as the page before does, and leaves it out when it could not be loaded', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		await visitor.post(TAB, TAB, ANSWERS)
		const told = readText((await visitor.visit(TRANSFER)).html)
		const [, count, worth] = /(\d+) securities move, worth (₹ [\d,.]+\.\d\d)/.exec(told) ?? []
		await sendTransfer(visitor)
		expect(readText((await visitor.visit(CHECK)).html)).toContain(
			`Holdings Close and transfer holdings Change holdings ${count} securities, ${worth} Target account`,
		)
		opened.failCalls(/closure-tasks/, () => Response.json({ status: 'error', message: 'Down' }, { status: 500 }))
		const without = await visitor.visit(CHECK)
		opened.breakBroker(undefined)
		expect(without.status).toBe(200)
		expect(readText(without.html)).toContain('Holdings Close and transfer holdings Change holdings Target account')
	})

	test('calls the broker only from the check page, with both files under names of ours, and closes', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		await visitor.post(TAB, TAB, ANSWERS)
		opened.asked.length = 0
		const sent = await sendTransfer(visitor, { client_code: 'DEMO01' })
		expect([sent.status, sent.headers.get('location')]).toEqual([303, CHECK])
		// No call before the check page.
		const calls = () => opened.asked.filter(({ url }) => url.includes(WITH_TRANSFER))
		const checked = await visitor.visit(CHECK)
		expect(checked.status).toBe(200)
		// The names that the client gave the files, and their sizes rounded up.
		expect(readText(checked.html)).toMatch(/Client master my own name\.pdf, 1 kB Change .* Signature sign\.png, 1 kB Change/)
		expect(calls()).toEqual([])
		const away = await proceed(visitor)
		expect(calls()).toHaveLength(1)
		const [call] = calls()
		expect(new URL(call?.url ?? '').searchParams.get('close_in')).toBe('CDSL')
		const form = await call?.formData()
		const names = ['client_code', 'reason', 'clouser_for', 'account_type', 'cdsl_bo_id', 'nsdl_bo_id', 'client_master', 'signature']
		expect([...(form?.keys() ?? [])]).toEqual(names)
		expect(form?.get('client_code')).toBe('CLOS01')
		expect([form?.get('account_type'), form?.get('cdsl_bo_id'), form?.get('nsdl_bo_id')]).toEqual(['CDSL', '1300000000200815', ''])
		const master = form?.get('client_master') as File
		expect([master.name, master.type, await master.text()]).toEqual(['client_master.pdf', 'application/pdf', await PDF.text()])
		const check = await visitor.visit(CHECK)
		for (const said of ['CDSL 1300000000200815', 'Moving to another broker', 'A closed account cannot be reopened'])
			expect(check.html).toContain(said)
		expect((await atProvider(visitor, away, 'cancel')).html).toContain('You cancelled the e-sign')
		expect(readText((await visitor.visit(TAB)).html)).toContain('awaits your e-sign')
		await atProvider(visitor, away)
		expect(readText((await visitor.visit(TAB)).html)).toContain('Transferred to CDSL 1300000000200815')
		expect((await withdraw(visitor)).status).toBe(303)
	})

	test.each<[Record<string, string>, Record<string, File>, number, string]>([
		[{ account_type: '' }, {}, 400, 'Select the target account type'],
		[{ cdsl_bo_id: '13000000002008' }, {}, 400, 'BO ID must be 16 numbers'],
		[{ account_type: 'NSDL', nsdl_bo_id: 'IN30012' }, {}, 400, 'NSDL id must start with IN followed by 14 numbers'],
		[{}, { client_master: new File(['<html>hello</html>'], 'master.pdf') }, 400, ''],
		[{}, { client_master: new File(['%PDF-1.4\n', new Uint8Array(5 * 1_048_576)], 'master.pdf') }, 400, ''],
		[{}, { client_master: new File(['%PDF-1.4\ntrailer << /Encrypt 5 0 R >>\n%%EOF'], 'master.pdf') }, 400, 'password'],
		[{}, { client_master: new File([], '') }, 400, 'Select the client master'],
	])('answers %j with %j by %i', async (fields, files, status, message) => {
		const visitor = await signedIn(opened, 'CLOS01')
		await visitor.post(TAB, TAB, ANSWERS)
		const answer = await sendTransfer(visitor, fields, files)
		expect(answer.status).toBe(status)
		const html = await answer.text()
		expect(html).toContain('There is a problem')
		expect(html).toContain(message)
		expect(html).toContain('value="1300000000200815"'.slice(0, fields.cdsl_bo_id ? 7 : undefined))
	})

	test('names both files when both are missing', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		await visitor.post(TAB, TAB, ANSWERS)
		const none = new File([], '')
		const page = parsePage(await (await sendTransfer(visitor, {}, { client_master: none, signature: none })).text())
		expect(page.querySelectorAll('[role=alert] li').map((line) => readText(line))).toEqual([
			'Select the client master of your account at the new broker',
			'Upload a photo or scan of your signature on white paper',
		])
		for (const name of ['client_master', 'signature'])
			expect(page.querySelector(`input[name=${name}]`)?.getAttribute('aria-invalid')).toBe('true')
	})

	test('refuses the client’s own account beside its field, however it is typed', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		await visitor.post(TAB, TAB, ANSWERS)
		const answer = await sendTransfer(visitor, { cdsl_bo_id: '1209 9900 0010-0451' })
		const page = parsePage(await answer.text())
		expect(answer.status).toBe(400)
		expect(readText(page.querySelector('#transfer-cdsl_bo_id-error') ?? '')).toBe('Error: Enter the account at your new broker')
	})

	test.for([
		['Request is not valid', ['That account is closed']],
		['The depository refused', ['The depository refused', 'That account is closed']],
	] as const)('shows the broker’s refusal %s on the check page, without a line that says nothing', async ([message, said]) => {
		const visitor = await signedIn(opened, 'CLOS01')
		await visitor.post(TAB, TAB, ANSWERS)
		await sendTransfer(visitor)
		const fields = [{ name: 'cdsl_bo_id', message: 'That account is closed' }]
		opened.failCalls(WITH_TRANSFER, () => Response.json({ status: 'error', message, data: { fields } }, { status: 422 }))
		const answer = await proceed(visitor)
		opened.breakBroker(undefined)
		const lines = parsePage(await answer.text()).querySelectorAll('[role=alert] li')
		expect([answer.status, lines.map((line) => readText(line))]).toEqual([422, said])
	})

	test('accepts a BO ID in groups', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		await visitor.post(TAB, TAB, ANSWERS)
		expect((await sendTransfer(visitor, { cdsl_bo_id: ' 1300 0000 0020-0815' })).headers.get('location')).toBe(CHECK)
		expect((await visitor.visit(CHECK)).html).toContain('CDSL 1300000000200815')
		await sendTransfer(visitor, { account_type: 'NSDL', nsdl_bo_id: 'in 300126 12345678' })
		expect((await visitor.visit(CHECK)).html).toContain('NSDL IN30012612345678')
	})

	test('accepts a signature as PDF', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		await visitor.post(TAB, TAB, ANSWERS)
		expect((await sendTransfer(visitor, {}, { signature: PDF })).headers.get('location')).toBe(CHECK)
		const away = await proceed(visitor)
		expect([away.status, away.headers.get('location')]).toEqual([303, expect.stringContaining('response=')])
	})

	test('asks for the files again after half an hour, and never sends others in their place', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		await visitor.post(TAB, TAB, ANSWERS)
		await sendTransfer(visitor)
		const other = await signedIn(opened, 'CLOS01')
		await other.post(TAB, TAB, ANSWERS)
		await sendTransfer(other, { cdsl_bo_id: '1300000000200816' }, { client_master: new File(['%PDF-1.4\nanother\n%%EOF\n'], 'b.pdf') })
		opened.asked.length = 0
		const answer = await proceed(visitor)
		expect([answer.status, answer.headers.get('location')]).toEqual([303, TRANSFER])
		expect(readText((await visitor.visit(TRANSFER)).html)).toContain('Select them again.')
		expect(opened.asked.filter(({ url }) => url.includes(WITH_TRANSFER))).toEqual([])
	})
})

/* Last, because it moves the sandbox's clock, which does not go back. */
describe('an account that is closed', () => {
	test('accepts no change while it is processed, and says at login when it closed', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		await visitor.post(TAB, TAB, { ...ANSWERS, holdings: 'close' })
		await atProvider(visitor, await proceed(visitor))
		const { html } = await visitor.visit('/funds')
		const payin = {
			amount: '500',
			segment: 'BSE',
			mode: 'upi',
			upi_id: 'neha@examplebank',
			bank: firstOption(html, 'bank'),
		}
		const form = readKeys(html)
		const refused = await visitor.postRaw('/funds', { ...form, ...payin })
		expect([refused.status, readText(await refused.text())]).toEqual([
			422,
			expect.stringContaining('Account is being closed. Withdraw the closure request first'),
		])
		const headers = { 'content-type': 'application/json' }
		await fetch('http://127.0.0.1:4999/control/clock', { method: 'POST', headers, body: JSON.stringify({ days: 12 }) })
		const answer = await new Visitor(opened.portal).login('NEW001')
		expect([answer.status, readText(await answer.text())]).toEqual([422, expect.stringMatching(/Account closed on \d\d\/\d\d\/\d{4}/)])
	})
})

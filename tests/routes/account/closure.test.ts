import { describe, expect, test, vi } from 'vitest'
import { PDF, sendTransfer, TRANSFER } from '#tests/support/closure'
import { openPortalForFile, Visitor } from '#tests/support/portal'
import { firstOption, hidden, parsePage, readHeading, readKeys, readText, readTitle } from '#tests/support/readers'

vi.stubEnv('SUPPORT_EMAIL', 'help@khata.example')
const opened = openPortalForFile()

const TAB = '/myaccount/closure'
const CHECK = '/myaccount/closure/check'
const ANSWERS = { reason: 'Moving to another broker', close: 'Trading and Demat', holdings: 'transfer' }
const PLAIN = '/v1/acc-closing-esign-proccess'
const DETAILS = '/v1/acc-closing-details'
const WITH_TRANSFER = '/v1/acc-closing-with-transfer-esign-proccess'

async function signedIn(code = 'CLOS01'): Promise<Visitor> {
	const visitor = new Visitor(opened.portal)
	await visitor.login(code)
	return visitor
}

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

describe('the closure page', () => {
	test('shows the ledger page’s balance, to the paisa, for every client', async () => {
		for (const code of ['DEMO01', 'CASH01', 'DEBT01', 'CLOS01']) {
			const visitor = await signedIn(code)
			const ledger = readText((await visitor.visit('/reports/ledger')).html)
			const balance = readText((await visitor.visit(TAB)).html).match(/Ledger balance (₹ [\d,.]+(?: [CD]r)?)/)?.[1] ?? 'none'
			const shown = [...ledger.matchAll(/₹ [\d,.]+(?: [CD]r)?/g)].map(([figure]) => figure)
			expect([code, shown]).toEqual([code, expect.arrayContaining([balance])])
		}
	})

	test('names what DEBT01 owes and where to pay it, and offers no form', async () => {
		const { html, status } = await (await signedIn('DEBT01')).visit(TAB)
		expect(status).toBe(200)
		const text = readText(html)
		expect(text).toMatch(/To do Pay what you owe ₹ [\d,]+\.\d\d is owed Add funds/)
		expect(text.match(/Total ledger balance (₹ [\d,.]+) Dr/)?.[1]).toBe(text.match(/you owe (₹ [\d,.]+) is owed/)?.[1])
		expect(html).toContain('href="/funds"')
		expect(html).not.toContain('Continue')
		// The answer stands above the figures.
		expect(text).toMatch(/You cannot close your account yet\. .*Your account today/)
	})

	test('shows CLOS01 everything done but its holdings, and the form', async () => {
		const { html } = await (await signedIn()).visit(TAB)
		const text = readText(html)
		expect(text.match(/\bDone\b/g)?.length).toBe(10)
		expect(text.match(/\bTo do\b/g)?.length).toBe(1)
		expect(text).toContain('1 of 11 things is still to do.')
		expect(text).not.toContain('You cannot close')
		expect(text).toContain('Sell or transfer your holdings')
		for (const label of ['Reason', 'Close', 'Holdings', 'Close the account', 'Close and transfer holdings', 'Continue'])
			expect(text).toContain(label)
	})

	test('folds the tasks of NEW001, which are all done, and shows the form', async () => {
		const { html } = await (await signedIn('NEW001')).visit(TAB)
		expect(readText(html)).toMatch(/Before you close Everything is done 11 Done/)
		expect(parsePage(html).querySelectorAll('section details li')).toHaveLength(11)
		expect(readText(html)).toContain('Continue')
	})

	test('puts the tasks in the order in which they can be done', async () => {
		const { html } = await (await signedIn('DEMO01')).visit(TAB)
		const steps = ['Close your open positions', 'Let your trades settle', 'Release pledged', 'Cancel your mandates', 'Sell or transfer']
		const order = [...steps, 'Withdraw your money'].map((label) => readText(html).indexOf(`To do ${label}`))
		expect(order.every((at, index) => at > (order[index - 1] ?? 0))).toBe(true)
	})

	test('links what the blockers of a broker without tasks are about', async () => {
		const visitor = await signedIn('DEMO01')
		opened.breakBroker((request) =>
			request.url.includes('/v1/ours/') ? Response.json({ status: 'error', message: 'No such call' }, { status: 404 }) : undefined,
		)
		const { html } = await visitor.visit(TAB)
		const text = readText(html)
		opened.breakBroker(undefined)
		expect(text).toMatch(/To do \d+ positions are open See positions/)
		expect(text).toMatch(/To do Securities worth ₹ [\d,.]+ are in the demat account See holdings/)
		expect(text).toMatch(/left in the ledgers Withdraw funds/)
		expect(text).toMatch(/To do \d+ IPO applications are open See bids/)
		// A broker without tasks may have no such list, so the link leads to its support.
		expect(text).not.toMatch(/See mandates|See requests/)
		expect(text).toMatch(/To do \d+ mandates? (is|are) active Ask support/)
		const todos = parsePage(html).querySelectorAll('section li')
		expect(todos.map((todo) => todo.querySelectorAll('a[href]').length)).toEqual(todos.map(() => 1))
	})

	test('loses one part when one call fails, and keeps the others', async () => {
		const visitor = await signedIn('DEBT01')
		opened.breakBroker((request) =>
			request.url.includes('/v1/ours/') ? Response.json({ status: 'error', message: 'No such call' }, { status: 404 }) : undefined,
		)
		const told = await visitor.visit(TAB)
		expect([told.status, readText(told.html)]).toEqual([200, expect.stringMatching(/To do ₹ [\d,.]+ is owed Add funds/)])
		opened.breakBroker((request) =>
			request.url.includes('acc-closing-details') ? Response.json({ status: 'error', message: 'Down' }, { status: 500 }) : undefined,
		)
		const failed = await visitor.visit(TAB)
		expect(failed.status).toBe(200)
		expect(readText(failed.html)).toContain('Your account’s figures could not be loaded.')
		expect(readText(failed.html)).toContain('Pay what you owe')
	})

	test('requires every answer, keeps the given ones, and says so in the title', async () => {
		const visitor = await signedIn()
		const answer = await visitor.post(TAB, TAB, { reason: '', other: 'kept <b>as typed</b>' })
		expect(answer.status).toBe(400)
		const html = await answer.text()
		expect(readTitle(html)).toMatch(/^Error: Account closure/)
		for (const message of ['Select a reason', 'Select what to close', 'Select what happens to your holdings'])
			expect(html).toContain(message)
		expect(html).toContain('kept &lt;b&gt;as typed&lt;/b&gt;')
	})

	test('cannot be entered out of order, and never by a dormant client', async () => {
		const visitor = await signedIn()
		for (const step of [TRANSFER, CHECK]) expect((await visitor.send(step)).headers.get('location')).toBe(TAB)
		await visitor.post(TAB, TAB, ANSWERS)
		expect((await visitor.send(CHECK)).headers.get('location')).toBe(TRANSFER)
		// Another client in the same browser has no access to it.
		await visitor.login('NEW001')
		const stranger = await signedIn('NEW001')
		for (const [name, value] of visitor.cookies) if (name.endsWith('closure')) stranger.cookies.set(name, value)
		expect((await stranger.send(TRANSFER)).headers.get('location')).toBe(TAB)
		expect((await (await signedIn('DORM01')).send(TAB)).headers.get('location')).toBe('/rekyc')
		expect((await new Visitor(opened.portal).send(CHECK)).headers.get('location')).toBe(`/login?redirectTo=${encodeURIComponent(CHECK)}`)
	})
})

describe('closing without holdings', () => {
	test('is requested once, however often the form is sent, then signed, shown as closing and withdrawn', async () => {
		const visitor = await signedIn('NEW001')
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
		const withdrawn = await withdraw(visitor)
		expect([withdrawn.status, withdrawn.headers.get('location')]).toEqual([303, TAB])
		expect(readText((await visitor.visit(TAB)).html)).toContain('Close your account')
	})

	test('shows the broker’s refusal, and says when the outcome is unknown', async () => {
		const visitor = await signedIn()
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
		const before = hidden((await visitor.visit(CHECK)).html, 'idempotency_key')
		const lost = await visitor.post(CHECK, CHECK, { idempotency_key: before })
		expect(lost.status).toBe(503)
		const text = await lost.text()
		expect(text).toContain('may already have been recorded')
		expect(hidden(text, 'idempotency_key')).toBe(before)
	})
})

describe('closing with transfer', () => {
	test('calls the broker only from the check page, with both files under names of ours, and closes', async () => {
		const visitor = await signedIn()
		await visitor.post(TAB, TAB, ANSWERS)
		opened.asked.length = 0
		const sent = await sendTransfer(visitor, { client_code: 'DEMO01' })
		expect([sent.status, sent.headers.get('location')]).toEqual([303, CHECK])
		// No call before the check page.
		const calls = () => opened.asked.filter(({ url }) => url.includes(WITH_TRANSFER))
		expect((await visitor.visit(CHECK)).status).toBe(200)
		expect(calls()).toEqual([])
		const away = await proceed(visitor)
		expect(calls()).toHaveLength(1)
		const [call] = calls()
		expect(new URL(call?.url ?? '').searchParams.get('close_in')).toBe('CDSL')
		const form = await call?.formData()
		expect(form?.get('client_code')).toBe('CLOS01')
		expect([form?.get('account_type'), form?.get('cdsl_bo_id'), form?.get('nsdl_bo_id')]).toEqual(['CDSL', '1300000000200815', ''])
		const master = form?.get('client_master') as File
		expect([master.name, master.type, await master.text()]).toEqual(['client_master.pdf', 'application/pdf', await PDF.text()])
		const check = await visitor.visit(CHECK)
		for (const said of ['CDSL 1300000000200815', 'Moving to another broker', 'It cannot be undone']) expect(check.html).toContain(said)
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
		const visitor = await signedIn()
		await visitor.post(TAB, TAB, ANSWERS)
		const answer = await sendTransfer(visitor, fields, files)
		expect(answer.status).toBe(status)
		const html = await answer.text()
		expect(html).toContain('There is a problem')
		expect(html).toContain(message)
		expect(html).toContain('value="1300000000200815"'.slice(0, fields.cdsl_bo_id ? 7 : undefined))
	})

	test('shows the broker’s refusal on the check page: the target account is the client’s own', async () => {
		const visitor = await signedIn()
		await visitor.post(TAB, TAB, ANSWERS)
		await sendTransfer(visitor, { cdsl_bo_id: '1209990000100451' })
		const answer = await proceed(visitor)
		expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('Enter the account at your new broker')])
	})

	test('accepts a signature as PDF', async () => {
		const visitor = await signedIn()
		await visitor.post(TAB, TAB, ANSWERS)
		expect((await sendTransfer(visitor, {}, { signature: PDF })).headers.get('location')).toBe(CHECK)
		const away = await proceed(visitor)
		expect([away.status, away.headers.get('location')]).toEqual([303, expect.stringContaining('response=')])
	})

	test('asks for the files again after half an hour, and never sends others in their place', async () => {
		const visitor = await signedIn()
		await visitor.post(TAB, TAB, ANSWERS)
		await sendTransfer(visitor)
		const other = await signedIn()
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
		const visitor = await signedIn('NEW001')
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

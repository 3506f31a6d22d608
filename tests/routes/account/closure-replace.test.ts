import { describe, expect, test } from 'vitest'
import { sendTransfer } from '#tests/support/closure'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { findAttribute, hidden, parsePage, readKeys, readText, readTitle } from '#tests/support/readers'

/* A broker that answers 409 to a closure because one is pending: an unsigned request may be replaced after a question, a signed one withdrawn. */

const opened = openPortalForFile()

const TAB = '/myaccount/closure'
const CHECK = '/myaccount/closure/check'
const PENDING = 'A closure request is already pending'
const ANSWERS = { reason: 'Service', close: 'Trading and Demat', holdings: 'close' }

async function press(visitor: Visitor, html: string, fields: Record<string, string> = {}) {
	const answer = await visitor.postRaw(CHECK, { ...readKeys(html), ...fields })
	return { status: answer.status, location: answer.headers.get('location') ?? '', html: await answer.text() }
}

/** The check page of answers that differ from those of the pending request. */
async function openSecond(visitor: Visitor) {
	await visitor.post(TAB, TAB, { ...ANSWERS, close: 'Demat' })
	return (await visitor.visit(CHECK)).html
}

async function openFirst(visitor: Visitor) {
	await visitor.post(TAB, TAB, ANSWERS)
	const away = await press(visitor, (await visitor.visit(CHECK)).html)
	expect(away.status).toBe(303)
	return new URL(away.location).searchParams.get('response') ?? ''
}

/** The key and the hidden answer of the form that asks whether to replace the pending request. */
function readQuestion(html: string) {
	const form = html.slice(html.indexOf('name="asked"') - 400)
	const replaces = hidden(html, 'replaces')
	return { idempotency_key: hidden(form, 'idempotency_key'), ...(replaces && { replaces }) }
}

/** The page that asks whether a second request replaces the first, and the e-sign response of the first. */
async function openQuestion(visitor: Visitor) {
	const response = await openFirst(visitor)
	const { html } = await press(visitor, await openSecond(visitor))
	opened.asked.length = 0
	return { response, html, reference: hidden(html, 'replaces') }
}

const atProvider = (response: string, outcome: string) =>
	fetch('https://esign.test/esign', { method: 'POST', body: new URLSearchParams({ response, outcome }), redirect: 'manual' })

const buttons = (html: string) => parsePage(html).querySelectorAll('main form button').map(readText)

const ESIGN = '/v1/acc-closing-esign-proccess'
const WITHDRAWAL = '/v1/ours/withdraw-closure'
const isCall = (request: Request, path: string) => new URL(request.url).pathname === path
const keysSent = (path: string) => opened.asked.filter((call) => isCall(call, path)).map(({ headers }) => headers.get('idempotency-key'))

/** The broker does the work of this call, and its reply is lost. */
const loseReply = (path: string) =>
	opened.breakBroker(async (request) => {
		if (!isCall(request, path)) return undefined
		await opened.forward(request)
		return new Response('', { status: 504 })
	})

async function withdraw(visitor: Visitor, html: string) {
	const form = html.slice(html.indexOf('value="withdraw"') - 400)
	const fields = { csrf: hidden(html, 'csrf'), reference: hidden(form, 'reference'), idempotency_key: hidden(form, 'idempotency_key') }
	return await visitor.postRaw(TAB, { ...fields, intent: 'withdraw' })
}

describe('a request that is pending at the broker', () => {
	test('is named when it is unsigned, and replaced only after the question', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		await openFirst(visitor)
		const second = await openSecond(visitor)
		opened.asked.length = 0
		const asked = await press(visitor, second)
		expect([asked.status, readTitle(asked.html)]).toEqual([422, expect.stringMatching(/^Error: Check your answers/)])
		expect(opened.asked.filter(({ url }) => url.includes('withdraw-closure'))).toEqual([])
		const text = readText(asked.html)
		const [, reference = 'none'] = /Reference (ES-\w+) Close Trading and Demat .* Asked for \d\d:\d\d on [\d/]{10}/.exec(text) ?? []
		expect(text).toContain(PENDING)
		expect(text).toContain(`Replace request ${reference}, which awaits your e-sign, with this one?`)
		expect(buttons(asked.html)).toEqual(['Withdraw the request', 'Replace it and e-sign'])
		expect(findAttribute(asked.html, 'main a[href^="/esign/return"]', 'href')).toBe(`/esign/return?ref=${reference}&begin=1`)

		const replace = readQuestion(asked.html)
		const [first, repeated] = await Promise.all([press(visitor, asked.html, replace), press(visitor, asked.html, replace)])
		expect([first?.status, first?.location]).toEqual([303, repeated?.location])
		const page = readText((await visitor.visit(TAB)).html)
		expect(page).toMatch(/Status Waiting for your e-sign Reference ES-\w+ Close Demat /)
		expect(page).not.toContain(reference)
		await withdraw(visitor, (await visitor.visit(TAB)).html)
	})

	test('is shown with its withdrawal when it is signed, also when it was signed after the question', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		const response = await openFirst(visitor)
		const second = await openSecond(visitor)
		const asked = await press(visitor, second)
		await atProvider(response, 'sign')
		const signed = await press(visitor, asked.html, readQuestion(asked.html))
		expect(signed.status).toBe(422)
		expect(readText(signed.html)).toMatch(/already pending.*Your account is being closed.*Status Closing/)
		expect(buttons(signed.html)).toEqual(['Withdraw the request'])
		const withdrawn = await withdraw(visitor, signed.html)
		expect([withdrawn.status, withdrawn.headers.get('location')]).toEqual([303, TAB])
		expect(readText((await visitor.visit(TAB)).html)).toContain('Your closure request is withdrawn.')
	})

	test('is asked about in a transfer too, which keeps its files', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		const walk = async (cdsl_bo_id: string) => {
			await visitor.post(TAB, TAB, { ...ANSWERS, holdings: 'transfer' })
			await sendTransfer(visitor, { cdsl_bo_id })
			return await press(visitor, (await visitor.visit(CHECK)).html)
		}
		expect((await walk('1300000000200815')).status).toBe(303)
		const asked = await walk('1300000000200816')
		expect([asked.status, readText(asked.html)]).toEqual([422, expect.stringContaining('Transferred to CDSL 1300000000200815')])
		const replaced = await press(visitor, asked.html, readQuestion(asked.html))
		expect(replaced.status).toBe(303)
		expect(readText((await visitor.visit(TAB)).html)).toContain('Transferred to CDSL 1300000000200816')
	})

	test('that the broker cannot list has its message and a link to the closure page', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		await visitor.post(TAB, TAB, ANSWERS)
		const { html } = await visitor.visit(CHECK)
		opened.breakBroker(({ url }) => {
			if (url.includes('acc-closing-esign')) return Response.json({ status: 'error', message: PENDING, data: null }, { status: 409 })
			return url.includes('/v1/ours/') ? new Response('', { status: 404 }) : undefined
		})
		const refused = await press(visitor, html)
		expect([refused.status, readText(refused.html)]).toEqual([422, expect.stringContaining(PENDING)])
		expect(findAttribute(refused.html, `main .actions a[href="${TAB}"], main form a[href="${TAB}"]`, 'href')).toBe(TAB)
		expect(readText(refused.html)).toContain('See your closure request')
	})
})

describe('a replacement that fails after the question', () => {
	test('is the same request when it is pressed again after a lost reply, also on the page opened anew', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		const { html, reference } = await openQuestion(visitor)
		loseReply(ESIGN)
		const lost = await press(visitor, html, readQuestion(html))
		expect([lost.status, readText(lost.html)]).toEqual([502, expect.stringContaining(`Request ${reference} is withdrawn.`)])
		expect(readText(lost.html)).not.toContain('Replace request')
		expect(buttons(lost.html)).toEqual(['Proceed to e-sign'])
		opened.breakBroker(undefined)
		const anew = await press(visitor, (await visitor.visit(CHECK)).html)
		const again = await press(visitor, lost.html)
		expect([anew.status, again.status, again.location]).toEqual([303, 303, anew.location])
		expect([new Set(keysSent(ESIGN)).size, keysSent(WITHDRAWAL).length]).toEqual([1, 1])
		await withdraw(visitor, (await visitor.visit(TAB)).html)
	})

	test('says that the other request is withdrawn when the broker then refuses', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		const { html, reference } = await openQuestion(visitor)
		opened.failCalls(ESIGN, () => Response.json({ status: 'error', message: 'The e-sign is closed', data: null }, { status: 422 }))
		const refused = await press(visitor, html, readQuestion(html))
		expect([refused.status, readText(refused.html)]).toEqual([
			422,
			expect.stringMatching(new RegExp(`The e-sign is closed .*Request ${reference} is withdrawn\\.`)),
		])
		expect(buttons(refused.html)).toEqual(['Proceed to e-sign'])
		opened.breakBroker(undefined)
		expect((await press(visitor, refused.html)).status).toBe(303)
		await withdraw(visitor, (await visitor.visit(TAB)).html)
	})

	test('asks again when the reply of the withdrawal was lost', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		const { html, reference } = await openQuestion(visitor)
		loseReply(WITHDRAWAL)
		const lost = await press(visitor, html, readQuestion(html))
		expect([lost.status, readText(lost.html)]).toEqual([502, expect.stringContaining(`Replace request ${reference} with this one?`)])
		opened.breakBroker(undefined)
		expect((await press(visitor, lost.html, readQuestion(lost.html))).status).toBe(303)
		await withdraw(visitor, (await visitor.visit(TAB)).html)
	})

	test('has one message however often the e-sign page is refused', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		const { html, reference } = await openQuestion(visitor)
		opened.rewriteCalls(ESIGN, (json) => (json.data = 'https://evil.test/sign'))
		const first = await press(visitor, html, readQuestion(html))
		const second = await press(visitor, first.html, readQuestion(first.html))
		for (const { status, html: shown } of [first, second])
			expect([status, readText(shown)]).toEqual([502, expect.stringContaining('its address is not approved')])
		expect(readText(first.html)).toContain(`Request ${reference} is withdrawn.`)
		await withdraw(visitor, (await visitor.visit(TAB)).html)
	})

	test('withdraws no request that was signed just before the withdrawal', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		const { html, reference, response } = await openQuestion(visitor)
		opened.breakBroker(async (request) => {
			if (isCall(request, WITHDRAWAL)) await atProvider(response, 'sign')
			return undefined
		})
		const late = await press(visitor, html, readQuestion(html))
		expect([late.status, readText(late.html)]).toEqual([422, expect.stringMatching(/can not be withdrawn any more.*Status Closing/)])
		expect(readText(late.html)).toContain(reference)
		opened.breakBroker(undefined)
		await withdraw(visitor, late.html)
	})
})

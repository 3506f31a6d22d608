import { describe, expect, test } from 'vitest'
import { hidden, lastCode, PDF, sendCode, sendForm, readText } from '#tests/support/account'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { firstLink, readKeys } from '#tests/support/readers'

/* Requests on the account's pages are done once: after a lost reply, and after a refusal that was corrected. */

const opened = openPortalForFile()

const CLOSURE = '/myaccount/closure'
const TRANSFER = `${CLOSURE}/transfer`
const LOST = 'The request may already have been recorded;'
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='

/** The broker carries out the next call to this path, and its reply is lost. Returns the keys of the calls. */
function loseAnswerTo(path: string): (string | null)[] {
	const keys: (string | null)[] = []
	let isPassing = false
	opened.breakBroker((request) => {
		if (isPassing || !request.url.includes(path)) return undefined
		keys.push(request.headers.get('idempotency-key'))
		if (keys.length > 1) return undefined
		isPassing = true
		return fetch(request).then(() => {
			isPassing = false
			return new Response('', { status: 502 })
		})
	})
	return keys
}

/** Sends the form, loses its reply, and sends it again with the key of the page that reported this. */
async function sendTwice(visitor: Visitor, page: string, path: string, fields: Record<string, string>) {
	const { html } = await visitor.visit(page)
	const form = { ...readKeys(html), ...fields }
	const keys = loseAnswerTo(path)
	const lost = await visitor.postRaw(page, form)
	const said = await lost.text()
	expect([lost.status, readText(said)]).toEqual([502, expect.stringContaining(LOST)])
	// Without scripts the page shows the result, which may have no form. With scripts the form stays.
	const shown = hidden(said, 'idempotency_key') || form.idempotency_key
	const again = await visitor.postRaw(page, { ...form, idempotency_key: shown })
	expect(keys).toEqual([form.idempotency_key, form.idempotency_key])
	expect(keys[0]).toMatch(/^[\w-]{36}$/)
	return again
}

describe('a lost reply', () => {
	test('to another default bank', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit('/myaccount/bank')
		const bank = hidden(html.slice(html.indexOf('value="make_default"')), 'bank')
		const done = await sendTwice(visitor, '/myaccount/bank', 'default-bank-change', { intent: 'make_default', bank })
		expect(done.status).toBe(303)
		expect(readText((await visitor.visit('/myaccount/bank')).html)).toContain('Default bank changed successfully')
	})

	test('to a withdrawn change', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		await visitor.post('/myaccount/email', '/myaccount/email', { input: 'somebody.new@example.com' })
		await sendCode(visitor, '/myaccount/email/otp', { otp: await lastCode('NEW001') })
		const question = firstLink((await visitor.visit('/myaccount/requests')).html, '/myaccount/requests?withdraw=')
		const { html } = await visitor.visit(question)
		const done = await sendTwice(visitor, question, 'change-withdrawal', { reference: hidden(html, 'reference') })
		expect(done.status).toBe(303)
		expect(readText((await visitor.visit('/myaccount/requests')).html)).toContain('Your request is withdrawn.')
	})

	test('to a closure, and to its withdrawal', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		await visitor.post(CLOSURE, CLOSURE, { reason: 'Service', close: 'Trading and Demat', holdings: 'close' })
		const away = await sendTwice(visitor, `${CLOSURE}/check`, 'acc-closing-esign-proccess', {})
		expect([away.status, away.headers.get('location')]).toEqual([303, expect.stringContaining('response=')])
		const { html } = await visitor.visit(CLOSURE)
		const fields = { intent: 'withdraw', reference: hidden(html, 'reference') }
		expect((await sendTwice(visitor, CLOSURE, 'withdraw-closure', fields)).status).toBe(303)
		expect(readText((await visitor.visit(CLOSURE)).html)).toContain('Your closure request is withdrawn.')
	})
})

test('a refused transfer has a new key in its reply, which is used when the form is corrected', async () => {
	const CHECK = `${CLOSURE}/check`
	const visitor = await signedIn(opened, 'CLOS01')
	await visitor.post(CLOSURE, CLOSURE, { reason: 'Service', close: 'Trading and Demat', holdings: 'transfer' })
	const { html } = await visitor.visit(TRANSFER)
	const csrf = hidden(html, 'csrf')
	const send = (bo_id: string) =>
		sendForm(
			visitor,
			TRANSFER,
			{ csrf, account_type: 'CDSL', cdsl_bo_id: bo_id, nsdl_bo_id: '' },
			{ client_master: PDF, signature: new File([Buffer.from(PNG, 'base64')], 'sign.png', { type: 'image/png' }) },
		)
	await send('1300000000200899')
	const keys = readKeys((await visitor.visit(CHECK)).html)
	const message = 'The depository does not know this account'
	opened.failCalls('/v1/acc-closing-with-transfer-esign-proccess', () => Response.json({ status: 'error', message }, { status: 422 }))
	const refused = await visitor.postRaw(CHECK, keys)
	opened.breakBroker(undefined)
	expect(refused.status).toBe(422)
	const fresh = hidden(await refused.text(), 'idempotency_key')
	expect(fresh).not.toBe(keys.idempotency_key)
	// From now on it is the form's key in this browser, on every page.
	expect(hidden((await visitor.visit(CHECK)).html, 'idempotency_key')).toBe(fresh)
	expect((await send('1300000000200815')).headers.get('location')).toBe(CHECK)
	const away = await visitor.postRaw(CHECK, readKeys((await visitor.visit(CHECK)).html))
	expect([away.status, away.headers.get('location')]).toEqual([303, expect.stringContaining('response=')])
})

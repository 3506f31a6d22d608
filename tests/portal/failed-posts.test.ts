import { afterEach, describe, expect, test, vi } from 'vitest'
import { isLong } from '#sandbox/testing/runs'
import { hidden, lastCode, PDF, sendForm } from '#tests/support/account'
import { MONEY_FORMS, type Ready } from '#tests/support/money-forms'
import { openPortalForFile, signedIn, Visitor } from '#tests/support/portal'
import { FORMS, NO_FORMS } from '#tests/support/post-forms'
import { readKeys, readText } from '#tests/support/readers'
import { PLACES } from '#tests/support/site-map'

/* Every form when its own call fails, and when an earlier call fails. The client must not have to type anything again. */

const SAID = 'The desk is shut until 4, says PW-17'
const error = (status: number) => Response.json({ status: 'error', message: SAID, data: null }, { status })
/** A refusal about fields by the broker's own names. */
const ODD = 'Must be 3 to 60 characters'
const FIELDS = { fields: [{ name: 'data.0.acc_no', message: ODD }] }
const ABOUT_FIELDS = () => Response.json({ status: 'error', message: SAID, data: FIELDS }, { status: 422 })
const HTML = () => new Response('<html><body>Traceback secret</body></html>', { status: 500, headers: { 'content-type': 'text/html' } })

const NO_JSON = () => new Response('<html>It works!', { headers: { 'content-type': 'text/html' } })
const HALF = () => new Response('{"status":"success","message":"ok","da', { headers: { 'content-type': 'application/json' } })
/** The headers and the first bytes arrive, then the connection breaks. */
const BROKEN_OFF = () => {
	let isSent = false
	const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
		if (isSent) controller.error(new Error('terminated'))
		else controller.enqueue(new TextEncoder().encode('{"status":"succ'))
		isSent = true
	}
	return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'application/json' } })
}
const GARBLED = 'The broker’s system sent an unexpected response.'

/** How a call fails, and how the form answers. */
const FAULTS: readonly [name: string, answer: () => Response, status: number, words: string][] = [
	['500 with a message', () => error(500), 502, SAID],
	['500 with a page', HTML, 502, ''],
	['200 with a page', NO_JSON, 502, GARBLED],
	['half an answer', HALF, 502, GARBLED],
	['an answer that breaks off', BROKEN_OFF, 502, GARBLED],
	['422 about fields', ABOUT_FIELDS, 422, SAID],
	// The last one, because it ends the OTP step.
	['404 with a message', () => error(404), 422, SAID],
]

/**
 * In the short form each form gets one of the three replies without JSON, and one of the two with status 500. The portal's client reads
 * all of them in one place (app/broker/client.server.test.ts).
 */
const chooseFaults = (turn: number) =>
	isLong ? FAULTS : [FAULTS[turn % 2], FAULTS[2 + (turn % 3)], ...FAULTS.slice(5)].filter((fault) => fault !== undefined)

const LATER = 'Try again in a few minutes.'

/** Fields never shown again, or only valid for one post. */
const HIDDEN = /^(csrf|idempotency_key|otp|password|.*_password|intent|step|draft|asked|reference|ref|exchange)$/

const opened = openPortalForFile()
afterEach(() => {
	vi.useRealTimers()
})

const send = (visitor: Visitor, { address, fields, files }: Ready) =>
	files ? sendForm(visitor, address, fields, files) : visitor.postRaw(address, fields)

/** The files whose forms were sent. */
const posted = new Set<string>()

describe.each(FORMS)('$name', ({ name, who, call, lookups = [], prepare, isEachAnew, gone, garbled = GARBLED }) => {
	test('is shown again as typed, with the broker’s message', { timeout: 60_000 }, async () => {
		const visitor = who ? await signedIn(opened, who) : new Visitor(opened.portal)
		let ready = await prepare(visitor, 0)
		const paths = [...lookups, ...(call ? [call] : [])]
		for (const [round, [fault, answer, status, words]] of chooseFaults(FORMS.findIndex((form) => form.name === name)).entries()) {
			if (isEachAnew && round > 0) {
				opened.breakBroker(undefined)
				ready = await prepare(visitor, round)
			}
			const typed = Object.entries(ready.fields).filter(([field, value]) => !HIDDEN.test(field) && value.length > 1)
			for (const path of paths) {
				await opened.untilQuiet()
				opened.failCalls(path, answer)
				const since = opened.asked.length
				const sent = await send(visitor, ready)
				posted.add(new URL(ready.address, 'https://portal.test').pathname)
				const html = await sent.text()
				const text = readText(html)
				const where = `${name}: ${path} ${fault}`
				if (gone && answer().status === 404) {
					expect([where, sent.status, text]).toEqual([where, 422, expect.stringContaining(gone)])
					continue
				}
				expect([where, sent.status], text).toEqual([where, status])
				expect(text, where).toContain('There is a problem')
				expect(text, where).toContain(words === GARBLED ? garbled : words)
				if (answer === ABOUT_FIELDS && path === call) expect(text, where).toContain(ODD)
				expect(text, where).not.toMatch(/Page not found|Something went wrong|Traceback|No Data Found|undefined|NaN|did not answer/)
				for (const [field, value] of typed) expect(html, `${where}: ${field}`).toContain(value.replaceAll('&', '&amp;'))
				for (const secret of ['Demo@1234', 'Other@5678']) expect(html, where).not.toContain(secret)
				if (path === call) continue
				// Some responses of the broker tell the client to try again in some minutes.
				expect(text, where).toContain(status === 422 ? 'Nothing was sent.' : `Nothing was sent. ${LATER}`)
				if (status === 422) expect(text, where).not.toContain(LATER)
				expect(opened.asked.slice(since).filter(({ url }) => new URL(url).pathname === call)).toEqual([])
			}
		}
		// The client is still signed in.
		opened.breakBroker(undefined)
		if (who) expect((await visitor.visit('/myaccount')).status).toBe(200)
	})
})

test('covers every file whose action calls the broker', () => {
	const files = PLACES.filter(({ hasAction }) => hasAction)
	const sent = files.filter(({ pattern }) => [...posted].some((address) => pattern.test(address)))
	const known = new Set([...sent.map(({ file }) => file), ...Object.keys(NO_FORMS)])
	expect([...known].sort()).toEqual([...new Set(files.map(({ file }) => file))].sort())
})

test.each([
	['failed', () => error(500), `${SAID}.`],
	['sent a page', NO_JSON, GARBLED],
	['broke off', BROKEN_OFF, GARBLED],
] as const)(
	'a payout whose response %s says that the request may be recorded, not that the broker did not answer',
	async (_, answer, said) => {
		const visitor = await signedIn(opened, 'DEMO01')
		const form = MONEY_FORMS.find(({ name }) => name === 'a payout')
		const ready = await form?.prepare(visitor, 0)
		if (!ready) throw new Error('There is no such form')
		opened.failCalls('/v1/account_profile/fund_payout', answer)
		const html = await (await send(visitor, ready)).text()
		const check = 'The request may already have been recorded; check your requests and history before trying again.'
		expect(readText(html)).toContain(`${said} ${check} Trying again cannot do it twice.`)
		expect(hidden(html, 'idempotency_key')).toBe(ready.fields.idempotency_key)
	},
)

test('asks to try again later when an earlier call of the form was made too often', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const ready = await MONEY_FORMS.find(({ name }) => name === 'a pay-in')?.prepare(visitor, 0)
	if (!ready) throw new Error('There is no such form')
	opened.failCalls('/v2/account-profile/bank-details', () => error(429))
	const sent = await send(visitor, ready)
	expect([sent.status, readText(await sent.text())]).toEqual([429, expect.stringContaining(`${SAID}. Nothing was sent. ${LATER}`)])
})

test('keeps the OTP step when another OTP may not be sent yet, and says when it may', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	await visitor.post('/myaccount/email', '/myaccount/email', { input: 'new.three@example.com' })
	const { html } = await visitor.visit('/myaccount/email/otp')
	const fields = { csrf: hidden(html, 'csrf'), step: hidden(html, 'step'), intent: 'resend_otp' }
	const sent = await visitor.postRaw('/myaccount/email/otp', fields)
	expect([sent.status, sent.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
	expect(await sent.text()).toContain('name="otp"')
})

test('asks for files and proofs again, and never keeps them', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	await visitor.post('/myaccount/income', '/myaccount/income', { income: '5-10 Lakh' })
	const page = (await visitor.visit('/myaccount/income/otp')).html
	const own = { ...readKeys(page), step: hidden(page, 'step') }
	opened.failCalls('/v1/modifications/income-modification', () => error(404))
	const sent = await sendForm(visitor, '/myaccount/income/otp', { ...own, otp: await lastCode('CASH01') }, { file: PDF })
	const html = await sent.text()
	expect([sent.status, readText(html)]).toEqual([422, expect.stringContaining(SAID)])
	expect(html).not.toContain('my salary.pdf')
})

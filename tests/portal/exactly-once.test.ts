import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { sendForm } from '#tests/support/account'
import { MONEY_FORMS, type Ready } from '#tests/support/money-forms'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { PLACES } from '#tests/support/site-map'

/*
 * Every form that moves money or securities: sent twenty times at once, then once more, then as a new form. The broker must be called
 * once, then not at all, then once.
 */

/** Actions that move neither, each with its reason. An action in no list fails the test. */
const OTHERS: Record<string, string> = {
	'account/bank.tsx': 'sends a code, its step is account/otp.tsx; makes a bank the default: account-idempotency.test.ts',
	'account/contact.tsx': 'sends a code; its step is account/otp.tsx',
	'account/income.tsx': 'sends a code; its step is account/otp.tsx',
	'account/nominee.tsx': 'sends a code; its step is account/otp.tsx',
	'account/otp.tsx': 'changes a profile: modifications.test.ts',
	'account/requests.tsx': 'withdraws a change of the profile: account-idempotency.test.ts',
	'account/segments.tsx': 'sends a code; its step is account/otp.tsx',
	'account/closure-transfer.tsx': 'leads to the check page, which sends the request',
	'auth/keep-alive.ts': 'keeps the session alive',
	'auth/change-password.tsx': 'a password',
	'auth/forgot-password.tsx': 'a password',
	'auth/login.tsx': 'a session',
	'auth/logout.tsx': 'a session',
	'depository/pledge-return.tsx': 'leads to the depository’s page of a request that exists',
	'depository/pledge.tsx': 'leads to the review page, which sends the request',
	'depository/edis.tsx': 'sends a code; its step is depository/otp.tsx',
	'esign/confirm.tsx': 'leads to the provider’s page of a request that exists',
	'ipo/bids.tsx': 'refreshes the status of mandates at the exchange',
	'maintenance.tsx': 'checks whether the broker is back',
	'reports/profit-and-loss.tsx': 'a report',
	'theme.ts': 'a colour',
	'web-link/reports.tsx': 'a session of a report link',
}

/** The broker's call is a GET without a key: a new request replaces the old one, and neither takes effect before it is signed. */
const WITHOUT_A_KEY = new Set(['the DDPI'])

/** The key is made from the form's key and the code, because the code may be another one after Back. */
const WITH_A_CODE = new Set(['a stock verification'])

const opened = openPortalForFile()

const send = (visitor: Visitor, { address, fields, files }: Ready) =>
	files ? sendForm(visitor, address, fields, files) : visitor.postRaw(address, fields)
const listCalls = (call: string, since: number) => opened.asked.slice(since).filter(({ url }) => new URL(url).pathname === call)
const listKeys = (calls: readonly Request[]) => calls.map(({ headers }) => headers.get('idempotency-key') ?? '')

test('every action of the portal is listed: it moves money or securities, or has a reason why it does not', () => {
	const actions = [...new Set(PLACES.filter(({ hasAction }) => hasAction).map(({ file }) => file.replace('routes/', '')))]
	expect(actions.sort()).toEqual([...new Set([...MONEY_FORMS.map(({ route }) => route), ...Object.keys(OTHERS)])].sort())
	// These operations are idempotent at the broker; each must belong to a form below.
	const profile = ['account/bank.tsx', 'account/otp.tsx', 'account/requests.tsx']
	const keyed = actions.filter((name) => /\brunIdempotent\(|idempotencyKey/.test(read(name)))
	expect(keyed.filter((file) => !MONEY_FORMS.some(({ route }) => route === file)).sort()).toEqual(profile)
})
const read = (file: string) => fs.readFileSync(path.join('app/routes', file), 'utf8')

describe.each(MONEY_FORMS)('$name', ({ name, who, call, prepare }) => {
	test('makes one call for twenty posts at once, none or an equal one for one more, and another for a new form', async () => {
		const visitor = await signedIn(opened, who)
		const ready = await prepare(visitor, 0)
		const since = opened.asked.length
		const answers = await Promise.all(Array.from({ length: 20 }, () => send(visitor, ready)))
		expect(new Set(answers.map(({ status }) => status)), await answers.at(-1)?.text()).toEqual(new Set([303]))
		const calls = listCalls(call, since)
		const key = WITHOUT_A_KEY.has(name) ? '' : (ready.fields.idempotency_key ?? '')
		expect(key).toMatch(WITHOUT_A_KEY.has(name) ? /^$/ : /^[0-9a-f-]{36}$/)
		expect(calls).toHaveLength(1)
		const sent = WITH_A_CODE.has(name) ? (listKeys(calls)[0] ?? '') : key
		expect([sent.length, listKeys(calls)]).toEqual([key.length, [sent]])
		const places = new Set(answers.map(({ headers }) => headers.get('location')))
		expect(places.size).toBe(1)

		// After the back button or a reload: no call under another key.
		await send(visitor, ready)
		expect(new Set(listKeys(listCalls(call, since)))).toEqual(new Set([sent]))

		const other = await prepare(visitor, 1)
		if (!WITHOUT_A_KEY.has(name)) expect(other.fields.idempotency_key).not.toBe(ready.fields.idempotency_key)
		const from = opened.asked.length
		await send(visitor, other)
		const [next = 'none'] = listKeys(listCalls(call, from))
		if (WITH_A_CODE.has(name)) expect([next.length, next]).toEqual([key.length, expect.not.stringMatching(sent)])
		else expect(next).toBe(WITHOUT_A_KEY.has(name) ? '' : other.fields.idempotency_key)
	})

	test('makes no call without the portal’s idempotency key', async () => {
		const visitor = await signedIn(opened, who)
		if (WITHOUT_A_KEY.has(name)) return
		const ready = await prepare(visitor, 2)
		const since = opened.asked.length
		for (const idempotency_key of ['', 'not-a-key', `${randomUUID()}\r\nX: 1`]) {
			const answer = await send(visitor, { ...ready, fields: { ...ready.fields, idempotency_key } })
			expect([idempotency_key, answer.status < 500, listCalls(call, since).length]).toEqual([idempotency_key, true, 0])
		}
	})
})

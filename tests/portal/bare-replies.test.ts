import { describe, expect, test } from 'vitest'
import { lastCode, sendCode } from '#tests/support/account'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { FORMS } from '#tests/support/post-forms'
import { readText } from '#tests/support/readers'

/* A change that the broker made is never reported as failed: its reply may leave out everything that no page shows. */

const opened = openPortalForFile()

type Json = Record<string, unknown>

/** Sends a form to a broker whose reply is changed like this. Returns where the portal leads. */
async function sendTo(name: string, change: (json: Json) => unknown) {
	const form = FORMS.find((each) => each.name === name)
	if (!form?.call) throw new Error(`There is no form ${name}`)
	const visitor = await signedIn(opened, form.who)
	const { address, fields } = await form.prepare(visitor, 0)
	opened.rewriteCalls(form.call, (json) => void change(json))
	const { status, headers } = await visitor.postRaw(address, fields)
	opened.breakBroker(undefined)
	return { status, visitor, to: headers.get('location') ?? '' }
}

describe.each(['the end of a mandate', 'the end of a payout', 'the state of mandates', 'the default bank'])('%s is done', (name) => {
	test.each([
		['{}', (json: Json) => (json.data = {})],
		['an empty text', (json: Json) => (json.data = '')],
		['nothing', (json: Json) => delete json.data],
	])('when the content of the reply is %s', async (_, change) => {
		expect((await sendTo(name, change)).status).toBe(303)
	})
})

test('a payout is asked for when the reply has no status', async () => {
	expect((await sendTo('a payout', ({ data }) => delete (data as Json).status)).status).toBe(303)
})

test('another OTP of a verification was sent', async () => {
	// The sandbox sends none within half a minute.
	const change = (json: Json) => Object.assign(json, { status: 'success', message: 'OTP sent', data: {} })
	expect((await sendTo('the code of a verification once more', change)).status).toBe(303)
})

describe('an OTP was sent', () => {
	const FORMS_WITH_OTP = ['a mobile number', 'an e-mail', 'a bank', 'a segment', 'nominees', 'a code for a verification']

	test.each(FORMS_WITH_OTP)('%s: the next step opens without the times', async (name) => {
		const change = (json: Json) => {
			delete json.message
			for (const field of ['expires_in', 'resend_in', 'is_penny']) delete (json.data as Json)[field]
		}
		const { status, visitor, to } = await sendTo(name, change)
		expect([status, to]).toEqual([303, expect.stringMatching(/\/otp$/)])
		const { html } = await visitor.visit(to)
		expect(html).toContain('Verify OTP')
		expect(readText(html)).toContain('OTP sent.')
		expect(readText(html)).not.toMatch(/valid until|Invalid|NaN|undefined/)
	})

	test('the OTP of a reply without content works', async () => {
		const { visitor, to } = await sendTo('a mobile number', (json) => (json.data = null))
		expect((await sendCode(visitor, to, { otp: await lastCode('DEBT01') })).headers.get('location')).toBe('/esign')
	})

	test('a time of two hours is shown', async () => {
		const { visitor, to } = await sendTo('a mobile number', ({ data }) => Object.assign(data as Json, { expires_in: 7200 }))
		const [, until = ''] = /valid until (\d\d:\d\d)/.exec(readText((await visitor.visit(to)).html)) ?? []
		// The broker's clock begins at 11:00.
		expect(until).toMatch(/^13:/)
	})
})

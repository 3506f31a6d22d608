import { expect, test } from 'vitest'
import { openPortalForFile, Visitor } from '#tests/support/portal'
import { hidden } from '#tests/support/readers'

const open = openPortalForFile()

test('a code for a new password whose reply was lost may have been accepted, and the page says so', async () => {
	const person = new Visitor(open.portal)
	const answer = async (intent: string, fields: Record<string, string>) => {
		const { html } = await person.visit('/forgot-password')
		return await person.post('/forgot-password', '/forgot-password', { intent, step: hidden(html, 'step'), ...fields })
	}
	await answer('send_otp', { username: 'CASH01' })
	const sent = await (await fetch('http://127.0.0.1:4999/outbox?client=CASH01')).text()
	const otp = /(\d{6}) is the OTP to reset your password/.exec(sent)?.[1] ?? ''
	// The broker accepts the code, and its reply gets lost.
	open.breakBroker(async (request) => {
		if (new URL(request.url).pathname !== '/v1/user/forgot-password-verify') return undefined
		await (await open.forward(request)).text()
		return new Response(null, { status: 504 })
	})
	const lost = await answer('verify_otp', { otp })
	expect([lost.status, await lost.text()]).toEqual([502, expect.stringContaining('The OTP may have been accepted all the same.')])
	open.breakBroker(undefined)
	const used = await answer('verify_otp', { otp })
	expect([used.status, await used.text()]).toEqual([422, expect.stringContaining('Start again.')])
})

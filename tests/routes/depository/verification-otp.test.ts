import { expect, test } from 'vitest'
import { lastCode, readText } from '#tests/support/account'
import { freeRow, OTP, sendOtp, startVerification, VERIFY } from '#tests/support/depository'
import { openPortalForFile, signedIn } from '#tests/support/portal'

/* The OTP step of a stock verification, with replies that say little. */

const opened = openPortalForFile()

const line = (status: string, isin = 'INE238A01034') => ({ isin, qty: 1, status })

test.each([
	['without rows', []],
	['with a row whose ISIN is blank', [line('FAILED', '')]],
	['with one such row of two', [line('SUCCESS'), line('FAILED', '')]],
	['with a status that we do not know', [line('QUEUED')]],
])('a reply %s is not shown as a success', async (_, data) => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { isin } = await freeRow(visitor)
	await startVerification(visitor, isin, '1')
	opened.breakBroker(({ url }) =>
		url.includes('/edis-verify-otp') ? Response.json({ status: 'success', message: 'Done', data }) : undefined,
	)
	expect((await sendOtp(visitor, { otp: '123456' })).headers.get('location')).toBe(VERIFY)
	const text = readText((await visitor.visit(VERIFY)).html)
	expect(text).toContain('The broker took the OTP, but its reply does not say what is verified. See what is verified below.')
	expect(text).not.toContain('Stocks verified successfully')
	expect(text).not.toContain('could not be verified')
})

test('after the last resend the earlier OTPs still work, and no wait is shown', async () => {
	const visitor = await signedIn(opened, 'CLOS01')
	const { isin } = await freeRow(visitor)
	await startVerification(visitor, isin, '1')
	const message = 'No more OTPs can be sent for this request. Start again.'
	opened.failCalls('/edis/edis/v1/resend-otp', () => Response.json({ status: 'error', message, data: null }, { status: 429 }))
	const refused = await sendOtp(visitor, { intent: 'resend_otp' })
	const text = readText(await refused.text())
	expect([refused.status, text]).toEqual([429, expect.stringContaining(message)])
	expect(text).not.toContain('Too many incorrect attempts')
	opened.breakBroker(undefined)
	expect((await sendOtp(visitor, { otp: await lastCode('CLOS01') })).headers.get('location')).toBe(VERIFY)
	expect(readText((await visitor.visit(VERIFY)).html)).toContain('Stocks verified successfully')
})

test('a request that too many wrong OTPs ended says so in the broker’s words', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const { isin } = await freeRow(visitor)
	await startVerification(visitor, isin, '1')
	const message = 'Three wrong OTPs, so this request is over.'
	opened.failCalls('/edis/edis/v1/edis-verify-otp', () => Response.json({ status: 'error', message, data: null }, { status: 429 }))
	const ended = await sendOtp(visitor, { otp: '123456' })
	expect([ended.status, readText(await ended.text())]).toEqual([429, expect.stringContaining(`${message} Start again.`)])
	expect((await visitor.visit(OTP)).url).toBe(VERIFY)
})

test('an expired request says so in the broker’s words, and that the OTP may have been used', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const { isin } = await freeRow(visitor)
	await startVerification(visitor, isin, '1')
	const message = 'This OTP ended with the trading session'
	opened.failCalls('/edis/edis/v1/edis-verify-otp', () => Response.json({ status: 'error', message, data: null }, { status: 410 }))
	const ended = await sendOtp(visitor, { otp: '123456' })
	expect([ended.status, readText(await ended.text())]).toEqual([
		422,
		expect.stringContaining(`${message}. Perhaps it was used already. See what is verified, or start again.`),
	])
	opened.breakBroker(undefined)
})

test('an active DDPI whose day could not be read has a dash for it', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	opened.rewriteCalls(
		'/edis/v1/detailed_file',
		(json) => void Object.assign(json.data as object, { ddpi_status: 'ACTIVE', signed_on: '11/27/2026' }),
	)
	const text = readText((await visitor.visit('/dpprocess/ddpi')).html)
	expect(text).toContain('Signed on —')
	expect(text).toContain('1 value could not be read and is shown as —.')
})

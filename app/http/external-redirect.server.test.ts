import { afterEach, expect, test, vi } from 'vitest'
import { log } from '~/config/logger.server'
import { allowedAddress, esignAddress } from './external-redirect.server'

const broker = { reference: 'AB12-CD34EF' }
const logged = vi.spyOn(log, 'error')
afterEach(() => logged.mockClear())

test('redirects an opaque value to the configured page, and an allowed address as it is', () => {
	expect(esignAddress(broker, 'ES2503280042.9f1c27d3a4b84e0fb6d2.KH10042')).toBe(
		'https://esign.test/esign?response=ES2503280042.9f1c27d3a4b84e0fb6d2.KH10042',
	)
	const address = 'https://esign.test/sign/9f1c27d3a4b84e0f?txn=ES2503280042'
	expect(esignAddress(broker, address)).toBe(address)
	expect(logged).not.toHaveBeenCalled()
})

test.each([
	['http://esign.test/sign/9f1c27d3', 'esign.test'],
	['https://evil.test/sign/9f1c27d3?token=secret-of-the-client', 'evil.test'],
	['https://esign.test.evil.test/sign', 'esign.test.evil.test'],
	['https://esign.test@evil.test/sign', 'no address'],
	['https://esign.test:8443/sign/9f1c27d3', 'esign.test:8443'],
	['https://93.184.216.34/sign/9f1c27d3', '93.184.216.34'],
	['https://xn--esgn-5pa.test/sign/9f1c27d3', 'xn--esgn-5pa.test'],
	['https://esıgn.test/sign/9f1c27d3', 'xn--esgn-mza.test'],
	['HTTPS://ESIGN.TEST.EVIL.TEST/sign', 'no address'],
	['https:esign.test/sign/9f1c27d3', 'no address'],
	['javascript:alert(document.domain)', 'no address'],
	['https://esign.test/a https://evil.test/b', 'no address'],
	['https://esign.test/a\nhttps://evil.test/b', 'no address'],
	['<form action="https://evil.test"></form>', 'no address'],
	['ES2503280042\r\nLocation', 'no address'],
	['ES25/03280042/9f1c27d3', 'no address'],
	['', 'no address'],
])('does not lead to %j, and logs one line with the host alone', (response, host) => {
	expect(esignAddress(broker, response)).toBeUndefined()
	expect(logged.mock.calls.map(([line]) => line)).toEqual([{ event: 'redirect_blocked', reference: 'AB12-CD34EF', host }])
})

test.each([
	['http://esign.test/pay?token=secret', 'esign.test'],
	['https://evil.test/pay?token=secret', 'evil.test'],
	['https://esign.test.evil.test/pay', 'esign.test.evil.test'],
	['https://esign.test@evil.test/pay', 'no address'],
	['https://esign.test:444/pay', 'esign.test:444'],
	['https://93.184.216.34/pay', '93.184.216.34'],
	['https://xn--esgn-5pa.test/pay', 'xn--esgn-5pa.test'],
	['//evil.test', 'no address'],
	['ES2503280042.9f1c27d3a4b84e0fb6d2', 'no address'],
	['<form action="https://evil.test"></form>', 'no address'],
	['', 'no address'],
])('opens no payment or mandate page at %j, and logs one line with the host only', (address, host) => {
	expect(allowedAddress(broker, address)).toBeUndefined()
	expect(logged.mock.calls.map(([line]) => line)).toEqual([{ event: 'redirect_blocked', reference: 'AB12-CD34EF', host }])
})

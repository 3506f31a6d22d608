import { expect, test } from 'vitest'
import { BrokerRefusal } from '~/broker/client.server'
import { askForOtp, askForResetCode, askWithOtp, askWithPassword, TooManyAttempts } from './rate-limits.server'

const WRONG = new Error('wrong')
const isWrong = (error: unknown) => error === WRONG
const wrong = () => Promise.reject(WRONG)
const right = () => Promise.resolve('right')
let codes = 0
/** A client without earlier attempts. */
const someone = () => `SOME${++codes}`

/** A broker that answers only after all permitted attempts have arrived. */
function slowBroker<Answer>(answer: () => Promise<Answer>) {
	let asked = 0
	return {
		asked: () => asked,
		async ask() {
			asked += 1
			await new Promise((resolve) => setImmediate(resolve))
			return answer()
		},
	}
}

const readOutcome = (asked: Promise<unknown>) =>
	asked.then(
		() => 'right',
		(error: unknown) => (error instanceof TooManyAttempts ? 'limited' : isWrong(error) ? 'wrong' : 'none'),
	)
const count = (outcomes: string[], which: string) => outcomes.filter((outcome) => outcome === which).length

test('sends five of sixty simultaneous wrong passwords to the broker', async () => {
	const [code, broker] = [someone(), slowBroker(wrong)]
	const all = await Promise.all(Array.from({ length: 60 }, () => readOutcome(askWithPassword(code, '10.0.0.1', broker.ask, isWrong))))
	expect([broker.asked(), count(all, 'wrong'), count(all, 'limited')]).toEqual([5, 5, 55])
	const refused = await askWithPassword(code, '10.0.0.2', right, isWrong).catch((error: unknown) => error)
	expect((refused as TooManyAttempts).wait).toBeGreaterThan(60)
})

test('sends thirty of sixty simultaneous wrong passwords from one address, whatever the client', async () => {
	const broker = slowBroker(wrong)
	const all = await Promise.all(Array.from({ length: 60 }, () => readOutcome(askWithPassword(someone(), '10.0.1.1', broker.ask, isWrong))))
	expect([broker.asked(), count(all, 'limited')]).toEqual([30, 30])
})

test('sends five of sixty simultaneous wrong codes', async () => {
	const [code, broker] = [someone(), slowBroker(wrong)]
	const all = await Promise.all(Array.from({ length: 60 }, (_, at) => readOutcome(askWithOtp(code, [String(at)], broker.ask, isWrong))))
	expect([broker.asked(), count(all, 'limited')]).toEqual([5, 55])
})

test('does not count correct passwords, however many at once, nor attempts without an answer', async () => {
	const code = someone()
	const attempt = (answer: () => Promise<string>) => readOutcome(askWithPassword(code, '10.0.2.1', slowBroker(answer).ask, isWrong))
	const rights = await Promise.all(Array.from({ length: 80 }, () => attempt(right)))
	expect(count(rights, 'right')).toBe(80)
	const none = await Promise.all(Array.from({ length: 80 }, () => attempt(() => Promise.reject(new Error('no answer')))))
	expect(count(none, 'none')).toBe(80)
	// No count remains, and none is below zero.
	const outcomes = []
	for (let guess = 0; guess < 6; guess++) outcomes.push(await attempt(wrong))
	expect(outcomes).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wrong', 'limited'])
})

test('an attempt refused for its address does not count against the client', async () => {
	for (let guess = 0; guess < 30; guess++) await readOutcome(askWithPassword(someone(), '10.0.3.1', wrong, isWrong))
	const code = someone()
	for (let guess = 0; guess < 6; guess++) expect(await readOutcome(askWithPassword(code, '10.0.3.1', right, isWrong))).toBe('limited')
	expect(await readOutcome(askWithPassword(code, '10.0.3.2', right, isWrong))).toBe('right')
})

test('counts the addresses of one IPv6 network as one; other networks and IPv4 addresses separately', async () => {
	const attempt = (address: string) => readOutcome(askWithPassword(someone(), address, wrong, isWrong))
	for (let guess = 0; guess < 30; guess++) expect(await attempt(`2001:db8:0:7:${guess.toString(16)}::1`)).toBe('wrong')
	expect([await attempt('2001:DB8::7:0:0:0:99'), await attempt('2001:db8:0:7::')]).toEqual(['limited', 'limited'])
	expect([await attempt('2001:db8:0:8::1'), await attempt('::1')]).toEqual(['wrong', 'wrong'])
	for (let guess = 0; guess < 31; guess++) expect(await attempt(`::ffff:192.0.2.${guess}`)).toBe('wrong')
})

test('counts every code for a forgotten password: five of sixty at once are sent', async () => {
	const [code, broker] = [someone(), slowBroker(right)]
	const all = await Promise.all(Array.from({ length: 60 }, () => readOutcome(askForResetCode(code, '10.0.4.1', broker.ask))))
	expect([broker.asked(), count(all, 'right'), count(all, 'limited')]).toEqual([5, 5, 55])
})

test('a code that the broker refuses to send makes room for one more, also after refused attempts above the limit', async () => {
	const code = someone()
	const refuse = () => Promise.reject(new BrokerRefusal(422, { status: 'error', message: 'No such number' }))
	const slow = slowBroker(refuse)
	const last = readOutcome(askForOtp(code, slow.ask))
	for (let sent = 0; sent < 14; sent++) expect(await askForOtp(code, right)).toBe('right')
	// Fifteen are counted, of which one is under way.
	const above = await Promise.all([1, 2, 3].map(() => readOutcome(askForOtp(code, right))))
	expect([...above, await last]).toEqual(['limited', 'limited', 'limited', 'none'])
	expect(await readOutcome(askForOtp(code, right))).toBe('right')
	expect(await readOutcome(askForOtp(code, right))).toBe('limited')
})

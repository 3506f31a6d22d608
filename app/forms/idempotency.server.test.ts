import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parseWithZod } from '@conform-to/zod/v4'
import { expect, test, vi } from 'vitest'
import { z } from 'zod/v4'
import { type Broker, BrokerRefusal } from '~/broker/client.server'
import { runIdempotent } from './idempotency.server'

const broker = { clientCode: 'DEMO01' } as Broker

/** Sends a form with this key. Returns whether its work was done now. */
async function isDoneNow(key: string, result: string, more: Record<string, string> = {}): Promise<boolean> {
	const form = new FormData()
	for (const [name, value] of Object.entries(more)) form.set(name, value)
	form.set('idempotency_key', key)
	const submission = parseWithZod(form, { schema: z.object({}) })
	let isDone = false
	const done = await runIdempotent({ broker, name: 'bank', form, submission }, async () => {
		isDone = true
		return result
	})
	expect('answer' in done && done.answer === result).toBe(true)
	return isDone
}

/*
 * A result of a million letters is 1,000,002 characters of JSON: 2,000,004 bytes, and 500 for its entry. Four are 8,002,016 bytes and five
 * 10,002,520; 8 MB are 8,388,608.
 */
test('remembers results of 8 MB in all, and does the work of a forgotten one again', async () => {
	const result = 'r'.repeat(1_000_000)
	const keys = Array.from({ length: 6 }, () => randomUUID())
	for (const key of keys) expect(await isDoneNow(key, result)).toBe(true)
	const [first = '', second = '', ...last] = keys
	const again = []
	for (const key of [...last, first, second]) again.push(await isDoneNow(key, result))
	expect(again).toEqual([false, false, false, false, true, true])
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heldBytes(): number {
	collectGarbage()
	return process.memoryUsage().heapUsed
}

/* 97 KB of fields that the form does not know, four hundred times, are 38.8 MB. The 400 entries without them are 0.2 MB. */
test('stores no field that the form does not have', async () => {
	const before = heldBytes()
	for (let n = 0; n < 400; n++) {
		const junk = Object.fromEntries(Array.from({ length: 12 }, (_, field) => [`junk${field}`, `${n} ${'j'.repeat(8080)}`]))
		expect(await isDoneNow(randomUUID(), 'done', junk)).toBe(true)
	}
	expect(heldBytes() - before).toBeLessThan(10 * 1024 * 1024)
})

test('repeats a lost call with its own key after an earlier refusal of the form, also after a restart', async () => {
	const sent: string[] = []
	/** Sends a form, and returns the key that the form is shown with again. */
	async function send(run: typeof runIdempotent, key: string, amount: string, outcome: () => Promise<never>): Promise<unknown> {
		const form = new FormData()
		form.set('idempotency_key', key)
		form.set('amount', amount)
		const submission = parseWithZod(form, { schema: z.object({ amount: z.string() }) })
		const done = await run({ broker, name: 'withdraw', form, submission }, (own) => {
			sent.push(own)
			return outcome()
		})
		if (!('again' in done)) throw new Error('It was done')
		return done.again.data.key
	}
	const refuse = () => Promise.reject(new BrokerRefusal(422, { status: 'error', message: 'More than you can withdraw' }))
	const lose = () => Promise.reject(Response.json({ message: 'The broker did not answer' }, { status: 502 }))
	const key = randomUUID()
	expect(await send(runIdempotent, key, '900', refuse)).not.toBe(key)
	// Back shows the form with its first key. Two tabs send it at once.
	const shown = await Promise.all([1, 2].map(() => send(runIdempotent, key, '100', lose)))
	vi.resetModules()
	const restarted = (await import('./idempotency.server')).runIdempotent
	for (const each of shown) await send(restarted, String(each), '100', lose)
	const [first, second, ...repeated] = sent
	expect(first).toBe(key)
	expect(second).not.toBe(key)
	expect(repeated).toEqual([second, second])
})

test('after a lost reply there is no moment in which the key takes other content', async () => {
	const sent: string[] = []
	async function send(key: string, amount: string): Promise<void> {
		const form = new FormData()
		form.set('idempotency_key', key)
		form.set('amount', amount)
		const submission = parseWithZod(form, { schema: z.object({ amount: z.string() }) })
		const done = await runIdempotent({ broker, name: 'withdraw', form, submission }, () => {
			sent.push(amount)
			return Promise.reject(Response.json({ message: 'The broker did not answer' }, { status: 502 }))
		})
		expect('again' in done).toBe(true)
	}
	// The work of a key ends within so many turns of the queue of promises.
	for (let turns = 0; turns < 60; turns++) {
		const key = randomUUID()
		const lost = send(key, '100')
		for (let turn = 0; turn < turns; turn++) await Promise.resolve()
		await Promise.all([lost, send(key, '900')])
	}
	expect(new Set(sent)).toEqual(new Set(['100']))
})

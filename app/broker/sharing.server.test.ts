import { afterEach, expect, test } from 'vitest'
import { z } from 'zod/v4'
import { connectTestBroker, ok, refusalReply, reportCall, Thing } from '#tests/support/test-broker'
import { restoreNetwork } from '#tests/support/test-wire'
import { type Broker, BrokerRefusal, forgetReports, readFailure } from './client.server'

/* Calls that are sent once for several callers. */

afterEach(() => {
	reportCall.mockClear()
	restoreNetwork()
})

test('a reply with rows serves the session for a minute, until logout or a hard refresh', async () => {
	let n = 0
	const { broker, asked } = connectTestBroker(() => ok({ n: ++n }))
	const rows = (hardRefresh = false) => broker.getKept('/v1/rows', Thing, { query: { year: '2024' }, hardRefresh }, () => 1)
	expect([await rows(), await rows(), await rows(true), await rows()]).toEqual([{ n: 1 }, { n: 1 }, { n: 2 }, { n: 2 }])
	forgetReports('s1')
	expect(await rows()).toEqual({ n: 3 })
	expect(asked).toHaveLength(3)
})

test('two callers of the same rows both get the failure', async () => {
	for (const answer of [() => refusalReply(500), () => refusalReply(401, 'Logged in elsewhere')]) {
		const { visit, asked } = connectTestBroker(answer)
		const rows = () =>
			visit()
				.getKept('/v1/failing', Thing, {}, () => 1)
				.catch((thrown: unknown) => thrown as Response)
		const both = (await Promise.all([rows(), rows()])) as Response[]
		expect(await Promise.all(both.map((each) => each.text()))).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)])
		expect(asked).toHaveLength(2)
	}
})

test('a replacing reply is cached with any number of rows; a reply dropped on its way is not', async () => {
	let n = 0
	let answerLast = () => {}
	const held = new Promise<void>((resolve) => (answerLast = resolve))
	const { broker, asked } = connectTestBroker(async () => {
		const own = ++n
		if (own === 4) await held
		return ok({ n: own })
	})
	const rows = (hardRefresh = false) => broker.getKept('/v1/grown', Thing, { hardRefresh }, (data) => data.n)
	expect([await rows(), await rows(true), await rows(), await rows(true)].map((each) => each.n)).toEqual([1, 2, 2, 3])
	const late = rows(true)
	forgetReports('s1')
	answerLast()
	expect([await late, await rows()]).toEqual([{ n: 4 }, { n: 5 }])
	expect(asked).toHaveLength(5)
})

test.for<[string, (broker: Broker) => Promise<unknown>]>([
	['POST that says more than its data', (broker) => broker.post('/v1/otp', z.unknown(), { isWhole: true })],
	['PUT', (broker) => broker.put('/v1/put', z.unknown(), {})],
	['GET that does something', (broker) => broker.getOnce('/v1/once', z.unknown(), {})],
])('after a %s a call is sent again, and does not join an earlier one', async ([, change]) => {
	let isChanged = false
	let answerFirst = () => {}
	const held = new Promise<void>((resolve) => (answerFirst = resolve))
	const { broker } = connectTestBroker(async ({ url }) => {
		if (!url.includes('/v1/state')) return ok(null)
		const n = isChanged ? 2 : 1
		if (n === 1) await held
		return ok({ n })
	})
	const before = broker.get('/v1/state', Thing)
	await change(broker)
	isChanged = true
	const after = broker.get('/v1/state', Thing)
	answerFirst()
	expect([await before, await after]).toEqual([{ n: 1 }, { n: 2 }])
})

test('the same call is sent once at a time; it is sent again after a change, and a failure is not shared', async () => {
	let n = 0
	let answerFirst = () => {}
	const held = new Promise<void>((resolve) => (answerFirst = resolve))
	const { broker, asked } = connectTestBroker(async () => {
		const own = ++n
		if (own === 1) await held
		return ok({ n: own })
	})
	const [first, second, other] = [
		broker.get('/v1/x', Thing),
		broker.get('/v1/x', Thing),
		broker.get('/v1/x', Thing, { query: { year: '1' } }),
	]
	expect(await other).toEqual({ n: 2 })
	expect(await broker.post('/v1/change', Thing)).toEqual({ n: 3 })
	// Sent after the change, because the call still under way was sent before it.
	expect(await broker.get('/v1/x', Thing)).toEqual({ n: 4 })
	answerFirst()
	expect([await first, await second]).toEqual([{ n: 1 }, { n: 1 }])
	expect(await broker.get('/v1/x', Thing)).toEqual({ n: 5 })
	expect(asked).toHaveLength(5)

	const spoilt = connectTestBroker(() => (++n === 6 ? refusalReply(500) : ok({ n })))
	const answers = await Promise.allSettled([spoilt.visit().get('/v1/x', Thing), spoilt.visit().get('/v1/x', Thing)])
	expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

test('callers of a read that takes too long get its failure, and do not wait a second time', async () => {
	const { visit, asked } = connectTestBroker(() => new Promise(() => {}))
	const late = expect.objectContaining({ status: 504, message: 'The broker took too long to answer.' }) as unknown
	for (const ask of [
		(broker: Broker) => broker.get('/v1/hung', Thing),
		(broker: Broker) => broker.getKept('/v1/hung-report', Thing, {}, () => 1),
	]) {
		asked.length = 0
		const both = await Promise.all([1, 2].map(() => ask(visit()).catch((thrown: unknown) => readFailure(thrown))))
		expect(both).toEqual([late, late])
		expect(asked).toHaveLength(1)
	}
})

test('a visit does not repeat a failed call; a refusal, another visit and a finished change send it again', async () => {
	let answer = () => refusalReply(500, 'Busy')
	const { broker, visit, asked } = connectTestBroker(({ method }) => (method === 'POST' ? ok({ n: 0 }) : answer()), 'R-V')
	const say = (thrown: unknown) => readFailure(thrown)
	const all = [broker.get('/v1/x', Thing), broker.getKept('/v1/x', Thing, {}, () => 1), broker.get('/v1/x', Thing)]
	for (const each of await Promise.all(all.map((one) => one.catch(say)))) expect(each).toMatchObject({ message: 'Busy', reference: 'R-V' })
	const again = [await broker.get('/v1/x', Thing).catch(say), await broker.getKept('/v1/x', Thing, {}, () => 1).catch(say)]
	expect(again).toEqual([1, 2].map(() => expect.objectContaining({ message: 'Busy', reference: 'R-V' }) as unknown))
	// The cached and the shared call were sent at the same time.
	expect(asked.length).toBeLessThanOrEqual(2)
	expect(reportCall).toHaveBeenCalledTimes(asked.length)

	answer = () => ok({ n: 1 })
	expect(await broker.get('/v1/y', Thing)).toEqual({ n: 1 })
	expect(await visit().get('/v1/x', Thing)).toEqual({ n: 1 })
	expect(await visit('R-V').get('/v1/x', Thing).catch(say)).toMatchObject({ message: 'Busy' })
	await broker.post('/v1/change', Thing)
	expect(await broker.get('/v1/x', Thing)).toEqual({ n: 1 })

	answer = () => refusalReply(422, 'No.')
	const refused = connectTestBroker(() => answer())
	for (let times = 0; times < 2; times++) await refused.broker.get('/v1/x', Thing).catch(say)
	expect(refused.asked).toHaveLength(2)
})

test('cached replies of a session are dropped once its token is refused', async () => {
	let n = 0
	const { broker } = connectTestBroker(({ url }) => (url.includes('/v1/over') ? refusalReply(401, 'Token has expired') : ok({ n: ++n })))
	const rows = () => broker.getKept('/v1/until-over', Thing, {}, () => 1)
	expect([await rows(), await rows()]).toEqual([{ n: 1 }, { n: 1 }])
	await broker.get('/v1/over', Thing).catch(() => {})
	expect(await rows()).toEqual({ n: 2 })
})

test('the key of the session at the broker is in no message of a refusal or a failure', async () => {
	const said = 'Session token-of-the-client is not allowed'
	const fields = [{ name: 'otp', message: said }]
	for (const status of [400, 404, 422, 500, 503]) {
		const { broker } = connectTestBroker(() => Response.json({ status: 'error', message: said, data: { fields } }, { status }))
		const thrown: unknown = await broker.get('/v1/x', Thing).catch((error: unknown) => error)
		const message = thrown instanceof BrokerRefusal ? thrown.message : (await readFailure(thrown))?.message
		expect(message, String(status)).toBe('Session […] is not allowed')
		if (thrown instanceof BrokerRefusal)
			expect(thrown.envelope.data?.fields).toEqual([{ name: 'otp', message: 'Session […] is not allowed' }])
	}
})

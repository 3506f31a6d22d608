import { randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectTestBroker, ok, reportCall, Thing, testConfig } from '#tests/support/test-broker'
import { restoreNetwork, standInForBroker } from '#tests/support/test-wire'
import { type Adapter, loadAdapter } from './adapter.server'
import { connectBroker } from './client.server'

beforeEach(() => reportCall.mockClear())
afterEach(restoreNetwork)

const onExpired = vi.fn<() => Promise<Response>>(async () => new Response(null, { status: 302 }))

/** The portal's client behind an adapter, before a broker that answers in one way. */
function adapted(adapter: Adapter, answers: (request: Request) => Response | Promise<Response> = () => ok({ n: 1 })) {
	const { asked } = connectTestBroker(answers)
	const requestId = randomUUID()
	const broker = connectBroker({ ...testConfig, adapter }, { token: 'token-of-the-client', sessionId: requestId, requestId, onExpired })
	return { asked, broker }
}

const thrownBy = async (work: Promise<unknown>) => (await work.catch((error: unknown) => error)) as Response

test('renames fields and headers of a call and of its reply', async () => {
	const { asked, broker } = adapted(
		async (call, send) => {
			call.headers.set('authorization', `Bearer ${call.headers.get('auth-token')}`)
			call.headers.delete('auth-token')
			call.url.pathname = '/theirs'
			call.body = JSON.stringify({ theirs: (JSON.parse(call.body as string) as { ours: number }).ours })
			const { many } = (await (await send(call)).json()) as { many: number }
			return Response.json({ status: 'success', message: 'ok', data: { n: many } })
		},
		() => Response.json({ many: 7 }),
	)
	expect(await broker.post('/v1/x', Thing, { body: { ours: 3 } })).toEqual({ n: 7 })
	expect(asked).toHaveLength(1)
	expect(new URL(asked[0]?.url ?? '').pathname).toBe('/theirs')
	expect(await asked[0]?.text()).toBe('{"theirs":3}')
	expect([asked[0]?.headers.get('authorization'), asked[0]?.headers.get('auth-token')]).toEqual(['Bearer token-of-the-client', null])
})

test.for<[string, Adapter]>([
	[
		'throws',
		() => {
			throw new Error('a fault of the adapter')
		},
	],
	['throws after the reply', async (call, send) => Promise.reject(new Error(`${(await send(call)).status}`))],
	['returns nothing', (async () => undefined) as unknown as Adapter],
	['throws a 401', () => Promise.reject(new Response(null, { status: 401 }))],
])('an adapter that %s counts as a failed broker: 502, logged once, and nobody is signed out', async ([, adapter]) => {
	const { asked, broker } = adapted(adapter)
	const thrown = await thrownBy(broker.get('/v1/x', Thing))
	expect(thrown.status).toBe(502)
	expect(reportCall).toHaveBeenCalledTimes(1)
	expect(reportCall.mock.calls[0]?.slice(0, 2)).toMatchObject([
		'error',
		{ event: 'broker_failed', path: '/v1/x', adapter: expect.any(String) as string },
	])
	expect(asked.length).toBeLessThanOrEqual(1)
	expect(onExpired).not.toHaveBeenCalled()
})

test('reports an adapter that never answers as a broker timeout', async () => {
	const { broker } = adapted(() => new Promise(() => {}))
	expect((await thrownBy(broker.get('/v1/x', Thing))).status).toBe(504)
})

test('gives the adapter the original call again when a GET is repeated after a lost connection', async () => {
	const seen: string[] = []
	const { broker } = adapted((call, send) => {
		seen.push(call.url.pathname)
		call.url.pathname += '/changed'
		return send(call)
	})
	const sent: string[] = []
	standInForBroker(({ url }) => {
		sent.push(new URL(url).pathname)
		throw new Error('connect ECONNREFUSED')
	})
	expect((await thrownBy(broker.get('/v1/x', Thing))).status).toBe(503)
	expect(seen).toEqual(['/v1/x', '/v1/x'])
	expect(sent).toEqual(['/v1/x/changed', '/v1/x/changed'])
})

test('streams downloads and uploads that an adapter does not change', async () => {
	let sent = ''
	const seen: unknown[] = []
	const { broker } = adapted(
		(call, send) => {
			seen.push(call.body)
			return send(call)
		},
		async (request) => {
			sent = await request.text()
			return new Response('%PDF-1.7 of the broker', { headers: { 'content-type': 'application/pdf' } })
		},
	)
	const form = [
		{
			name: 'file',
			filename: 'proof.pdf',
			type: 'application/pdf',
			body: (async function* () {
				yield new TextEncoder().encode('%PDF-1.7 of the client')
			})(),
		},
	]
	const file = await broker.download('POST', '/v1/x', 'pdf', { form })
	expect(await new Response(file).text()).toBe('%PDF-1.7 of the broker')
	expect(sent).toContain('%PDF-1.7 of the client')
	expect(seen).toEqual([expect.any(ReadableStream)])
})

test('names in one line a module that is missing, does not load or exports no function', async () => {
	const folder = mkdtempSync(path.join(os.tmpdir(), 'khata-adapter-'))
	const write = (name: string, text: string) => {
		const file = path.join(folder, name)
		writeFileSync(file, text)
		return file
	}
	const said = async (file: string) => (await loadAdapter(file).catch((error: unknown) => error)) as Error
	const missing = path.join(folder, 'none.js')
	expect((await said(missing)).message).toBe(`BROKER_ADAPTER: there is no file ${missing}`)
	const broken = write('broken.mjs', 'throw new Error("first\\nsecond")')
	expect((await said(broken)).message).toBe(`BROKER_ADAPTER: ${broken} does not load: Error: first second`)
	const empty = write('empty.mjs', 'export const adapt = 1')
	expect((await said(empty)).message).toBe(`BROKER_ADAPTER: ${empty} has no function as its default export`)
	expect(await loadAdapter(undefined)).toBeUndefined()
	expect(await loadAdapter(write('good.mjs', 'export default (call, send) => send(call)'))).toBeTypeOf('function')
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { findAttribute, readKeys } from '#tests/support/readers'
import { type PortalProcess, startSandboxBroker, startProcess } from './processes'

/* How a process of the portal stops, and which events do not stop it. */

const PORT = 3263
const WITHDRAW = '/funds/withdraw'
const PAYOUT = '/fund_payout'

let broker: Awaited<ReturnType<typeof startSandboxBroker>>
let portal: PortalProcess
beforeAll(async () => {
	broker = await startSandboxBroker(['DEMO01'])
})
afterAll(() => broker.close())
afterEach(async () => {
	broker.hold(undefined)
	await portal.stop('SIGKILL')
})

/** A connection that stays open after its response, like a browser's. Returns its text and its end. */
async function openConnection(path: string) {
	const socket = connect(PORT, '127.0.0.1')
	let text = ''
	socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
	socket.on('error', () => {})
	const closed = once(socket, 'close')
	socket.write(`GET ${path} HTTP/1.1\r\nHost: portal.test\r\n\r\n`)
	await vi.waitFor(() => expect(text).toMatch(/^HTTP\/1\.1 \d{3} /))
	return { closed, text: () => text }
}

test('an open post ends normally after two signals, idle connections close at once, and no new one is accepted', async () => {
	portal = await startProcess(PORT, broker.url)
	const visitor = portal.visitor()
	await visitor.login('DEMO01')
	const { html } = await visitor.visit(WITHDRAW)
	const bank = findAttribute(html, 'option[value^="0-"]', 'value')
	const form = { ...readKeys(html), ledgers: 'NSE_CASH', amount: '7', bank }
	let answerNow = () => {}
	const answered = new Promise<void>((resolve) => (answerNow = resolve))
	broker.hold((path) => (path.includes(PAYOUT) ? answered : undefined))

	const idle = await openConnection('/healthz')
	const silent = connect(PORT, '127.0.0.1')
	await once(silent, 'connect')
	const post = visitor.postRaw(WITHDRAW, form)
	await vi.waitFor(() => expect(broker.listCalls(PAYOUT)).toHaveLength(1), { timeout: 10_000 })
	// The process group gets one signal, and npm passes on another.
	portal.child.kill('SIGTERM')
	portal.child.kill('SIGTERM')
	portal.child.kill('SIGINT')
	const exit = once(portal.child, 'exit')
	await Promise.all([idle.closed, once(silent, 'close')])
	await expect(portal.visitor().send('/healthz')).rejects.toThrow(/ECONNREFUSED/)
	expect(portal.child.exitCode).toBeNull()

	answerNow()
	const answer = await post
	expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringContaining('/funds/payout?ref=')])
	expect(answer.headers.get('connection')).toBe('close')
	expect(await exit).toEqual([0, null])
})

test('an unhandled rejection is one log line without its message, and the portal continues', async () => {
	const script = 'process.on("SIGUSR2",()=>void%20Promise.reject(new%20TypeError("secret%20of%20DEMO01")))'
	portal = await startProcess(PORT, broker.url, { NODE_ARGS: `--import data:text/javascript,${script}` })
	for (let time = 1; time <= 2; time++) {
		portal.child.kill('SIGUSR2')
		await vi.waitFor(() => expect(portal.lines('unhandled_rejection')).toHaveLength(time), { timeout: 10_000 })
	}
	expect(portal.lines('unhandled_rejection')[0]).toMatchObject({ level: 50, error: 'TypeError' })
	expect(portal.output()).not.toContain('secret of DEMO01')
	expect((await portal.visitor().send('/healthz')).status).toBe(200)
})

test('an uncaught error is one log line without its message and its source, and ends the process', async () => {
	const script = 'process.on("SIGUSR2",()=>setTimeout(()=>{throw%20new%20TypeError("secret%20of%20DEMO01")}))'
	portal = await startProcess(PORT, broker.url, { NODE_ARGS: `--import data:text/javascript,${script}` })
	const exit = once(portal.child, 'exit')
	portal.child.kill('SIGUSR2')
	expect(await exit).toEqual([1, null])
	expect(portal.lines('crashed')).toEqual([expect.objectContaining({ level: 60, error: 'TypeError', at: expect.stringMatching(/^at /) })])
	expect(portal.output()).not.toMatch(/secret of DEMO01|import\s*\{/)
})

test('a closed log does not stop the portal', async () => {
	portal = await startProcess(PORT, broker.url)
	portal.child.stdout.destroy()
	portal.child.stderr.destroy()
	for (let visit = 0; visit < 20; visit++) expect((await portal.visitor().send('/login')).status).toBe(200)
	expect(portal.child.exitCode).toBeNull()
})

test('says at the start that it has no Redis, that all clients have one address, and which variable is misspelt', async () => {
	portal = await startProcess(PORT, broker.url, { TRUST_PROXY: '0', BRAND_COLOR: '#1a5fb4' })
	await vi.waitFor(() => expect(portal.output()).toMatch(/REDIS_URL is not set: run one process only/))
	expect(portal.output()).toMatch(/TRUST_PROXY is not set: all clients have the address of the proxy/)
	expect(portal.output()).toMatch(/^ {2}BRAND_COLOR is not a setting: is BRAND_COLOUR meant\?$/m)
})

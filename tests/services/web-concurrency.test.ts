import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Program, startRedis } from '#scripts/programs'
import { type Visitor } from '#tests/support/portal'
import { findAttribute, readKeys } from '#tests/support/readers'
import { type PortalProcess, startProcess, startSandboxBroker } from './processes'

/* One portal of two processes on one port (WEB_CONCURRENCY). The tests run in order: the last ones kill a process and end the portal. */

const REDIS_PORT = 6393
const PORT = 3281
const METRICS_PORTS = [3282, 3283] as const
const SEVERAL = { WEB_CONCURRENCY: '2' }
const WITHDRAW = '/funds/withdraw'

let broker: Awaited<ReturnType<typeof startSandboxBroker>>
let server: Program
let portal: PortalProcess

beforeAll(async () => {
	;[server, broker] = await Promise.all([startRedis(REDIS_PORT), startSandboxBroker(['DEMO01'])])
	portal = await startProcess(PORT, broker.url, {
		...SEVERAL,
		REDIS_URL: `redis://127.0.0.1:${REDIS_PORT}`,
		METRICS_PORT: String(METRICS_PORTS[0]),
	})
	await waitForBoth()
})
afterAll(async () => {
	await portal.stop('SIGKILL')
	await server.stop()
	await broker.close()
})

/** The processes that the main process has started. */
function listWorkers(): number[] {
	const { pid } = portal.child
	return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

/** Waits until each process serves its metrics: then it also serves pages. */
const waitForBoth = () => vi.waitFor(countLedgers, { timeout: 20_000 })

/** How many ledgers each process has shown. */
function countLedgers(): Promise<number[]> {
	return Promise.all(
		METRICS_PORTS.map(async (port) => {
			const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' } })).text()
			const line = text
				.split('\n')
				.find((each) => each.startsWith('http_server_request_duration_count{') && each.includes('/reports/ledger'))
			return Number(line?.split(' ').at(-1) ?? 0)
		}),
	)
}

/** Does something while all other workers are stopped, so that this one serves it. */
async function onlyWith<Result>(worker: number, run: () => Promise<Result>): Promise<Result> {
	const others = listWorkers().filter((pid) => pid !== worker)
	for (const pid of others) process.kill(pid, 'SIGSTOP')
	try {
		return await run()
	} finally {
		for (const pid of others) process.kill(pid, 'SIGCONT')
	}
}

/** A browser with a new connection for each request. */
async function signedIn(): Promise<Visitor> {
	const visitor = portal.visitor(undefined, { connection: 'close' })
	expect((await visitor.login('DEMO01')).status).toBe(303)
	return visitor
}

test('both processes know a session, and its logout ends it in both', async () => {
	const [one = 0, other = 0, ...more] = listWorkers()
	expect(more).toEqual([])
	const visitor = await onlyWith(one, signedIn)
	const copy = portal.visitor(visitor, { connection: 'close' })
	const readLedger = () => copy.send('/reports/ledger')
	for (const worker of [one, other, other]) expect((await onlyWith(worker, readLedger)).status).toBe(200)
	expect((await countLedgers()).toSorted()).toEqual([1, 2])

	await onlyWith(one, () => visitor.post('/dashboard', '/logout', {}))
	for (const worker of [one, other]) expect((await onlyWith(worker, readLedger)).headers.get('location')).toMatch(/^\/login/)
})

test('greets once', () => {
	expect(portal.output().split('is at https://portal.test')).toHaveLength(2)
})

test('a killed process is replaced, also at its port for metrics, and the other serves its clients until then', async () => {
	const visitor = await signedIn()
	const [killed = 0, other = 0] = listWorkers()
	process.kill(killed, 'SIGKILL')
	await vi.waitFor(() => expect(portal.lines('process_ended')).toMatchObject([{ signal: 'SIGKILL' }]), { timeout: 10_000 })
	expect((await visitor.send('/reports/ledger')).status).toBe(200)

	await vi.waitFor(() => expect(listWorkers()).toEqual([other, expect.any(Number)]), { timeout: 10_000 })
	await waitForBoth()
	const [, replacement = 0] = listWorkers()
	expect((await onlyWith(replacement, () => visitor.send('/reports/ledger'))).status).toBe(200)
})

test('SIGTERM to the main process ends all, after the last post has its response', async () => {
	const visitor = await signedIn()
	const { html } = await visitor.visit(WITHDRAW)
	const form = { ...readKeys(html), ledgers: 'NSE_CASH', amount: '7', bank: findAttribute(html, 'option[value^="0-"]', 'value') }
	let answerNow = () => {}
	const answered = new Promise<void>((resolve) => (answerNow = resolve))
	broker.hold((path) => (path.includes('/fund_payout') ? answered : undefined))
	const post = visitor.postRaw(WITHDRAW, form)
	await vi.waitFor(() => expect(broker.listCalls('/fund_payout')).toHaveLength(1), { timeout: 10_000 })

	const workers = listWorkers()
	const exit = once(portal.child, 'exit')
	portal.child.kill('SIGTERM')
	portal.child.kill('SIGINT')
	await vi.waitFor(() => expect(portal.visitor().send('/healthz')).rejects.toThrow(/ECONNREFUSED/), { timeout: 10_000 })
	expect(portal.child.exitCode).toBeNull()

	answerNow()
	expect((await post).status).toBe(303)
	expect(await exit).toEqual([0, null])
	for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
	expect(portal.lines('process_ended')).toHaveLength(1)
})

test('exits with 1 when a process is killed before its requests end', async () => {
	portal = await startProcess(PORT, broker.url, { ...SEVERAL, REDIS_URL: `redis://127.0.0.1:${REDIS_PORT}` })
	// It greets when it handles signals; a signal before that ends it at once.
	await vi.waitFor(() => expect(portal.output()).toContain('Khata is at'), { timeout: 10_000 })
	await vi.waitFor(() => expect(listWorkers()).toHaveLength(2), { timeout: 10_000 })
	const [first = 0] = listWorkers()
	// A stopped process does not answer SIGTERM.
	process.kill(first, 'SIGSTOP')
	const exit = once(portal.child, 'exit')
	portal.child.kill('SIGTERM')
	await vi.waitFor(() => expect(listWorkers()).toEqual([first]), { timeout: 10_000 })
	process.kill(first, 'SIGKILL')
	expect(await exit).toEqual([1, null])
})

test('refuses to start without Redis, and on a port that is taken', async () => {
	await expect(startProcess(PORT, broker.url, SEVERAL)).rejects.toThrow(
		/does not listen on \d+\nThe portal cannot start with these settings:\n {2}REDIS_URL: is required when WEB_CONCURRENCY is more than 1: [^\n]+\n$/,
	)
	const taker = net.createServer().listen(PORT + 5, '127.0.0.1')
	await once(taker, 'listening')
	const several = { ...SEVERAL, REDIS_URL: `redis://127.0.0.1:${REDIS_PORT}`, PORT: String(PORT + 5) }
	// The port that this test waits for stays closed.
	await expect(startProcess(PORT, broker.url, several)).rejects.toThrow(
		`does not listen on ${PORT}\nThe portal cannot listen: port ${PORT + 5} is taken; set PORT\nThe portal did not start; the lines above say why\n`,
	)
	taker.close()
})

test('does not start when the port for metrics of its second process is taken, and leaves no process', async () => {
	const taker = net.createServer().listen(PORT + 7, '127.0.0.1')
	await once(taker, 'listening')
	const several = { ...SEVERAL, REDIS_URL: `redis://127.0.0.1:${REDIS_PORT}`, METRICS_PORT: String(PORT + 6), METRICS_HOST: '127.0.0.1' }
	// The first process may listen before the second fails.
	const said = await startProcess(PORT, broker.url, several).then(
		async (started) => {
			if (started.child.exitCode === null) await once(started.child, 'exit')
			expect(started.child.exitCode).toBe(1)
			return started.output()
		},
		(error: Error) => error.message,
	)
	expect(said).toContain(`port ${PORT + 7} is taken; set METRICS_PORT\nThe portal did not start; the lines above say why\n`)
	await vi.waitFor(() => expect(portal.visitor().send('/healthz')).rejects.toThrow(/ECONNREFUSED/), { timeout: 10_000 })
	taker.close()
})

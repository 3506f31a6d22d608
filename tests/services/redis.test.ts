import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Program, startRedis } from '#scripts/programs'
import { type PortalProcess, startProcess as startPortal } from './processes'

const PORT = 6399
let server: Program
/** Of the last test. */
let full: Program | undefined
let portal: PortalProcess | undefined

beforeAll(async () => {
	server = await startRedis(PORT)
})
afterAll(() => Promise.all([portal, full, server].map((program) => program?.stop())))

/** The modules of one portal process. It shares no memory with another process, only Redis. */
async function startProcess() {
	vi.resetModules()
	vi.stubEnv('REDIS_URL', `redis://127.0.0.1:${PORT}`)
	const { redis } = await import('~/config/redis.server')
	await vi.waitFor(() => expect(redis?.status).toBe('ready'), { timeout: 5000 })
	return {
		...(await import('~/session/session.server')),
		...(await import('~/session/rate-limits.server')),
		countReads: async () => Number(/cmdstat_mget:calls=(\d+)/.exec((await redis?.info('commandstats')) ?? '')?.[1] ?? 0),
		close: () => redis?.disconnect(),
	}
}

const WRONG = new Error('wrong')
const isWrong = (error: unknown) => error === WRONG
const right = () => Promise.resolve('right')
const readWait = (asked: Promise<unknown>) => asked.catch((refused: unknown) => (refused as { wait: number }).wait)

const login = {
	authToken: 'a'.repeat(40),
	token: 't'.repeat(40),
	clientCode: 'KH10042',
	userName: 'KAVITA HEGDE',
	userId: 'KH10042',
	sessionId: 's-12345678',
	product: 'CONNECT',
	isDormate: false,
}

test('a session ended by one process is over in the other', async () => {
	const [one, other] = [await startProcess(), await startProcess()]
	const cookies = (await one.startSession(new Request('https://portal.test/login'), login)).getSetCookie()
	const visit = () =>
		new Request('https://portal.test/dashboard', { headers: { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') } })
	expect(await other.getSession(visit())).toMatchObject({ clientCode: 'KH10042' })
	await one.endSession(visit())
	expect(await other.getSession(visit())).toBeUndefined()
	one.close()
	other.close()
})

test('a loader reads the session once, however many of its parts need it', async () => {
	const one = await startProcess()
	const cookies = (await one.startSession(new Request('https://portal.test/login'), login)).getSetCookie()
	const visit = new Request('https://portal.test/dashboard', {
		headers: { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') },
	})
	const before = await one.countReads()
	await Promise.all([one.requireSession(visit), one.touchHeaders(visit)])
	await one.requireBroker(visit)
	expect(await one.getSession(visit)).toMatchObject({ clientCode: 'KH10042' })
	expect((await one.countReads()) - before).toBe(1)
	one.close()
})

test('counts wrong passwords over all processes', async () => {
	const [one, other] = [await startProcess(), await startProcess()]
	const code = `C${Date.now()}`
	const asked = vi.fn<() => Promise<string>>(() => Promise.reject(WRONG))
	const guess = (times: number) => (times % 2 ? one : other).askWithPassword(code, `10.0.0.${times}`, asked, isWrong)
	await Promise.allSettled(Array.from({ length: 60 }, (_, times) => guess(times)))
	expect(asked).toHaveBeenCalledTimes(5)
	for (const each of [one, other]) expect(await readWait(each.askWithPassword(code, '10.1.1.1', right, isWrong))).toBeGreaterThan(60)
	await one.forgiveClient(code)
	expect(await other.askWithPassword(code, '10.1.1.1', right, isWrong)).toBe('right')
	one.close()
	other.close()
})

test('does not count correct passwords, in any process and however many at once', async () => {
	const [one, other] = [await startProcess(), await startProcess()]
	const code = `R${Date.now()}`
	// Several rounds, because a refused attempt counts for a moment, and must not cause another refusal.
	for (let round = 0; round < 20; round++) {
		const rights = Array.from({ length: 20 }, () => one.askWithPassword(code, '10.3.3.3', right, isWrong))
		expect(await Promise.all(rights)).toEqual(Array.from({ length: 20 }, () => 'right'))
	}
	for (let times = 0; times < 5; times++)
		await expect(other.askWithPassword(code, '10.3.3.3', () => Promise.reject(WRONG), isWrong)).rejects.toBe(WRONG)
	expect(await readWait(one.askWithPassword(code, '10.3.3.3', right, isWrong))).toBeGreaterThan(60)
	one.close()
	other.close()
})

test('a process uses its own memory when Redis does not answer', async () => {
	const alone = await startProcess()
	alone.close()
	const code = `D${Date.now()}`
	for (let times = 0; times < 5; times++)
		await expect(alone.askWithPassword(code, '10.2.2.2', () => Promise.reject(WRONG), isWrong)).rejects.toBe(WRONG)
	expect(await readWait(alone.askWithPassword(code, '10.2.2.2', right, isWrong))).toBeGreaterThan(60)
	const cookies = (await alone.startSession(new Request('https://portal.test/login'), login)).getSetCookie()
	const visit = new Request('https://portal.test/dashboard', {
		headers: { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') },
	})
	expect(await alone.getSession(visit)).toMatchObject({ clientCode: 'KH10042' })
})

test('a session that ended while Redis was full is stored once Redis takes writes again', async () => {
	const one = await startProcess()
	const { redis } = await import('~/config/redis.server')
	const start = async () => {
		const cookies = (await one.startSession(new Request('https://portal.test/login'), login)).getSetCookie()
		return new Request('https://portal.test/dashboard', { headers: { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') } })
	}
	const [first, second] = [await start(), await start()]
	const countEnded = async () => (await redis?.keys('ended:*'))?.length ?? 0
	const before = await countEnded()
	await redis?.config('SET', 'maxmemory', '1')
	await one.endSession(first)
	expect(await countEnded()).toBe(before)
	await redis?.config('SET', 'maxmemory', '0')
	await one.endSession(second)
	await vi.waitFor(async () => expect(await countEnded()).toBe(before + 2))
	one.close()
})

test('a full Redis is logged at most every two seconds, and a login still reaches the broker', async () => {
	// An empty Redis already needs more.
	full = await startRedis(6394, ['--maxmemory', '1mb', '--maxmemory-policy', 'noeviction'])
	// Nothing answers on port 1, so a login that the limits let through ends with 503.
	portal = await startPortal(3284, 'http://127.0.0.1:1', { REDIS_URL: 'redis://127.0.0.1:6394' })
	const statuses = new Set<number>()
	const listFailures = () => portal?.lines('redis_failed') ?? []
	while (listFailures().length < 2) statuses.add((await portal.visitor().login('DEMO01')).status)
	const [first = {}, second = {}] = listFailures()
	expect(first).toMatchObject({ level: 50, error: expect.stringMatching(/^OOM command not allowed/) as string })
	expect(Date.parse(second.time ?? '') - Date.parse(first.time ?? '')).toBeGreaterThanOrEqual(1990)
	expect([...statuses]).toEqual([503])
	expect(portal.lines('unhandled_rejection')).toEqual([])
}, 60_000)

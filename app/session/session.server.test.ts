import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** The session module as a process with these secrets loads it. */
async function processWith(secrets: string) {
	vi.resetModules()
	vi.stubEnv('SESSION_SECRET', secrets)
	return import('./session.server')
}
beforeEach(() => vi.resetModules())
afterEach(() => vi.unstubAllEnvs())

const OLD = 'the-old-secret-of-at-least-32-characters'
const NEW = 'the-new-secret-of-at-least-32-characters'
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

const visit = (cookies: string[]) =>
	new Request('https://portal.test/dashboard', { headers: { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') } })
const anonymous = new Request('https://portal.test/login')

test('seals a session again with the new secret, and it outlives the old one', async () => {
	const before = await processWith(OLD)
	const cookies = (await before.startSession(anonymous, login)).getSetCookie()

	const rotating = await processWith(`${NEW},${OLD}`)
	expect(await rotating.getSession(visit(cookies))).toMatchObject({ clientCode: 'KH10042' })
	const resealed = (await rotating.touchHeaders(visit(cookies))).getSetCookie()
	expect(resealed.map((cookie) => cookie.split('=')[0]).sort()).toEqual(['__Host-activity', '__Host-session'])
	expect((await rotating.touchHeaders(visit(resealed))).getSetCookie()).toEqual([])

	const after = await processWith(NEW)
	expect(await after.getSession(visit(resealed))).toMatchObject({ clientCode: 'KH10042', authToken: login.authToken })
	expect(await after.getSession(visit(cookies))).toBeUndefined()
})

test('two processes with the same secret share sessions; one with another secret does not', async () => {
	const cookies = (await (await processWith(NEW)).startSession(anonymous, login)).getSetCookie()
	expect(await (await processWith(NEW)).getSession(visit(cookies))).toMatchObject({ clientCode: 'KH10042' })
	expect(await (await processWith(OLD)).getSession(visit(cookies))).toBeUndefined()
})

test('splits long tokens over cookies of a size that browsers keep, and reads them back whole', async () => {
	const { startSession, getSession, endSession } = await processWith(NEW)
	const long = { ...login, authToken: 'A'.repeat(2048), token: 'B'.repeat(2048) }
	const cookies = (await startSession(anonymous, long)).getSetCookie()
	expect(cookies.filter((cookie) => cookie.startsWith('__Host-session'))).toHaveLength(2)
	for (const cookie of cookies) expect(cookie.length).toBeLessThan(4096)
	expect(await getSession(visit(cookies))).toMatchObject({ authToken: long.authToken, token: long.token })
	expect(await getSession(visit(cookies.filter((cookie) => !cookie.startsWith('__Host-session.1'))))).toBeUndefined()

	const shorter = (await startSession(visit(cookies), login)).getSetCookie()
	expect(shorter.find((cookie) => cookie.startsWith('__Host-session.1='))).toContain('Max-Age=0')
	const cleared = (await endSession(visit(cookies))).getSetCookie().map((cookie) => cookie.split('=')[0])
	expect(cleared.sort()).toEqual(['__Host-activity', '__Host-session', '__Host-session.1'])
})

test('throws when tokens are too long for a browser', async () => {
	const { startSession } = await processWith(NEW)
	await expect(startSession(anonymous, { ...login, authToken: 'A'.repeat(20_000) })).rejects.toThrow(/too long/)
})

test('keeps a session the same size with use', async () => {
	const { startSession, touchHeaders } = await processWith(NEW)
	vi.useFakeTimers({ toFake: ['Date'] })
	let cookies = (await startSession(anonymous, login)).getSetCookie()
	const size = cookies.join().length
	for (let page = 0; page < 100; page++) {
		vi.setSystemTime(Date.now() + 61_000)
		const touched = (await touchHeaders(visit(cookies))).getSetCookie()
		cookies = [...cookies.filter((cookie) => !touched.some((fresh) => fresh.split('=')[0] === cookie.split('=')[0])), ...touched]
	}
	vi.useRealTimers()
	expect(Math.abs(cookies.join().length - size)).toBeLessThan(64)
})

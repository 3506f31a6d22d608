import { createSandbox } from '#sandbox/app'
import { createClock } from '#sandbox/clock'
import { type Books } from '#sandbox/db/open'
import { PASSWORD } from '#sandbox/db/seed/personas'
import { readSettings } from '#sandbox/settings'
import { type Clock } from '#sandbox/types'
import { openSeededBooks, SMALL_CLIENTS } from './books'

export const TEST_DAY = '2026-11-21'

/** Test books with every persona except BULK01. */
export async function openTestBooks(): Promise<Books> {
	return await openSeededBooks({ seed: 'test', today: TEST_DAY, personas: SMALL_CLIENTS })
}

/** The first session after TEST_DAY, a Saturday: bids, batches and pledges have hours. */
export const IN_SESSION = { SANDBOX_TODAY: '2026-11-23T11:00' }

/** A sandbox on such books, with a clock that the test can move and shortcuts for signing in and making calls. */
export function createTestSandbox(books: Books, environment: Record<string, string> = {}) {
	const settings = readSettings({ LOG_LEVEL: 'silent', ...environment })
	const base = createClock(settings.startsOn ?? TEST_DAY)
	let ahead = 0
	const clock: Clock = { now: () => new Date(base.now().getTime() + ahead) }
	const app = createSandbox({ books, clock, settings })

	async function logIn(username: string, password = PASSWORD): Promise<Response> {
		const body = JSON.stringify({ username, password })
		return await app.request('/v2/user/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
	}

	return {
		app,
		logIn,
		passTime: (ms: number) => void (ahead += ms),
		/** Signs a client in and returns a function that makes calls with the token. */
		async signIn(code: string) {
			const { data } = (await (await logIn(code)).json()) as { data: { authToken: string } }
			const headers = { 'auth-token': data.authToken, 'client-code': code, 'content-type': 'application/json' }
			const ask = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
				app.request(path, { ...init, headers: { ...headers, ...init.headers } })
			return Object.assign(ask, { token: data.authToken })
		},
		async control(method: 'POST' | 'DELETE' | 'GET', path: string, body?: object) {
			const init = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
			return (await (await app.request(path, { method, ...init })).json()) as { data: unknown }
		},
	}
}

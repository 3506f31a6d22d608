import { expect } from 'vitest'
import { PASSWORD } from '#sandbox/db/seed/personas'

const BROKER = 'http://127.0.0.1:4999'

/**
 * Moves the sandbox's clock, as its page /control does, and runs everything due by then for a client. Months of due work may take longer
 * than the portal waits for an answer.
 */
export async function advanceDays(days: number, client: string): Promise<void> {
	expect((await postJson('/control/clock', { days })).status).toBe(200)
	const { data } = (await (await postJson('/v2/user/login', { username: client, password: PASSWORD })).json()) as {
		data: { authToken: string }
	}
	const headers = { 'auth-token': data.authToken, 'client-code': client }
	expect((await fetch(`${BROKER}/v2/user/verify-user?source=connect`, { headers })).status).toBe(200)
}

const postJson = (path: string, body: object) =>
	fetch(BROKER + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

import { LRUCache } from 'lru-cache'
import { forgetReports } from '~/broker/client.server'
import { settings } from '~/config/env.server'
import { redis } from '~/config/redis.server'
import { limitEntries } from '~/lib/limit-entries'
import { applyChange } from './changed-sessions.server'
import { findClientByName, hideEmail } from './login-names.server'

/* Sessions that ended before they expired: by a logout, or by a new password. Every process refuses them, whatever their cookies say. */

/** What identifies a session: its id, its client, the name typed at login, and its start (milliseconds since 1970). */
type Begun = { id: string; clientCode: string; username?: string; startedAt: number }

/** Sessions logged out before they expired, so that a copied cookie stops working. Kept until the cookie would have expired. */
const ended = new LRUCache<string, true>({ ...limitEntries(200_000), ttl: settings.SESSION_MAX_MS, ttlResolution: 1000 })
/** Times of password changes (milliseconds since 1970), by client code or login name. Earlier sessions are over in every browser. */
const endTimes = new LRUCache<string, number>({ ...limitEntries(200_000), ttl: settings.SESSION_MAX_MS, ttlResolution: 1000 })

/** Ends one session: revokes its id and drops its cached replies. */
export async function denySession(id: string): Promise<void> {
	if (ended.has(id)) return
	ended.set(id, true)
	forgetReports(id)
	await tellOthers(`ended:${id}`, '1')
}

/** Messages that other processes did not get because Redis did not answer. They are sent when it is back. */
const unsent = new LRUCache<string, string>({ ...limitEntries(20_000), ttl: settings.SESSION_MAX_MS, ttlResolution: 1000 })
redis?.on('ready', () => void sendUnsent())

async function tellOthers(key: string, value: string): Promise<void> {
	if (!redis) return
	unsent.set(key, value)
	// Not only when the connection is back: a full Redis refuses messages on a connection that stays.
	if (await tell(key, value)) void sendUnsent()
}

/** Stops at the first message that Redis does not take. */
async function sendUnsent(): Promise<void> {
	for (const [key, value] of [...unsent.entries()]) if (!(await tell(key, value))) return
}

async function tell(key: string, value: string): Promise<boolean> {
	const told = await redis?.set(key, value, 'PX', settings.SESSION_MAX_MS).catch(() => undefined)
	if (told && unsent.peek(key) === value) unsent.delete(key)
	return Boolean(told)
}

/**
 * After a password change: ends every session of the client that began before now, also on pages that call no broker. `name` is the client
 * code, or the e-mail used for the forgotten password. Only after a login with that e-mail does the portal know its client
 * (login-names.server); otherwise sessions begun by client code end at the broker's next 401.
 */
export async function endClientSessions(name: string): Promise<void> {
	const now = Date.now()
	for (const each of new Set([name, await findClientByName(name)])) {
		endTimes.set(each, now)
		await tellOthers(`ended-of:${hideEmail(each)}`, String(now))
	}
}

/** Why this session ended early, if it did. */
export async function findEndReason({
	id,
	clientCode,
	username = clientCode,
	startedAt,
}: Begun): Promise<'logout' | 'password' | undefined> {
	if (ended.has(id)) return 'logout'
	const names = [clientCode, username]
	const asked = redis?.mget(`ended:${id}`, `changed:${id}`, ...names.map((name) => `ended-of:${hideEmail(name)}`))
	// Without an answer from Redis, another process may have ended the session. So no cached reply is shown, and the broker refuses a
	// logged-out token.
	const [isEnded, change, ...since] = (await asked?.catch(() => forgetReports(id))) ?? []
	applyChange(id, change)
	if (isEnded) return 'logout'
	const last = Math.max(...names.map((name) => endTimes.get(name) ?? 0), ...since.map(Number))
	return startedAt <= last ? 'password' : undefined
}

import { LRUCache } from 'lru-cache'
import { redis } from '~/config/redis.server'
import { limitEntries } from '~/lib/limit-entries'
import { keyedHash } from './sealed-cookie.server'

/*
 * Some brokers accept an e-mail as well as a client code at login. Only the broker knows which client an e-mail belongs to; a successful
 * login returns the client code. From then on both names count as one client: wrong passwords have one counter, and a password change
 * ends the sessions of both names.
 */
const LIFE_MS = 30 * 86_400_000
const known = new LRUCache<string, string>({ ...limitEntries(50_000), ttl: LIFE_MS, ttlResolution: 1000 })

/** The name as stored in Redis: hashed, because an e-mail is private. */
const formatPlace = (name: string) => `login-name:${keyedHash('login-name', name)}`

/** A name as it stands in other keys of Redis, such as those of limits: an e-mail is hashed there too, and a client code is not. */
export const hideEmail = (name: string) => (name.includes('@') ? keyedHash('login-name', name) : name)

/** The client code of a name, or the name itself while the portal does not know the client. */
export async function findClientByName(name: string): Promise<string> {
	const stored = known.get(name) ?? (await redis?.get(formatPlace(name)).catch(() => null))
	return stored ?? name
}

/** Stores which client a name belongs to, for 30 days from this login. Returns whether that is new. */
export async function rememberLoginName(name: string, clientCode: string): Promise<boolean> {
	if (name === clientCode) return false
	const isNews = (await findClientByName(name)) !== clientCode
	known.set(name, clientCode)
	await redis?.set(formatPlace(name), clientCode, 'PX', LIFE_MS).catch(() => {})
	return isNews
}

import { LRUCache } from 'lru-cache'
import { redis } from '~/config/redis.server'
import { keyedHash } from './sealed-cookie.server'

/*
 * Some brokers let a client log in by e-mail as well as by client code. Whose e-mail it is, only the broker knows, and it says so when a
 * login succeeds. From then on both names are one client: one counter of wrong passwords, and one end of all sessions.
 */
const LIFE_MS = 30 * 86_400_000
const known = new LRUCache<string, string>({ max: 50_000, ttl: LIFE_MS, ttlResolution: 1000 })

/** The name as it may stand in Redis: an e-mail is nobody else's business. */
const formatPlace = (name: string) => `login-name:${keyedHash('login-name', name)}`

/** The client code that belongs to a name, or the name itself when the broker has not said so yet. */
export async function findClientByName(name: string): Promise<string> {
	const stored = known.get(name) ?? (await redis?.get(formatPlace(name)).catch(() => null))
	return stored ?? name
}

/** Keeps what the broker has said, for 30 days from this login: this name logs in as this client. Answers whether it is news. */
export async function rememberLoginName(name: string, clientCode: string): Promise<boolean> {
	if (name === clientCode) return false
	const isNews = (await findClientByName(name)) !== clientCode
	known.set(name, clientCode)
	await redis?.set(formatPlace(name), clientCode, 'PX', LIFE_MS).catch(() => {})
	return isNews
}

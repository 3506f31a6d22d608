import { isIPv6 } from 'node:net'
import { expandIPv6 } from 'hono/utils/ipaddr'
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract, type RateLimiterRes } from 'rate-limiter-flexible'
import { BrokerRefusal, readFailure } from '~/broker/client.server'
import { shareCalls } from '~/broker/sharing.server'
import { redis } from '~/config/redis.server'
import { findClientByName, hideEmail, rememberLoginName } from './login-names.server'

const WINDOW_S = 15 * 60

function createLimit(name: string, points: number): RateLimiterAbstract {
	const memory = new RateLimiterMemory({ keyPrefix: name, points, duration: WINDOW_S })
	return redis
		? new RateLimiterRedis({ storeClient: redis, keyPrefix: name, points, duration: WINDOW_S, insuranceLimiter: memory })
		: memory
}

/** Limits how often one key may be used: which limit, and whose key. */
type Counter = { limit: RateLimiterAbstract; key: string }

/** Thrown when the limit is reached; the broker was not asked. */
export class TooManyAttempts extends Error {
	override name = 'TooManyAttempts'
	constructor(
		/** Seconds until another attempt is allowed, at least 1. */
		readonly wait: number,
	) {
		super('Too many attempts')
	}
}

/** Attempts without an answer yet, by limit and key. Each promise ends without an error. */
const underWay = new Map<string, Set<Promise<void>>>()

/**
 * Calls the broker within limits that count only wrong answers. An attempt counts before the call: otherwise sixty at once would all be
 * sent before the first is known to be wrong. The attempt is given back when its answer is right or no answer comes. When a limit is full
 * of attempts that may still be right, the caller waits for one of them (an office behind one address, where all log in at nine). When
 * the limit is full of wrong attempts, throws a TooManyAttempts. Attempts of other processes are not waited for.
 */
async function askWithin<Answer>(
	counters: readonly Counter[],
	ask: () => Promise<Answer>,
	isWrong: (error: unknown) => boolean | Promise<boolean>,
): Promise<Answer> {
	let end = () => {}
	const own = new Promise<void>((resolve) => (end = resolve))
	const taken: Counter[] = []
	let isCounted = false
	try {
		for (const counter of counters) {
			await take(counter, own)
			taken.push(counter)
		}
		return await ask()
	} catch (error) {
		isCounted = taken.length === counters.length && (await isWrong(error))
		throw error
	} finally {
		if (!isCounted) await Promise.allSettled(taken.map(giveBack))
		for (const counter of taken) leave(counter, own)
		end()
	}
}

/** The same for limits that count every attempt, so no caller waits. */
async function countWithin<Answer>(counters: readonly Counter[], ask: () => Promise<Answer>): Promise<Answer> {
	for (const counter of counters) {
		const wait = await count(counter)
		if (wait > 0) throw new TooManyAttempts(wait)
	}
	return ask()
}

const computeWait = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000))

/** The last attempt that takes from a counter, by limit and key. */
const takers = new Map<string, Promise<void>>()

/**
 * Attempts take from a counter one after the other: a refused attempt counts until it is given back, and in that time another attempt
 * would be refused although there is room.
 */
function take(counter: Counter, own: Promise<void>): Promise<void> {
	const name = formatCounterName(counter)
	const taken = (takers.get(name) ?? Promise.resolve()).then(() => takeNext(counter, own))
	const ended: Promise<void> = taken
		.catch(() => {})
		.finally(() => {
			if (takers.get(name) === ended) takers.delete(name)
		})
	takers.set(name, ended)
	return taken
}

async function takeNext(counter: Counter, own: Promise<void>): Promise<void> {
	const name = formatCounterName(counter)
	// Listed before the count is read: an attempt that ends in the meantime makes room.
	const others = [...(underWay.get(name) ?? [])]
	const wait = await count(counter)
	if (wait === 0) return void underWay.set(name, (underWay.get(name) ?? new Set()).add(own))
	if (others.length === 0) throw new TooManyAttempts(wait)
	await Promise.race(others)
	return takeNext(counter, own)
}

/** Counts an attempt and returns 0; at the limit counts nothing and returns the seconds until another attempt is allowed. */
async function count(counter: Counter): Promise<number> {
	const counted = await counter.limit.penalty(counter.key)
	if (counted.consumedPoints <= counter.limit.points) return 0
	await giveBack(counter)
	return computeWait(counted)
}

function leave(counter: Counter, own: Promise<void>): void {
	const all = underWay.get(formatCounterName(counter))
	all?.delete(own)
	if (all?.size === 0) underWay.delete(formatCounterName(counter))
}

/** Never goes below zero: the window may have ended, or the client's count may have been cleared. */
async function giveBack({ limit, key }: Counter): Promise<void> {
	const state = await limit.get(key)
	if (state && state.consumedPoints > 0) await limit.reward(key)
}

const formatCounterName = ({ limit, key }: Counter) => `${limit.keyPrefix} ${key}`

/** One subscriber has all 2⁶⁴ addresses of an IPv6 network, so they count as one. */
function ofAddress(limit: RateLimiterAbstract, address: string): Counter {
	if (!isIPv6(address)) return { limit, key: address }
	const full = expandIPv6(address.toLowerCase())
	const isMapped = full.startsWith('0000:0000:0000:0000:0000:ffff:')
	return { limit, key: isMapped ? full : `${full.slice(0, 19)}::/64` }
}

/** The key of a client by a name: a client code, or the hash of an e-mail whose client is not known. */
const findKey = async (name: string) => hideEmail(await findClientByName(name))

/** Product rules: five wrong passwords for one client code and thirty from one address in 15 minutes. */
const wrongPasswordsOfClient = createLimit('login-client', 5)
const wrongPasswordsOfAddress = createLimit('login-address', 30)

/**
 * Asks the broker about a password; errors for which `isWrong` is true count. Throws TooManyAttempts at the limit. The address counts
 * first: once it is refused, made-up client codes create no more keys. `name` is a client code or an e-mail.
 */
export async function askWithPassword<Answer>(
	name: string,
	address: string,
	ask: () => Promise<Answer>,
	isWrong: (error: unknown) => boolean | Promise<boolean>,
): Promise<Answer> {
	const client = { limit: wrongPasswordsOfClient, key: await findKey(name) }
	try {
		return await askWithin([ofAddress(wrongPasswordsOfAddress, address), client], ask, isWrong)
	} catch (error) {
		if (error instanceof TooManyAttempts) throw new TooManyAttempts(Math.max(error.wait, await readLock(client.key)))
		const lock = error instanceof BrokerRefusal && error.status === 423 ? error.envelope.data?.retry_after : undefined
		if (lock !== undefined && lock > 0) await brokerLocks.block(client.key, Math.min(lock, LONGEST_LOCK_S))
		throw error
	}
}

/**
 * Locks that the broker itself sets. At the portal's limit, the client's message has the later of the two end times. This counter refuses
 * no attempt.
 */
const brokerLocks = createLimit('broker-lock', 1)
const LONGEST_LOCK_S = 86_400

/** Seconds until the broker's lock ends, as far as it is known. */
async function readLock(key: string): Promise<number> {
	const lock = await brokerLocks.get(key)
	return lock ? computeWait(lock) : 0
}

/** After a login: the name and the client code are one client from now on, and wrong passwords under the name count for the client. */
export async function joinLoginName(name: string, clientCode: string): Promise<void> {
	if (!(await rememberLoginName(name, clientCode))) return
	const key = hideEmail(name)
	const wrong = (await wrongPasswordsOfClient.get(key))?.consumedPoints ?? 0
	if (wrong > 0) await wrongPasswordsOfClient.penalty(clientCode, wrong)
	await wrongPasswordsOfClient.delete(key)
}

/** Clears the count of wrong passwords after a reset by code. A correct password alone does not clear it. */
export async function forgiveClient(name: string): Promise<void> {
	const key = await findKey(name)
	await Promise.all([wrongPasswordsOfClient.delete(key), brokerLocks.delete(key)])
}

/** Product rule: five wrong codes of one client in 15 minutes, for any purpose. */
const wrongOtpsOfClient = createLimit('otp-client', 5)

/**
 * Asks the broker about a code; errors for which `isWrong` is true count. Throws TooManyAttempts at the limit. `post` identifies one post
 * by its idempotency key and code: the same post sent twice is one attempt.
 */
export function askWithOtp<Answer>(
	client: string,
	post: readonly string[],
	ask: () => Promise<Answer>,
	isWrong: (error: unknown) => boolean,
): Promise<Answer> {
	return shareCalls(undefined, client).sameChange(['otp', ...post], () =>
		askWithin([{ limit: wrongOtpsOfClient, key: hideEmail(client) }], ask, isWrong),
	)
}

/** Returns the seconds until this client may try another code; 0 when it may try one now. */
export async function findOtpWait(client: string): Promise<number> {
	const state = await wrongOtpsOfClient.get(hideEmail(client))
	return state && state.consumedPoints >= wrongOtpsOfClient.points ? computeWait(state) : 0
}

/** Changes with an OTP that one client may start in 15 minutes, all kinds together. */
const otpSendsOfClient = createLimit('otp-sends', 15)

/** Has a code sent. A refusal or an error does not count; without an answer the code may be on its way. Throws TooManyAttempts at the limit. */
export async function askForOtp<Answer>(client: string, send: () => Promise<Answer>): Promise<Answer> {
	const counter = { limit: otpSendsOfClient, key: client }
	return countWithin([counter], () =>
		send().catch(async (error: unknown) => {
			const isRefused = error instanceof BrokerRefusal || ((await readFailure(error))?.answered ?? 0) >= 400
			if (isRefused) await giveBack(counter)
			throw error
		}),
	)
}

/**
 * Codes for a forgotten password in 15 minutes: five for one client code, so that they do not flood a phone, and thirty from one address.
 */
const resetCodesOfClient = createLimit('reset-client', 5)
const resetCodesOfAddress = createLimit('reset-address', 30)

/** Requests a code; every attempt counts. Throws TooManyAttempts at the limit. */
export async function askForResetCode<Answer>(name: string, address: string, ask: () => Promise<Answer>): Promise<Answer> {
	const counters = [ofAddress(resetCodesOfAddress, address), { limit: resetCodesOfClient, key: await findKey(name) }]
	return countWithin(counters, ask)
}

/** PANs that one client may look up: sixty in 15 minutes. Three nominees need six. */
const pansOfClient = createLimit('pan-client', 60)

/** Counts one lookup of a PAN and returns whether it is allowed. */
export async function mayAskAboutPan(clientCode: string): Promise<boolean> {
	return countWithin([{ limit: pansOfClient, key: clientCode }], async () => true).catch((refused: unknown) => {
		if (!(refused instanceof TooManyAttempts)) throw refused
		return false
	})
}

/** Thirty invalid report links from one address in 15 minutes. */
const wrongLinksOfAddress = createLimit('weblink-address', 30)

/** Asks the broker about a report link; errors for which `isWrong` is true count. Throws TooManyAttempts at the limit. */
export function askWithLink<Answer>(address: string, ask: () => Promise<Answer>, isWrong: (error: unknown) => boolean): Promise<Answer> {
	return askWithin([ofAddress(wrongLinksOfAddress, address)], ask, isWrong)
}

import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { redis } from '~/redis.server'

const WINDOW_S = 15 * 60

/** Counts wrong answers, not attempts: right ones are free. A key that is over its limit is refused before the broker is asked. */
function createLimit(name: string, points: number): RateLimiterAbstract {
	const memory = new RateLimiterMemory({ keyPrefix: name, points, duration: WINDOW_S })
	return redis
		? new RateLimiterRedis({ storeClient: redis, keyPrefix: name, points, duration: WINDOW_S, insuranceLimiter: memory })
		: memory
}

/** Product rules: five wrong passwords for one client code, thirty from one address, in 15 minutes. */
const wrongPasswordsOfClient = createLimit('login-client', 5)
const wrongPasswordsOfAddress = createLimit('login-address', 30)

/** Seconds until another attempt is allowed; 0 when it is allowed now. */
export async function secondsUntilLogin(clientCode: string, address: string): Promise<number> {
	const [ofClient, ofAddress] = await Promise.all([wrongPasswordsOfClient.get(clientCode), wrongPasswordsOfAddress.get(address)])
	return Math.max(waitOf(ofClient), waitOf(ofAddress))
}

export async function countWrongPassword(clientCode: string, address: string): Promise<void> {
	await Promise.all([consume(wrongPasswordsOfClient, clientCode), consume(wrongPasswordsOfAddress, address)])
}

export async function forgiveClient(clientCode: string): Promise<void> {
	await wrongPasswordsOfClient.delete(clientCode)
}

/** Product rule: five wrong codes of one client in 15 minutes, whatever they were for. */
const wrongOtpsOfClient = createLimit('otp-client', 5)

export async function secondsUntilOtp(client: string): Promise<number> {
	return waitOf(await wrongOtpsOfClient.get(client))
}

export async function countWrongOtp(client: string): Promise<void> {
	await consume(wrongOtpsOfClient, client)
}

/** Codes for a forgotten password: so many for one client code that nobody's telephone is flooded, thirty from one address, in 15 minutes. */
const resetCodesOfClient = createLimit('reset-client', 5)
const resetCodesOfAddress = createLimit('reset-address', 30)

export async function secondsUntilResetCode(clientCode: string, address: string): Promise<number> {
	const [ofClient, ofAddress] = await Promise.all([resetCodesOfClient.get(clientCode), resetCodesOfAddress.get(address)])
	return Math.max(waitOf(ofClient), waitOf(ofAddress))
}

export async function countResetCode(clientCode: string, address: string): Promise<void> {
	await Promise.all([consume(resetCodesOfClient, clientCode), consume(resetCodesOfAddress, address)])
}

/** People by their PAN that one client may ask about: sixty in 15 minutes. Who names three nominees needs six. */
const pansOfClient = createLimit('pan-client', 60)

/** Counts one more, and says whether it may be asked about. */
export async function mayAskAboutPan(clientCode: string): Promise<boolean> {
	return pansOfClient.consume(clientCode).then(
		() => true,
		(refused: unknown) => {
			if (!(refused instanceof RateLimiterRes)) throw refused
			return false
		},
	)
}

/** Thirty report links that are none, from one address, in 15 minutes. */
const wrongLinksOfAddress = createLimit('weblink-address', 30)

export async function secondsUntilLink(address: string): Promise<number> {
	return waitOf(await wrongLinksOfAddress.get(address))
}

export async function countWrongLink(address: string): Promise<void> {
	await consume(wrongLinksOfAddress, address)
}

function waitOf(state: RateLimiterRes | null): number {
	return state && state.remainingPoints <= 0 ? Math.max(1, Math.ceil(state.msBeforeNext / 1000)) : 0
}

async function consume(limit: RateLimiterAbstract, key: string) {
	await limit.consume(key).catch((refused: unknown) => {
		if (!(refused instanceof RateLimiterRes)) throw refused
	})
}

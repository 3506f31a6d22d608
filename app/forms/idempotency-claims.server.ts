import { setTimeout as wait } from 'node:timers/promises'
import { redis } from '~/config/redis.server'
import { keyedHash, seal, unseal } from '~/session/sealed-cookie.server'

/*
 * Decides which process does work that must be done once. With Redis, the first process claims it and the others wait for its result. Three
 * Redis keys, all named by a keyed hash of the client, the form and its idempotency key:
 * once:<hash>           the claim of a process, and later the sealed result
 * once:<hash>:of        a hash of the form's content
 * once:<hash>:refused   how often the broker refused it
 * Without Redis, or while it does not answer, each process works for itself: the broker knows the idempotency key.
 */

/** How long a claim outlives its process. A running process renews its claim. */
const CLAIM_MS = 60_000
/** How long a result is kept for a repeat of the same form. */
const KEPT_MS = 3_600_000
/** A longer result is not kept: the broker returns it again. */
const MAX_ANSWER = 64 * 1024
const FIRST_LOOK_MS = 25
const LAST_LOOK_MS = 400
const CLAIM = 'claim'
/** Every stored result starts with this text; a claim does not. */
const ANSWER = 'answer '

/** The claim on a piece of work. Each of the three functions ends it. */
type Claim = {
	/** Done: a repeat gets this result, which must survive JSON. */
	keep(answer: unknown): Promise<void>
	/** Nothing was done, and the key may be used again for anything; `isRefused` counts it as refused. */
	forget(isRefused: boolean): Promise<void>
	/** Outcome unknown: the next caller asks the broker again, for the same content only. */
	release(): Promise<void>
}

/** `refused`: how often the broker refused the work of this key, as counted in Redis; 0 without Redis. */
type Claimed = { claim: Claim; refused: number }

const ALONE: Claim = { keep: async () => {}, forget: async () => {}, release: async () => {} }

/**
 * Claims the work named by `place`. Returns the claim; or `answer`, after waiting, when another process has done the work; or `isOther`,
 * when the same idempotency key was used for other content.
 */
export async function claimWork(place: string, content: string): Promise<Claimed | { answer: unknown } | { isOther: true }> {
	if (!redis) return { claim: ALONE, refused: 0 }
	const name = `once:${keyedHash('once', place)}`
	try {
		await redis.set(`${name}:of`, content, 'PX', KEPT_MS, 'NX')
		if (((await redis.get(`${name}:of`)) ?? content) !== content) return { isOther: true }
		for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LAST_LOOK_MS)) {
			if (await redis.set(name, CLAIM, 'PX', CLAIM_MS, 'NX'))
				return { claim: holdClaim(redis, name), refused: Number((await redis.get(`${name}:refused`)) ?? 0) }
			const state = await redis.get(name)
			if (state?.startsWith(ANSWER)) return await openAnswer(state.slice(ANSWER.length))
			await wait(pause)
		}
	} catch {
		return { claim: ALONE, refused: 0 }
	}
}

async function openAnswer(sealed: string): Promise<Claimed | { answer: unknown }> {
	const text = await unseal('answer', sealed)
	// Sealed with a secret that this process does not have yet.
	return text === undefined ? { claim: ALONE, refused: 0 } : { answer: (JSON.parse(text) as { answer?: unknown }).answer }
}

function holdClaim(store: NonNullable<typeof redis>, name: string): Claim {
	const renewal = setInterval(() => void store.pexpire(name, CLAIM_MS).catch(() => {}), CLAIM_MS / 3).unref()
	async function end(command: () => Promise<unknown>): Promise<void> {
		clearInterval(renewal)
		// The Redis client logs failures. A claim that stays expires by itself.
		await command().catch(() => {})
	}
	return {
		keep: (answer) =>
			end(async () => {
				const text = JSON.stringify({ answer })
				if (text.length > MAX_ANSWER) return store.del(name)
				return store.set(name, ANSWER + (await seal('answer', text)), 'PX', KEPT_MS)
			}),
		forget: (isRefused) =>
			end(async () => {
				// In one step: another process that claims the key must find the refusal counted.
				const steps = store.multi().del(name, `${name}:of`)
				if (isRefused) steps.incr(`${name}:refused`).pexpire(`${name}:refused`, KEPT_MS)
				await steps.exec()
			}),
		release: () => end(() => store.del(name)),
	}
}

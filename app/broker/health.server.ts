import { z } from 'zod/v4'
import { SIDE_CALL_MS, withTimeout } from '~/lib/with-timeout'
import { type Broker, BrokerRefusal, readFailure } from './client.server'

/** Minimum time between two health calls to the broker, in milliseconds, however often the portal is asked. */
const ASKED_EVERY_MS = 5000

let last: { answer: Promise<boolean>; until: number } | undefined

/** Whether the broker answers within three seconds, as of at most 5 s ago. */
export async function isBrokerAnswering(broker: Broker): Promise<boolean> {
	if (last && performance.now() < last.until) return last.answer
	// No second call while the first has no reply.
	const asked = { answer: withTimeout(ask(broker), SIDE_CALL_MS).catch(() => false), until: Infinity }
	last = asked
	const answer = await asked.answer
	asked.until = performance.now() + ASKED_EVERY_MS
	return answer
}

/**
 * The contract has no health call. A call without a session is refused, and so the broker answers. Only a 401 needs no words: a redirect,
 * an HTML page or a 404 without words comes from another program at that address.
 */
async function ask(broker: Broker): Promise<boolean> {
	return broker.get('/v2/user/verify-user', z.unknown()).then(
		() => true,
		async (error: unknown) => {
			if (error instanceof BrokerRefusal) return true
			const { answered = 500, isSaid = false } = (await readFailure(error)) ?? {}
			return answered === 401 || (isSaid && answered < 500)
		},
	)
}

import { z } from 'zod/v4'
import { type Broker, BrokerRefusal } from './client.server'

/** Whoever asks, and however often, the broker is asked no more than once in this time. */
const ASKED_EVERY_MS = 5000

let last: { answer: Promise<boolean>; until: number } | undefined

/** Whether the broker answers at all, as of at most 5 s ago. */
export async function isBrokerAnswering(broker: Broker): Promise<boolean> {
	if (last && performance.now() < last.until) return last.answer
	// As long as it has not answered, it is not asked again.
	const asked = { answer: ask(broker), until: Infinity }
	last = asked
	const answer = await asked.answer
	asked.until = performance.now() + ASKED_EVERY_MS
	return answer
}

/** The contract has no health call; that the broker refuses a session nobody has shows that it is there. */
async function ask(broker: Broker): Promise<boolean> {
	return broker.get('/v2/user/verify-user', z.unknown()).then(
		() => true,
		(error: unknown) => error instanceof BrokerRefusal || (error instanceof Response && error.status < 500),
	)
}

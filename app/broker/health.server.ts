import { z } from 'zod/v4'
import { type Broker, BrokerRefusal } from './client.server'

/** The contract has no health call; that the broker refuses a session nobody has shows that it is there. */
export async function isBrokerAnswering(broker: Broker): Promise<boolean> {
	return broker.get('/v2/user/verify-user', z.unknown()).then(
		() => true,
		(error: unknown) => error instanceof BrokerRefusal || (error instanceof Response && error.status < 500),
	)
}

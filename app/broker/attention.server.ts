import { Attention } from '#contract/attention'
import { type Broker } from './client.server'

/** Ours: the items that need the client's attention, nearest deadline first. A broker without this list answers 404. */
export function listAttention(broker: Broker) {
	return broker.get('/v1/ours/attention', Attention)
}

import { Attention } from '#contract/attention'
import { type Broker } from './client.server'

/** Ours: what needs the client's attention, the nearest deadline first. 404 is a broker that has no such list. */
export function listAttention(broker: Broker) {
	return broker.get('/v1/ours/attention', Attention)
}

import { EsignStatus } from '#contract/esign'
import { type Broker } from './client.server'

/** How one of the client's requests to sign stands. A 404 is a reference that is not the client's, or a broker without this call. */
export function getEsignStatus(broker: Broker, reference: string) {
	return broker.get('/v1/ours/esign', EsignStatus, { query: { ref: reference } })
}

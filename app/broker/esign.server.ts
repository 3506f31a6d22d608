import { EsignStatus } from '#contract/esign'
import { type Broker } from './client.server'

/**
 * Status of one of the client's e-sign requests. A 404 means that the reference is not the client's, or that the broker lacks this call.
 */
export function getEsignStatus(broker: Broker, reference: string) {
	return broker.get('/v1/ours/esign', EsignStatus, { query: { ref: reference } })
}

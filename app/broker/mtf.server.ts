import { EsignResponse } from '#contract/esign'
import { MtfDetails, MtfFacts, MtfInterest } from '#contract/mtf'
import { type FinancialYear } from '#contract/values/financial-year'
import { type Broker, orNoneOffered } from './client.server'
import { type ReadOptions } from './requests.server'

export function getMtfDetails(broker: Broker, options: ReadOptions = {}) {
	return broker.get('/v2/account-profile/mtf-details', MtfDetails, options)
}

/** Returns the e-sign response and replaces an earlier unsigned request. 409 when margin funding is active. */
export function requestMtfEsign(broker: Broker, idempotencyKey: string) {
	return broker.post('/v1/mtf_esign_process', EsignResponse, { idempotencyKey })
}

/** Ours: terms, margin and margin call. */
export function getMtfFacts(broker: Broker, options: ReadOptions = {}) {
	return broker.get('/v1/ours/mtf-facts', MtfFacts, options)
}

const NO_INTEREST: MtfInterest = { days: [], postings: [] }

/** Ours: interest day by day; empty when the broker has no data. Throws the absence when the broker lacks this call. */
export function listMtfInterest(broker: Broker, year: FinancialYear, options: ReadOptions = {}) {
	return broker
		.getKept('/v1/ours/mtf-interest', MtfInterest, { query: { dataYear: String(year) }, ...options }, ({ days }) => days.length)
		.catch(orNoneOffered(NO_INTEREST))
}

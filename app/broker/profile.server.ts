import { LedgerCocd } from '#contract/common'
import { BankAccounts, Profile } from '#contract/profile'
import { Segment } from '#contract/units'
import { askBriefly, type Broker, orNone } from './client.server'
import { type ReadOptions } from './requests.server'

export function getPersonalDetails(broker: Broker, options: ReadOptions = {}) {
	return broker.getKept('/v2/account-profile/personal-details', Profile, options, () => 1)
}

/** The registered bank accounts, with full numbers. */
export function getBankDetails(broker: Broker, options: ReadOptions = {}) {
	return findBankDetails(broker, options).catch(orNone([]))
}

/** The same for a POST that needs an account: throws a 404, which such a POST shows as a refusal. */
export function findBankDetails(broker: Broker, options: ReadOptions = {}) {
	return broker.get('/v2/account-profile/bank-details', BankAccounts, options)
}

/** The same for a page that only adds to itself with it; undefined when the broker does not answer within three seconds. */
export function findPersonalDetails(broker: Broker) {
	return askBriefly(getPersonalDetails(broker))
}

/**
 * The company codes of this client; a segment without a code is not offered. Undefined when the broker does not state them or does not
 * answer; then reports request all segments, and a segment that the client does not have is empty.
 */
async function listSegmentCodes(broker: Broker): Promise<string[] | undefined> {
	const profile = await findPersonalDetails(broker)
	return profile?.dp_details.company_code?.split(',')
}

/** The ledgers of this client. Every client has NSE_CASH. All ledgers when the broker does not answer. */
export async function listClientLedgers(broker: Broker): Promise<LedgerCocd[]> {
	const codes = await listSegmentCodes(broker)
	return LedgerCocd.options.filter((cocd) => cocd === 'NSE_CASH' || !codes || codes.includes(cocd))
}

/**
 * The ledgers that money can be paid into. Only ledgers that the client certainly has are offered: NSE_CASH alone when the broker does
 * not answer (`isKnown` is then false).
 */
export async function listPayinLedgers(broker: Broker): Promise<{ ledgers: LedgerCocd[]; isKnown: boolean }> {
	const codes = await listSegmentCodes(broker)
	return { ledgers: LedgerCocd.options.filter((cocd) => cocd === 'NSE_CASH' || codes?.includes(cocd)), isKnown: codes !== undefined }
}

/** False when the broker does not answer, so that all segments are offered. */
export async function areSegmentsKnown(broker: Broker): Promise<boolean> {
	return (await listSegmentCodes(broker)) !== undefined
}

/** The exchange segments of this client. Every client has NSE_CASH. All segments when the broker does not answer. */
export async function listClientSegments(broker: Broker): Promise<Segment[]> {
	const codes = await listSegmentCodes(broker)
	return Segment.options.filter((segment) => segment === 'NSE_CASH' || !codes || codes.includes(segment))
}

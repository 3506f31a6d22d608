import { type Broker } from './client.server'
import { LedgerCocd } from './contract/common'
import { Profile } from './contract/profile'

export function getPersonalDetails(broker: Broker, options: { hardRefresh?: boolean } = {}) {
	return broker.getKept('/v2/account-profile/personal-details', Profile, options, () => 1)
}

/**
 * The ledgers this client has: what there is no company code for is not offered. When the broker cannot say, both are
 * asked for, and the one that does not exist is simply empty.
 */
export async function ledgersOf(broker: Broker): Promise<LedgerCocd[]> {
	const codes = await getPersonalDetails(broker).then(
		({ dp_details }) => dp_details.company_code.split(',').map((code) => code.trim()),
		(error: unknown) => {
			if (error instanceof Response && error.status < 404) throw error
			return undefined
		},
	)
	return LedgerCocd.options.filter((cocd) => cocd === 'NSE_CASH' || !codes || codes.includes(cocd))
}
